import AudioCore
import Measurement
import TestSupport
import Testing
import VerificationTesting

import Verification

/// Expectations of a check are worked out before it measures: channels, readings, points. An absence is no pass.
@Suite("What is absent is not fine")
struct AbsentOutputTests: CheckTrial {
  /// Ways in which a device of two channels lacks one.
  enum Fault: String, CaseIterable {
    case dead, swapped, missing, noisyThird, leaks

    func device(_ base: @escaping @Sendable ([[Double]]) -> [[Double]] = { $0 }) -> FunctionDevice {
      var device = FunctionDevice(rawValue, precision: .float32) { [self] (input) throws(BenchError) in
        var output = input
        output.channels = base(input.channels)
        let silence = [Double](repeating: 0, count: input.frameCount)
        guard output.channelCount == 2 else { return output }
        switch self {
        case .dead: output.channels[1] = silence
        case .swapped: output.channels.swapAt(0, 1)
        case .missing: output.channels.removeLast()
        case .noisyThird:
          output.channels.append(
            Stimulus.whiteNoise(frames: input.frameCount, amplitude: 0.01, seed: 9).map { Double(Float($0)) })
        case .leaks:
          output.channels[1] = zip(output.channels[1], input.channels[0]).map { Double(Float($0 + 0.01 * $1)) }
        }
        return output
      }
      device.inputChannelCount = 2
      return device
    }

    /// The words of the failure.
    var words: String {
      switch self {
      case .dead: "channel 1: no reading of READING: nothing comes out"
      case .swapped: "channel 0: no reading of READING: input 0 does not come out, and input 1 does"
      case .missing: "channel 1: no reading of READING: there is no such output: the device gives 1 channel"
      case .noisyThird: "channel 2: a sound of −40 dBFS comes out, where silence below −80 dBFS was expected"
      case .leaks: "channel 1: input 0 comes out at −52 dBFS, where silence below −80 dBFS was expected"
      }
    }
  }

  private static let kinds = MeasurementKind.general

  @Test(
    "Every reading of every measurement fails by name where an output is not as it should be", arguments: Fault.allCases
  )
  func everyReading(fault: Fault) throws {
    let folder = try SuiteFolder()
    for row in ReadingKind.all where row.id != "leak" && Self.kinds.contains(where: { $0.rawValue == row.measurement })
    {
      // A limit that any reading keeps, wide enough to be accepted.
      let limit = row.id == "idleDC" ? #""max": 0.5"# : #""max": -0.5"#
      let outcome = try check(
        #"{"check": "measure", "measure": "\#(row.measurement)", "reading": "\#(row.id)", \#(limit)}"#,
        on: fault.device(), in: folder)
      #expect(outcome.verdict == .failed, "\(row.measurement) \(row.id): \(outcome)")
      #expect(
        outcome.found.hasPrefix(fault.words.replacing("READING", with: row.id)),
        "\(row.measurement) \(row.id): \(outcome.found)")
    }
  }

  @Test("Every curve fails by name", arguments: Fault.allCases, ["magnitude", "phase", "groupDelay"])
  func everyCurve(fault: Fault, curve: String) throws {
    let outcome = try check(
      #"{"check": "response", "curve": "\#(curve)", "against": "nothing", "within": 1}"#, on: fault.device())
    let name = curve == "groupDelay" ? "group delay" : curve
    #expect(
      outcome.verdict == .failed && outcome.found.hasPrefix(fault.words.replacing("READING", with: name)), "\(outcome)")
  }

  @Test("Expectations in Swift fail alike, and take routes", arguments: Fault.allCases)
  func expectations(fault: Fault) throws {
    let folder = try ExpectationFolder()
    let text = folder.recorded { expect(fault.device(), reading: "gainMaximum", of: .linear, equals: 0, within: 0.01) }
      .text
    #expect(text.contains(fault.words.replacing("READING", with: "gainMaximum")), "\(text)")
  }

  @Test("A routing that is not the identity is measured along it")
  func routing() throws {
    let half: @Sendable ([[Double]]) -> [[Double]] = { [$0[0], $0[1].map { $0 / 2 }] }
    func gain(_ fault: Fault, _ more: String, channel: Int, _ value: Double, on device: FunctionDevice? = nil) throws
      -> CheckOutcome
    {
      let folder = try SuiteFolder()
      let suite = try folder.suite(
        caseText(
          "a", #"{"command": ["true", "{in}", "{out}"], "channels": 2}"#,
          checks:
            #"{"check": "measure", "reading": "gainMaximum", "channel": \#(channel), "value": \#(value), "within": 0.001}"#,
          more: more))
      let context = CheckContext(
        CheckSubject(suite.cases[0]), device: device ?? fault.device(half), goldens: suite.goldens, others: suite.cases)
      return try suite.cases[0].checks[0].run(context)
    }
    // Input 1, halved, comes out at output 0.
    #expect(try gain(.swapped, #""routing": [1, 0],"#, channel: 0, -6.0206).verdict == .passed)
    #expect(try gain(.swapped, #""routing": [1, 0],"#, channel: 1, 0).verdict == .passed)
    #expect(try gain(.swapped, #""routing": [1, 0],"#, channel: 1, -6.0206).verdict == .failed)
    #expect(try gain(.swapped, #""routing": [0, 1],"#, channel: 1, 0).verdict == .failed)
    #expect(try gain(.dead, #""routing": [0, null],"#, channel: 0, 0).verdict == .passed)
    #expect(try gain(.missing, #""outputs": 1,"#, channel: 0, 0).verdict == .passed)
    // A leak that is said to be there is not in the response of the first input, which is halved.
    for stated in [#""routing": [0, [1, 0]],"#, #""silentBelow": -50,"#] {
      let outcome = try gain(.leaks, stated, channel: 1, -6.0206)
      #expect(outcome.verdict == .passed, "\(stated) \(outcome.found)")
    }
    // One input in two outputs is played once.
    let twice = device { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: [input.channels[0], input.channels[0]])
    }
    for channel in 0...1 {
      #expect(try gain(.dead, #""routing": [0, 0],"#, channel: channel, 0, on: twice).verdict == .passed)
    }
    // A channel that is said to be heard, and is not.
    #expect(try gain(.dead, #""routing": [[0, 1]],"#, channel: 0, 0).found.contains("input 1 does not come out"))
  }

  @Test("A case whose rendered output lacks a channel fails, whatever it checks, unless it says so")
  func rendered() throws {
    func outcome(_ formula: String, _ more: String = "", checks: String = #"{"check": "reset"}"#) throws -> CaseOutcome
    {
      try SuiteFolder().run(caseText("a", #"{"formula": \#(formula)}"#, checks: checks, more: more))
    }
    let dead = try outcome(#"["in(0)", "0"]"#)
    #expect(
      dead.verdict == .failed
        && dead.message
          == #"nothing was checked: channel 1: nothing comes out; a case that wants it says "silent": [1]"#,
      "\(dead)")
    #expect(try outcome(#"["in(0)", "0"]"#, #""silent": [1],"#).verdict == .passed)
    #expect(try outcome(#"["in(0)", "0"]"#, #""routing": [0, null],"#).verdict == .passed)
    #expect(try outcome(#"["in(0)", "in(1)"]"#, #""silent": [1],"#).verdict == .failed)
    #expect(
      try outcome(#"["in(0)"]"#, #""outputs": 2,"#, checks: #"{"check": "length", "frames": 24000}"#).verdict == .failed
    )
    #expect(try outcome(#"["in(0)", "in(1)", "0.5"]"#, #""outputs": 2,"#).verdict == .failed)
    // Another sound, which is silent there too, is known otherwise.
    let same = #"{"check": "sameAs", "device": {"formula": ["in(0) * 1", "0"]}}"#
    #expect(try outcome(#"["in(0)", "0"]"#, checks: same).verdict == .passed)
    // A stimulus on one channel alone is heard on that one.
    #expect(try outcome(#"["in(0)", "in(1)"]"#, #""stimulus": {"channel": 0},"#).verdict == .passed)
  }

  @Test("A late device, a quiet one and one that makes noise are heard")
  func heard() throws {
    func verdict(_ device: FunctionDevice) throws -> Verdict {
      try check(#"{"check": "measure", "measure": "levels", "reading": "clippedRuns", "max": 0}"#, on: device).verdict
    }
    #expect(try verdict(delay(72_000)) == .passed)
    #expect(try verdict(gain(1e-6)) == .passed)
    let plays = CallCounter()
    let noisy = device { (input) throws(BenchError) in
      let play = UInt64(plays.next())
      var output = input
      output.channels = input.channels.enumerated().map { channel, samples in
        let noise = Stimulus.whiteNoise(frames: samples.count, amplitude: 0.1, seed: 10 * play + UInt64(channel) + 1)
        return zip(samples, noise).map { Double(Float($0 + $1)) }
      }
      return output
    }
    #expect(try verdict(noisy) == .passed)
  }

  @Test("measure says it in the same words")
  func measured() throws {
    for fault in [Fault.dead, .missing] {
      let findings = try MeasurementKind.linear.findings(of: fault.device(), MeasurementSettings(), expecting: nil)
      let words = fault.words.split(separator: "READING").map(String.init)
      #expect(
        findings.remarks.contains { $0.hasPrefix(words[0]) && $0.contains("latency") && $0.hasSuffix(words[1]) },
        "\(findings.remarks)")
    }
  }
}
