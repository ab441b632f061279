import AudioCore
import Loudness
import Measurement

/// The difference in integrated loudness of two signals (EBU R 128, ITU-R BS.1770-4); their true peaks are readings.
///
/// Integrated loudness is one figure for the whole length: what is short, and what is quiet beside the rest, hardly
/// moves it. Hold something else to a limit besides. The LFE channel of 5.1 and 7.1 has no weight in it.
///
/// ```swift
/// let louder = try FormulaDevice([Formula("in(c) * 1.01")])
/// // 1.01 is 0.086 LU.
/// expect(louder, equals: try FormulaDevice([Formula("in(c)")]), .loudness(0.1), given: .noise(seconds: 1))
/// ```
public struct LoudnessComparator: SignalComparator {
  /// The id of its outcomes; suites and `compare` ask for it by the same name.
  public let id = "loudness"
  /// LU, either way.
  public var limit: Double

  /// A limit in LU.
  public init(limit: Double) { self.limit = limit }

  /// The limits of loudness and, where there is one, of true peaks.
  public var expectation: String {
    "integrated loudness within \(ComparisonText.limit(limit, "LU"))"
  }

  /// Compares integrated loudness and the largest true peaks. Fails where either signal is below the gate of −70 LUFS,
  /// even both; the verdict is `error` where no meter can be made for the shape.
  public func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome {
    let (a, e): (LoudnessReadings, LoudnessReadings)
    do {
      (a, e) = (try Self.measure(actual), try Self.measure(expected))
    } catch {
      return CheckOutcome(id, .error, found: error.description, expected: expectation)
    }
    func difference(_ a: Double, _ e: Double) -> Double { a == e ? 0 : a - e }
    let peaks = difference(a.maximumTruePeakDecibels, e.maximumTruePeakDecibels)
    var readings = [
      Reading("loudness", "integrated loudness", a.integratedLUFS ?? -.infinity, .loudnessUnitsFullScale),
      Reading(
        "expectedLoudness", "integrated loudness, expected", e.integratedLUFS ?? -.infinity, .loudnessUnitsFullScale),
      Reading("truePeakDelta", "difference of the largest true peaks", peaks, .decibels),
    ]
    var isLoudnessGood = false
    var found: String
    switch (a.integratedLUFS, e.integratedLUFS) {
    case (let a?, let e?):
      readings.append(Reading("loudnessDelta", "difference of integrated loudness", a - e, .loudnessUnits))
      isLoudnessGood = abs(a - e) <= limit
      found =
        "\(ComparisonText.fixed(a - e, 3)) LU: \(ComparisonText.fixed(a, 2)) LUFS, "
        + "expected \(ComparisonText.fixed(e, 2)) LUFS"
    case (nil, nil):
      found = "nothing was compared: both are too short or too quiet for a loudness (below the gate of −70 LUFS)"
    case (let a?, nil):
      found = "\(ComparisonText.fixed(a, 2)) LUFS where the expected signal is below the gate of −70 LUFS"
    case (nil, let e?):
      found = "below the gate of −70 LUFS, expected \(ComparisonText.fixed(e, 2)) LUFS"
    }
    if let silent = LoudnessChannel.of(actual.layout, count: actual.channelCount).firstIndex(of: .ignored) {
      found += "; channel \(silent) (LFE) has no weight in it"
    }
    if peaks != 0 { found += "; true peak \(ComparisonText.fixed(peaks, 2)) dB apart" }
    return CheckOutcome(
      id, isLoudnessGood ? .passed : .failed, found: found, expected: expectation, readings: readings)
  }

  private static func measure(_ signal: AudioSignal) throws(BenchError) -> LoudnessReadings {
    let meter = try LoudnessMeter(
      sampleRate: signal.sampleRate, channels: LoudnessChannel.of(signal.layout, count: signal.channelCount))
    try signal.eachBlock(of: 4_096) { (planes, frames) throws(BenchError) in meter.add(planes, frames: frames) }
    return meter.finish()
  }
}

extension ComparatorKind {
  static let loudness = ComparatorKind([
    ComparisonLimit(
      "loudness", "LU",
      .number(
        .loudnessDifference, expected: "a difference in LU from 0 and below 20, as 0.1: 20 LU are another sound",
        in: .from(0, below: ReadingKind.grossDecibels)), "integrated loudness (EBU R 128) at most this far apart, in LU"
    )
  ]) { limits in limits["loudness"].map { LoudnessComparator(limit: $0) } }
}

extension SignalComparator where Self == LoudnessComparator {
  /// Integrated loudness no further apart, LU.
  public static func loudness(_ limit: Double) -> Self { LoudnessComparator(limit: limit) }
}
