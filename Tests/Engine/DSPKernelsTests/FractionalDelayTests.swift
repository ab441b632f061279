import DSPKernels
import Glibc
import TestSupport
import Testing

/// The delay by part of a frame: a sinc of 32 taps under a Kaiser window of β 6, its sum 1.
@Suite struct FractionalDelayTests {
  private func taps(_ fraction: Double, gain: Double = 1) -> [Float] {
    var taps = [Float](repeating: .nan, count: FractionalDelay.tapCount)
    taps.asPlane { FractionalDelay.write(fraction: fraction, gain: gain, to: $0) }
    return taps
  }

  @Test("the taps are those of the formula, at the parts of a frame in the table and between them")
  func formula() {
    #expect(FractionalDelay.tapCount == 32)
    for fraction in [0, 1.0 / 512, 0.001, 0.25, 0.333, 0.5, 0.7771, 511.0 / 512, 0.9995, 1] {
      let formula = (0..<32).map { kaiserSinc(Double($0 - 15) - fraction, reach: 16, beta: 6) }
      let sum = formula.reduce(0, +)
      // A straight line over 1/512 of a frame is off by (1/512)²/8 of the curvature, which is below π²/3 + 1.
      let worst = zip(taps(fraction), formula).map { abs(Double($0) - $1 / sum) }.max() ?? 1
      #expect(worst < 2.5e-6, "\(fraction): \(worst)")
    }
  }

  @Test("up to 0.85 of half the rate it is flat to 0.1 dB, and late by 15 frames and the fraction")
  func response() {
    #expect(FractionalDelay.centreFrames == 15)
    for fraction in stride(from: 0.0, through: 1, by: 0.0371) {
      let taps = taps(fraction)
      #expect(abs(taps.reduce(0) { $0 + Double($1) } - 1) < 1e-6)
      for part in stride(from: 0.05, through: 0.85, by: 0.05) {
        var (real, imaginary) = (0.0, 0.0)
        for (tap, value) in taps.enumerated() {
          let angle = .pi * part * (Double(tap) - 15 - fraction)
          real += Double(value) * cos(angle)
          imaginary -= Double(value) * sin(angle)
        }
        #expect(abs(10 * log10(real * real + imaginary * imaginary)) < 0.1, "\(fraction), \(part)")
        // A hundredth of a frame at the least of these frequencies is 0.0016.
        #expect(abs(atan2(imaginary, real)) < 1.6e-3, "\(fraction), \(part)")
      }
    }
  }

  @Test("a whole frame is exact, a gain multiplies every tap, and what lies beyond 0 and 1 counts as these")
  func ends() {
    for (fraction, place) in [(0.0, 15), (1, 16)] {
      for (tap, value) in taps(fraction).enumerated() { #expect(abs(value - (tap == place ? 1 : 0)) < 1e-7) }
    }
    #expect(taps(-0.5) == taps(0) && taps(1.5) == taps(1))
    for (one, other) in zip(taps(0.3), taps(0.3, gain: -2.5)) { #expect(abs(other + 2.5 * one) < 1e-6) }
  }
}
