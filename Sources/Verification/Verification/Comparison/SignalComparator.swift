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
  /// True when a signal at a thousandth of its proper level may pass; false unless a comparator overrides it.
  var passesAnyGain: Bool { get }
  /// True when the limit is so wide that a thousandth of any signal passes, which may not be visible with the signal at
  /// hand.
  var isTooWide: Bool { get }
  /// Compares two signals of one shape, all samples finite. Call ``compare(_:with:)``, which sees to that.
  func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome
}

extension SignalComparator {
  /// False: a thousandth of the signal must fail, as silence must.
  public var passesAnyGain: Bool { false }
  /// False: limits are tried with the signal at hand.
  public var isTooWide: Bool { false }

  /// Compares a signal with what it should be.
  public func compare(_ actual: AudioSignal, with expected: AudioSignal) -> CheckOutcome {
    if let mismatch = SignalShape(actual).mismatch(expected: SignalShape(expected), id: id) { return mismatch }
    if let sample = NonFiniteSample(actual, expected) { return sample.outcome(id: id) }
    return outcome(actual, expected)
  }
}

extension SignalComparator {
  /// As ``compare(_:with:)``, for a limit that must be able to fail.
  /// - Throws: `.suite` where silence in place of the signal would keep the limit, or a thousandth of the signal.
  func judgement(_ actual: AudioSignal, with expected: AudioSignal) throws(BenchError) -> CheckOutcome {
    let found = compare(actual, with: expected)
    guard found.verdict == .passed, !expected.isSilent else { return found }
    for (factor, name) in [(0.0, "silence"), (0.001, "a thousandth of the signal")]
    where factor == 0 || !passesAnyGain {
      let other = expected.mapped { $0 * factor }
      guard factor != 0 && isTooWide || compare(other, with: expected).verdict == .passed else { continue }
      throw BenchError(
        .suite, at: "limit \"\(id)\"", "\(expectation): that tells nothing here, \(name) keeps it as well",
        advice: "write the limit that must hold")
    }
    return found
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
