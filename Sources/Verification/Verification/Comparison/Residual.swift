import Measurement

/// The residual actual − expected; levels in dBFS, −∞ if nothing is left.
public struct Residual: Hashable, Sendable {
  /// The largest difference of a sample, on any channel.
  public var peak = -Double.infinity
  /// The place of ``peak``: frame 0 of channel 0 if nothing is left; nil without channels.
  public var peakPlace: CheckOutcome.Place?
  /// RMS in the worst window of any channel, and where that window begins.
  public var worstWindow = -Double.infinity
  /// The first frame of that window.
  public var worstWindowPlace: CheckOutcome.Place?
  /// As above, against the expected signal's RMS in the same window, dB.
  public var worstRelative = -Double.infinity
  /// The first frame of that window.
  public var worstRelativePlace: CheckOutcome.Place?
  /// RMS over the whole length, on the worst channel: for information, it hides what is short.
  public var wholeFile = -Double.infinity
  /// RMS of the expected signal over the whole length, on the loudest channel.
  public var wholeSignal = -Double.infinity
  /// Mean of the difference on the worst channel, without sign; full scale is 1.
  public var offset = 0.0
  /// The first sample beyond the comparator's peak limit; nil: none.
  public var firstBeyondPeak: CheckOutcome.Place?
  /// The largest sample in the first window beyond the comparator's RMS or relative limit; nil: none.
  public var firstBeyondWindow: CheckOutcome.Place?

  /// True when all samples are the same.
  public var isZero: Bool { peak == -.infinity }

  /// The first place that is beyond any limit.
  public var firstBeyond: CheckOutcome.Place? {
    [firstBeyondPeak, firstBeyondWindow].compactMap { $0 }.earliest
  }

  /// The values in fields, with their places.
  /// - Parameter window: seconds, for the names of the readings.
  public func readings(window: Double) -> [Reading] {
    let span = ComparisonText.span(window)
    func at(_ place: CheckOutcome.Place?) -> [String: Double] {
      place.map { ["frame": Double($0.frame), "seconds": $0.seconds] } ?? [:]
    }
    return [
      Reading(
        "residualPeak", "largest difference", peak, .decibelsFullScale, channel: peakPlace?.channel, at: at(peakPlace)),
      Reading(
        "residualWindow", "RMS of the difference, worst \(span)", worstWindow, .decibelsFullScale,
        channel: worstWindowPlace?.channel, at: at(worstWindowPlace)),
      Reading(
        "residualRelative", "difference against the signal, worst \(span)", worstRelative, .decibels,
        channel: worstRelativePlace?.channel, at: at(worstRelativePlace)),
      Reading("residualWhole", "RMS of the difference, whole length", wholeFile, .decibelsFullScale),
      Reading("signalWhole", "RMS of the expected signal, whole length", wholeSignal, .decibelsFullScale),
      Reading("residualOffset", "mean of the difference", offset, .amplitude),
    ]
  }

  /// One line.
  public func found(window: Double) -> String {
    guard !isZero, let worstWindowPlace, let peakPlace else { return "no difference" }
    return "worst \(ComparisonText.span(window)): \(ComparisonText.level(worstWindow)) RMS from \(worstWindowPlace); "
      + "peak \(ComparisonText.level(peak)) at \(peakPlace); whole length \(ComparisonText.level(wholeFile)) RMS"
  }

  func outcome(_ comparator: ResidualComparator) -> CheckOutcome {
    var found = found(window: comparator.window)
    if comparator.relativeLimit != nil, let worstRelativePlace, !isZero {
      found += "; worst against the signal \(ComparisonText.level(worstRelative, "dB")) from \(worstRelativePlace)"
    }
    return CheckOutcome(
      comparator.id, firstBeyond == nil ? .passed : .failed, found: found, expected: comparator.expectation,
      readings: readings(window: comparator.window), firstFailure: firstBeyond)
  }
}
