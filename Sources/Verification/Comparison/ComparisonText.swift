import Glibc
import Measurement

/// Figures in the sentences of outcomes.
enum ComparisonText {
  /// With so many digits behind the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    let scale = pow(10, Double(digits))
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 1e18 else { return "\(value)" }
    let sign = value < 0 && scaled > 0 ? "-" : ""
    let whole = String(Int64(scaled) / Int64(scale))
    guard digits > 0 else { return sign + whole }
    let rest = String(Int64(scaled) % Int64(scale))
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }

  /// Without a fraction that is zero: 48000, 0.25.
  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }

  /// "-84.31 dBFS"; "nothing" for a level of silence.
  static func level(_ decibels: Double, _ unit: String = "dBFS") -> String {
    decibels == -.infinity ? "nothing" : "\(fixed(decibels, 2)) \(unit)"
  }

  static func count(_ number: Int64, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

  /// "10 ms", "0.5 s".
  static func span(_ seconds: Double) -> String {
    seconds < 0.1 ? "\(plain((seconds * 1e6).rounded() / 1000)) ms" : "\(plain((seconds * 1000).rounded() / 1000)) s"
  }

  /// A difference of samples, and what it is against full scale: "3.05e-05 (-90.31 dBFS)".
  static func difference(_ value: Double) -> String {
    "\(significant(value)) (\(level(20 * log10(value))))"
  }

  /// Three figures, as short as they are right.
  static func significant(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return plain(value) }
    let exponent = Int(floor(log10(abs(value))))
    guard exponent < -3 || exponent > 5 else { return fixed(value, max(0, 2 - exponent)) }
    return "\(fixed(value / pow(10, Double(exponent)), 2))e\(exponent < 0 ? "-" : "+")\(abs(exponent))"
  }
}

extension CheckOutcome.Place: CustomStringConvertible {
  /// "frame 4410 (0.100 s), channel 0"
  public var description: String { "frame \(frame) (\(ComparisonText.fixed(seconds, 3)) s), channel \(channel)" }
}
