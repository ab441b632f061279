import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// All checks of a case together.
@Suite struct CaseRunnerTests: CheckTrial {
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
