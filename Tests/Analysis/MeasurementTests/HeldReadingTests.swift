import Foundation
import Measurement
import RandomDevices
import TestSupport
import Testing

/// A small draw of what `make coverage` does with hundreds of devices: the truth lies within what readings say. And
/// their readings, number for number: an error in a constant of a stimulus, of a window or of an uncertainty may keep
/// every promise of coverage and still changes these.
///
/// New texts: ``HeldText``.
@Suite("Readings of random devices are true, and stay what they were")
struct HeldReadingTests {
  private static let heldSeed: UInt64 = 1899
  /// Another seed of the draws: by the commit. Its readings are not held.
  private static let seed =
    ProcessInfo.processInfo.environment["COVERAGE_SEED"].flatMap { UInt64($0.prefix(15), radix: 16) } ?? heldSeed

  @Test("the truth lies within them, and they are held to the last digit", arguments: CoverageFamilies.all.map(\.name))
  func readingsAreHeld(family name: String) throws {
    let family = try #require(CoverageFamilies.all.first { $0.name == name })
    let held = family.kind == .linear ? 14 : family.kind == .resampler ? 3 : 6
    var tally = CoverageTally()
    var lines: [String] = []
    for number in 0..<max(7, held) {
      let known = family.draw(Self.seed, number)
      let findings = try family.measure(known)
      tally.add(known, findings, of: family)
      if number < held { lines += ["device \(number)"] + HeldReadings.lines(of: findings) }
    }
    let judged = tally.rows.values.reduce(0) { $0 + $1.count }
    let inside = tally.rows.values.reduce(0) { $0 + $1.inside }
    #expect(judged > 30)
    // 95 of 100 are wanted; of so few readings 88 of 100 is what chance leaves of that in all but one draw of
    // thousands.
    #expect(Double(inside) >= 0.88 * Double(judged), "\(tally.table)\(tally.misses)")
    guard Self.seed == Self.heldSeed else { return }
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
