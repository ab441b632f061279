import FoundationEssentials

/// Lines between processes of this program, and records that it reads again, as JSON. Every value can be written: JSON
/// has no numbers for NaN and infinities, which are the texts `nan`, `inf` and `-inf` here. Output for other programs
/// is written as a ``JSONValue``, where they are null.
package enum JSONMessage {
  /// A value as JSON, on one line.
  package static func data(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return (try? encoder.encode(value)) ?? Data("null".utf8)
  }

  /// Reads a value that ``data(_:)`` has written; nil for anything else.
  package static func value<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try? decoder.decode(type, from: data)
  }
}
