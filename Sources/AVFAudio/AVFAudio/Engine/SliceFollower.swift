// A thread beside that of a program which renders in real time. `follow` neither allocates, locks nor waits.

import AudioCore
import Synchronization

/// Runs a function behind slices, until it is let go: one run may be for several slices.
final class SliceFollower: Sendable {
  private final class State: Sendable {
    let wake = Semaphore()
    let isEnding = Atomic<Bool>(false)
  }
  private let state = State()

  /// - Returns: nil where the system gives no thread.
  init?(_ body: @escaping @Sendable () -> Void) {
    let state = state
    let hasThread = DetachedThread.run {
      while true {
        state.wake.wait()
        guard !state.isEnding.load(ordering: .acquiring) else { return }
        body()
      }
    }
    guard hasThread else { return nil }
  }

  deinit {
    state.isEnding.store(true, ordering: .releasing)
    state.wake.signal()
  }

  /// A slice is over.
  func follow() { state.wake.signal() }
}
