import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Silence behind the tail.
@Suite struct SilenceCheckTests: CheckTrial {
  @Test("silence: what sounds on after its tail fails, in its frame")
  func silence() throws {
    let text = #"{"check": "silence", "below": -80, "after": 100}"#
    #expect(try check(text, on: identity).verdict == .passed)
    #expect(try check(text, on: delay(100)).verdict == .passed)
    let late = try check(text, on: delay(101), stimulus: #"{"frames": 500}"#)
    #expect(late.verdict == .failed && late.firstFailure?.frame == 600, "\(late)")
    let humming = device { (input) throws(BenchError) in mapped(input) { $0 + 1e-4 } }
    #expect(try check(text, on: humming).verdict == .failed)
    let folder = try SuiteFolder()
    let unit = #"{"unit": "lowPassFilter", "set": {"cutoffFrequency": 50, "resonance": 20}}"#
    #expect(try folder.run(caseText("a", unit, checks: #"{"check": "silence"}"#)).verdict == .passed)
  }
}
