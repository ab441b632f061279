// Between whoever schedules parameter events and the render thread that takes them over. Any thread writes, the render
// thread of a pre-render notify included: no lock, no allocation. One thread at a time reads.

import Synchronization

/// A queue of parameter events of fixed capacity, batch by batch: a batch arrives whole or not at all.
///
/// A writer claims its places in one exchange, fills them, and makes the batch visible with the ticket of its first.
final class ParameterSchedule: @unchecked Sendable {
  /// One event, by slot.
  struct Entry {
    var slot: Int32
    /// How many events the batch has that begins here.
    fileprivate(set) var batchCount: Int32 = 1
    var isRamp: Bool
    /// Frames from the slice's first frame on.
    var offset: Int64
    var durationFrames: UInt32 = 0
    var startValue: Float = 0
    /// The value of an immediate event, too.
    var endValue: Float

    init(_ kind: ParameterEvent.Kind, slot: Int) {
      self.slot = Int32(slot)
      switch kind {
      case .immediate(let offset, let value):
        isRamp = false
        self.offset = Int64(offset)
        endValue = value
      case .ramp(let startOffset, let durationFrames, let startValue, let endValue):
        isRamp = true
        offset = Int64(startOffset)
        self.durationFrames = durationFrames
        self.startValue = startValue
        self.endValue = endValue
      }
    }

    /// An event of no parameter.
    static let nothing = Entry(.immediate(offset: 0, value: 0), slot: -1)
  }

  /// The most events that can wait for a slice, over all parameters of a unit.
  static let mostEvents = 512

  let capacity: Int
  private let mask: UInt64
  private let entries: UnsafeMutablePointer<Entry>
  /// Per place: 1 + the number of the batch's first event that lies there, once the batch is whole.
  private let tickets: UnsafeMutablePointer<Atomic<UInt64>>
  /// Events claimed so far, and events taken out so far.
  private let claimed = Atomic<UInt64>(0)
  private let taken = Atomic<UInt64>(0)

  /// The counter that says that there is something new; the store's.
  private let edits: UnsafeMutablePointer<Atomic<UInt>>

  init(isUsed: Bool, edits: UnsafeMutablePointer<Atomic<UInt>>) {
    self.edits = edits
    capacity = isUsed ? Self.mostEvents : 1
    mask = UInt64(capacity - 1)
    entries = .allocate(capacity: capacity)
    tickets = .allocate(capacity: capacity)
    for place in 0..<capacity { (tickets + place).initialize(to: Atomic(0)) }
  }

  deinit {
    tickets.deinitialize(count: capacity)
    tickets.deallocate()
    entries.deallocate()
  }

  // MARK: Writing, on any thread

  /// Places for so many events; nil where there are not enough. What was claimed must be published.
  func claim(_ count: Int) -> UInt64? {
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

  func write(_ entry: Entry, at number: UInt64) { entries[Int(number & mask)] = entry }

  /// Makes a claimed and filled batch visible.
  func publish(_ first: UInt64, count: Int) {
    entries[Int(first & mask)].batchCount = Int32(count)
    tickets[Int(first & mask)].store(first + 1, ordering: .releasing)
    edits.pointee.add(1, ordering: .releasing)
  }

  /// Whether any event is waiting or being written.
  var isInUse: Bool { claimed.load(ordering: .relaxed) != taken.load(ordering: .relaxed) }

  // MARK: Reading, on one thread

  /// Whether a whole batch is waiting.
  var hasEvents: Bool {
    let next = taken.load(ordering: .relaxed)
    return tickets[Int(next & mask)].load(ordering: .acquiring) == next + 1
  }

  /// Takes out all whole batches, in the order in which their places were claimed.
  func drain(_ body: (Entry) -> Void) {
    while hasEvents {
      let first = taken.load(ordering: .relaxed)
      let count = UInt64(entries[Int(first & mask)].batchCount)
      for number in first..<first + count { body(entries[Int(number & mask)]) }
      taken.store(first + count, ordering: .releasing)
    }
  }
}
