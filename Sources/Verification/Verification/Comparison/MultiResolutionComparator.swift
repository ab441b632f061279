import AudioCore
import Glibc
import Measurement

/// The log-spectral distance at several window lengths, in the worst window: short ones see transients, long ones
/// tones.
///
/// The root mean square, in each window, over all bins, of 20·log10((|A| + floor) ÷ (|E| + floor)), amplitudes scaled
/// so that a full-scale sine reads 1. Hann windows that overlap by half.
///
/// ```swift
/// let softer = try FormulaDevice([Formula("in(c) * 0.99")])
/// // 0.99 is −0.087 dB at each frequency.
/// expect(softer, equals: try FormulaDevice([Formula("in(c)")]), .spectrum(0.1))
/// ```
public struct MultiResolutionComparator: SignalComparator {
  /// The id of its outcomes; suites and `compare` ask for it by `spectrum`.
  public let id = "multiResolution"
  /// dB, in the worst window of every length.
  public var limit: Double
  /// The amplitude of a bin, dBFS, at which differences fade out.
  public var floor: Double
  /// Window lengths in frames, even.
  public var lengths: [Int]

  /// Limits in dB, a floor in dBFS, lengths in frames. At least one length, each even and 4 or more; others trap.
  public init(
    limit: Double, floor: Double = -100, lengths: [Int] = [256, 1_024, 4_096, 16_384]
  ) {
    precondition(!lengths.isEmpty && lengths.allSatisfy { $0 >= 4 && $0 % 2 == 0 })
    self.limit = limit
    self.floor = floor
    self.lengths = lengths
  }

  /// The limits, the window lengths and the floor.
  public var expectation: String {
    let names = lengths.map(String.init).joined(separator: ", ")
    return "a log-spectral distance of at most \(ComparisonText.limit(limit, "dB")) in every window"
      + ", windows of \(names) frames, floor \(ComparisonText.limit(floor))"
  }

  private struct Worst {
    var length = 0
    var distance = 0.0
    var mean = 0.0
    var place: CheckOutcome.Place?
  }

  /// Holds each window of each length and channel to the limit, and the means to theirs.
  public func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome {
    let shape = SignalShape(actual)
    var firstFailure: CheckOutcome.Place?
    let results = lengths.map { length -> Worst in
      let frames = SpectralFrames(length: length)
      let floor = pow(10, self.floor / 20) / frames.amplitudeScale
      var worst = Worst(length: length)
      var (sum, windows) = (0.0, 0)
      for channel in 0..<actual.channelCount {
        frames.forEach(actual.channels[channel], expected.channels[channel]) { frame, a, e in
          var squares = 0.0
          for bin in a.indices where a[bin] != e[bin] {
            let decibels = 20 * log10((a[bin].squareRoot() + floor) / (e[bin].squareRoot() + floor))
            squares += decibels * decibels
          }
          let distance = (squares / Double(a.count)).squareRoot()
          sum += distance
          windows += 1
          guard distance > worst.distance || distance > limit else { return }
          let place = shape.place(Int64(frame), channel: channel)
          if distance > worst.distance {
            worst.distance = distance
            worst.place = place
          }
          if distance > limit { firstFailure.takeEarlier(place) }
        }
      }
      worst.mean = sum / Double(max(1, windows))
      return worst
    }
    return outcome(results, firstFailure)
  }

  private func outcome(_ results: [Worst], _ firstFailure: CheckOutcome.Place?) -> CheckOutcome {
    var found = "no window differs"
    if let top = results.max(by: { $0.distance < $1.distance }), let place = top.place {
      found =
        "worst \(ComparisonText.fixed(top.distance, 2)) dB in \(NumberText.count(top.length, "frame")) from \(place); means "
        + results.map { "\(ComparisonText.fixed($0.mean, 2))" }.joined(separator: ", ") + " dB"
    }
    let readings = results.flatMap { worst -> [Reading] in
      let at = ["windowFrames": Double(worst.length)]
      return [
        Reading(
          "spectralDistance", "log-spectral distance, worst \(NumberText.count(worst.length, "frame"))", worst.distance,
          .decibels,
          channel: worst.place?.channel, at: at.merging(["seconds": worst.place?.seconds ?? 0]) { old, _ in old }),
        Reading(
          "spectralDistanceMean", "log-spectral distance, mean of \(NumberText.count(worst.length, "frame"))",
          worst.mean, .decibels,
          at: at),
      ]
    }
    return CheckOutcome(
      id, firstFailure == nil ? .passed : .failed, found: found, expected: expectation,
      readings: readings,
      firstFailure: firstFailure)
  }
}

extension ComparatorKind {
  static let spectrum = ComparatorKind([
    ComparisonLimit(
      "spectrum", "DB",
      .number(
        .decibels, expected: "a distance in dB, above 0 and below 20: a level 20 dB off is another sound",
        in: .above(0, below: ReadingKind.grossDecibels)),
      "log-spectral distance at most this, in dB, in the worst window of 256 to 16384 frames", formerOption: "spectra")
  ]) { limits in limits["spectrum"].map { MultiResolutionComparator(limit: $0) } }
}

extension SignalComparator where Self == MultiResolutionComparator {
  /// A log-spectral distance of at most this in every window, dB.
  public static func spectrum(_ limit: Double) -> Self { MultiResolutionComparator(limit: limit) }
}
