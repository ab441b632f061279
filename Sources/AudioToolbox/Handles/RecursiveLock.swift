import Glibc

/// A lock that the thread which holds it may take again: listeners call back into the interface.
final class RecursiveLock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
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

  func lock() { pthread_mutex_lock(mutex) }
  func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Lets go of the lock, which the thread holds once, for as long as a client's function runs.
  func withoutLock<R>(_ body: () -> R) -> R {
    unlock()
    defer { lock() }
    return body()
  }

  func withLock<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}
