import AudioCore
import BatchRender
import TestSupport
import Testing

import Batch

/// Numbers of job files may be texts with their unit, as in graph files and on a command line.
@Suite("Quantities of job files")
struct JobQuantityTests {
  private let folder = TemporaryFolder()

  private func job(_ keys: String, graph: Bool = false) throws -> BatchJob {
    let head = graph ? #""graph": "g.json", "inputs": {"in": "a.wav"}"# : #""inputs": "a.wav""#
    let container = keys.contains("bitRate") ? "mp3" : "wav"
    folder.write(#"{"version": 1, \#(head), "output": "{name}.\#(container)", \#(keys)}"#, to: "job.json")
    folder.write("no sound", to: "a.wav")
    return try JobFile.load(folder.file("job.json"), graphOptions: GraphFile.Options())
  }

  struct Key: Sendable, CustomTestStringConvertible {
    /// The key as it stands in the file, with $ in place of its value.
    let text: String
    let isOfGraphs: Bool
    let quantity: String
    let value: Double
    let wrong: String
    let read: @Sendable (BatchJob) -> Double?
    var testDescription: String { text }

    init(
      _ text: String, _ quantity: String, _ value: Double, not wrong: String, isOfGraphs: Bool = false,
      _ read: @escaping @Sendable (BatchJob) -> Double?
    ) {
      (self.text, self.quantity, self.value, self.wrong) = (text, quantity, value, wrong)
      (self.isOfGraphs, self.read) = (isOfGraphs, read)
    }
  }

  private static func seconds(_ job: BatchJob) -> Double? {
    guard case .seconds(let seconds) = job.render.length else { return nil }
    return seconds
  }

  private static func silence(_ job: BatchJob) -> Double? {
    guard case .untilSilent(let level, _, _) = job.render.length else { return nil }
    return level
  }

  static let keys: [Key] = [
    Key(#""sampleRate": $"#, "44.1k", 44_100, not: "44.1s") { $0.conversion.sampleRate },
    Key(#""bitRate": $"#, "192kbps", 192, not: "192Hz") { $0.conversion.writer.bitRate.map(Double.init) },
    Key(#""lfe": $"#, "0dB", 1, not: "0Hz") { $0.conversion.effectsGain },
    Key(#""seconds": $"#, "1:30", 90, not: "90dB", isOfGraphs: true) { seconds($0) },
    Key(#""untilSilent": $"#, "-60dBFS", -60, not: "-60LUFS", isOfGraphs: true) { silence($0) },
    Key(#""trim": {"below": $}"#, "-50 dB", -50, not: "-50dBTP") { $0.finishing.trim?.thresholdDecibels },
    Key(#""trim": {"keep": $}"#, "250ms", 0.25, not: "250Hz") { $0.finishing.trim?.keptSeconds },
    Key(#""fade": {"in": $}"#, "10ms", 0.01, not: "10dB") { $0.finishing.fadeInSeconds },
    Key(#""fade": {"out": $}"#, "0.5s", 0.5, not: "5%") { $0.finishing.fadeOutSeconds },
    Key(#""loudness": {"target": $}"#, "-16LUFS", -16, not: "-16dB") { $0.finishing.loudness?.targetLUFS },
    Key(#""loudness": {"target": -16, "truePeak": $}"#, "-1.5dBTP", -1.5, not: "-1.5LUFS") {
      $0.finishing.loudness?.limitDecibels
    },
  ]

  @Test("A text with a unit is the number; another unit is an error that says which is expected", arguments: keys)
  func units(_ key: Key) throws {
    for value in ["\"\(key.quantity)\"", "\(key.value)"] {
      #expect(key.read(try job(key.text.replacing("$", with: value), graph: key.isOfGraphs)) == key.value, "\(value)")
    }
    for wrong in [key.wrong, "5 apples"] {
      let error = #expect(throws: BenchError.self) {
        try job(key.text.replacing("$", with: "\"\(wrong)\""), graph: key.isOfGraphs)
      }
      #expect(error?.message.contains("is not its unit; expected ") == true, "\(wrong): \(error?.message ?? "")")
    }
  }

  @Test("Every number of the schema takes one, but those that have no unit")
  func everyKey() throws {
    let bare: Set = ["version", "dither", "codecQuality", "channels", "retries"]
    func names(_ schema: JSONValue) -> [String] {
      guard case .object(let properties) = schema["properties"] else { return [] }
      return properties.flatMap { name, value -> [String] in
        switch value["type"] {
        case .string("number"), .string("integer"): bare.contains(name) ? [] : ["\(name) takes no text"]
        case .array(let types) where types.contains("number"): [name]
        default: names(value)
        }
      }
    }
    let written = Self.keys.map { String($0.text.split(separator: "\": $")[0].split(separator: "\"").last ?? "") }
    #expect(names(JobKeys.schema).sorted() == written.sorted())
  }
}
