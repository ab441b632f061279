import Glibc

/// An axis with its range settled: from values to parts of its length and back.
///
/// All pictures are drawn on linear coordinates from 0 to 1: logarithms, ranges and ticks are worked out here, once,
/// for SVG and for terminals alike.
package struct AxisScale: Hashable, Sendable {
  package let isLogarithmic: Bool
  package let low: Double
  package let high: Double
  private let start: Double
  private let length: Double

  /// - Precondition: `low < high`, both finite, above 0 where logarithmic.
  package init(_ scale: PlotAxis.Scale, low: Double, high: Double) {
    precondition(low < high && low.isFinite && high.isFinite && (scale == .linear || low > 0))
    isLogarithmic = scale == .logarithmic
    self.low = low
    self.high = high
    start = isLogarithmic ? log10(low) : low
    length = (isLogarithmic ? log10(high) : high) - start
  }

  /// 0 at the low end, 1 at the high end, beyond outside; infinities as far out as it takes. Not a number: no place.
  package func position(_ value: Double) -> Double {
    if isLogarithmic, value <= 0 { return .nan }
    let place = ((isLogarithmic ? log10(value) : value) - start) / length
    // Far outside is as good as infinity, and no program's integers overflow.
    return place.isNaN ? .nan : place.clamped(to: -Self.far...Self.far)
  }

  package func value(at position: Double) -> Double {
    let inner = start + length * position
    return isLogarithmic ? pow(10, inner) : inner
  }

  package func contains(_ value: Double) -> Bool {
    let slack = 1e-9
    let place = position(value)
    return place >= -slack && place <= 1 + slack
  }

  private static let far = 20.0
}
