import AudioCore
import Measurement

/// No sample further off than so many units in the last place of Float: for what is computed in another order, or by
/// another machine's libm.
///
/// Both samples are rounded to Float, and the distance is the number of Float values from one to the other, counted
/// through zero where the signs differ. +0 and -0 are the same value; the smallest subnormal is 1 from it, and
/// subnormals are counted like all others. Since very small values are many units apart at no audible difference, a
/// difference that is at most `floor` counts as none.
///
/// ```swift
/// let sound = AudioSignal(sampleRate: 48_000, channels: [[0.5]])
/// let other = AudioSignal(sampleRate: 48_000, channels: [[Double(Float(0.5).nextUp)]])
/// expect(sound, equals: other, .ulps(1))
/// ```
public struct UlpComparator: StreamingComparator {
  /// The id of its outcomes; suites and `compare` ask for it by the same name.
  public let id = "ulps"
  /// The largest distance that passes.
  public var limit: Int64
  /// A difference of samples, full scale being 1, that is not looked at; 0 looks at all.
  public var floor: Double

  /// A limit in units in the last place, and a difference up to which samples count as the same, full scale being 1.
  public init(limit: Int64, floor: Double = 0) {
    self.limit = limit
    self.floor = floor
  }

  /// The limit and, where there is one, the floor.
  public var expectation: String {
    "at most \(NumberText.count(limit, "unit")) in the last place of float32"
      + (floor > 0 ? ", differences up to \(NumberText.significant(floor, digits: 3)) aside" : "")
  }
  /// Finds the largest distance in signals of a shape.
  public func accumulator(_ shape: SignalShape) -> UlpAccumulator { UlpAccumulator(shape, self) }

  /// The number of Float values from one to another.
  public static func distance(_ a: Float, _ b: Float) -> Int64 { abs(ordinal(a) - ordinal(b)) }

  /// Floats in the order of their values, 0 for both zeros.
  @inline(__always) private static func ordinal(_ value: Float) -> Int64 {
    let bits = Int64(value.bitPattern & 0x7FFF_FFFF)
    return value.sign == .minus ? -bits : bits
  }
}

/// Finds the largest distance in units of the last place.
public struct UlpAccumulator: ComparisonAccumulator {
  private let shape: SignalShape
  private let comparator: UlpComparator
  /// Over all channels.
  public private(set) var largest: Int64 = 0
  /// The place of the largest distance; nil: no sample differs by more than the floor.
  public private(set) var largestPlace: CheckOutcome.Place?
  /// The two samples there, as they lie apart.
  private var largestDifference = 0.0
  /// Samples (not frames) beyond the limit.
  public private(set) var samplesBeyond: Int64 = 0
  /// The first sample beyond the limit; nil: there is none.
  public private(set) var firstBeyond: CheckOutcome.Place?

  init(_ shape: SignalShape, _ comparator: UlpComparator) {
    self.shape = shape
    self.comparator = comparator
  }

  /// Looks at the next samples of a channel, as many in both.
  public mutating func add(
    _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>, channel: Int, firstFrame: Int64
  ) {
    eachDifferingPiece(actual, expected) { a, e, count, start in
      addDiffering(a, e, count, channel, firstFrame + Int64(start))
    }
  }

  private mutating func addDiffering(
    _ a: UnsafePointer<Double>, _ e: UnsafePointer<Double>, _ count: Int, _ channel: Int, _ firstFrame: Int64
  ) {
    let (limit, floor) = (comparator.limit, comparator.floor)
    var (largest, largestIndex, firstIndex, beyond) = (self.largest, -1, -1, 0)
    for index in 0..<count where abs(a[index] - e[index]) > floor {
      let distance = UlpComparator.distance(Float(a[index]), Float(e[index]))
      if distance > largest {
        largest = distance
        largestIndex = index
      }
      if distance > limit {
        beyond += 1
        if firstIndex < 0 { firstIndex = index }
      }
    }
    if largestIndex >= 0 {
      self.largest = largest
      largestPlace = shape.place(firstFrame + Int64(largestIndex), channel: channel)
      largestDifference = abs(a[largestIndex] - e[largestIndex])
    }
    samplesBeyond += Int64(beyond)
    guard firstIndex >= 0 else { return }
    firstBeyond.takeEarlier(shape.place(firstFrame + Int64(firstIndex), channel: channel))
  }

  /// Units as long as they say something: of samples that are no neighbours, how far they lie apart.
  private var distanceText: String {
    // Those of one power of two.
    let most: Int64 = 1 << 23
    guard largest > most else { return NumberText.count(largest, "unit") }
    return "\(ComparisonText.difference(largestDifference)) apart, more than \(most) units in the last place,"
  }

  /// Passed where no sample is beyond the limit.
  public func outcome() -> CheckOutcome {
    let readings = [
      Reading(
        "ulps", "largest distance in units of the last place", Double(largest), .count,
        channel: largestPlace?.channel, at: largestPlace.map { ["frame": Double($0.frame)] } ?? [:]),
      Reading("ulpsBeyond", "samples beyond the limit", Double(samplesBeyond), .count),
    ]
    var found = "the same values"
    if let largestPlace {
      found = "\(distanceText) at \(largestPlace)"
      if samplesBeyond > 0 { found += "; \(NumberText.count(samplesBeyond, "sample")) beyond the limit" }
    }
    return CheckOutcome(
      comparator.id, firstBeyond == nil ? .passed : .failed, found: found, expected: comparator.expectation,
      readings: readings, firstFailure: firstBeyond)
  }
}

extension ComparatorKind {
  static let ulps = ComparatorKind([
    ComparisonLimit(
      "ulps", "N",
      .count(
        expected:
          "a whole number of units from 0 on, below \(Int64(clamping: GrossError.ulps)): so far off is a level 20 dB off",
        below: GrossError.ulps),
      "no sample further off than this, in units in the last place of float32")
  ]) { limits in limits["ulps"].map { UlpComparator(limit: Int64(clamping: $0)) } }
}

extension SignalComparator where Self == UlpComparator {
  /// At most so many units in the last place of Float.
  /// - Parameters:
  ///   - limit: 0 or more.
  ///   - floor: a difference of samples, full scale being 1, that is not looked at.
  public static func ulps(_ limit: Int64, floor: Double = 0) -> Self { UlpComparator(limit: limit, floor: floor) }
}
