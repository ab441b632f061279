import AudioCore

/// The facts of a reading before anything is measured: where it is expected, between which values it can lie, and
/// what devices would read of which nobody would say that they are well.
///
/// Limits are judged by it: one that can never be exceeded checks nothing.
public struct ReadingKind: Sendable {
  /// The place at which a device has the reading.
  enum Presence: Hashable, Sendable {
    /// For each output that is expected to sound.
    case eachOutput
    /// For each output, if one has it: there are devices and rates of which there is no such reading.
    case alike
    /// Only where there is something to read, as a tone or a leak. Outputs may differ.
    case whereFound
    /// One for the device, for a pair of channels or an input.
    case whole
  }

  /// As ``Reading/id``.
  public let id: String
  /// As ``MeasurementKind/rawValue``.
  public let measurement: String
  let presence: Presence
  /// The values that the reading can have, in its unit; frames as seconds, which are rate times as many.
  public let range: ClosedRange<Double>
  /// The value for a copy of the input, where the reading goes up and down with the level, decibel by decibel.
  public let copyLevel: Double?

  init(
    _ id: String, _ range: ClosedRange<Double>, copyLevel: Double? = nil, _ presence: Presence = .eachOutput,
    of measurement: String
  ) {
    (self.id, self.range, self.copyLevel, self.presence, self.measurement) = (
      id, range, copyLevel, presence, measurement
    )
  }

  /// A level that is off by so much is wrong whatever is measured.
  public static let grossDecibels = 20.0

  /// The kind of a reading; nil: the table does not have it.
  public static func of(_ id: String, in kind: MeasurementKind) -> ReadingKind? { byName["\(kind.rawValue) \(id)"] }

  private static let byName = Dictionary(
    all.map { ("\($0.measurement) \($0.id)", $0) }, uniquingKeysWith: { first, _ in first })

  /// The range of any reading in a unit, for readings that the table does not have.
  private static func range(of unit: Reading.Unit) -> ClosedRange<Double> {
    switch unit {
    case .decibels, .loudnessUnits, .decibelsFullScale, .decibelsTruePeak, .loudnessUnitsFullScale: -400...120
    case .percent: 0...1e4
    case .hertz: 0...1e7
    case .frames, .seconds: -60...60
    case .degrees: -360...360
    case .amplitude: -1e6...1e6
    case .ratio, .count: 0...1e9
    }
  }

  /// The reason why limits of a reading can check nothing; nil: they can.
  ///
  /// - Parameters:
  ///   - reading: the reading that is to be limited.
  ///   - kind: its measurement.
  ///   - least: the lower limit, in the reading's unit; nil: none.
  ///   - most: the upper limit; nil: none.
  ///   - isAround: they are a value and a distance, of which one side may lie beyond what is possible.
  ///   - sampleRate: hertz, for times in frames.
  public static func refusal(
    of reading: Reading, in kind: MeasurementKind, least: Double?, most: Double?, isAround: Bool, sampleRate: Double
  ) -> String? {
    let row = of(reading.id, in: kind)
    let scale = reading.unit == .frames ? sampleRate : 1
    let plain = row?.range ?? range(of: reading.unit)
    let (lowest, highest) = (plain.lowerBound * scale, plain.upperBound * scale)
    let sides = [least.map { $0 > lowest }, most.map { $0 < highest }].compactMap(\.self)
    let canBeCrossed = isAround ? sides.contains(true) : !sides.contains(false)
    let unit = reading.unit.symbol.isEmpty ? "" : " \(reading.unit.symbol)"
    guard canBeCrossed else {
      return
        "\(reading.name) is never outside \(NumberText.significant(lowest)) to \(NumberText.significant(highest))\(unit)"
    }
    guard let copy = row?.copyLevel else { return nil }
    let values = [copy - grossDecibels, copy, copy + grossDecibels]
    guard values.allSatisfy({ $0 >= least ?? -.infinity && $0 <= most ?? .infinity }) else { return nil }
    return
      "a copy of the input (\(NumberText.significant(copy))\(unit)) keeps it, and so does one that is \(NumberText.short(grossDecibels)) dB louder or quieter"
  }

  /// The ids of readings that are expected of each output and that an output does not have.
  static func lacking(in findings: Findings, _ kind: MeasurementKind, at output: Int) -> [String] {
    let channel = findings.representative(of: output)
    let there = Set(findings.readings.filter { $0.channel == channel && !$0.value.isNaN }.map(\.id))
    return all.filter { $0.measurement == kind.rawValue && $0.presence == .eachOutput && !there.contains($0.id) }
      .map(\.id)
  }

  /// True when a reading of this id must be there for each output that sounds, at least if one has it.
  public static func isExpectedOfEachOutput(_ id: String, in kind: MeasurementKind) -> Bool {
    [.eachOutput, .alike].contains(of(id, in: kind)?.presence ?? .whereFound)
  }
}
