import BatchRender

/// What is known of a golden: of what it was made, when, by what and why. A JSON file beside the sound and the curves.
package struct GoldenRecord: Codable, Sendable {
  package var version = 1
  /// The case that it belongs to, `suite/case`.
  package var id: String
  /// Device and stimulus as the suite wrote them when it was made: a golden of another definition is out of date.
  package var definition: JSONValue
  /// Every time it was written, the last one last.
  package var history: [Making]
  package var audio: Audio?
  /// Ids of the curves that lie beside it.
  package var curves: [String] = []

  package struct Making: Codable, Sendable {
    /// UTC, ISO 8601.
    package var date: String
    package var reason: String
    package var program: String
    /// Processor, instruction set, libraries.
    package var machine: [String: String]
  }

  package struct Audio: Codable, Sendable {
    package var sampleRate: Double
    package var channels: Int
    package var frames: Int
    package var digest: SampleDigest
    /// Bits that the sound is kept with: for looking at differences; the digest knows the exact samples.
    package var bits: Int
    /// The kept sound times this is the real one: a power of two, so that what is beyond full scale fits the file.
    package var scale: Double
    /// What each node put out, along the sound.
    package var nodes: [Node] = []
  }

  package struct Node: Codable, Sendable {
    package var name: String
    package var digest: SampleDigest
  }
}
