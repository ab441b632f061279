import Glibc
import Synchronization

/// The times in which a thread renders, and others may not free what it reads.
final class QueuePhase: Sendable {
  /// Odd while it renders.
  private let count = Atomic<UInt64>(0)
  private let thread = Atomic<UInt>(0)

  static var ownThread: UInt { pthread_self() }

  /// True for the thread that renders now.
  var isOwn: Bool { thread.load(ordering: .relaxed) == Self.ownThread }

  func begin() {
    thread.store(Self.ownThread, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  func end() {
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    thread.store(0, ordering: .relaxed)
  }

  /// Waits until the rendering that is under way has ended: what was changed before is seen by all later one.
  func wait() {
    guard !isOwn else { return }
    let present = count.load(ordering: .sequentiallyConsistent)
    guard present & 1 == 1 else { return }
    var pause = timespec(tv_sec: 0, tv_nsec: 50_000)
    while count.load(ordering: .sequentiallyConsistent) == present { nanosleep(&pause, nil) }
  }
}
