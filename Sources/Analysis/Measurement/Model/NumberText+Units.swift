import AudioCore
import Foundation

/// Numbers with their units.
extension NumberText {
  /// A number with `digits` places at most, none of them an empty zero; the minus is a real one.
  package static func decimal(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "−∞" : "∞" }
    let text = withoutZeros(String(format: "%.\(digits)f", locale: nil, abs(value)))
    return value < 0 && text != "0" ? "−" + text : text
  }

  /// A number with about `digits` significant ones.
  package static func significant(_ value: Double, digits: Int = 5) -> String {
    guard value.isFinite, value != 0 else { return decimal(value, digits: 0) }
    let exponent = Int(clamping: log10(abs(value)).rounded(.down))
    if exponent < -6 || exponent > 9 {
      let text = String(format: "%.\(max(0, digits - 1))e", locale: nil, abs(value))
      return (value < 0 ? "−" : "") + text
    }
    return decimal(value, digits: max(0, digits - 1 - exponent))
  }

  /// A span of wall-clock time: "0.31 s", "2 min 05 s".
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    if seconds <= 0 { return "0 s" }
    if seconds < 0.0095 { return "\(decimal(seconds * 1000, digits: 1)) ms" }
    if seconds < 99.5 { return String(format: seconds < 0.995 ? "%.2f s" : "%.1f s", locale: nil, seconds) }
    // A run of a year is as long as any.
    let whole = Int(clamping: min(seconds, 31_536_000).rounded())
    return String(format: "%d min %02d s", locale: nil, whole / 60, whole % 60)
  }

  /// The unit that shows a value with few zeros, and what the value is to be multiplied by for it: of seconds ms or µs.
  package static func shown(_ value: Double, _ unit: Reading.Unit) -> (factor: Double, unit: String) {
    guard unit == .seconds, value != 0, abs(value) < 0.1 else { return (1, unit.symbol) }
    return abs(value) < 1e-4 ? (1e6, "µs") : (1e3, "ms")
  }

  /// A value with its unit: "−0.31 dB", "12.1 kHz".
  package static func value(_ value: Double, _ unit: Reading.Unit) -> String {
    switch unit {
    case .hertz where abs(value) >= 1000 && value.isFinite: "\(significant(value / 1000)) kHz"
    case .decibels, .decibelsFullScale, .decibelsTruePeak, .loudnessUnits, .loudnessUnitsFullScale:
      "\(decimal(value, digits: abs(value) < 0.1 ? 5 : 3)) \(unit.rawValue)"
    case .percent: "\(significant(value)) %"
    case .degrees: "\(significant(value))°"
    case .amplitude: significant(value)
    case .ratio: "\(significant(value)):1"
    case .count: significant(value, digits: 10)
    case .frames: count(significant(value, digits: 7), "frame")
    case .hertz: "\(significant(value, digits: 7)) \(unit.rawValue)"
    case .seconds: "\(significant(value * shown(value, unit).factor, digits: 6)) \(shown(value, unit).unit)"
    }
  }
}
