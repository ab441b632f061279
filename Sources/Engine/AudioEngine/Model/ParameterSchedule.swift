// Hands parameter events from the threads that schedule them to the render thread. Any thread writes, the render
// thread of a pre-render notify included: no lock, no allocation. One thread at a time reads.

import AudioCore
import HandOver
import Synchronization

/// A queue of parameter events of fixed capacity, batch by batch: a batch arrives whole or not at all.
final class ParameterSchedule: Sendable {
  /// One event, by slot.
  struct Entry: BitwiseCopyable {
    var slot: Int32
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

  private let ring: BatchRing
  private let entries: FlatMemory<Entry>
  /// The counter that says that there is something new; the store's.
  private let edits: Plane<Atomic<UInt>>
  /// The number behind what was scheduled when a reset was requested that is still to be carried out; 0: none was.
  private let resetEnd = Atomic<UInt64>(0)

  init(isUsed: Bool, edits: Plane<Atomic<UInt>>) {
    self.edits = edits
    ring = BatchRing(capacity: isUsed ? Self.mostEvents : 1)
    entries = FlatMemory(unwritten: ring.capacity)
  }

  var capacity: Int { ring.capacity }

  // MARK: Writing, on any thread

  /// Claims places for so many events; nil if there are not enough. Claimed places must be written and published.
  func claim(_ count: Int) -> UInt64? { ring.claim(count) }

  func write(_ entry: Entry, at number: UInt64) { entries[ring.place(of: number)] = entry }

  /// Makes a claimed and filled batch visible.
  func publish(_ first: UInt64, count: Int) {
    ring.publish(first, count: count)
    edits[0].add(1, ordering: .releasing)
  }

  /// Notes a reset that is carried out in front of the next slice: what is scheduled from here on is kept.
  func requestReset() { resetEnd.store(ring.end + 1, ordering: .releasing) }

  /// True when any event is waiting or being written.
  var isInUse: Bool { ring.isInUse }

  // MARK: Reading, on one thread

  /// True when a whole batch is waiting.
  var hasEvents: Bool { ring.hasBatches }

  /// Takes out all whole batches, in the order in which their places were claimed.
  func drain(_ body: (Entry) -> Void) { ring.drain { body(entries[$0]) } }

  /// Takes out what was scheduled in front of the reset that was requested last, or, where none was, all.
  func drainForReset(_ body: (Entry) -> Void) {
    let end = resetEnd.exchange(0, ordering: .acquiring)
    ring.drain(before: end > 0 ? end - 1 : nil) { body(entries[$0]) }
  }
}
