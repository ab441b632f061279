import BatchRender

/// What is known of a golden: of what it was made, when, by what and why. A JSON file beside the sound and the curves.
struct GoldenRecord: Codable, Sendable {
  var version = 1
  /// The case that it belongs to, `suite/case`.
  var id: String
  /// Device and stimulus as the suite wrote them when it was made: a golden of another definition is out of date.
  var definition: JSONValue
  /// Every time it was written, the last one last.
  var history: [Making]
  var audio: Audio?
  /// Ids of the curves that lie beside it.
  var curves: [String] = []

  struct Making: Codable, Sendable {
    /// UTC, ISO 8601.
    var date: String
    var reason: String
    var program: String
    /// Processor, instruction set, libraries.
    var machine: [String: String]
  }

  struct Audio: Codable, Sendable {
    var sampleRate: Double
    var channels: Int
    var frames: Int
    var digest: SampleDigest
    /// Bits that the sound is kept with: for looking at differences; the digest knows the exact samples.
    var bits: Int
    /// The kept sound times this is the real one: a power of two, so that what is beyond full scale fits the file.
    var scale: Double
    /// What each node put out, along the sound.
    var nodes: [Node] = []
  }

  struct Node: Codable, Sendable {
    var name: String
    var digest: SampleDigest
  }
}
