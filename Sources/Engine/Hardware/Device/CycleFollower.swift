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

  /// The threads of all followers.
  private static let threads = Locked<Set<pthread_t>>([])
  /// True on the thread of any follower.
  static var isCurrent: Bool { threads.withLock { $0.contains(pthread_self()) } }

  /// - Parameter body: called behind cycles, one call at a time; let go with the last call.
  init(_ body: @escaping () -> Void) { self.body = body }

  /// Begins to follow.
  /// - Returns: false where the system gives no thread.
  func begin() -> Bool { DetachedThread.run { self.serve() } }

  private func serve() {
    Self.threads.withLock { _ = $0.insert(pthread_self()) }
    defer { Self.threads.withLock { _ = $0.remove(pthread_self()) } }
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
