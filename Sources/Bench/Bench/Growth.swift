import AudioCore
import Glibc

/// The growth of a cost with the varied value: the simplest law that fits the medians.
package struct Growth: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Sendable {
    /// All within 5 % of each other.
    case constant
    /// `base + factor · x`, within 3 %.
    case linear
    /// Constant up to `bend`, from there on a line, within 3 %.
    case bent
    /// `base + factor · x^exponent`, within 3 %.
    case power
    /// None of these fits within 3 %; the nearest power is given.
    case irregular
  }

  package var kind: Kind
  /// At x = 0, in the cost's unit.
  package var base: Double
  /// Times `x^exponent`, or times what x is above the bend.
  package var factor: Double
  /// The value at which a constant cost begins to grow; 0 for other laws.
  package var bend = 0.0
  package var exponent: Double
  /// Within which the exponent of the best power lies with a confidence of 95 %, by bootstrap.
  package var exponentInterval: ClosedRange<Double>
  /// The distance of the worst median from the fit, as a share.
  package var largestDeviation: Double

  package func value(at x: Double) -> Double {
    kind == .bent ? base + factor * max(0, x - bend) : base + factor * Glibc.pow(x, exponent)
  }

  /// A law that is further off anywhere, as a share, does not fit.
  private static let tolerance = 0.03

  private static let resamples = 200
  private static let exponents = stride(from: -2.0, through: 3.0, by: 0.02).filter { abs($0) > 1e-9 }

  /// - Parameters:
  ///   - x: above 0, at least three different ones.
  ///   - costs: for each, what was measured.
  /// - Returns: nil for fewer, or others.
  package init?(_ x: [Double], _ costs: [[Double]]) {
    guard Set(x).count > 2, x.count == costs.count, x.allSatisfy({ $0 > 0 && $0.isFinite }),
      costs.allSatisfy({ !$0.isEmpty })
    else { return nil }
    let medians = costs.map { Statistics.quantile($0.sorted(), 0.5) }
    guard let least = medians.min(), let most = medians.max(), least > 0 else { return nil }
    let best = Self.best(x, medians)
    var generator = SplitMix64(seed: 1)
    var drawn: [Double] = []
    for _ in 0..<Self.resamples {
      let medians = costs.map { values in
        Statistics.quantile(values.map { _ in values[Int(generator.next() % UInt64(values.count))] }.sorted(), 0.5)
      }
      drawn.append(Self.best(x, medians).exponent)
    }
    drawn.sort()
    exponentInterval = Statistics.quantile(drawn, 0.025)...Statistics.quantile(drawn, 0.975)
    if most / least < 1.05 {
      kind = .constant
      let mean = medians.reduce(0, +) / Double(medians.count)
      (base, factor, exponent) = (mean, 0, 0)
      largestDeviation = medians.map { abs($0 / mean - 1) }.max() ?? 0
      return
    }
    let line = Self.fit(x, medians, exponent: 1)
    if line.deviation > Self.tolerance, let (bend, fit) = Self.bent(x, medians), fit.deviation < Self.tolerance {
      (kind, self.bend) = (.bent, bend)
      (base, factor, exponent, largestDeviation) = (fit.base, fit.factor, 1, fit.deviation)
      return
    }
    kind = line.deviation <= Self.tolerance ? .linear : best.deviation <= Self.tolerance ? .power : .irregular
    let chosen = kind == .linear ? line : best
    (base, factor, exponent, largestDeviation) = (chosen.base, chosen.factor, chosen.exponent, chosen.deviation)
  }

  /// The best law with a bend; nil where there are too few values for one.
  private static func bent(_ x: [Double], _ y: [Double]) -> (bend: Double, fit: Fit)? {
    guard x.count > 4, let low = x.min(), let high = x.max() else { return nil }
    // In steps of a hundredth of the range's ratio.
    let bends = (1..<100).map { low * Glibc.pow(high / low, Double($0) / 100) }
    return bends.map { bend in (bend, fit(x.map { max(0, $0 - bend) }, y, exponent: 1)) }
      .min { $0.1.squares < $1.1.squares }
  }

  private typealias Fit = (base: Double, factor: Double, exponent: Double, deviation: Double, squares: Double)

  private static func best(_ x: [Double], _ y: [Double]) -> Fit {
    // A straight line through logarithms where there are too few values for three unknowns.
    guard x.count > 3 else {
      let (u, v) = (x.map { log($0) }, y.map { log($0) })
      let (mu, mv) = (u.reduce(0, +) / Double(u.count), v.reduce(0, +) / Double(v.count))
      let slope =
        zip(u, v).reduce(0) { $0 + ($1.0 - mu) * ($1.1 - mv) } / u.reduce(0) { $0 + ($1 - mu) * ($1 - mu) }
      let factor = exp(mv - slope * mu)
      let deviations = zip(x, y).map { factor * Glibc.pow($0, slope) / $1 - 1 }
      return (0, factor, slope, deviations.map { abs($0) }.max() ?? 0, deviations.reduce(0) { $0 + $1 * $1 })
    }
    return exponents.map { fit(x, y, exponent: $0) }.min { $0.squares < $1.squares } ?? fit(x, y, exponent: 1)
  }

  /// The least squares of relative deviations.
  private static func fit(_ x: [Double], _ y: [Double], exponent: Double) -> Fit {
    let powers = x.map { Glibc.pow($0, exponent) }
    var (s, sp, spp, sy, spy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (p, y) in zip(powers, y) {
      let weight = 1 / (y * y)
      (s, sp, spp, sy, spy) = (s + weight, sp + weight * p, spp + weight * p * p, sy + weight * y, spy + weight * p * y)
    }
    let determinant = s * spp - sp * sp
    let factor = determinant > 0 ? (s * spy - sp * sy) / determinant : 0
    let base = (sy - factor * sp) / s
    let deviations = zip(powers, y).map { (base + factor * $0) / $1 - 1 }
    return (base, factor, exponent, deviations.map { abs($0) }.max() ?? 0, deviations.reduce(0) { $0 + $1 * $1 })
  }
}
