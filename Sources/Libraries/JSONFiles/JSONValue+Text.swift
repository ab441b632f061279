import AudioCore
import CJansson
import FoundationEssentials

/// Texts of JSON: read by jansson, which says where one is wrong, and written by Foundation.
extension JSONValue {
  /// As JSON on one line, keys in alphabetical order.
  package var text: String { text([]) }

  /// As an indented document, keys in alphabetical order.
  package var indentedText: String { text(.prettyPrinted) + "\n" }

  private func text(_ layout: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = layout.union([.sortedKeys, .withoutEscapingSlashes])
    guard let data = try? encoder.encode(self) else { preconditionFailure("parsed JSON can be written") }
    return String(decoding: data, as: UTF8.self)
  }

  /// The document of a file. A key that an object has twice is an error.
  /// - Parameter kind: the kind of errors.
  package static func document(_ data: Data, kind: BenchError.Kind) throws(BenchError) -> JSONValue {
    guard data.contains(where: { $0 > 0x20 }) else { throw BenchError(kind, "this is not JSON: it is empty") }
    var error = json_error_t()
    let parsed = data.withUnsafeBytes { bytes in
      json_loadb(
        bytes.baseAddress, bytes.count,
        size_t(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL), &error)
    }
    guard let parsed else {
      let place = error.line > 0 ? "line \(error.line), column \(error.column): " : ""
      var words = withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      // The text of a file that is not JSON is not quoted: it may be a key or a password.
      let quote = words.firstRange(of: " near '")
      if let quote, !words.hasPrefix("duplicate") { words.removeSubrange(quote.lowerBound...) }
      throw BenchError(kind, "this is not JSON: \(place)\(words)", advice: advice(data.prefix(Int(error.position))))
    }
    defer { json_decref(parsed) }
    return JSONValue(parsed)
  }

  /// For what people write into JSON most.
  /// - Parameter read: up to the token that was not expected.
  private static func advice(_ read: Data) -> String? {
    let (last, before) = (read.last, read.dropLast().last { $0 > 0x20 })
    if last == UInt8(ascii: "/") { return "JSON has no comments" }
    let isEnd = last == UInt8(ascii: "]") || last == UInt8(ascii: "}")
    return isEnd && before == UInt8(ascii: ",") ? "leave out the comma in front of it" : nil
  }

  private init(_ json: UnsafeMutablePointer<json_t>) {
    switch json.pointee.type {
    case JSON_OBJECT:
      var object: [String: JSONValue] = [:]
      var next = json_object_iter(json)
      while let field = next {
        if let key = json_object_iter_key(field), let value = json_object_iter_value(field) {
          object[String(cString: key)] = JSONValue(value)
        }
        next = json_object_iter_next(json, field)
      }
      self = .object(object)
    case JSON_ARRAY:
      self = .array((0..<json_array_size(json)).compactMap { json_array_get(json, $0).map(JSONValue.init) })
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(start: json_string_value(json), count: json_string_length(json))
      self = .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER, JSON_REAL: self = .number(json_number_value(json))
    case JSON_TRUE, JSON_FALSE: self = .bool(json.pointee.type == JSON_TRUE)
    default: self = .null
    }
  }
}
