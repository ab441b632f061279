// Windowed sincs. For tables that are made once: not for the render thread.

import Glibc

/// sin(πx)/(πx).
public enum Sinc {
  /// 1 at 0, 0 at every other whole number.
  public static func value(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
}

/// The window of Kaiser: I0(β√(1 − x²)) / I0(β).
public enum Kaiser {
  /// - Parameters:
  ///   - x: 0 in the middle, −1 and 1 at the ends.
  ///   - beta: 0 or more; the larger, the lower the side lobes.
  public static func value(_ x: Double, beta: Double) -> Double {
    bessel(beta * max(0, 1 - x * x).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function of order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, k) = (1.0, 1.0, 1.0)
    while term > 1e-17 * sum {
      term *= (x / 2 / k) * (x / 2 / k)
      sum += term
      k += 1
    }
    return sum
  }
}
