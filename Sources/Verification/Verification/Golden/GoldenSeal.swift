import AudioCore
import Digests

/// The digest that holds a record together: over all its keys and values but the seal itself, known keys or not.
///
/// It is taken over the parsed values, not over the text: indentation, the order of keys and the ends of lines do not
/// matter, and no version of a JSON writer does.
enum GoldenSeal {
  static let key = "seal"

  /// The seal that a record with these values has.
  static func text(of record: JSONValue) -> String {
    var record = record
    if case .object(var object) = record {
      object[key] = nil
      record = .object(object)
    }
    var bytes: [UInt8] = []
    append(record, to: &bytes)
    return Fingerprint.of(bytes)
  }

  /// Each value begins with a byte for its kind, and what varies in length with its length, so that no two documents
  /// give the same bytes. Numbers are the 64 bits of a Double.
  private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes.append(value ? 2 : 1)
    case .number(let value):
      bytes.append(3)
      append(value == 0 ? 0 : value.bitPattern, to: &bytes)
    case .string(let text):
      bytes.append(4)
      append(text, to: &bytes)
    case .array(let list):
      bytes.append(5)
      append(UInt64(list.count), to: &bytes)
      for element in list { append(element, to: &bytes) }
    case .object(let object):
      bytes.append(6)
      append(UInt64(object.count), to: &bytes)
      for (key, element) in object.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        append(key, to: &bytes)
        append(element, to: &bytes)
      }
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    append(UInt64(text.utf8.count), to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
