import AudioCore
import Glibc

/// Silence with 16-bit TPDF dither: white noise of a known mean square, (LSB²)/4 with LSB = 2⁻¹⁵ (Lipshitz, Wannamaker,
/// Vanderkooy 1992: LSB²/6 of the dither and LSB²/12 of the rounding, independent of the signal).
struct KnownNoise: Sendable {
  let device: FunctionDevice
  private let sampleRate: Double
  private let bandHertz: ClosedRange<Double>

  init(sampleRate: Double, bandHertz: ClosedRange<Double>) {
    self.sampleRate = sampleRate
    self.bandHertz = bandHertz
    device = FunctionDevice("16-bit dither") { (input) throws(BenchError) in
      var output = input
      // A linear congruential generator (Knuth's MMIX): its upper bits are white enough, and the same everywhere.
      var state: UInt64 = 1
      func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) * 0x1p-53
      }
      output.channels = output.channels.map { channel in
        channel.map { (($0 * 0x1p15 + uniform() - uniform()).rounded()) * 0x1p-15 }
      }
      return output
    }
  }

  /// The level of a reading: that of the white noise, times its weighting's mean power over the band.
  func answer(to reading: Reading) -> Double? {
    let weighting: FrequencyWeighting
    switch reading.id {
    case "noise", "noiseWithTone": weighting = .flat
    case "noiseA", "noiseWithToneA": weighting = .a
    case "noise468": weighting = .itu468
    case "noiseCCIR", "noiseWithToneCCIR": weighting = .ccirRMS
    default: return nil
    }
    let full = 2 * 0x1p-30 / 4
    let (low, high) = (bandHertz.lowerBound, min(bandHertz.upperBound, sampleRate / 2))
    // The middles of steps of about 2 Hz: the curves are smooth.
    let steps = max(1, Int((high - low) / 2))
    var sum = 0.0
    for step in 0..<steps {
      sum += weighting.response(at: low + (high - low) * (Double(step) + 0.5) / Double(steps)).squaredMagnitude
    }
    return 10 * log10(full * sum / Double(steps) * (high - low) / (sampleRate / 2))
  }
}
