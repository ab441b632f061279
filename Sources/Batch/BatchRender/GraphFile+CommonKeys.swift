import AudioCore

extension GraphFile {
  /// A key that every node may have.
  package struct CommonKey: Sendable {
    package let name: String
    package let meaning: String
  }

  /// The keys that ``NodeReader`` takes for every node, beside `id`, `unit` and the keys that the unit declares. The
  /// schema's frame has each of them among its definitions.
  package static let commonKeys = [
    CommonKey(
      name: "format", meaning: "the format of its output: {sampleRate, channels, layout, encoding, interleaved}"),
    CommonKey(name: "set", meaning: "parameters: {\"name@scope:element\": value}"),
    CommonKey(name: "ramp", meaning: "parameters that move: [{parameter, points: [[frame, value], ...]}]"),
    CommonKey(
      name: "clamp",
      meaning: "true holds values to the range of their parameter, in place of refusing those outside it"),
  ]
}
