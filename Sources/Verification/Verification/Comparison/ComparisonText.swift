import AudioCore
import Glibc
import Measurement

/// Figures in the sentences of outcomes.
enum ComparisonText {
  /// With so many digits behind the point.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return NumberText.decimal(value, digits: digits) }
    return NumberText.fixed(value, digits).replacing("-", with: "−")
  }

  /// "−84.31 dBFS"; "nothing" for the level of silence.
  static func level(_ decibels: Double, _ unit: String = "dBFS") -> String {
    decibels == -.infinity ? "nothing" : "\(fixed(decibels, 2)) \(unit)"
  }

  /// A limit as it was given: "−90 dBFS".
  static func limit(_ decibels: Double, _ unit: String = "dBFS") -> String {
    "\(NumberText.decimal(decibels, digits: 4)) \(unit)"
  }

  /// "10 ms", "0.5 s".
  static func span(_ seconds: Double) -> String {
    let (factor, unit) = NumberText.shown(seconds, .seconds)
    return "\(NumberText.decimal(seconds * factor, digits: 3)) \(unit)"
  }

  /// A difference of samples, and what it is against full scale: "0.00774 (−42.23 dBFS)".
  static func difference(_ value: Double) -> String {
    "\(NumberText.significant(value, digits: 3)) (\(level(20 * log10(value))))"
  }
}

extension CheckOutcome.Place: CustomStringConvertible {
  /// "frame 4410 (0.1 s), channel 0"
  public var description: String {
    "frame \(frame) (\(NumberText.value(seconds, .seconds))), channel \(channel)"
  }
}
