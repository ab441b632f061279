import AudioCore
import BatchRender
import Measurement

/// A measured number within limits.
package struct MeasureCheck: Check {
  package var id = "measure"
  private let kind: MeasurementKind
  private let reading: String
  private let channel: Int?
  private let at: [String: Double]
  private let least: Double?
  private let most: Double?

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    kind = try object.choice("measure", of: MeasurementKind.self) ?? .linear
    reading = try object.requiredString("reading")
    channel = try object.integer("channel", in: 0...1023).map(Int.init)
    var at: [String: Double] = [:]
    if var written = try object.object("at") {
      for (key, value) in written.takeAll() {
        guard case .number(let number) = value else {
          throw object.error("at", "expected numbers, found \(value.kind)")
        }
        at[key] = number
      }
    }
    self.at = at
    let limits = try ValueLimits(&object)
    (least, most) = (limits.least, limits.most)
    id = "measure-\(reading)"
  }

  package init(
    _ reading: String, of kind: MeasurementKind, channel: Int?, at: [String: Double], least: Double?, most: Double?
  ) {
    (self.reading, self.kind, self.channel, self.at, self.least, self.most) = (reading, kind, channel, at, least, most)
    id = "measure-\(reading)"
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let findings = try context.findings(kind)
    let told = findings.representative(of: channel)
    let readings = findings.readings.filter { found in
      found.id == reading && (told == nil || found.channel == told)
        && at.allSatisfy { key, value in found.at[key].map { abs($0 - value) <= abs(value) * 1e-6 } ?? false }
    }
    guard let first = readings.first else {
      var ids: [String] = []
      for found in findings.readings where !ids.contains(found.id) { ids.append(found.id) }
      let place = "case \"\(context.subject.name)\", check \"\(id)\""
      guard !ids.contains(reading) else {
        let choices = findings.readings.filter { $0.id == reading }.prefix(6).map { found in
          (found.channel.map { ["channel \($0)"] } ?? [])
            + found.at.sorted { $0.key < $1.key }.map { "\($0.key) \(NumberText.significant($0.value))" }
        }
        throw BenchError(
          .suite, at: place, "no \"\(reading)\" has the channel or the \"at\" that is asked for",
          advice: "it is there for \(choices.map { $0.joined(separator: ", ") }.joined(separator: "; "))")
      }
      throw BenchError(
        .suite, at: place, "the measurement \"\(kind.rawValue)\" has no such reading \"\(reading)\"",
        advice: "it has \(ids.joined(separator: ", "))")
    }
    let unit = first.unit.rawValue
    let expected =
      switch (least, most) {
      case (let least?, let most?):
        "\(first.name) from \(NumberText.significant(least)) to \(NumberText.significant(most)) \(unit)"
      case (let least?, nil): "\(first.name) of at least \(NumberText.significant(least)) \(unit)"
      default: "\(first.name) of at most \(NumberText.significant(most ?? .nan)) \(unit)"
      }
    try requireCrossable(first)
    if kind == .linear, !["nonlinearity", "timeVariance"].contains(reading),
      let outcome = context.disagreement(id, findings, expected: expected)
    {
      return outcome
    }
    guard let worst = readings.max(by: { excess($0) < excess($1) }) else { preconditionFailure("there is a reading") }
    var outcome = CheckOutcome(
      id, excess(worst) <= 0 ? .passed : .failed, found: worst.text, expected: expected, readings: readings)
    let limits = [least, most].compactMap { $0 }.map { NumberText.significant($0) }
    outcome.limit = limits.joined(separator: " to ") + " \(unit)"
    outcome.examined = Examined(values: readings.count)
    return outcome
  }

  /// How far a reading lies beyond the limits; infinite where it does not say that it lies within: of what is below its floor nobody
  /// knows that it is more than anything, and it may be as large as the floor; of what is told as "at least" nobody knows that it is
  /// less.
  package func excess(_ reading: Reading) -> Double {
    guard !reading.value.isNaN else { return .infinity }
    let largest = reading.isBelowFloor ? reading.floor ?? reading.value : reading.value
    let below = least.map { reading.isBelowFloor ? .infinity : $0 - reading.value }
    let above = most.map { reading.bound == .atLeast ? .infinity : largest - $0 }
    return max(below ?? -.infinity, above ?? -.infinity)
  }

  /// Throws where no value of the reading's unit could have crossed a limit.
  private func requireCrossable(_ reading: Reading) throws(BenchError) {
    guard let range = reading.unit.possibleRange else { return }
    let isCrossable = (least.map { $0 > range.lowerBound } ?? false) || (most.map { $0 < range.upperBound } ?? false)
    guard !isCrossable else { return }
    let limits = [least, most].compactMap { $0 }.map { NumberText.significant($0) }.joined(separator: " to ")
    throw BenchError(
      .suite, at: "check \"\(id)\"",
      "the limit cannot be crossed: \(reading.name) is never beyond \(limits) \(reading.unit.rawValue)",
      advice: "write the limit that must hold")
  }
}
