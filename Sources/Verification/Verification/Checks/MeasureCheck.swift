import AudioCore
import Measurement

/// A measured number within limits.
///
/// ```json
/// {
///   "id": "measure",
///   "device": { "unit": "sampleDelay", "set": { "delayFrames": 480 } },
///   "checks": [{ "check": "measure", "reading": "latency", "value": 480, "within": 0.01 }]
/// }
/// ```
package struct MeasureCheck: SuiteCheck {
  package var id = "measure"
  private let measurement: MeasurementKind
  private let reading: String
  private let channel: Int?
  private let at: [String: Double]
  private let limits: ValueLimits

  package static let kind = CheckKind(
    "measure", "A measured figure lies within limits.",
    keys: [measureKey, readingKey, ResponseCheck.channelKey, atKey] + ValueLimits.keys, rules: ValueLimits.rules)

  private static let measureKey = JSONKey(
    "measure", JSONForm<MeasurementKind>.rawValue, initial: .linear, "As aubench measure --what names them.")
  private static let readingKey = JSONKey(
    required: "reading", JSONForm<String>.text,
    "The figure's id, as aubench measure --json writes it: latency, gainMaximum.")
  private static let atKey = JSONKey(
    "at", JSONForm<[String: Double]>.numbers, initial: [:], "Only figures that were measured at these settings.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    measurement = try object.take(Self.measureKey)
    reading = try object.take(Self.readingKey)
    channel = try object.take(ResponseCheck.channelKey)
    at = try object.take(Self.atKey)
    limits = try ValueLimits(&object)
    id = "measure-\(reading)"
  }

  package init(
    _ reading: String, of kind: MeasurementKind, channel: Int?, at: [String: Double], least: Double?, most: Double?
  ) {
    (self.reading, measurement, self.channel, self.at) = (reading, kind, channel, at)
    limits = ValueLimits(least: least, most: most)
    id = "measure-\(reading)"
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let findings = try context.findings(measurement)
    let told = findings.representative(of: channel)
    let readings = findings.readings.filter { found in
      found.id == reading && (told == nil || found.channel == told)
        && at.allSatisfy { key, value in found.at[key].map { abs($0 - value) <= abs(value) * 1e-6 } ?? false }
    }
    guard let first = readings.first else {
      let ids = findings.readings.map(\.id).uniqued()
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
        .suite, at: place, "the measurement \"\(measurement.rawValue)\" has no such reading \"\(reading)\"",
        advice: "it has \(ids.joined(separator: ", "))")
    }
    let unit = first.unit.symbol.isEmpty ? "" : " \(first.unit.symbol)"
    let of = limits.least == nil || limits.most == nil ? "of " : ""
    let expected = "\(first.name) \(of)\(limits.text)\(unit)"
    try requireCrossable(first)
    if measurement == .linear, !["nonlinearity", "timeVariance"].contains(reading),
      let outcome = context.disagreement(id, findings, expected: expected)
    {
      return outcome
    }
    guard let worst = readings.max(by: { excess($0) < excess($1) }) else { preconditionFailure("there is a reading") }
    var outcome = CheckOutcome(
      id, excess(worst) <= 0 ? .passed : .failed, found: worst.text, expected: expected, readings: readings)
    outcome.limit = "\(limits.numbers)\(unit)"
    outcome.examined = Examined(values: readings.count)
    return outcome
  }

  /// The distance of a reading from the limits; infinite if the reading does not show that it is within them. A reading
  /// below its floor may be anything up to the floor, so it passes no `min`; one that is reported as "at least" may be
  /// larger, so it passes no `max`.
  package func excess(_ reading: Reading) -> Double {
    guard !reading.value.isNaN else { return .infinity }
    let largest = reading.isBelowFloor ? reading.floor ?? reading.value : reading.value
    let below = limits.least.map { reading.isBelowFloor ? .infinity : $0 - reading.value }
    let above = limits.most.map { reading.bound == .atLeast ? .infinity : largest - $0 }
    return max(below ?? -.infinity, above ?? -.infinity)
  }

  /// Throws where no value of the reading's unit could have crossed a limit.
  private func requireCrossable(_ reading: Reading) throws(BenchError) {
    guard let range = reading.unit.possibleRange else { return }
    let isCrossable =
      (limits.least.map { $0 > range.lowerBound } ?? false) || (limits.most.map { $0 < range.upperBound } ?? false)
    guard !isCrossable else { return }
    throw BenchError(
      .suite, at: "check \"\(id)\"",
      "the limit cannot be crossed: \(reading.name) is never beyond \(limits.numbers) \(reading.unit.symbol)",
      advice: "write the limit that must hold")
  }
}
