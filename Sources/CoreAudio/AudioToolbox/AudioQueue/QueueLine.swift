// The line of buffers between the program and the thread that plays or fills them. One thread at a time appends, with the
// queue's lock held; the render side takes. Taking neither allocates, locks nor waits, and nothing is freed there.

import AudioCore
import CAudioToolbox
import Synchronization

/// An entry of a ``QueueLine``: a buffer, or a mark behind the buffers before it.
struct QueueItem: ~Copyable {
  enum Kind: UInt8 { case origin, buffer, flush, end }

  let kind: Kind
  /// Items of an older epoch than the line's have been given back: they are passed over.
  let epoch: UInt64
  /// The place in the line since its beginning.
  let number: UInt64
  /// The first frame to be played, or to be filled.
  var data: UnsafeMutableRawPointer?
  /// The memory of frames that were decoded of packets. Owned by the item.
  var decoded: UnsafeMutableRawPointer?
  /// Frames to be played, or that there is room for.
  var frames: Int64 = 0
  /// The frame of the queue's time at which it is to begin; nil: behind the one before.
  var startTime: Int64?
  /// Parameters that are set with its first frame. Owned by the item.
  var events: UnsafeMutableBufferPointer<AudioQueueParameterEvent>?

  let next = Atomic<UInt>(0)
  /// The render side is through with it.
  let isDone = Atomic<Bool>(false)
  /// The queue's frame with which it began; `Int64.min` before.
  let begun = Atomic<Int64>(.min)
  /// Frames that were filled, and the host's time of the first of them.
  let filled = Atomic<Int64>(0)
  let hostTime = Atomic<UInt64>(0)

  init(_ kind: Kind, epoch: UInt64, number: UInt64) {
    self.kind = kind
    self.epoch = epoch
    self.number = number
  }

  deinit {
    events?.deallocate()
    decoded?.deallocate()
  }
}

/// A list from one thread to another, in the order in which it was appended.
final class QueueLine: @unchecked Sendable {
  typealias Item = UnsafeMutablePointer<QueueItem>

  /// The number of resets: older items have been given back.
  let epoch = Atomic<UInt64>(0)
  /// The number of the item that the render side holds on to; those before it may be freed.
  private let held = Atomic<UInt64>(0)
  /// The render side's place: the item that it took last.
  private var taken: Item
  /// The program's side.
  private var last: Item
  private var alive: [Item]
  private var firstAlive = 0

  init() {
    let origin = Item.allocate(capacity: 1)
    origin.initialize(to: QueueItem(.origin, epoch: 0, number: 0))
    (taken, last, alive) = (origin, origin, [origin])
  }

  deinit { for item in alive[firstAlive...] { Self.free(item) } }

  private static func free(_ item: Item) {
    item.deinitialize(count: 1)
    item.deallocate()
  }

  // MARK: The program's side

  /// Appends an item, and frees those that nobody needs any more.
  func append(_ kind: QueueItem.Kind, _ fill: (Item) -> Void = { _ in }) -> Item {
    let item = Item.allocate(capacity: 1)
    item.initialize(
      to: QueueItem(kind, epoch: epoch.load(ordering: .relaxed), number: last.pointee.number + 1))
    fill(item)
    alive.append(item)
    last.pointee.next.store(UInt(bitPattern: item), ordering: .releasing)
    last = item
    return item
  }

  /// Frees items that are through.
  ///
  /// - Parameter number: the first one that the program's side still looks at.
  func reclaim(before number: UInt64) {
    let end = min(number, held.load(ordering: .acquiring))
    while firstAlive < alive.count, alive[firstAlive].pointee.number < end {
      Self.free(alive[firstAlive])
      firstAlive += 1
    }
    guard firstAlive > 64, firstAlive * 2 > alive.count else { return }
    alive.removeFirst(firstAlive)
    firstAlive = 0
  }

  // MARK: The render side

  /// The next item that counts; nil: there is none yet.
  func take() -> Item? {
    while let next = Item(bitPattern: taken.pointee.next.load(ordering: .acquiring)) {
      taken = next
      held.store(next.pointee.number, ordering: .releasing)
      if next.pointee.epoch == epoch.load(ordering: .acquiring) { return next }
      next.pointee.isDone.store(true, ordering: .releasing)
    }
    return nil
  }

  /// True when an item lies behind the one that was taken last.
  var hasMore: Bool { taken.pointee.next.load(ordering: .acquiring) != 0 }

  /// True while an item has not been given back.
  func isPresent(_ item: Item) -> Bool { item.pointee.epoch == epoch.load(ordering: .acquiring) }
}
