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

  @Test("a bound as what it is")
  func bounds() {
    #expect(Reading("tail", "tail", 100, .frames, bound: .atLeast).text == "at least 100 frames")
    #expect(Reading("thd", "THD", -150, .decibels, floor: -140, uncertainty: 3).text == "< −140 dB")
  }
}
