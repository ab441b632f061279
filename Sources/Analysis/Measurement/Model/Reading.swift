import AudioCore
import Glibc

/// One measured number with its uncertainty.
///
/// `uncertainty` is the half width of the interval around the value that holds the truth in about 95 of 100 cases, for
/// this reading of this device (``Uncertainty``). `floor` is what noise, rounding or the measurement itself could have
/// made: a value at or below it is "< floor" and says no more. `bound` tells of a value that the truth lies beyond.
public struct Reading: Hashable, Sendable, Codable {
  /// Stable, for programs: `thd`, `latency`, `peak`. Values never stand in it.
  public var id: String
  /// For people: "THD+N, 997 Hz, 20 kHz".
  public var name: String
  /// Not a number where it could not be measured; see ``remark``.
  public var value: Double
  /// The unit of the value, its floor and its uncertainty.
  public var unit: Unit
  /// In the unit of the value; nil: none is known.
  public var floor: Double?
  /// In the unit of the value; nil: not known, or a count that is exact.
  public var uncertainty: Double?
  /// Nil: the value is the truth, within its uncertainty.
  public var bound: Bound?
  /// The output channel, from 0; nil: of all.
  public var channel: Int?
  /// The parameters that distinguish readings of one id: `harmonic` 3, `frequency` 997.
  public var at: [String: Double]
  /// A remark for the reader: "reports 64".
  public var remark: String?

  /// The kind of bound that a value is, if it is not an estimate with an uncertainty.
  public enum Bound: String, Hashable, Sendable, Codable {
    /// The truth is this or more: what was listened to ended before it did.
    case atLeast
  }

  /// As reports write it behind the number. Plain amplitudes have no unit: 1 is full scale.
  public enum Unit: String, Hashable, Sendable, CaseIterable, Codable {
    /// A ratio of levels.
    case decibels = "dB"
    /// A level against full scale: a sample of 1 is 0 dBFS.
    case decibelsFullScale = "dBFS"
    /// A true peak against full scale, by ITU-R BS.1770.
    case decibelsTruePeak = "dBTP"
    /// A difference of loudness.
    case loudnessUnits = "LU"
    /// A loudness, by ITU-R BS.1770.
    case loudnessUnitsFullScale = "LUFS"
    /// A ratio of amplitudes in hundredths.
    case percent = "%"
    /// A frequency.
    case hertz = "Hz"
    /// A time, in frames of the output.
    case frames
    /// A time in seconds.
    case seconds = "s"
    /// An angle of phase.
    case degrees = "°"
    /// A plain amplitude or number: 1 is full scale.
    case amplitude = ""
    /// The ratio of a compressor or expander.
    case ratio = ":1"
    /// A count.
    case count = "×"

    /// As texts write it behind a number; empty for numbers that stand by themselves. A count says of itself that it is
    /// one.
    public var symbol: String { self == .count ? "" : rawValue }
  }

  /// - Parameters:
  ///   - id: stable, for programs; without values.
  ///   - name: for people.
  ///   - value: the measured number.
  ///   - unit: the unit of the value.
  ///   - floor: in the unit of the value; nil: none is known.
  ///   - uncertainty: in the unit of the value; nil: not known, or a count that is exact.
  ///   - bound: the side on which the true value lies; nil: it is this one.
  ///   - channel: the output channel, from 0; nil: of all.
  ///   - at: the parameters that distinguish readings of one id.
  ///   - remark: a remark for people; nil: none.
  public init(
    _ id: String, _ name: String, _ value: Double, _ unit: Unit, floor: Double? = nil, uncertainty: Double? = nil,
    bound: Bound? = nil, channel: Int? = nil, at: [String: Double] = [:], remark: String? = nil
  ) {
    self.id = id
    self.name = name
    self.value = value
    self.unit = unit
    self.floor = floor
    self.uncertainty = uncertainty
    self.bound = bound
    self.channel = channel
    self.at = at
    self.remark = remark
  }

  /// A level: of an amplitude relative to a reference.
  /// - Parameters:
  ///   - floor: an amplitude as well.
  ///   - uncertainty: the uncertainty of the amplitude.
  init(
    _ id: String, _ name: String, amplitude: Double, over reference: Double = 1, _ unit: Unit = .decibels,
    floor: Double? = nil, uncertainty: Double? = nil, bound: Bound? = nil, channel: Int? = nil,
    at: [String: Double] = [:], remark: String? = nil
  ) {
    self.init(
      id, name, Decibels.of(amplitude: amplitude / reference), unit,
      floor: floor.map { Decibels.of(amplitude: $0 / reference) },
      // Nothing has no level, and no ± of one.
      uncertainty: amplitude > 0 ? uncertainty.map { Uncertainty.decibels($0, of: amplitude) } : nil, bound: bound,
      channel: channel, at: at, remark: remark)
  }

  /// A ratio of amplitudes in decibels and, by the id with `Percent` behind it, in percent.
  static func ratio(
    _ id: String, _ name: String, _ ratio: Double, floor: Double? = nil, uncertainty: Double, remark: String? = nil
  ) -> [Reading] {
    [
      Reading(id, name, amplitude: ratio, floor: floor, uncertainty: uncertainty, remark: remark),
      Reading(
        "\(id)Percent", name, 100 * ratio, .percent, floor: floor.map { 100 * $0 }, uncertainty: 100 * uncertainty,
        remark: remark),
    ]
  }

  /// `−84.21 dB ± 0.02`, with channel and remark where there are some.
  public var text: String {
    var text = [valueText, uncertaintyText].filter { !$0.isEmpty }.joined(separator: " ")
    if let channel { text += ", channel \(channel)" }
    if let remark { text += " (\(remark))" }
    return text
  }

  /// `−84.21 dB`, `< −150 dB` below the floor, `at least 100 frames`, `not measured`.
  package var valueText: String {
    guard !value.isNaN else { return "not measured" }
    let shown = isBelowFloor ? floor ?? value : value
    let (factor, unit) = NumberText.shown(shown, unit)
    let number = shown * factor
    // To the first place of the ±, so that what is printed lies within it.
    var places = 0
    if let uncertainty, uncertainty > 0, uncertainty.isFinite, !isBelowFloor {
      places = min(9, Int(clamping: (-log10(uncertainty * factor)).rounded(.up)))
    }
    let digits = max(places, abs(number) >= 1000 ? 1 : abs(number) >= 1 ? 3 : 6)
    // An exact small value is not shown as 0.
    let text =
      uncertainty == nil && abs(number) < 0.01
      ? NumberText.significant(number, digits: 4) : NumberText.decimal(number, digits: digits)
    return (isBelowFloor ? "< " : bound == .atLeast ? "at least " : "") + text
      + (["", "°", ":1"].contains(unit) ? "" : " ") + (unit == "frames" && text == "1" ? "frame" : unit)
  }

  /// `± 0.02`, in the unit of ``valueText``; empty where there is none, and below the floor.
  package var uncertaintyText: String {
    guard let uncertainty, !(uncertainty <= 0), !isBelowFloor, !value.isNaN else { return "" }
    return "± " + NumberText.significant(uncertainty * NumberText.shown(value, unit).factor, digits: 2)
  }

  /// True when the value is at or below the floor, and nothing more is known.
  public var isBelowFloor: Bool { floor.map { value <= $0 } ?? false }
}
