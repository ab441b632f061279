import AudioCore
import DSPKernels
import Glibc
import Measurement
import Testing

@Suite("Formulas: what an output must be, written down")
struct FormulaTests {
  /// Values of a formula over some frames.
  private func values(
    _ text: String, frames: Int = 1, input: AudioSignal? = nil, definitions: [String: String] = [:],
    rate: Double = 48_000, outputs: Int = 1
  ) throws -> [[Double]] {
    var device = FormulaDevice([try Formula(text, definitions: definitions)], precision: .float64)
    (device.outputFrames, device.outputChannelCount, device.outputRate) = (frames, outputs, rate)
    return try device.process(input ?? AudioSignal(sampleRate: rate, channels: [[]])).channels
  }

  private func failure(
    _ text: String, definitions: [String: String] = [:], signals: Set<String> = []
  ) -> String {
    do throws(Formula.SyntaxError) {
      _ = try Formula(text, definitions: definitions, signals: signals)
      return ""
    } catch { return error.description }
  }

  private static let operations: [(text: String, value: Double)] = [
    ("1 + 2 * 3", 7.0), ("(1 + 2) * 3", 9), ("2 ^ 3 ^ 2", 512), ("-2 ^ 2", -4), ("2 ^ -1", 0.5), ("7 - 2 - 1", 4),
    ("8 / 4 / 2", 1), ("7 % 4", 3), ("-1 % 4", 3), ("1 < 2", 1), ("2 <= 1", 0), ("1 == 1 && 2 != 2", 0),
    ("0 || 3 > 2", 1), ("!0 + !5", 1), ("1 + 1 == 2", 1), ("1e-3 * 2E3", 2), (".5 + 1.", 1.5), ("3 >= 3", 1),
    ("2 <= 2", 1),
    ("2 >= 3", 0), ("3 < 3", 0), ("3 > 3", 0), ("3 != 3", 0), ("1 != 2", 1),
  ]

  @Test("Operators bind as in arithmetic", arguments: operations)
  func operators(_ text: String, _ expected: Double) throws { try hold(text, [expected]) }

  private static let calls: [(text: String, value: Double)] = [
    ("abs(-2)", 2.0), ("floor(-0.5)", -1), ("ceil(0.2)", 1), ("round(0.5)", 0), ("round(1.5)", 2),
    ("round(-2.5)", -2),
    ("sqrt(9)", 3), ("sin(pi / 2)", 1), ("cos(0)", 1), ("tan(0)", 0), ("exp(0)", 1), ("log(exp(2))", 2),
    ("log10(1000)", 3), ("float(0.1)", Double(Float(0.1))), ("db(20)", 10), ("min(3, 1, 2)", 1), ("max(3, 1, 5)", 5),
    ("clip(7, 0, 4)", 4), ("clip(-7, 0, 4)", 0), ("if(1 > 2, 3, 4)", 4), ("if(2 > 1, 3, 4)", 3),
  ]

  @Test("Functions", arguments: calls)
  func functions(_ text: String, _ expected: Double) throws {
    #expect(abs(try values(text)[0][0] - expected) < 1e-14, "\(text)")
  }

  /// Holds a formula's values, channel by channel, to what they must be.
  private func hold(
    _ text: String, _ expected: [Double]..., input: AudioSignal? = nil, definitions: [String: String] = [:],
    rate: Double = 48_000
  ) throws {
    let found = try values(
      text, frames: expected[0].count, input: input, definitions: definitions, rate: rate, outputs: expected.count)
    #expect(found == expected, "\(text)")
  }

  @Test("Frames, time, channels and rate, over more frames than one block")
  func variables() throws {
    let frames: [Double] = (0..<9001).map { Double($0) }
    let beside: [Double] = frames.map { $0 + 1_000_000 }
    try hold("n + 1000000 * c + t * rate * 0", frames, beside, rate: 44_100)
    try hold("t", [0, 0.25, 0.5], rate: 4)
  }

  @Test("Samples of the input by channel and frame; silence before and behind")
  func samples() throws {
    let (left, right): ([Double], [Double]) = ([1, 2, 3], [10, 20, 30])
    let input = AudioSignal(sampleRate: 48_000, channels: [left, right])
    try hold("in(c)", [1, 2, 3, 0], [10, 20, 30, 0], input: input)
    try hold("in(1 - c, n - 1)", [0, 10, 20, 30], [0, 1, 2, 3], input: input)
    try hold("in(0, n / 2)", [1, 1, 2, 2], input: input)
    try hold("frames", [3], input: input)
    #expect(throws: BenchError.self) { try values("in(2)", input: input) }
    #expect(throws: BenchError.self) { try values("in(0.5)", input: input) }
  }

  @Test("Definitions are formulas by name, in any order")
  func definitions() throws {
    try hold("a + b", [3, 6], definitions: ["a": "b * 2", "b": "n + 1"])
    // A definition is computed once, however often it stands in others: forty doublings are no work.
    var chain = ["d0": "1"]
    for level in 1...40 { chain["d\(level)"] = "d\(level - 1) + d\(level - 1)" }
    try hold("d40", [0x1p40], definitions: chain)
  }

  @Test("Dither is that of the engine, which is computed elsewhere", arguments: [0, 1, 77, 9_007_199_254_740_991])
  func dither(_ seed: UInt64) throws {
    let generator = DitherGenerator(seed: seed)
    for channel in [0, 1, 23] {
      let expected: [Double] = (0..<5000).map { generator.value(channel: channel, frame: Int64($0) + 5) }
      try hold("dither(\(seed), \(channel), n + 5)", expected)
    }
  }

  @Test("The output is rounded to floats, unless it is asked for in full")
  func rounding() throws {
    let formula = try Formula("0.1")
    let silence = AudioSignal(sampleRate: 8000, channelCount: 1, [0])
    let rounded = try FormulaDevice([formula]).process(silence).channels[0][0]
    #expect(rounded == Double(Float(0.1)))
    let full = try FormulaDevice([formula], precision: .float64).process(silence).channels[0][0]
    #expect(full == 0.1)
  }

  private static let wrong: [(text: String, words: [String])] = [
    ("", ["expected a value", "the end"]), ("1 +", ["expected a value"]), ("1 2", ["character 3"]),
    ("(1", ["expected )"]), ("sin(1", ["expected , or )"]), ("sin 1", ["expected ( behind sin"]),
    ("sin(1, 2)", ["sin takes 1 value, found 2"]), ("min(1)", ["min takes 2 to 16"]),
    ("foo", ["no \"foo\"", "known here"]),
    ("1..2", ["no number"]), ("in()", ["expected a value"]), ("in(1, 2, 3)", ["a channel and a frame"]),
    ("#", ["character 1"]), ("n = 1", ["character 3"]),
  ]

  @Test("What is wrong is said with its place", arguments: wrong)
  func errors(_ text: String, _ words: [String]) {
    let found = failure(text)
    for word in words { #expect(found.contains(word), "\(text): \(found)") }
    #expect(!found.isEmpty)
  }

  @Test("Names, circles, depth and length have limits")
  func limits() {
    #expect(failure("a", definitions: ["a": "b", "b": "a"]).contains("made of itself"))
    #expect(failure("a", definitions: ["a": "a + 1"]).contains("\"a\" is made of itself"))
    for name in ["", "1a", "a b", "n", "sin", "in", "ä"] {
      #expect(failure("1", definitions: [name: "1"]).contains("no name"), "\(name)")
    }
    #expect(failure("a", definitions: ["a": "1"], signals: ["a"]).contains("a definition and a signal"))
    #expect(failure("a", definitions: ["a": "1 +"]).contains("\"a\": expected a value"))
    #expect(failure(String(repeating: "(", count: 5000)).contains("deep"))
    #expect(failure(String(repeating: "-", count: 5000) + "1").contains("deep"))
    #expect(failure(String(repeating: "1+", count: 5001) + "1").contains("10000 bytes"))
  }
}
