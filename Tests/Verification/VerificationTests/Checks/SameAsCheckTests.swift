import AudioCore
import Measurement
import Synchronization
import Testing
import TestSupport
import Verification

/// The output of a device against a file or another device.
@Suite struct SameAsCheckTests: CheckTrial, CaseTrial {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  @Test(
    "sameAs: each limit, just kept and just not",
    arguments: [
      (#""exact": true"#, 1.0, 1.0000001), (#""ulps": 40"#, 1.000001, 1.00001), (#""peak": -60"#, 1.001, 1.003),
      (#""rms": -60"#, 1.001, 1.01), (#""relative": -60"#, 1.0005, 1.002),
      (#""align": {"gain": 0.1}"#, 1.01, 1.02), (#""bands": 0.1"#, 1.01, 1.02), (#""spectrum": 0.1"#, 1.01, 1.03),
      (#""peak": -20, "relative": -60"#, 1.0005, 1.002),
    ])
  func sameAs(_ limit: String, _ kept: Double, _ beyond: Double) throws {
    let text = #"{"check": "sameAs", "device": \#(ShellDevice.otherCopy), \#(limit)}"#
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
      try check(#"{"check": "sameAs", "device": \#(ShellDevice.otherCopy), "align": {"delay": \#(limit)}}"#, on: device)
    }
    let good = try outcome(100.5, on: late)
    #expect(good.verdict == .passed, "\(good.found)")
    #expect(try outcome(100.5, on: delay(100)).verdict == .failed)
    let bad = try outcome(99.5, on: late)
    #expect(bad.verdict == .failed && bad.found.contains("100"), "\(bad.found)")
  }

  @Test("eachChannel: a device that keeps its channels apart passes, one that mixes them fails")
  func eachChannel() throws {
    let check = #"{"check": "sameAs", "device": {"unit": "lowPassFilter"}, "eachChannel": true}"#
    #expect(try verdict(#"{"unit": "lowPassFilter", "channels": 5}"#, check, more: Self.short).verdict == .passed)
    let mixed = #"{"unit": "formatConverter", "matrix": [[1, 0.001], [0, 1]]}"#
    let copy = #"{"check": "sameAs", "device": {"formula": "in(0)"}, "eachChannel": true}"#
    #expect(try verdict(mixed, copy, more: Self.short).verdict == .failed)
    let wide = #"{"check": "sameAs", "device": {"formula": ["in(0)", "in(0)"]}, "eachChannel": true}"#
    #expect(try verdict(mixed, wide, more: Self.short).verdict == .error, "two channels of one")
  }
}
