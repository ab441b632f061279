import AudioCore
import Measurement

/// Bit for bit the same: for what must not change at all.
///
/// Samples are compared as Double, into which every Float and every integer of up to 32 bits goes without loss: where
/// both signals hold Float values this is equality of Float bits. +0 and -0 are different bits; the outcome says where
/// that is all that differs.
///
/// ```swift
/// let signal = AudioSignal(sampleRate: 48_000, channels: [[0, 0.5, -0.25]])
/// let outcome = ExactComparator().compare(signal, with: signal)
/// #expect(outcome.verdict == .passed)
/// ```
public struct ExactComparator: StreamingComparator {
  /// The id of its outcomes; suites and `compare` ask for it by the same name.
  public let id = "exact"
  /// Has no limits to set.
  public init() {}

  /// Always the same words: there is no limit.
  public var expectation: String { "bit for bit the same" }
  /// Counts what differs in signals of a shape.
  public func accumulator(_ shape: SignalShape) -> ExactAccumulator { ExactAccumulator(shape, expectation) }
}

/// Counts samples whose bits differ.
public struct ExactAccumulator: ComparisonAccumulator {
  private let shape: SignalShape
  private let expectation: String
  private var samples: Int64 = 0
  /// Samples (not frames) that differ.
  public private(set) var differingSamples: Int64 = 0
  /// The number of these that are zeros with different signs only.
  public private(set) var differingZeros: Int64 = 0
  /// The first sample that differs; nil: there is none.
  public private(set) var first: CheckOutcome.Place?
  /// The last sample that differs; nil: there is none.
  public private(set) var last: CheckOutcome.Place?
  /// The largest |actual − expected|.
  public private(set) var largestDifference = 0.0
  /// The place of the largest difference; nil: nothing differs but the signs of zeros.
  public private(set) var largestPlace: CheckOutcome.Place?
  /// Channels with a sample that differs.
  public private(set) var differingChannels: Set<Int> = []

  init(_ shape: SignalShape, _ expectation: String) {
    self.shape = shape
    self.expectation = expectation
  }

  /// Counts what differs in the next samples of a channel, as many in both.
  public mutating func add(
    _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>, channel: Int, firstFrame: Int64
  ) {
    samples += Int64(actual.count)
    eachDifferingPiece(actual, expected) { a, e, count, start in
      addDiffering(a, e, count, channel, firstFrame + Int64(start))
    }
  }

  private mutating func addDiffering(
    _ a: UnsafePointer<Double>, _ e: UnsafePointer<Double>, _ count: Int, _ channel: Int, _ firstFrame: Int64
  ) {
    var (differing, zeros) = (0, 0)
    var (firstIndex, lastIndex, largestIndex) = (-1, -1, -1)
    var largest = largestDifference
    for index in 0..<count where a[index].bitPattern != e[index].bitPattern {
      differing += 1
      if firstIndex < 0 { firstIndex = index }
      lastIndex = index
      let difference = abs(a[index] - e[index])
      if difference == 0 { zeros += 1 }
      if difference > largest {
        largest = difference
        largestIndex = index
      }
    }
    differingSamples += Int64(differing)
    differingZeros += Int64(zeros)
    differingChannels.insert(channel)
    let firstHere = shape.place(firstFrame + Int64(firstIndex), channel: channel)
    first.takeEarlier(firstHere)
    let lastHere = shape.place(firstFrame + Int64(lastIndex), channel: channel)
    if last.map({ lastHere.frame > $0.frame }) ?? true { last = lastHere }
    if largestIndex >= 0 {
      largestDifference = largest
      largestPlace = shape.place(firstFrame + Int64(largestIndex), channel: channel)
    }
  }

  /// Passed where no bit differs; otherwise with the counts, the first and last frame, and the largest difference.
  public func outcome() -> CheckOutcome {
    var readings = [Reading("differingSamples", "samples that differ", Double(differingSamples), .count)]
    guard let first, let last else {
      return CheckOutcome(
        "exact", .passed, found: "\(NumberText.count(samples, "sample")), all the same", expected: expectation,
        readings: readings)
    }
    readings += [
      Reading("firstDifference", "first frame that differs", Double(first.frame), .frames, channel: first.channel),
      Reading("lastDifference", "last frame that differs", Double(last.frame), .frames, channel: last.channel),
      Reading(
        "largestDifference", "largest difference", largestDifference, .amplitude, channel: largestPlace?.channel,
        at: largestPlace.map { ["frame": Double($0.frame)] } ?? [:]),
    ]
    var found =
      "\(differingSamples) of \(NumberText.count(samples, "sample")) differ, frames \(first.frame) to \(last.frame)"
    if shape.channelCount > 1 {
      let names = differingChannels.sorted().prefix(8).map(String.init).joined(separator: ", ")
      found +=
        differingChannels.count == shape.channelCount
        ? " on all channels" : " on channel\(differingChannels.count == 1 ? "" : "s") \(names)"
    }
    if let largestPlace {
      found += "; largest difference \(ComparisonText.difference(largestDifference)) at \(largestPlace)"
      if differingZeros > 0 { found += "; \(differingZeros) are zeros of the other sign" }
    } else {
      found += ": all of them zeros of the other sign"
    }
    return CheckOutcome("exact", .failed, found: found, expected: expectation, readings: readings, firstFailure: first)
  }
}

extension ComparatorKind {
  static let exact = ComparatorKind([
    ComparisonLimit(
      flag: "exact", "bit for bit the same; this decides where no other limit is given")
  ]) { $0.has("exact") ? ExactComparator() : nil }
}

extension SignalComparator where Self == ExactComparator {
  /// Bit for bit.
  public static var exact: Self { ExactComparator() }
}
