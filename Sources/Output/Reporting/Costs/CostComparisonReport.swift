import AudioCore
import Bench
import Measurement

/// Compares two renders: whether one is slower, and whether they sound the same.
package struct CostComparisonReport {
  /// One case of both.
  package struct Part {
    package let comparison: BenchComparison
    package let sound: SoundDifference
    /// The instructions for a frame; nil if they were not counted.
    package let instructions: (former: Double, present: Double)?

    package init(
      _ comparison: BenchComparison, _ sound: SoundDifference, instructions: (former: Double, present: Double)?
    ) {
      (self.comparison, self.sound, self.instructions) = (comparison, sound, instructions)
    }
  }

  private let former: String
  private let present: String
  private let parts: [Part]
  private let machine: BenchMachine
  private let seconds: Double

  /// - Parameters:
  ///   - former: the name of the one, and `present` that of the other.
  ///   - seconds: the duration of the measurement.
  package init(former: String, present: String, _ parts: [Part], _ machine: BenchMachine, seconds: Double) {
    (self.former, self.present, self.parts, self.machine) = (former, present, parts, machine)
    self.seconds = seconds
  }

  private var isWorse: Bool {
    parts.contains { $0.comparison.verdict == .slower || $0.sound != .identical }
  }
  private var isUnclear: Bool { parts.contains { $0.comparison.verdict == .unclear } }

  /// The cases that sound different, are slower, or have no answer.
  ///
  /// - Parameter timesDecide: false: times are reported and are no failure, as when instructions are counted, which a
  ///   busy machine does not change.
  package func failures(timesDecide: Bool) -> [String] {
    parts.flatMap { part -> [String] in
      var failures: [String] = []
      switch part.comparison.verdict {
      case .slower where timesDecide: failures.append("\(part.comparison.name): slower")
      case .unclear where timesDecide:
        failures.append("\(part.comparison.name): \(Self.noAnswer(part.comparison.rows[0], seconds))")
      case .slower, .faster, .same, .unclear, .tooShort: break
      }
      if part.sound != .identical { failures.append("\(part.comparison.name): \(part.sound.text)") }
      return failures
    }
  }

  /// The share by which instructions have grown: the largest of all cases; negative where there are fewer.
  package var instructionsRise: Double {
    parts.compactMap { $0.instructions.map { $0.present / $0.former - 1 } }.max() ?? -.infinity
  }

  package var text: String {
    var text = "\(VisibleText.name(present)) (now) against \(VisibleText.name(former)) (before)\n"
    for part in parts {
      text += "\n\(part.comparison.name): \(part.verdict(seconds)); \(part.sound.text)\n"
      let head = ["", "before ns/frame", "now", "change", "99 % interval", "effect", ""]
      text += TextLayout.columns([head] + part.comparison.rows.map(Self.row))
      let open = part.comparison.rows.dropFirst().compactMap(\.timesAsLong)
      if let least = open.min(), part.comparison.rows[0].verdict != .unclear {
        text += "nodes without an answer: \(Self.longer(least, seconds))\n"
      }
      if let (former, present) = part.instructions {
        text +=
          "instructions a frame, with the reading of files: \(NumberText.factor(former)) before, \(NumberText.factor(present)) "
          + "now: \(NumberText.fixed((present / former - 1) * 100, 2)) %\n"
      }
      if !part.comparison.unmatched.isEmpty {
        text +=
          "in one of the two only: \(part.comparison.unmatched.map { VisibleText.name($0) }.joined(separator: ", "))\n"
      }
    }
    return text + "\n" + machine.text
  }

  /// Reports that there is no answer, and how much longer to measure.
  fileprivate static func noAnswer(_ row: BenchComparison.Row, _ seconds: Double) -> String {
    guard let times = row.timesAsLong else { return "no answer: nothing could be measured" }
    return "no answer: \(longer(times, seconds))"
  }

  private static func longer(_ times: Double, _ seconds: Double) -> String {
    let wanted = times * seconds
    guard wanted <= longestSeconds else { return "the machine is too busy" }
    // Two figures are as much as such a forecast is worth.
    var step = 1.0
    while wanted > 100 * step { step *= 10 }
    return "measure for longer, --seconds \(NumberText.short((wanted / step).rounded(.up) * step)) at least"
  }

  /// The longest measurement to suggest: an hour.
  private static let longestSeconds = 3600.0

  private static func row(_ row: BenchComparison.Row) -> [String] {
    [
      row.node.map { VisibleText.name($0) } ?? "whole", NumberText.factor(row.former), NumberText.factor(row.present),
      percent(row.ratio), "\(percent(row.interval.lowerBound)) to \(percent(row.interval.upperBound))",
      NumberText.fixed(row.effect, 2), row.verdict.text,
    ]
  }

  static func percent(_ ratio: Double) -> String {
    let change = (ratio - 1) * 100
    return (change >= 0 ? "+" : "−") + NumberText.fixed(abs(change), 1) + " %"
  }

  private static let columns = [
    "case", "node", "verdict", "before ns per frame", "now ns per frame", "ratio", "lower", "upper", "cliffs delta",
    "sound",
  ]

  private var cells: [[String]] {
    parts.flatMap { part in
      part.comparison.rows.map { row in
        [part.comparison.name, row.node ?? "", row.verdict.rawValue]
          + [row.former, row.present, row.ratio, row.interval.lowerBound, row.interval.upperBound, row.effect].map {
            CostReport.cell($0)
          } + [part.sound.text]
      }
    }
  }

  /// RFC 4180: a line for each case, and for each node of both.
  package var csv: String { CommaSeparatedText.lines([Self.columns] + cells) }

  package var markdown: String {
    "# \(present) against \(former)\n\n" + Markdown.table(Self.columns, cells) + "\n" + machine.text
  }

  package var json: JSONValue {
    JSONValue([
      "former": former, "present": present, "machine": machine.json, "isWorse": isWorse, "isUnclear": isUnclear,
      "cases": parts.map { part in
        JSONValue([
          "formerInstructionsPerFrame": part.instructions?.former,
          "presentInstructionsPerFrame": part.instructions?.present,
          "name": part.comparison.name, "verdict": part.comparison.verdict.rawValue, "sound": part.sound.json,
          "rows": part.comparison.rows.map { row in
            JSONValue([
              "node": row.node, "verdict": row.verdict.rawValue, "timesAsLong": row.timesAsLong, "ratio": row.ratio,
              "lower": row.interval.lowerBound, "upper": row.interval.upperBound, "cliffsDelta": row.effect,
              "formerNanosecondsPerFrame": row.former, "presentNanosecondsPerFrame": row.present,
            ])
          }, "unmatched": part.comparison.unmatched,
        ])
      },
    ])
  }
}

extension CostComparisonReport.Part {
  /// `slower by 5.2 % (4.6 to 5.9 %)`
  fileprivate func verdict(_ seconds: Double) -> String {
    let whole = comparison.rows[0]
    let interval =
      "(\(CostComparisonReport.percent(whole.interval.lowerBound)) to \(CostComparisonReport.percent(whole.interval.upperBound)))"
    let share = NumberText.fixed(abs(whole.ratio - 1) * 100, 1)
    return switch whole.verdict {
    case .slower, .faster: "\(whole.verdict.rawValue) by \(share) % \(interval)"
    case .same: "no difference \(interval)"
    case .unclear, .tooShort: "\(CostComparisonReport.noAnswer(whole, seconds)) \(interval)"
    }
  }
}

extension SoundDifference: JSONRepresentable {
  fileprivate var text: String {
    switch self {
    case .identical: "the same sound, bit for bit"
    case .residual(let decibels): "another sound: the difference is at \(NumberText.fixed(decibels, 1)) dB"
    case .incomparable(let why): "sounds that cannot be compared: \(why)"
    }
  }

  package var json: JSONValue {
    switch self {
    case .identical: JSONValue(["isIdentical": true])
    case .residual(let decibels): JSONValue(["isIdentical": false, "residualDecibels": decibels])
    case .incomparable(let why): JSONValue(["isIdentical": false, "why": why])
    }
  }
}
