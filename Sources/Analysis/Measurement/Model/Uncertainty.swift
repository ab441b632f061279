import Glibc

/// The parts of a reading's uncertainty, combined and expanded as the GUM says (JCGM 100:2008).
///
/// Parts are standard uncertainties: standard deviations, found by statistics (type A) or from what is known of the
/// cause (type B). They are added as squares (5.1.2) and expanded by ``coverageFactor``: the truth lies within ± in
/// about 95 of 100 cases (6.2).
public struct Uncertainty: Hashable, Sendable {
  /// k: what turns a standard deviation into the half width of the reported interval. Student's for 95 of 100 and the
  /// twenty or so degrees of freedom that an estimate of noise has here (annex G).
  public static let coverageFactor = 2.1

  private var variance = 0.0

  /// No parts yet: ± 0.
  public init() {}

  /// Combines a standard deviation and an error that lies anywhere within ± `halfWidth`.
  init(standard: Double, halfWidth: Double) {
    add(standard: standard)
    add(halfWidth: halfWidth)
  }

  /// Adds a standard deviation.
  /// - Parameters:
  ///   - standard: one standard deviation.
  ///   - degreesOfFreedom: the degrees of freedom of the statistics it comes from; few make it wider, by
  ///     Student's distribution (annex G).
  public mutating func add(standard: Double, degreesOfFreedom: Double = .infinity) {
    let part = standard * Self.student(degreesOfFreedom) / Self.student(.infinity)
    variance += part * part
  }

  /// Adds an error that lies anywhere within ± `halfWidth`: its standard deviation is halfWidth ÷ √3 (4.3.7).
  public mutating func add(halfWidth: Double) { variance += halfWidth * halfWidth / 3 }

  /// Adds what picking the largest of several values does that lie within their noise of it: noise alone makes the
  /// largest of n √(2·ln n) deviations too large.
  public mutating func add(pickedFrom count: Int, deviation: Double) {
    add(standard: deviation * (2 * log(Double(max(1, count)))).squareRoot() / Self.coverageFactor)
  }

  /// The half width of the interval around a value that holds the truth in about 95 of 100 cases, in the parts' unit.
  public var expanded: Double { Self.coverageFactor * variance.squareRoot() }

  /// Student's t for 95 %, two-sided, by a series in 1/ν; within 2 % from ν = 2 on.
  static func student(_ degrees: Double) -> Double {
    guard degrees.isFinite else { return 1.96 }
    let inverse = 1 / max(degrees, 1)
    return 1.96 + inverse * (2.372 + inverse * (2.822 + inverse * 2.556))
  }

  /// An amplitude's ± as decibels of its level: 20·log10(1 + U/|A|), which is the larger of both sides.
  static func decibels(_ uncertainty: Double, of amplitude: Double) -> Double {
    20 * log10(1 + uncertainty / max(abs(amplitude), 1e-300))
  }

  /// The ± of a mean square's level, decibels; 0 where there is nothing.
  /// - Parameter deviation: the deviation of the mean square.
  static func decibels(meanSquare: Double, deviation: Double) -> Double {
    meanSquare > 0 ? decibels(coverageFactor * deviation / (2 * meanSquare), of: 1) : 0
  }
}
