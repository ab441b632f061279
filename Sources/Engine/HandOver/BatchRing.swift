// Hands values from many threads to one where no thread may allocate: a parcel (`Parcel.swift`) would have to be
// allocated.

import AudioCore
import Synchronization

/// The places of a ring of fixed size into which any thread writes batches, and from which one thread takes them, each
/// whole or not at all. The contents of the places belong to the owner: this class assigns the places only.
///
/// A writer claims places in one exchange, fills them, and publishes the batch under the number of its first. Nothing
/// here allocates, locks or waits.
public final class BatchRing: Sendable {
  /// The number of places: a power of two.
  public let capacity: Int
  private let mask: UInt64
  /// By place: 1 + the number of the batch's first that lies there, once the batch is whole.
  private let published: FlatMemory<Atomic<UInt64>>
  /// By place: how many the batch has that begins there, once it is whole.
  private let counts: FlatMemory<Int>
  /// Places claimed so far, and places taken out so far.
  private let claimed = Atomic<UInt64>(0)
  private let taken = Atomic<UInt64>(0)

  /// - Parameter capacity: a power of two.
  public init(capacity: Int) {
    precondition(capacity > 0 && capacity & (capacity - 1) == 0)
    self.capacity = capacity
    mask = UInt64(capacity - 1)
    published = FlatMemory(count: capacity) { _ in Atomic(0) }
    counts = FlatMemory(unwritten: capacity)
  }

  /// The place of a number that was claimed.
  public func place(of number: UInt64) -> Int { Int(number & mask) }

  // MARK: Writing, on any thread

  /// Claims numbers for so many, from the one returned on; nil if there is no room. Claimed numbers must be published.
  public func claim(_ count: Int) -> UInt64? {
    var first = claimed.load(ordering: .relaxed)
    while true {
      // A stale `first` may lie behind what has been taken; the exchange then fails.
      let waiting = Int64(first) - Int64(taken.load(ordering: .acquiring))
      guard count <= capacity, waiting + Int64(count) <= Int64(capacity) else { return nil }
      let (exchanged, original) = claimed.weakCompareExchange(
        expected: first, desired: first + UInt64(count), ordering: .relaxed)
      if exchanged { return first }
      first = original
    }
  }

  /// Makes a claimed and filled batch visible.
  public func publish(_ first: UInt64, count: Int) {
    counts[place(of: first)] = count
    published[place(of: first)].store(first + 1, ordering: .releasing)
  }

  /// The number of the place that is claimed next.
  public var end: UInt64 { claimed.load(ordering: .acquiring) }

  /// True when anything is waiting or being written.
  public var isInUse: Bool { claimed.load(ordering: .relaxed) != taken.load(ordering: .relaxed) }

  // MARK: Reading, on one thread

  /// True when a whole batch is waiting.
  public var hasBatches: Bool {
    let next = taken.load(ordering: .relaxed)
    return published[place(of: next)].load(ordering: .acquiring) == next + 1
  }

  /// Takes out all whole batches, in the order in which their places were claimed.
  /// - Parameter end: the number in front of which they begin; nil: all.
  public func drain(before end: UInt64? = nil, _ body: (_ place: Int) -> Void) {
    while hasBatches {
      let first = taken.load(ordering: .relaxed)
      if let end, first >= end { return }
      let count = UInt64(counts[place(of: first)])
      for number in first..<first + count { body(place(of: number)) }
      taken.store(first + count, ordering: .releasing)
    }
  }
}
