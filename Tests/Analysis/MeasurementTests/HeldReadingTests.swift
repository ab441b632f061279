import Foundation
import Measurement
import RandomDevices
import TestSupport
import Testing

/// Readings of random devices, number for number: an error in a constant of a stimulus, of a window or of an
/// uncertainty may keep every promise of coverage and still changes these.
///
/// New texts: ``HeldText``.
@Suite("Readings of random devices stay what they were")
struct HeldReadingTests {
  private static let seed: UInt64 = 1899

  @Test("to the last digit that arithmetic gives", arguments: CoverageFamilies.all.map(\.name))
  func readingsAreHeld(family name: String) throws {
    let family = try #require(CoverageFamilies.all.first { $0.name == name })
    let count = family.kind == .linear ? 14 : family.kind == .resampler ? 3 : 6
    let lines = try (0..<count).flatMap { number in
      let known = family.draw(Self.seed, number)
      return ["device \(number)"] + HeldReadings.lines(of: try family.measure(known))
    }
    let different = try HeldText.difference(lines, from: name, areAlike: HeldReadings.areAlike)
    #expect(different == nil, "\(different.map { "\($0)" } ?? "")")
  }
}

/// Findings as lines of words and numbers.
private enum HeldReadings {
  static func lines(of findings: Findings) -> [String] {
    findings.readings.map(line) + findings.curves.map(line) + findings.remarks.map(line)
      + findings.disagreements.map(line)
  }

  private static func line(_ reading: Reading) -> String {
    let at = reading.at.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }.joined()
    return "\(reading.id) \(reading.channel ?? -1)\(at): \(value(reading.value)) ± \(width(reading.uncertainty))"
      + " floor \(value(reading.floor ?? .nan)) \(reading.bound?.rawValue ?? "") \(line(reading.remark ?? ""))"
  }

  /// A curve by its length, and by sums in which each point has its own weight.
  private static func line(_ curve: Curve) -> String {
    func sum(_ value: (Curve.Point) -> Double) -> Double {
      curve.points.enumerated().reduce(0) { sum, item in
        let number = value(item.element)
        return number.isFinite && number > -200 ? sum + number * (1 + 0.5 * sin(Double(item.offset))) : sum
      }
    }
    return "curve \(curve.id) \(curve.channel ?? -1): \(curve.points.count) points \(sum { $0.x }) \(sum { $0.y })"
      + " ± \(width(sum { $0.uncertainty ?? 0 }))"
  }

  /// Numbers in sentences are rounded for people: where they stand is held, not what they are.
  private static func line(_ sentence: String) -> String {
    String(sentence.map { $0 == "\n" || $0.isNumber || $0 == "." || $0 == "e" || $0 == "-" || $0 == "−" ? "#" : $0 })
      .replacing(/#+/, with: "#")
  }

  /// A value below the resolution of 32-bit samples is the rounding of the analysis, which differs between machines.
  private static func value(_ value: Double) -> String { value < -250 ? "none" : "\(value)" }
  private static func width(_ width: Double?) -> String { width.map { abs($0) < 1e-8 ? "little" : "\($0)" } ?? "none" }

  static func areAlike(_ held: String, _ now: String) -> Bool {
    if held == now { return true }
    let (first, second) = (held.split(separator: " "), now.split(separator: " "))
    return first.count == second.count
      && zip(first, second).allSatisfy { word, other in
        if word == other { return true }
        // A comma or a colon may follow.
        guard let a = Double(word), let b = Double(other) else { return false }
        return abs(a - b) <= max(1e-9, 1e-4 * min(abs(a), abs(b)))
      }
  }
}
