import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// A device that was reset is as a new one.
@Suite struct ResetCheckTests: CheckTrial {
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
}
