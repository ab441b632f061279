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
  let reading: String
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
    _ reading: String, of kind: MeasurementKind, channel: Int?, at: [String: Double], _ limits: ValueLimits
  ) {
    (self.reading, measurement, self.channel, self.at, self.limits) = (reading, kind, channel, at, limits)
    id = "measure-\(reading)"
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    if let outcome = try context.absence(
      id, measurement, channel: channel, reading: reading, expected: "\(reading) \(limits.text)")
    {
      return outcome
    }
    let findings = try context.findings(measurement)
    let told = findings.representative(of: channel)
    let all = findings.readings.filter { $0.id == reading }
    let readings = all.filter { found in
      (told == nil || found.channel == told)
        && at.allSatisfy { key, value in found.at[key].map { abs($0 - value) <= abs(value) * 1e-6 } ?? false }
    }
    guard let first = readings.first else { throw noReading(findings, all, context) }
    if let missing = try missing(among: readings, findings, context) {
      return CheckOutcome(id, .failed, found: missing, expected: "\(first.name) \(limits.text)", readings: readings)
    }
    let unit = first.unit.symbol.isEmpty ? "" : " \(first.unit.symbol)"
    let of = limits.least == nil || limits.most == nil ? "of " : ""
    let expected = "\(first.name) \(of)\(limits.text)\(unit)"
    try requireCrossable(first, context)
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

  /// The error for a reading that no output has.
  private func noReading(_ findings: Findings, _ all: [Reading], _ context: CheckContext) -> BenchError {
    let place = "case \"\(context.subject.name)\", check \"\(id)\""
    guard all.isEmpty else {
      let choices = all.prefix(6).map { found in
        (found.channel.map { ["channel \($0)"] } ?? [])
          + found.at.sorted { $0.key < $1.key }.map { "\($0.key) \(NumberText.significant($0.value))" }
      }
      return BenchError(
        .suite, at: place, "no \"\(reading)\" has the channel or the \"at\" that is asked for",
        advice: "it is there for \(choices.map { $0.joined(separator: ", ") }.joined(separator: "; "))")
    }
    let ids = findings.readings.map(\.id).uniqued().joined(separator: ", ")
    // Remarks say why a reading is not there.
    let reasons = findings.remarks.isEmpty ? "" : " (\(findings.remarks.joined(separator: "; ")))"
    return BenchError(
      .suite, at: place, "the measurement \"\(measurement.rawValue)\" has no such reading \"\(reading)\"\(reasons)",
      advice: "it has \(ids.isEmpty ? "none" : ids)")
  }

  /// The first output and setting at which a reading is expected and is not there: a reading that one output has is
  /// expected of each, at the same settings. Nil: all are there.
  private func missing(
    among readings: [Reading], _ findings: Findings, _ context: CheckContext
  ) throws(BenchError) -> String? {
    guard ReadingKind.isExpectedOfEachOutput(reading, in: measurement) else { return nil }
    let places = readings.map(\.at).uniqued()
    for output in try context.soundingOutputs(channel, measurement) {
      let own = readings.filter { $0.channel == findings.representative(of: output) }.map(\.at)
      guard let place = places.first(where: { !own.contains($0) }) else { continue }
      let at = place.sorted { $0.key < $1.key }.map { " at \($0.key) \(NumberText.significant($0.value))" }
      return "channel \(output): no reading of \(reading)\(own.isEmpty ? "" : at.joined())"
    }
    return nil
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

  /// Throws where the limits would hold of anything.
  private func requireCrossable(_ reading: Reading, _ context: CheckContext) throws(BenchError) {
    let rate = context.settings.sampleRate ?? context.subject.sampleRate
    guard
      let reason = ReadingKind.refusal(
        of: reading, in: measurement, least: limits.least, most: limits.most, isAround: limits.isAround,
        sampleRate: rate)
    else { return }
    throw BenchError(
      .suite, at: "check \"\(id)\"", "the limit \(limits.text) cannot fail: \(reason)",
      advice: "write the limit that must hold")
  }
}
