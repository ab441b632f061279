import AudioCore
import Glibc

/// y = x + a·x² + b·x³: a device whose distortion of one and of two tones is known in closed form. The difference of a
/// reading from the closed form is the measurement's error.
struct KnownPolynomial: Sendable {
  let square = 1e-3
  let cube = 1e-4
  let device: FunctionDevice

  init(precision: SamplePrecision) {
    let (a, b) = (square, cube)
    device = FunctionDevice("x + \(a)·x² + \(b)·x³", precision: precision) { (input) throws(BenchError) in
      precision.rounded(precision.rounded(input).mapped { $0 * (1 + $0 * (a + $0 * b)) })
    }
  }

  /// The right value of a reading; nil if it is not known, or if the format's own rounding is as large.
  ///
  /// With x = A·sin: sin² and sin³ make a·A²/2 of the second and b·A³/4 of the third harmonic, and b·3A³/4 of the
  /// first. With two tones A, B: a·A·B each of sum and difference, b·3A²B/4 each of the tones at 2f₁ ± f₂.
  func answer(to reading: Reading, settings: DistortionMeasurement) -> Double? {
    let level = Decibels.amplitude(settings.levelDecibels)
    guard settings.levelDecibels > -20 else { return nil }
    let first = level + cube * 3 * level * level * level / 4
    let (second, third) = (square * level * level / 2 / first, cube * level * level * level / 4 / first)
    let hasThird = 3 * settings.frequencyHertz < min(settings.bandHertz.upperBound, 0.49 * settings.sampleRate)
    switch reading.id {
    case "thd": return hasThird ? Decibels.of(amplitude: hypot(second, third)) : nil
    case "thdPercent": return hasThird ? 100 * hypot(second, third) : nil
    case "fundamental": return Decibels.of(amplitude: first)
    case "harmonic":
      return reading.at["harmonic"] == 2 ? Decibels.of(amplitude: second) : nil
    case "imdSMPTE", "imdSMPTEPercent", "imdSMPTEOrder":
      let (low, high) = (0.8 * level, 0.2 * level)
      let carrier = high + cube * (3 * high * high * high / 4 + 3 * low * low * high / 2)
      let orders = [2 * square * low * high / carrier, 2 * cube * 3 * low * low * high / 4 / carrier]
      return answer(reading, orders: orders)
    case "imdDifference", "imdDifferencePercent", "imdDifferenceOrder":
      let each = level / 2
      let tone = each + cube * 9 * each * each * each / 4
      let orders = [square * each * each / (2 * tone), 2 * cube * 3 * each * each * each / 4 / (2 * tone)]
      return answer(reading, orders: orders)
    default: return nil
    }
  }

  private func answer(_ reading: Reading, orders: [Double]) -> Double? {
    if let order = reading.at["order"] { return Decibels.of(amplitude: orders[Int(clamping: order) - 2]) }
    let total = hypot(orders[0], orders[1])
    return reading.unit == .percent ? 100 * total : Decibels.of(amplitude: total)
  }
}
