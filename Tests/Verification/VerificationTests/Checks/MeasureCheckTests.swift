import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Figures of measurements between limits.
@Suite struct MeasureCheckTests: CheckTrial {
  @Test("measure: what is below a floor is more than nothing, and \"at least\" is less than nothing")
  func measureOfBounds() {
    func passes(_ reading: Reading, _ least: Double?, _ most: Double?) -> Bool {
      MeasureCheck("thd", of: .distortion, channel: nil, at: [:], ValueLimits(least: least, most: most)).excess(reading)
        <= 0
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
}
