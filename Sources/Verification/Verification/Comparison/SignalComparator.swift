import AudioCore
import Glibc
import Measurement

/// A way to compare two signals, with its limits.
///
/// Signals of different length, rate or number of channels always fail, and so does a NaN or an infinity in either,
/// even at the same place in both.
public protocol SignalComparator: Sendable {
  /// Stable name of the check: `exact`, `residual`.
  var id: String { get }
  /// One line: what must hold.
  var expectation: String { get }
  /// True when a signal 20 dB off its proper level may pass; false unless a comparator overrides it.
  var passesAnyGain: Bool { get }
  /// Compares two signals of one shape, all samples finite. Call ``compare(_:with:)``, which sees to that.
  func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome
}

extension SignalComparator {
  /// False: a signal that is 20 dB off must fail, as silence must.
  public var passesAnyGain: Bool { false }

  /// Compares a signal with what it should be.
  public func compare(_ actual: AudioSignal, with expected: AudioSignal) -> CheckOutcome {
    if let mismatch = SignalShape(actual).mismatch(expected: SignalShape(expected), id: id) { return mismatch }
    if let sample = NonFiniteSample(actual, expected) { return sample.outcome(id: id) }
    return outcome(actual, expected)
  }
}

extension SignalComparator {
  /// As ``compare(_:with:)``, for a limit that must be able to fail.
  ///
  /// A channel that should sound and is silent fails, whatever the limit allows.
  /// - Throws: `.suite` where silence in place of the signal would keep the limit, or the signal 20 dB off.
  func judgement(_ actual: AudioSignal, with expected: AudioSignal) throws(BenchError) -> CheckOutcome {
    let found = compare(actual, with: expected)
    guard found.verdict == .passed, !expected.isSilent else { return found }
    if let channel = GrossError.silentChannel(of: actual, beside: expected) {
      var outcome = found
      outcome.verdict = .failed
      outcome.found = "channel \(channel): nothing comes out, where a sound was expected; \(found.found)"
      outcome.firstFailure = SignalShape(actual).place(0, channel: channel)
      return outcome
    }
    for (factor, name) in GrossError.factors where factor == 0 || !passesAnyGain {
      let other = expected.mapped { $0 * factor }
      guard compare(other, with: expected).verdict == .passed else { continue }
      throw GrossError.refusal(of: self, name, kind: .suite)
    }
    return found
  }
}

/// Errors that no limit may let through: the signal is not there, or its level is quite another.
enum GrossError {
  /// The treatment of the samples, for people.
  static let factors = [
    (0.0, "silence"), (Decibels.amplitude(-ReadingKind.grossDecibels), "the signal 20 dB quieter"),
    (Decibels.amplitude(ReadingKind.grossDecibels), "the signal 20 dB louder"),
  ]
  /// The difference from a signal that is 20 dB quieter, against the signal, dB: 0.9.
  static let differenceDecibels = -0.915
  /// The distance of samples 20 dB apart in neighbouring floats is this or more: three octaves and a quarter of one.
  static let ulps = 13.0 * 0x1p21

  /// The first channel in which nothing is heard, and something 20 dB above what counts as silence is expected.
  static func silentChannel(of actual: AudioSignal, beside expected: AudioSignal) -> Int? {
    let silence = Decibels.amplitude(ExpectedRoutes.standardSilenceDecibels)
    let sound = silence * Decibels.amplitude(ReadingKind.grossDecibels)
    return zip(actual.channels, expected.channels).enumerated().first { _, pair in
      !pair.0.contains { abs($0) > silence } && pair.1.contains { abs($0) > sound }
    }?.offset
  }

  static func refusal(of comparator: some SignalComparator, _ name: String, kind: BenchError.Kind) -> BenchError {
    BenchError(
      kind, at: "limit \"\(comparator.id)\"",
      "\(comparator.expectation): that tells nothing here, \(name) keeps it as well",
      advice: "write the limit that must hold")
  }
}

/// A comparator that sees each sample once, in order, and keeps no more than it needs: for files of any length.
public protocol StreamingComparator: SignalComparator {
  /// The state of one comparison.
  associatedtype Accumulator: ComparisonAccumulator
  /// A comparison that begins, of two signals of this shape.
  func accumulator(_ shape: SignalShape) -> Accumulator
}

/// A comparison under way.
public protocol ComparisonAccumulator {
  /// Takes the next samples of one channel; those of a channel come in order and without gaps.
  mutating func add(
    _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>, channel: Int, firstFrame: Int64)
  /// Called once, after the last sample.
  mutating func outcome() -> CheckOutcome
}

extension StreamingComparator {
  /// Runs an accumulator over both signals, channel by channel.
  public func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome {
    var accumulator = accumulator(SignalShape(actual))
    eachChannel(actual, expected) { channel, a, e in accumulator.add(a, e, channel: channel, firstFrame: 0) }
    return accumulator.outcome()
  }
}

/// Calls `body` with the samples of each channel of two signals of one shape.
func eachChannel(
  _ actual: AudioSignal, _ expected: AudioSignal,
  _ body: (_ channel: Int, _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>) -> Void
) {
  for channel in 0..<actual.channelCount {
    actual.channels[channel].withUnsafeBufferPointer { a in
      expected.channels[channel].withUnsafeBufferPointer { body(channel, a, $0) }
    }
  }
}

/// Calls `body` with each piece of two signals whose bits differ anywhere in it, and the piece's first frame. Most of
/// most files is the same: the system's comparison goes through that at the speed of memory.
func eachDifferingPiece(
  _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>,
  _ body: (_ actual: UnsafePointer<Double>, _ expected: UnsafePointer<Double>, _ count: Int, _ start: Int) -> Void
) {
  guard let a = actual.baseAddress, let e = expected.baseAddress else { return }
  let pieceFrames = 1024
  for start in stride(from: 0, to: actual.count, by: pieceFrames) {
    let piece = min(pieceFrames, actual.count - start)
    if memcmp(a + start, e + start, piece * MemoryLayout<Double>.stride) != 0 {
      body(a + start, e + start, piece, start)
    }
  }
}

extension CheckOutcome.Place? {
  /// Becomes the other place where that comes earlier, or there was none.
  mutating func takeEarlier(_ other: CheckOutcome.Place) {
    if map({ other.frame < $0.frame }) ?? true { self = other }
  }
}

extension Sequence<CheckOutcome.Place> {
  /// The first place in time; nil where there is none.
  package var earliest: CheckOutcome.Place? { self.min { $0.frame < $1.frame } }
}
