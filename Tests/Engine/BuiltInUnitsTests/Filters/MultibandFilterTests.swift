import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The filter of several bands: each is what its parameters say.
@Suite struct MultibandFilterTests {
  @Test("each of its sections is what its parameters say: shelves, passes and bells")
  func sections() throws {
    let rate = 48_000.0
    for (low, high) in [(0 as Float, 0 as Float), (1, 1), (0, 1)] {
      let filter = MultibandFilter()
      for (parameter, value) in [
        (MultibandFilter.Parameter.lowFilterType, low), (.lowFrequency, 80), (.lowGain, 9), (.centerFrequency1, 300),
        (.centerGain1, -7), (.bandwidth1, 0.5), (.centerFrequency2, 1500), (.centerGain2, 4), (.bandwidth2, 1),
        (.centerFrequency3, 5000), (.centerGain3, -12), (.bandwidth3, 0.3), (.highFilterType, high),
        (.highFrequency, 9000), (.highGain, -5),
      ] {
        try filter.set(parameter, to: value)
      }
      let response = try renderedSignal(fed(filter, impulse(), sampleRate: rate), total: 48_000)[0]
      func found(_ hertz: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in response.enumerated() {
          real += Double(sample) * cos(2 * .pi * hertz * Double(frame) / rate)
          imaginary -= Double(sample) * sin(2 * .pi * hertz * Double(frame) / rate)
        }
        return 10 * log10(real * real + imaginary * imaginary)
      }
      for hertz in [12.0, 25, 80, 200, 300, 700, 1500, 3000, 5000, 9000, 15_000, 22_000] {
        let closed = try #require(filter.closedForm(sampleRate: rate)?.magnitudeDecibels(atHertz: hertz))
        #expect(abs(found(hertz) - closed) < 2e-3, "\(hertz) Hz: \(found(hertz)), \(closed)")
      }
      // Laws that do not come from the closed form: the ends of shelves, and 3 dB at a Butterworth's corner within what
      // the bells do.
      if low == 0 { #expect(abs(found(1) - 9) < 0.05) } else { #expect(found(8) < -35) }
      if high == 0 { #expect(abs(found(23_500) + 5) < 0.3) } else { #expect(found(22_000) < -30) }
    }
  }

  @Test("a new one changes nothing")
  func flat() throws {
    let signal = noise(2, frames: 500)
    #expect(try renderedSignal(fed(MultibandFilter(), signal), total: 500) == signal)
  }
}
