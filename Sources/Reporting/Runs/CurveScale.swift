import Foundation
import Measurement
import Verification

/// One axis of a drawn curve: from values to places, and where its lines and labels stand.
struct CurveScale {
  let low: Double
  let high: Double
  let isLogarithmic: Bool
  /// Values with a line and a label.
  let ticks: [Double]
  /// Values with a thin line only.
  let minorTicks: [Double]

  /// Frequencies: 20, 50, 100 ...
  init(logarithmicFrom low: Double, to high: Double) {
    self.low = low
    self.high = high
    isLogarithmic = true
    let decades = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
    func values(_ digits: [Double]) -> [Double] {
      decades.flatMap { decade in digits.map { $0 * pow(10, Double(decade)) } }
        .filter { $0 >= low * 0.9999 && $0 <= high * 1.0001 }
    }
    let labelled = values([1, 2, 5])
    // A narrow band has few of those: all digits then, and where that is no more than one, both ends.
    if labelled.count >= 3 {
      ticks = labelled
      minorTicks = values([3, 4, 6, 7, 8, 9])
    } else {
      let all = values([1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9])
      ticks = all.count >= 2 ? all : [low, high]
      minorTicks = []
    }
  }

  /// Even steps of 1, 2 or 5 times a power of ten; decibels over a wide range in steps of 6, 12 ... 24.
  init(linearFrom low: Double, to high: Double, unit: Reading.Unit, lines: Int, isRounded: Bool) {
    let span = max(high - low, .leastNormalMagnitude)
    let step = Self.step(span: span, unit: unit, lines: lines)
    // To half steps: whole ones would leave up to a third of the height empty.
    let half = step / 2
    self.low = isRounded ? (low / half - 1e-9).rounded(.down) * half : low
    self.high = isRounded ? (high / half + 1e-9).rounded(.up) * half : high
    isLogarithmic = false
    let first = (self.low / step - 1e-9).rounded(.up)
    let last = (self.high / step + 1e-9).rounded(.down)
    let count = min(100, max(0, Int(last - first)))
    ticks = (0...count).map { (first + Double($0)) * step }
    minorTicks = []
  }

  private static func step(span: Double, unit: Reading.Unit, lines: Int) -> Double {
    let rough = span / Double(max(1, lines))
    let isLevel = unit == .decibels || unit == .decibelsFullScale
    if isLevel && rough > 2 {
      for step in [3.0, 6, 12, 24, 48] where step >= rough { return step }
    }
    if unit == .degrees && rough > 10 {
      for step in [15.0, 30, 45, 90, 180, 360] where step >= rough { return step }
    }
    let decade = pow(10, log10(rough).rounded(.down))
    for digit in [1.0, 2, 5] where digit * decade >= rough * 0.999 { return digit * decade }
    return 10 * decade
  }

  /// 0 at the low end, 1 at the high one.
  func place(_ value: Double) -> Double {
    if isLogarithmic { return (log(value) - log(low)) / (log(high) - log(low)) }
    return (value - low) / (high - low)
  }

  /// A tick's label, in the unit that ``unitLabel(_:)`` names.
  func label(_ value: Double, unit: Reading.Unit) -> String {
    if unit == .hertz {
      return abs(value) >= 1000 ? NumberText.significant(value / 1000, digits: 4) + "k" : NumberText.significant(value)
    }
    let scaled = unit == .seconds && usesMilliseconds ? value * 1000 : value
    // Sums of steps are not quite zero.
    let isZero = abs(scaled) < 1e-9 * max(abs(low), abs(high)) * (usesMilliseconds && unit == .seconds ? 1000 : 1)
    return isZero ? "0" : NumberText.significant(scaled, digits: 6)
  }

  func unitLabel(_ axis: Curve.Axis) -> String {
    let unit = axis.unit == .seconds && usesMilliseconds ? "ms" : axis.unit.rawValue
    return unit.isEmpty ? axis.name : "\(axis.name) (\(unit))"
  }

  private var usesMilliseconds: Bool { max(abs(low), abs(high)) < 0.5 }
}
