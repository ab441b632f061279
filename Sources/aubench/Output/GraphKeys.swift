import AudioUnits
import SampleRate

/// The keys that a node of a graph file may have, for `aubench units`. A test holds them against the reader of graph
/// files and against the schema.
struct GraphKey: Encodable {
  let name: String
  let meaning: String

  private init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }

  static func all(of unit: Unit) -> [GraphKey] { own(of: unit) + common(to: unit) }

  private static func own(of unit: Unit) -> [GraphKey] {
    switch unit {
    case is FilePlayer:
      [
        GraphKey("file", "the sound file, relative to the graph file"),
        GraphKey("start", "the frame of the output at which it begins, 0 unless given"),
        GraphKey("loops", "additional passes, 0 unless given; -1 plays for ever"),
        GraphKey("region", "[first frame, number of frames] of the file"), quality,
      ]
    case is MultichannelMixer:
      [
        GraphKey("inputs", "the number of input buses; by default as many as are connected"),
        GraphKey("monoPanLaw", names(MonoPanLaw.allCases.map(\.name))),
        GraphKey("stereoPanLaw", names(StereoPanLaw.allCases.map(\.name))), quality,
        GraphKey("matrix", "gains in place of pan: {\"bus\": [[gain to each output], one list per input channel]}"),
      ]
    case is IPodEQ: [GraphKey("preset", "a factory preset, by name or number")]
    case is NBandEQ:
      [
        GraphKey("bands", "a list of {type, frequency, bandwidth, gain, bypass}: Hz, octaves, dB"),
        GraphKey("globalGain", "dB"), bypass,
      ]
    case is FilterEffect: [bypass]
    case is FormatConverterUnit:
      [
        quality, GraphKey("ditherSeed", "dither where samples become integers, from this seed"),
        GraphKey("map", "the source of each output channel, from 0 on; -1 is silence"),
        GraphKey("matrix", "in place of map: [[gain to each output], one list per input channel]"),
      ]
    case is GenericOutput: [quality]
    case _ where unit.runsForeignCode:
      [
        GraphKey("inputs", "the number of input buses, where it can be chosen"),
        GraphKey("state", "a .aupreset file, relative to the graph file"),
        GraphKey("preset", "a factory preset, by name or number"), bypass,
      ]
    default: []
    }
  }

  private static func common(to unit: Unit) -> [GraphKey] {
    [
      GraphKey("format", "what it is to put out: {sampleRate, channels, encoding, interleaved}"),
      GraphKey("set", "parameters: {\"name@scope:element\": value}"),
      GraphKey("ramp", "parameters that move: [{parameter, points: [[frame, value], ...]}]"),
      GraphKey("clamp", "true holds values to the range of their parameter, in place of refusing those outside it"),
    ]
  }

  private static let bypass = GraphKey("bypass", "true passes the sound unchanged")
  private static let quality = GraphKey(
    "quality", "the filter of a rate conversion: " + names(RateConversionQuality.allCases.map(\.rawValue)))

  /// A choice, as a list.
  private static func names(_ list: [String]) -> String { list.joined(separator: ", ") }
}
