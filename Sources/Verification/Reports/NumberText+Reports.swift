import Foundation
import Measurement

/// Numbers of reports. Programs get them from ``JSONReport``, unrounded.
extension NumberText {
  /// A span of wall-clock time: "0.31 s", "2 min 05 s".
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    if seconds <= 0 { return "0 s" }
    if seconds < 0.0095 { return "\(decimal(seconds * 1000, digits: 1)) ms" }
    if seconds < 9.95 { return String(format: seconds < 0.995 ? "%.2f s" : "%.1f s", locale: nil, seconds) }
    if seconds < 99.5 { return String(format: "%.1f s", locale: nil, seconds) }
    // A run of a year is as long as any.
    let whole = Int(min(seconds, 31_536_000).rounded())
    return String(format: "%d min %02d s", locale: nil, whole / 60, whole % 60)
  }

  /// "1 case", "212 cases".
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// A value with its unit: "−0.31 dB", "12.1 kHz".
  static func value(_ value: Double, _ unit: Reading.Unit) -> String {
    switch unit {
    case .hertz where abs(value) >= 1000 && value.isFinite: "\(significant(value / 1000)) kHz"
    case .seconds where value.isFinite && value != 0 && abs(value) < 0.1: "\(significant(value * 1000)) ms"
    case .decibels, .decibelsFullScale, .decibelsTruePeak, .loudnessUnits, .loudnessUnitsFullScale:
      "\(decimal(value, digits: abs(value) < 0.1 ? 5 : 3)) \(unit.rawValue)"
    case .percent: "\(significant(value)) %"
    case .degrees: "\(significant(value))°"
    case .amplitude: significant(value)
    case .ratio: "\(significant(value)):1"
    case .count: significant(value, digits: 10)
    case .hertz, .frames, .seconds: "\(significant(value, digits: 7)) \(unit.rawValue)"
    }
  }

  /// A reading's value, "< floor" where it says no more than that.
  static func value(of reading: Reading) -> String {
    if reading.value.isNaN { return "not measured" }
    if let floor = reading.floor, reading.isBelowFloor { return "< \(value(floor, reading.unit))" }
    return (reading.bound == .atLeast ? "at least " : "") + value(reading.value, reading.unit)
  }

  /// "±0.002 dB"; empty where it is not known.
  static func uncertainty(of reading: Reading) -> String {
    reading.uncertainty.map { "±\(significant($0, digits: 2)) \(reading.unit.rawValue)" } ?? ""
  }

  /// "frame 4711 (0.107 s), channel 1".
  static func place(_ place: CheckOutcome.Place) -> String {
    "frame \(place.frame) (\(significant(place.seconds, digits: 6)) s), channel \(place.channel)"
  }
}
