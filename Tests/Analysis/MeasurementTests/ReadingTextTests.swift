import Measurement
import Testing

@Suite("What a reading says")
struct ReadingTextTests {
  @Test(
    "its uncertainty with two digits, however small",
    arguments: [
      (0.001234, "0.0012"), (2e-6, "0.000002"), (2.04e-6, "0.000002"), (2.51e-6, "0.0000025"), (3.14159e-9, "3.1e-09"),
      (0.5, "0.5"), (12.34, "12"), (1, "1"), (0.0996, "0.1"), (123.4, "123"),
    ])
  func uncertainty(value: Double, text: String) {
    #expect(Reading("gain", "gain", 1, .decibels, uncertainty: value).text == "1 dB ± \(text)")
  }

  @Test(
    "its value to the first place of its uncertainty",
    arguments: [
      (4.99998263, 2.1e-7, "4.9999826"), (34.3401561, 2.1e-7, "34.3401561"), (-0.0005, 0.1, "−0.0005"),
      (12_024.6123, 0.004, "12024.612"), (6, 5e-7, "6"), (5.99999999, 5e-7, "6"), (1.5, 1e-20, "1.5"),
      (-1.23456, 0.5, "−1.235"),
    ])
  func places(value: Double, uncertainty: Double, text: String) {
    let reading = Reading("gain", "gain", value, .decibels, uncertainty: uncertainty)
    #expect(reading.text.hasPrefix("\(text) dB ± "), "\(reading.text)")
  }

  @Test("a value whose uncertainty has no size", arguments: [Double.infinity, .nan, 0, 1e300, .leastNonzeroMagnitude])
  func noSize(uncertainty: Double) {
    #expect(Reading("gain", "gain", 1.5, .decibels, uncertainty: uncertainty).text.hasPrefix("1.5 dB"))
  }

  @Test("a bound as what it is")
  func bounds() {
    #expect(Reading("tail", "tail", 100, .frames, bound: .atLeast).text == "at least 100 frames")
    #expect(
      Reading("lra", "range", .nan, .loudnessUnits, uncertainty: 1, remark: "short").text == "not measured (short)")
    #expect(Reading("peak", "largest difference", 0.00084531, .amplitude).text == "0.0008453")
    #expect(Reading("ratio", "ratio", 4, .ratio, uncertainty: 0.1).text == "4:1 ± 0.1")
    #expect(Reading("thd", "THD", -150, .decibels, floor: -140, uncertainty: 3).text == "< −140 dB")
  }
}
