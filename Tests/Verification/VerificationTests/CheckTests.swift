import AudioCore
import Measurement
import Synchronization
import Testing

import Verification

@Suite("Checks: each with a device that passes and one that fails")
struct CheckTests {
  /// Runs one check of a case on a device made here.
  private func check(
    _ text: String, on device: any Device, of described: String = ShellDevice.copy, stimulus: String? = nil,
    in folder: SuiteFolder? = nil
  ) throws -> CheckOutcome {
    let folder = try folder ?? SuiteFolder()
    let more = stimulus.map { #""stimulus": \#($0),"# } ?? ""
    let suite = try folder.suite(
      caseText("a", described, checks: text, more: more), caseText("b", #"{"unit": "iPodEQ"}"#, checks: text))
    let testCase = suite.cases[0]
    let context = CheckContext(CheckSubject(testCase), device: device, goldens: suite.goldens, others: suite.cases)
    return try testCase.checks[0].run(context)
  }

  private func device(
    _ name: String = "a function", _ body: @escaping @Sendable (AudioSignal) throws(BenchError) -> AudioSignal
  ) -> FunctionDevice { FunctionDevice(name, precision: .float32, body) }

  private static func mapped(_ signal: AudioSignal, _ body: (Double) -> Double) -> AudioSignal {
    var signal = signal
    signal.channels = signal.channels.map { $0.map { Double(Float(body($0))) } }
    return signal
  }

  private let identity = FunctionDevice.identity(.float32)
  private func gain(_ factor: Double) -> FunctionDevice {
    device { (input) throws(BenchError) in Self.mapped(input) { $0 * factor } }
  }
  private func delay(_ frames: Int) -> FunctionDevice {
    device { (input) throws(BenchError) in
      var output = input
      output.channels = input.channels.map { [Double](repeating: 0, count: frames) + $0 }
      return output
    }
  }

  // MARK: Of every case

  @Test(
    "Of every case: a sample that is no number, infinite or subnormal fails, in its place",
    arguments: [Double.nan, .infinity, 1e-40])
  func finite(_ value: Double) throws {
    let folder = try SuiteFolder()
    let suite = try folder.suite(caseText("a", ShellDevice.copy, checks: #"{"check": "length", "channels": 2}"#))
    let broken = device { (input) throws(BenchError) in
      var output = input
      output.channels[1][77] = value
      return output
    }
    let context = CheckContext(CheckSubject(suite.cases[0]), device: broken, goldens: suite.goldens)
    let outcome = try FiniteCheck().run(context)
    #expect(outcome.verdict == .failed && outcome.firstFailure?.frame == 77 && outcome.firstFailure?.channel == 1)
    let good = CheckContext(CheckSubject(suite.cases[0]), device: identity, goldens: suite.goldens)
    #expect(try FiniteCheck().run(good).verdict == .passed)
  }

  @Test("Of every case: NaN fails though no check asks for it, and no golden hides it")
  func finiteIsAlwaysHeld() throws {
    let folder = try SuiteFolder()
    var sound = noiseSignal()
    sound.channels[0][9] = .nan
    try folder.write(sound, "sound.wav")
    let outcome = try folder.run(caseText("a", ShellDevice.sound, checks: #"{"check": "length", "channels": 2}"#))
    #expect(outcome.verdict == .failed && outcome.checks.map(\.id) == ["finite", "length"])
    #expect(outcome.checks[0].firstFailure?.frame == 9)
  }

  // MARK: Curves and figures

  @Test("response: against the closed form")
  func analytic() throws {
    let unit = #"{"unit": "lowPassFilter", "channels": 1}"#
    let text = #"{"check": "response", "within": 0.001}"#
    let folder = try SuiteFolder()
    let outcome = try folder.run(caseText("a", unit, checks: text))
    #expect(outcome.verdict == .passed, "\(outcome.checks.map(\.found))")
    let flat = try check(text, on: identity, of: unit)
    #expect(flat.verdict == .failed && flat.overlay?.lower != nil && flat.limit == "−0.001 to +0.001 dB", "\(flat)")
  }

  @Test("response: against a mask, with the frequency at which it is passed")
  func mask() throws {
    let text = #"{"check": "response", "against": "nothing", "mask": [[100, -0.1, 0.1], [1000, -0.1, 0.1]]}"#
    #expect(try check(text, on: identity).verdict == .passed)
    #expect(try check(text, on: gain(0.99)).verdict == .passed)
    let outcome = try check(text, on: gain(0.97))
    #expect(outcome.verdict == .failed)
    // 20·log10(0.97)
    let reading = try #require(outcome.readings.first)
    #expect(abs(reading.value + 0.2646) < 0.001)
    #expect((100...1000).contains(try #require(reading.at["frequency"])))
  }

  @Test("response: against a file, against another device, and of one channel")
  func otherCurves() throws {
    let folder = try SuiteFolder()
    try folder.write("# Hz\tdB\n20\t-6.0206\n20000\t-6.0206\n", "curve.tsv")
    let file = #"{"check": "response", "against": {"file": "curve.tsv"}, "within": 0.01, "to": 20000}"#
    #expect(try check(file, on: gain(0.5), in: folder).verdict == .passed)
    #expect(try check(file, on: gain(0.51), in: folder).verdict == .failed)
    let other = #"{"check": "response", "against": {"unit": "iPodEQ", "channels": 1}, "within": 0.01, "channel": 1}"#
    #expect(try check(other, on: identity).verdict == .passed)
    #expect(try check(other, on: gain(0.9)).verdict == .failed)
  }

  @Test("response: phase and group delay")
  func phase() throws {
    for curve in ["phase", "groupDelay"] {
      let text = #"{"check": "response", "curve": "\#(curve)", "against": "nothing", "within": 0.1, "to": 10000}"#
      #expect(try check(text, on: identity).verdict == .passed, "\(curve)")
    }
    let text = #"{"check": "response", "curve": "groupDelay", "against": "nothing", "within": 0.1, "to": 10000}"#
    #expect(try check(text, on: delay(3)).verdict == .failed)
  }

  @Test("measure: what is below a floor is more than nothing, and \"at least\" is less than nothing")
  func measureOfBounds() {
    func passes(_ reading: Reading, _ least: Double?, _ most: Double?) -> Bool {
      MeasureCheck("thd", of: .distortion, channel: nil, at: [:], least: least, most: most).excess(reading) <= 0
    }
    let below = Reading("thd", "THD", -112, .decibels, floor: -100)
    #expect(!passes(below, -120, nil))
    #expect(!passes(below, nil, -105))
    #expect(passes(below, nil, -99))
    let above = Reading("thd", "THD", -90, .decibels, floor: -100)
    #expect(passes(above, -120, -80))
    #expect(!passes(above, nil, -95))
    let cut = Reading("tail", "Tail", 524_288, .frames, bound: .atLeast)
    #expect(!passes(cut, nil, 600_000))
    #expect(passes(cut, 500_000, nil))
    #expect(!passes(cut, 600_000, nil))
  }

  @Test("measure: a figure between limits, and one beyond either")
  func measure() throws {
    func verdict(_ limits: String) throws -> Verdict {
      try check(#"{"check": "measure", "reading": "latency", \#(limits)}"#, on: delay(10)).verdict
    }
    #expect(try verdict(#""value": 10, "within": 0.01"#) == .passed)
    #expect(try verdict(#""value": 11, "within": 0.01"#) == .failed)
    #expect(try verdict(#""max": 9"#) == .failed)
    #expect(try verdict(#""min": 11"#) == .failed)
    #expect(try verdict(#""min": 9, "max": 11, "channel": 1"#) == .passed)
  }

  // MARK: Samples

  @Test(
    "sameAs: each limit, just kept and just not",
    arguments: [
      (#""exact": true"#, 1.0, 1.0000001), (#""ulps": 40"#, 1.000001, 1.00001), (#""peak": -60"#, 1.001, 1.003),
      (#""rms": -60"#, 1.001, 1.01), (#""relative": -60"#, 1.0005, 1.002),
      (#""align": {"gain": 0.1}"#, 1.01, 1.02), (#""bands": 0.1"#, 1.01, 1.02), (#""spectrum": 0.1"#, 1.01, 1.03),
      (#""peak": -20, "relative": -60"#, 1.0005, 1.002),
    ])
  func sameAs(_ limit: String, _ kept: Double, _ beyond: Double) throws {
    let text = #"{"check": "sameAs", "device": \#(ShellDevice.copy), \#(limit)}"#
    let stimulus = #"{"seed": 4, "level": -1}"#
    let good = try check(text, on: gain(kept), stimulus: stimulus)
    #expect(good.verdict == .passed, "\(good.found)")
    let bad = try check(text, on: gain(beyond), stimulus: stimulus)
    #expect(bad.verdict == .failed, "\(bad.found)")
  }

  @Test("sameAs: a file; bit for bit where no limit is given; a shorter output is not the same")
  func sameAsFile() throws {
    let folder = try SuiteFolder()
    try folder.write(noiseSignal(seed: 8), "expected.wav")
    let text = #"{"check": "sameAs", "file": "expected.wav"}"#
    func playing(_ sound: AudioSignal) -> FunctionDevice { device { (_) throws(BenchError) in sound } }
    #expect(try check(text, on: playing(noiseSignal(seed: 8)), in: folder).verdict == .passed)
    for sound in [noiseSignal(seed: 9), noiseSignal(frames: 1999, seed: 8), noiseSignal(channels: 1, seed: 8)] {
      #expect(try check(text, on: playing(sound), in: folder).verdict == .failed)
    }
    var louder = noiseSignal(seed: 8)
    louder.channels = louder.channels.map { $0.map { 1.01 * $0 } }
    let loose = #"{"check": "sameAs", "file": "expected.wav", "peak": -30}"#
    #expect(try check(loose, on: playing(louder), in: folder).verdict == .passed)
    #expect(try check(loose, on: playing(noiseSignal(frames: 1999, seed: 8)), in: folder).verdict == .failed)
  }

  @Test("sameAs: two units whose tails are not of one length are compared over the frames of the first")
  func otherTail() throws {
    let folder = try SuiteFolder()
    // A gain of 0 dB sounds the same with any width, and rings for other times.
    func verdict(gain: Int) throws -> Verdict {
      let other = #"{"unit": "parametricEQ", "set": {"q": 20, "gain": \#(gain)}}"#
      let check = #"{"check": "sameAs", "device": \#(other), "peak": -100}"#
      let suite = try folder.suite(caseText("a", #"{"unit": "parametricEQ", "set": {"q": 0.5}}"#, checks: check))
      return CaseRunner().run(suite.cases[0], of: suite).verdict
    }
    #expect(try verdict(gain: 0) == .passed)
    #expect(try verdict(gain: 3) == .failed)
  }

  @Test("sameAs: a delay that is allowed is removed and told; one that is not fails")
  func aligned() throws {
    // As long as its input: another length is never the same.
    let late = device { (input) throws(BenchError) in
      var output = input
      output.channels = input.channels.map { [Double](repeating: 0, count: 100) + $0.dropLast(100) }
      return output
    }
    func outcome(_ limit: Double, on device: FunctionDevice) throws -> CheckOutcome {
      try check(#"{"check": "sameAs", "device": \#(ShellDevice.copy), "align": {"delay": \#(limit)}}"#, on: device)
    }
    let good = try outcome(100.5, on: late)
    #expect(good.verdict == .passed, "\(good.found)")
    #expect(try outcome(100.5, on: delay(100)).verdict == .failed)
    let bad = try outcome(99.5, on: late)
    #expect(bad.verdict == .failed && bad.found.contains("100"), "\(bad.found)")
  }

  @Test("length: frames, channels and rate")
  func length() throws {
    let stimulus = #"{"frames": 1000}"#
    for (keys, verdict) in [
      (#""frames": 1000, "channels": 2, "sampleRate": 48000"#, Verdict.passed), (#""frames": 1001"#, .failed),
      (#""channels": 1"#, .failed), (#""sampleRate": 44100"#, .failed), (#""frames": 1000, "channels": 3"#, .failed),
    ] {
      #expect(try check(#"{"check": "length", \#(keys)}"#, on: identity, stimulus: stimulus).verdict == verdict)
    }
  }

  @Test("silence: what sounds on after its tail fails, in its frame")
  func silence() throws {
    let text = #"{"check": "silence", "below": -80, "after": 100}"#
    #expect(try check(text, on: identity).verdict == .passed)
    #expect(try check(text, on: delay(100)).verdict == .passed)
    let late = try check(text, on: delay(101), stimulus: #"{"frames": 500}"#)
    #expect(late.verdict == .failed && late.firstFailure?.frame == 600, "\(late)")
    let humming = device { (input) throws(BenchError) in Self.mapped(input) { $0 + 1e-4 } }
    #expect(try check(text, on: humming).verdict == .failed)
    let folder = try SuiteFolder()
    let unit = #"{"unit": "lowPassFilter", "set": {"cutoffFrequency": 50, "resonance": 20}}"#
    #expect(try folder.run(caseText("a", unit, checks: #"{"check": "silence"}"#)).verdict == .passed)
  }

  // MARK: Invariance

  /// Its sound depends on how it is cut.
  private struct PartitionDependent: PartitionableDevice {
    let name = "cut hearing"
    let inputChannelCount: Int? = nil
    let reportedLatencyFrames: Double? = nil
    let reportedTailFrames: Int64? = nil
    let precision = SamplePrecision.float32
    let hears: @Sendable (RenderPartition) -> Bool
    func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal { input }
    func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
      var output = input
      if hears(partition) { output.channels[0][partition.sliceFrames ?? 0] += 0.125 }
      return output
    }
  }

  @Test(
    "slices: a device that hears its slices or its threads fails, with the first frame; commands without {slice} are skipped"
  )
  func slices() throws {
    let text = #"{"check": "slices", "frames": [64, 37], "threads": [1, 3]}"#
    #expect(try check(text, on: PartitionDependent { _ in false }).verdict == .passed)
    let sliced = try check(text, on: PartitionDependent { $0.sliceFrames == 37 })
    #expect(sliced.verdict == .failed && sliced.firstFailure?.frame == 37)
    #expect(sliced.found.contains("slices of 37 frames on 1 thread "), "\(sliced.found)")
    let threaded = try check(text, on: PartitionDependent { $0.threads == 3 })
    #expect(threaded.verdict == .failed && threaded.found.contains("slices of 64 frames on 3 threads"))
    #expect(try check(text, on: identity).verdict == .skipped)
    let folder = try SuiteFolder()
    #expect(try folder.run(caseText("a", #"{"unit": "iPodEQ", "preset": "Rock"}"#, checks: text)).verdict == .passed)
    let alone = try folder.run(caseText("a", ShellDevice.copy, checks: text))
    #expect(alone.checks.map(\.verdict) == [.skipped] && alone.verdict == .failed)
    let both = try folder.run(caseText("a", ShellDevice.copy, checks: text, #"{"check": "length", "channels": 2}"#))
    #expect(both.verdict == .passed)
  }

  /// A device that is not the same from its n-th call on.
  private func tiring(after calls: Int) -> FunctionDevice {
    let count = Counter()
    return device { (input) throws(BenchError) in
      guard count.next() >= calls else { return input }
      return Self.mapped(input) { $0 * 1.5 }
    }
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
  }

  @Test("reset: a device that remembers fails; units and commands that do not pass")
  func reset() throws {
    let text = #"{"check": "reset"}"#
    let folder = try SuiteFolder()
    for unit in [#"{"unit": "lowPassFilter"}"#, ShellDevice.copy] {
      #expect(try folder.run(caseText("a", unit, checks: text)).verdict == .passed)
    }
    #expect(try check(text, on: identity).verdict == .passed)
    let outcome = try check(text, on: tiring(after: 1))
    #expect(outcome.verdict == .failed && outcome.firstFailure != nil)
    // A command that leaves a file behind.
    let remembering = ShellDevice.line(
      "if [ -e seen ]; then cp \"$1\" \"$2\"; else cp sound.wav \"$2\"; touch seen; fi")
    try folder.write(noiseSignal(), "sound.wav")
    #expect(try folder.run(caseText("a", remembering, checks: text)).verdict == .failed)
  }

  @Test("order: a device on which other cases leave a trace fails")
  func order() throws {
    let text = #"{"check": "order"}"#
    #expect(try check(text, on: identity).verdict == .passed)
    let outcome = try check(text, on: tiring(after: 1))
    #expect(outcome.verdict == .failed && outcome.found.hasPrefix("after b: "), "\(outcome.found)")
  }

  // MARK: Together

  @Test("A case is as bad as its worst check, and every check is made")
  func together() throws {
    let folder = try SuiteFolder()
    let outcome = try folder.run(
      caseText(
        "a", ShellDevice.copy, checks: #"{"check": "golden"}"#, #"{"check": "length", "channels": 1}"#,
        #"{"check": "length", "channels": 2, "id": "two"}"#, #"{"check": "length", "channels": 2}"#))
    #expect(outcome.verdict == .failed)
    #expect(outcome.checks.map(\.id) == ["golden", "length", "two", "length-2"])
    #expect(outcome.checks.map(\.verdict) == [.unblessed, .failed, .passed, .passed])
  }

  @Test("The default stimulus is half a second of noise at -12 dBFS, another one on each channel; a graph has none")
  func stimuli() throws {
    let folder = try SuiteFolder()
    let suite = try folder.suite(caseText("a", ShellDevice.copy, checks: #"{"check": "golden"}"#))
    let signal = try CheckContext(CheckSubject(suite.cases[0]), device: identity, goldens: suite.goldens).input()
    #expect(signal.frameCount == 24_000 && signal.channelCount == 2 && signal.channels[0] != signal.channels[1])
    let peak = signal.channels[0].reduce(0) { max($0, abs($1)) }
    #expect(peak <= 0.2512 && peak > 0.24)  // 10^(−12/20)
    let graph = try folder.suite(caseText("a", #"{"graph": "g.json"}"#, checks: #"{"check": "golden"}"#))
    #expect(graph.cases[0].stimulus == nil)
  }
}
