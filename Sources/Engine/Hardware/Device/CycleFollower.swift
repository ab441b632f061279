// Calls of the program's functions behind the cycles of a run: on a thread of their own, so that a cycle itself runs
// nothing of them. `follow` runs on the hardware's thread, between two cycles.

import AudioCore
import Glibc

/// A thread that runs a client's function behind each cycle.
///
/// The hardware waits, unless the clock is the wall's, for the function: the same program makes the same calls between
/// the same cycles in each run. By the wall clock it does not wait, and one call may be for several cycles.
final class CycleFollower: @unchecked Sendable {
  private let lock = ConditionLock()
  /// Cycles that have ended, and how many of them the function has seen.
  private var cycles: UInt64 = 0
  private var seen: UInt64 = 0
  private var isEnding = false
  private let body: () -> Void

  private static let markKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
  /// True on the thread of any follower.
  static var isCurrent: Bool { pthread_getspecific(markKey) != nil }

  /// - Parameter body: called behind cycles, one call at a time; let go with the last call.
  init(_ body: @escaping () -> Void) { self.body = body }

  /// Begins to follow.
  /// - Returns: false where the system gives no thread.
  func begin() -> Bool { DetachedThread.run { self.serve() } }

  private func serve() {
    pthread_setspecific(Self.markKey, UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    lock.lock()
    while true {
      while seen == cycles && !isEnding { lock.wait() }
      guard seen != cycles else { break }
      let present = cycles
      lock.unlock()
      body()
      lock.lock()
      seen = present
      lock.broadcast()
    }
    lock.unlock()
  }

  /// A cycle has ended.
  /// - Parameter waits: true to return only when the function has returned, or the run ends.
  func follow(waits: Bool) {
    lock.lock()
    defer { lock.unlock() }
    guard !isEnding else { return }
    cycles += 1
    lock.broadcast()
    let wanted = cycles
    while waits && seen < wanted && !isEnding { lock.wait() }
  }

  /// No cycle comes any more. Does not wait for a call that is under way: the function itself may end the run.
  func end() {
    lock.lock()
    isEnding = true
    lock.broadcast()
    lock.unlock()
  }
}
