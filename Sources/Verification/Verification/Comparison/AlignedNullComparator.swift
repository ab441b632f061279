import AudioCore
import Measurement

/// Gain, polarity, delay and drift between two signals, and what is left when they are taken away: for devices that
/// are meant to be the same but for those, and to find out which of them it is.
///
/// Nothing that is removed is hidden: each is a reading with its own limit, and the default limits ask for none of it.
/// The residual is actual / gain − expected moved, over the frames that both have, at the level of the expected signal.
///
/// ```swift
/// let inTime = try FormulaDevice([Formula("in(c)")])
/// let late = try FormulaDevice([Formula("in(c, n - 10)")])
/// expect(late, equals: inTime, .alignedNull(-90, delay: 10))
/// ```
public struct AlignedNullComparator: SignalComparator {
  /// The id of its outcomes; suites and `compare` ask for it by `align`.
  public let id = "alignedNull"
  /// Frames, either way.
  public var delayLimit: Double
  /// dB, either way.
  public var gainLimit: Double
  /// True when inverted polarity passes.
  public var allowsInversion: Bool
  /// Parts per million, either way; nil: drift is neither looked for nor removed, and so is part of the residual.
  public var driftLimit: Double?
  /// The largest RMS of the residual against the expected signal in any window, dB: the null depth. Nil: a reading
  /// only.
  public var nullLimit: Double?
  /// The largest RMS of the residual in any window, dBFS, and its peak.
  public var rmsLimit: Double?
  /// The largest sample of the residual, dBFS; nil: a reading only.
  public var peakLimit: Double?
  /// The largest delay that is looked for, seconds, either way.
  public var searchedDelay: Double
  /// Seconds of a window.
  public var window: Double

  /// The delay and gain that are still taken as none.
  public static let delayTolerance = 0.001
  /// dB, either way.
  public static let gainTolerance = 0.001

  /// Frames, dB, parts per million and seconds, as the properties say; without arguments: no gain, no delay, not
  /// inverted, and a null depth of 60 dB.
  public init(
    delayLimit: Double = delayTolerance, gainLimit: Double = gainTolerance, allowsInversion: Bool = false,
    driftLimit: Double? = nil, nullLimit: Double? = -60, rmsLimit: Double? = nil, peakLimit: Double? = nil,
    searchedDelay: Double = 1, window: Double = ResidualComparator.defaultWindow
  ) {
    self.delayLimit = delayLimit
    self.gainLimit = gainLimit
    self.allowsInversion = allowsInversion
    self.driftLimit = driftLimit
    self.nullLimit = nullLimit
    self.rmsLimit = rmsLimit
    self.peakLimit = peakLimit
    self.searchedDelay = searchedDelay
    self.window = window
  }

  /// With any gain passing: the limit is infinite.
  public var passesAnyGain: Bool { gainLimit == .infinity }

  private var residualComparator: ResidualComparator {
    ResidualComparator(peakLimit: peakLimit, rmsLimit: rmsLimit, relativeLimit: nullLimit, window: window)
  }

  /// The limits of delay, gain, polarity and drift, then those of the residual.
  public var expectation: String {
    func within(_ limit: Double, _ unit: String) -> String {
      limit == .infinity ? "any" : "0 ± \(NumberText.significant(limit, digits: 3)) \(unit)"
    }
    var parts = ["delay \(within(delayLimit, "frames"))", "gain \(within(gainLimit, "dB"))"]
    parts.append(allowsInversion ? "either polarity" : "not inverted")
    if let driftLimit { parts.append("drift \(within(driftLimit, "ppm"))") }
    let isLimited = nullLimit != nil || rmsLimit != nil || peakLimit != nil
    return parts.joined(separator: ", ") + "; then " + (isLimited ? residualComparator.expectation : "any residual")
  }

  /// Aligns the signals and compares the alignment and the residual with the limits. Fails if one of the two is silent
  /// or they cannot be aligned; passes if both are silent.
  public func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome {
    guard
      let (alignment, moved) = SignalAlignment.find(
        actual, expected, maximumDelay: searchedDelay, findsDrift: driftLimit != nil)
    else { return silent(actual, expected) }
    let shape = SignalShape(actual)
    let residual = residual(actual, moved, alignment, shape)
    var faults: [String] = []
    if abs(alignment.delayFrames) > delayLimit { faults.append("delay") }
    if !(abs(alignment.gainDecibels) <= gainLimit) { faults.append("gain") }
    if alignment.isInverted && !allowsInversion { faults.append("polarity") }
    if let driftLimit, abs(alignment.driftPartsPerMillion) > driftLimit { faults.append("drift") }
    if residual.firstBeyond != nil { faults.append("residual") }
    var found = found(alignment, residual, faults)
    if alignment.correlation < 0.9 && actual.channelCount > 1 { found += apart(actual, expected) }
    var outcome = CheckOutcome(
      id, faults.isEmpty ? .passed : .failed, found: found, expected: expectation,
      readings: readings(alignment, residual, shape), firstFailure: residual.firstBeyond)
    if outcome.firstFailure == nil, !faults.isEmpty {
      outcome.firstFailure = Self.firstDifference(actual, expected, shape)
    }
    return outcome
  }

  private func residual(
    _ actual: AudioSignal, _ moved: AudioSignal, _ alignment: SignalAlignment, _ shape: SignalShape
  ) -> Residual {
    var compared = shape
    compared.frameCount = Int64(alignment.comparedFrames.count)
    var accumulator = residualComparator.accumulator(compared)
    let factor = 1 / alignment.signedGain
    let range = alignment.comparedFrames
    for channel in 0..<actual.channelCount {
      // Dividing by a gain of 1 must leave equal samples equal.
      let scaled = factor == 1 ? actual.channels[channel] : actual.channels[channel].map { $0 * factor }
      accumulator.add(scaled, moved.channels[channel], range, channel: channel)
    }
    return accumulator.residual()
  }

  private func readings(_ alignment: SignalAlignment, _ residual: Residual, _ shape: SignalShape) -> [Reading] {
    var readings = [
      Reading(
        "delay", "delay", alignment.delayFrames, .frames, uncertainty: Self.delayTolerance,
        remark: "\(NumberText.significant(alignment.delayFrames / shape.sampleRate * 1000)) ms"),
      Reading(
        "gain", "gain", alignment.gainDecibels, .decibels, remark: alignment.isInverted ? "inverted" : nil),
      Reading("polarity", "polarity", alignment.isInverted ? -1 : 1, .amplitude),
      Reading("correlation", "correlation after alignment", alignment.correlation, .amplitude),
      Reading(
        "uncomparedFrames", "frames that only one of the two has when aligned",
        Double(Int(shape.frameCount) - alignment.comparedFrames.count), .frames),
    ]
    if driftLimit != nil {
      readings.append(
        Reading("drift", "clock drift in parts per million", alignment.driftPartsPerMillion, .amplitude, remark: "ppm"))
    }
    for (channel, gain) in alignment.channelGains.enumerated() where alignment.channelGains.count > 1 {
      readings.append(
        Reading(
          "channelGain", "gain of the channel", Decibels.of(amplitude: gain), .decibels, channel: channel,
          remark: gain < 0 ? "inverted" : nil))
    }
    return readings + residual.readings(window: window)
  }

  private func found(_ alignment: SignalAlignment, _ residual: Residual, _ faults: [String]) -> String {
    let delay = alignment.delayFrames
    var parts = [
      abs(delay) < 5e-7
        ? "no delay"
        : "\(NumberText.count(NumberText.decimal(abs(delay), digits: 6), "frame")) \(delay > 0 ? "later" : "earlier")",
      abs(alignment.gainDecibels) < 5e-7
        ? "no gain" : "gain \(NumberText.decimal(alignment.gainDecibels, digits: 6)) dB",
    ]
    if alignment.isInverted { parts.append("inverted") }
    if driftLimit != nil {
      parts.append("drift \(NumberText.decimal(alignment.driftPartsPerMillion, digits: 3)) ppm")
    }
    var text = parts.joined(separator: ", ") + "; without these "
    if residual.isZero {
      text += "no difference"
    } else {
      text +=
        "\(ComparisonText.level(residual.worstRelative, "dB")) against the signal in the worst "
        + "\(ComparisonText.span(window))" + (residual.worstRelativePlace.map { ", from \($0)" } ?? "")
        + ", peak \(ComparisonText.level(residual.peak))"
    }
    if alignment.correlation < 0.5 {
      text += "; they have little in common (correlation \(ComparisonText.fixed(alignment.correlation, 2)))"
    }
    return faults.isEmpty ? text : text + ". Beyond its limit: " + faults.joined(separator: ", ")
  }

  /// Delays of the channels by themselves, where they are aligned so and not together.
  private func apart(_ actual: AudioSignal, _ expected: AudioSignal) -> String {
    let delays = actual.channels.indices.prefix(8).compactMap { channel -> String? in
      let a = AudioSignal(sampleRate: actual.sampleRate, channels: [actual.channels[channel]])
      let e = AudioSignal(sampleRate: actual.sampleRate, channels: [expected.channels[channel]])
      guard let own = SignalAlignment.find(a, e, maximumDelay: searchedDelay)?.alignment, own.correlation >= 0.9
      else { return nil }
      return "channel \(channel) by \(NumberText.count(NumberText.decimal(own.delayFrames, digits: 3), "frame"))"
        + (own.isInverted ? ", inverted" : "")
    }
    return delays.isEmpty ? "" : ". Each by itself fits: " + delays.joined(separator: "; ")
  }

  /// The outcome when there is nothing to align: silence, or signals without any correlation.
  private func silent(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome {
    let isSame = actual.isSilent && expected.isSilent
    let found =
      switch (actual.isSilent, expected.isSilent) {
      case (true, true): "both signals are silent"
      case (true, false): "the actual signal is silent"
      case (false, true): "the expected signal is silent"
      case (false, false): "they have nothing in common that could be aligned"
      }
    return CheckOutcome(
      id, isSame ? .passed : .failed, found: found, expected: expectation,
      firstFailure: isSame ? nil : Self.firstDifference(actual, expected, SignalShape(actual)))
  }

  private static func firstDifference(
    _ actual: AudioSignal, _ expected: AudioSignal, _ shape: SignalShape
  ) -> CheckOutcome.Place? {
    var exact = ExactComparator().accumulator(shape)
    eachChannel(actual, expected) { channel, a, e in exact.add(a, e, channel: channel, firstFrame: 0) }
    return exact.first
  }
}

extension ComparatorKind {
  static let alignedNull = ComparatorKind([
    ComparisonLimit(
      flag: "align",
      "find gain, polarity and delay between the two, to fractions of a frame, hold them to their limits, and compare what "
        + "is left without them",
      optionRemark: "--peak, --rms and --relative hold of that (default: --relative -60)"),
    ComparisonLimit(
      "delay", "FRAMES", .bound(.plain, expected: "a number of frames"),
      "the largest delay that passes, either way, in frames", initial: AlignedNullComparator.delayTolerance, in: "align"
    ),
    ComparisonLimit(
      "gain", "DB", .bound(.decibels, expected: "a gain in dB", below: ReadingKind.grossDecibels),
      "the largest gain that passes, either way, in dB", initial: AlignedNullComparator.gainTolerance, in: "align"),
    ComparisonLimit(
      "drift", "PPM", .bound(.drift, expected: "a drift in parts per million"),
      "look for clock drift too, and the largest that passes, in parts per million", in: "align"),
    ComparisonLimit(flag: "inverted", "inverted polarity passes", in: "align", formerKey: "inversion"),
    ComparisonLimit(
      "null", "DB",
      .number(
        .decibels, expected: "a level in dB below -0.915, as what is left lies below the signal itself",
        in: .below(GrossError.differenceDecibels)),
      "the largest RMS of what is left, in any window, against that of what is expected there, in dB", initial: -60,
      in: "align", isInSuitesOnly: true),
  ]) { limits in
    guard limits.has("align") else { return nil }
    var null = AlignedNullComparator(window: limits["window"] ?? ResidualComparator.defaultWindow)
    if limits.isFlat, ["peak", "rms", "relative"].contains(where: limits.has) {
      (null.nullLimit, null.rmsLimit, null.peakLimit) = (limits["relative"], limits["rms"], limits["peak"])
    }
    if let depth = limits["null"] { null.nullLimit = depth }
    if let limit = limits["delay"] { null.delayLimit = limit }
    if let limit = limits["gain"] { null.gainLimit = limit }
    null.driftLimit = limits["drift"]
    null.allowsInversion = limits.has("inverted")
    return null
  }
}

extension SignalComparator where Self == AlignedNullComparator {
  /// The residual after gain and delay are removed, relative to the signal, in dB; gain and delay are measured,
  /// reported and limited.
  /// - Parameters:
  ///   - depth: the most residual, in dB against the signal.
  ///   - delay: frames, either way.
  ///   - gain: dB, either way.
  ///   - allowsInversion: true where an inverted copy passes.
  public static func alignedNull(
    _ depth: Double = -60, delay: Double = AlignedNullComparator.delayTolerance,
    gain: Double = AlignedNullComparator.gainTolerance, allowsInversion: Bool = false
  ) -> Self {
    AlignedNullComparator(delayLimit: delay, gainLimit: gain, allowsInversion: allowsInversion, nullLimit: depth)
  }
}
