import Glibc

/// Amplitude ratios and their decibels: dB = 20·log10(ratio).
public enum Decibels {
  /// 10^(dB/20): 1 for 0 dB, 0 for −∞.
  public static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }
  /// −∞ for 0.
  public static func of(amplitude: Double) -> Double { 20 * log10(abs(amplitude)) }
}
