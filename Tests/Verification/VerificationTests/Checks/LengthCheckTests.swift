import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Frames, channels and rate of an output.
@Suite struct LengthCheckTests: CheckTrial {
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
}
