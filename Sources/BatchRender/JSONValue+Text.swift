import AudioCore
import FoundationEssentials

/// Texts of JSON. Parsing itself is Foundation's.
extension JSONValue {
  /// As JSON on one line, keys in alphabetical order.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("parsed JSON can be written") }
    return String(decoding: data, as: UTF8.self)
  }

  /// The document of a file.
  /// - Parameter kind: of errors.
  package static func document(_ data: Data, kind: BenchError.Kind) throws(BenchError) -> JSONValue {
    let document: JSONValue
    do {
      document = try JSONDecoder().decode(JSONValue.self, from: data)
    } catch {
      if let complaint = JSONSyntax.complaint(about: Array(data)) {
        throw BenchError(kind, "this is not JSON: \(complaint)")
      }
      throw BenchError(kind, "this is not JSON")
    }
    if let flaw = JSONSyntax.flaw(in: Array(data)) { throw BenchError(kind, flaw) }
    return document
  }
}
