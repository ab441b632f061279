import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Curves against closed forms, masks, files and other devices.
@Suite struct ResponseCheckTests: CheckTrial {
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
    let delay = #"{"unit": "sampleDelay", "channels": 1}"#
    let other = #"{"check": "response", "against": \#(delay), "within": 0.01, "channel": 1}"#
    #expect(try check(other, on: identity).verdict == .passed)
    #expect(try check(other, on: gain(0.9)).verdict == .failed)
  }

  @Test("response: phase and group delay")
  func phase() throws {
    let copy = try context(identity)
    for curve in ["phase", "groupDelay"] {
      let text = #"{"check": "response", "curve": "\#(curve)", "against": "nothing", "within": 0.1, "to": 10000}"#
      #expect(try check(text, in: copy).verdict == .passed, "\(curve)")
    }
    let text = #"{"check": "response", "curve": "groupDelay", "against": "nothing", "within": 0.1, "to": 10000}"#
    #expect(try check(text, on: delay(3)).verdict == .failed)
  }
}
