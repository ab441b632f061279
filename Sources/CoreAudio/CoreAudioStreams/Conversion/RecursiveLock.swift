import AudioCore
import Glibc

/// A lock that the thread which holds it may take again: listeners call back into the interface.
package final class RecursiveLock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The number of times that its thread holds it; only for that thread.
  private var depth = 0

  package init() {
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func lock() {
    pthread_mutex_lock(mutex)
    depth += 1
  }

  package func tryLock() -> Bool {
    guard pthread_mutex_trylock(mutex) == 0 else { return false }
    depth += 1
    return true
  }

  package func unlock() {
    depth -= 1
    pthread_mutex_unlock(mutex)
  }

  /// Lets go of the lock, however often the thread holds it, while something runs that others may need the lock for.
  package func withoutLock<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    // If another thread has it, this one does not.
    guard tryLock() else { return try body() }
    let held = depth
    for _ in 0..<held { unlock() }
    defer { for _ in 0..<held - 1 { lock() } }
    return try body()
  }

  package func withLock<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}
