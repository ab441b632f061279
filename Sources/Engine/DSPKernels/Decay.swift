import Glibc

/// The time that something rings: until it is 120 dB down, 10⁻⁶ of its first value.
public enum Decay {
  /// Steps in which what is multiplied by `factor` in each comes to 10⁻⁶: ln 10⁻⁶ ÷ ln factor. 0 for 0, infinite from 1
  /// on.
  public static func steps(factor: Double) -> Double {
    guard factor > 0 else { return 0 }
    return factor < 1 ? -6 * 2.302585092994046 / log(factor) : .infinity
  }
}
