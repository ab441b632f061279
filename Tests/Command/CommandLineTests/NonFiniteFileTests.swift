import Foundation
import TestSupport
import Testing

/// NaN and infinities in float files on the command line: each command says it plainly, none dies of it, and no figure
/// comes of it.
@Suite("Files with samples that are not finite")
struct NonFiniteFileTests {
  private let folder = TemporaryFolder()

  private func run(_ script: String) throws -> Program.Result { try Program.shell(script, in: folder) }

  /// A tone of 997 Hz on both channels, a second at 48 kHz.
  private static let tone = (0..<96_000).map { Float(0.25 * sin(2 * .pi * 997 / 48_000 * Double($0 / 2))) }

  /// `good.wav`, and `nan.wav` with two NaN from frame 30000 on in channel 1 and an infinity behind them in channel 0.
  init() {
    folder.write(WaveFile.floats(Self.tone, rate: 48_000, channels: 2), to: "good.wav")
    var bad = Self.tone
    (bad[60_001], bad[60_003], bad[70_000]) = (.nan, .nan, .infinity)
    folder.write(WaveFile.floats(bad, rate: 48_000, channels: 2), to: "nan.wav")
  }

  private static let words = "2 samples are NaN and 1 is infinite, the first at frame 30000 of channel 1"

  /// The smallest case of a night's batch that died: each run after it died at the same file.
  @Test func aBatchFailsThatFileAloneAndGoesOn() throws {
    for _ in 0..<2 {
      let result = try run(
        "\"$AUBENCH\" convert nan.wav good.wav -o 'o/{name}.flac' --loudness -16 --journal j --csv r.csv --json")
      #expect(result.code == 4)
      #expect(result.errors.contains("nan.wav: \(Self.words)"), "\(result.errors)")
      #expect(folder.exists("o/good.flac") && !folder.exists("o/nan.flac"))
      #expect(result.output.contains("\"failed\" : 1"))
    }
    let table = String(decoding: try folder.bytes("r.csv"), as: UTF8.self)
    #expect(table.contains(Self.words) && table.contains("o/good.flac,current"))
  }

  @Test(arguments: ["silence", "keep"]) func whatIsAskedForIsDoneAndTold(policy: String) throws {
    let result = try run(
      """
      "$AUBENCH" convert nan.wav good.wav -o 'o/{name}.wav' --loudness -16 --nonfinite \(policy) --journal j --csv r.csv \
      --html r.html --junit r.xml --json
      """)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.contains(Self.words))
    let tasks = try #require(try result.value("tasks") as? [[String: Any]])
    let report = try #require((tasks[0]["reports"] as? [[String: Any]])?.first)
    #expect(report["clippedSamples"] as? Int == 0)
    let lines = String(decoding: try folder.bytes("r.csv"), as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init)
    let row = try #require(lines.first { $0.hasPrefix("o/nan.wav") }).split(
      separator: ",", omittingEmptySubsequences: false)
    let titles = lines.first.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
    func cell(_ title: String) throws -> Substring { row[try #require(titles.firstIndex { $0 == title })] }
    if policy == "silence" {
      #expect(report["loudnessLUFS"] as? Double != nil && report["nonFiniteSamples"] == nil)
      #expect(try cell("not finite samples") == "0")
      #expect(abs((Double(try cell("loudness LUFS")) ?? 0) + 16) < 0.02)
    } else {
      #expect((report["nonFiniteSamples"] as? [String: Any])?["notNumbers"] as? Int == 2)
      #expect(report["loudnessLUFS"] == nil && report["truePeakDecibels"] == nil && report["notNormalized"] != nil)
      #expect((report["peakDecibels"] as? [Any])?.allSatisfy { $0 is NSNull } == true)
      #expect(try cell("not finite samples") == "3")
      for title in ["peak dBFS", "loudness LUFS", "true peak dBTP", "shortfall dB"] {
        #expect(try cell(title) == "", "\(title)")
      }
      #expect(result.errors.contains("its loudness was not set: it has samples that are NaN or infinite"))
    }
    for file in ["r.csv", "r.html", "r.xml"] {
      let text = String(decoding: try folder.bytes(file), as: UTF8.self)
      #expect(!text.contains(">nan<") && !text.contains(",nan,"), "\(file)")
    }
    // The journal's facts are reported again.
    let again = try run(
      "\"$AUBENCH\" convert nan.wav good.wav -o 'o/{name}.wav' --loudness -16 --nonfinite \(policy) --journal j")
    #expect(again.code == 0 && again.output.contains("2 up to date"), "\(again.output)\(again.errors)")
  }

  /// As options, as a key of a graph and as one of a job.
  @Test func graphsAndJobsHaveTheKeyToo() throws {
    func graph(_ key: String) -> String {
      """
      {"version": 1, "nodes": [{"id": "voice", "unit": "filePlayer", "file": "nan.wav"\(key)},
        {"id": "eq", "unit": "nBandEQ", "bands": [{"type": "parametric", "frequency": 1000, "gain": 6}]},
        {"id": "out", "unit": "genericOutput"}], "connections": ["voice -> eq", "eq -> out"]}
      """
    }
    folder.write(graph(""), to: "g.json")
    folder.write(graph(", \"nonfinite\": \"silence\""), to: "s.json")
    func job(_ what: String, _ policy: String) -> String {
      """
      {"version": 1, \(what), "output": "j/{name}-\(policy).wav", "nonfinite": "\(policy)"}
      """
    }
    folder.write(job("\"inputs\": \"nan.wav\"", "silence"), to: "c.json")
    folder.write(job("\"graph\": \"g.json\", \"inputs\": {\"voice\": \"nan.wav\"}", "keep"), to: "r.json")
    for (line, code, said) in [
      ("render g.json -o o.wav", 4, "node \"voice\""), ("render g.json -o o.wav --nonfinite silence", 0, "made 0"),
      ("render s.json -o o.wav", 0, "made 0"), ("render s.json -o o.wav --nonfinite error", 4, "voice"),
      ("render g.json -o o.wav --set voice.nonfinite=keep", 0, "first node that puts out such is \"voice\""),
      ("render g.json -o o.wav -e float32 --nonfinite keep --json", 0, "passed on"),
      ("batch c.json", 0, "made 0"), ("batch r.json", 0, "first node that puts out such is \"voice\""),
      ("convert nan.wav o.wav", 4, Self.words), ("convert nan.wav o.wav --nonfinite keep", 0, "passed on"),
    ] {
      let result = try run("\"$AUBENCH\" \(line)")
      #expect(result.code == code, "\(line): \(result.errors)")
      #expect(result.errors.contains(said), "\(line): \(result.errors)")
      #expect(!result.errors.contains("clipped") && !result.output.contains("nan dB"))
    }
    let refused = try run("\"$AUBENCH\" convert nan.wav o.wav --nonfinite ignore")
    #expect(refused.code == 2 && refused.errors.contains("error, silence, keep"), "\(refused.errors)")
  }

  @Test func compareMeasureAndPlotSayIt() throws {
    let compared = try run("\"$AUBENCH\" compare nan.wav good.wav --peak -90")
    #expect(compared.code == 7 && compared.output.contains("NaN in the actual signal at frame 30000"))
    #expect(compared.output.contains("nan.wav: \(Self.words)") && !compared.output.contains("no difference"))
    let same = try run("cp nan.wav copy.wav; \"$AUBENCH\" compare nan.wav copy.wav")
    #expect(same.code == 7)

    let levels = try run("\"$AUBENCH\" measure nan.wav --what levels --json")
    #expect(levels.code == 0)
    let text = levels.output
    #expect(text.contains("2 samples are NaN, the first at frame 30000 of channel 1"))
    #expect(text.contains("1 sample is infinite, at frame 35000 of channel 0"))

    for kind in ["waveform", "spectrum", "spectrogram"] {
      let plotted = try run("\"$AUBENCH\" plot nan.wav --kind \(kind) -o p.svg")
      #expect(plotted.code == 0 && plotted.errors.contains(Self.words), "\(kind): \(plotted.errors)")
      let picture = String(decoding: try folder.bytes("p.svg"), as: UTF8.self)
      #expect(picture.contains("NaN or infinite") && !picture.contains("largest sample"))
    }
  }

  /// NaN, infinities, the largest floats, subnormals and −0: nothing ends by a signal, and no report has a number that
  /// JSON has not.
  @Test func oddFloatsEndNothing() throws {
    let odd: [Float] = [
      .nan, .infinity, -.infinity, 1e38, -3e38, Float.leastNonzeroMagnitude, -0.0, .signalingNaN, 1, -1,
    ]
    folder.write(WaveFile.floats((0..<20_000).map { odd[$0 % odd.count] }, rate: 48_000, channels: 2), to: "odd.wav")
    folder.write(
      WaveFile.floats((0..<20_000).map { [1e38, -3e38, Float.leastNonzeroMagnitude, -0.0][$0 % 4] }, rate: 48_000),
      to: "huge.wav")
    let result = try run(
      """
      ulimit -v 8000000; n=0
      for f in odd huge; do for p in error silence keep; do for o in '' '-e float32' '--rate 44100' '--channels 1' \
        '--loudness -16 --album' '--trim --fade-in 0.01 --measure-loudness'; do
        for c in "convert $f.wav good.wav -o o/{name}.wav --nonfinite $p --journal j --json $o"; do
          n=$((n + 1)); timeout 60 "$AUBENCH" $c >$n.json 2>err.txt; code=$?
          test $code -eq 0 -o $code -eq 4 -o $code -eq 11 || echo "$code: $c"
        done
      done; done; done
      for c in "compare odd.wav huge.wav" "compare odd.wav good.wav" "plot odd.wav -o p.svg" "plot huge.wav --kind waveform -o p.svg" \
        "plot odd.wav --kind spectrogram -o p.svg" "measure odd.wav --what levels" "measure huge.wav --what levels"; do
        timeout 60 "$AUBENCH" $c >/dev/null 2>err.txt; test $? -lt 12 || echo "$c"
      done
      """)
    #expect(result.output.isEmpty, "\(result.output)\(result.errors)")
    for number in 1...36 {
      let json = try folder.bytes("\(number).json")
      #expect(throws: Never.self, "\(number)") { try JSONSerialization.jsonObject(with: Data(json)) }
    }
  }
}
