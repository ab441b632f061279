import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Held of every output, asked for or not.
@Suite struct FiniteCheckTests: CheckTrial {
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
}
