import Glibc

/// A mutex with a condition that its holder may wait for. For what ``Locked`` cannot say; not for the render thread.
public final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// An open lock.
  public init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Waits until no other thread has the lock. A thread that has it already must not ask again: it would never go on.
  public func lock() { pthread_mutex_lock(mutex) }
  /// Gives the lock back. Only for the thread that has it.
  public func unlock() { pthread_mutex_unlock(mutex) }
  /// Lets others have the lock until one of them calls ``signal()`` or ``broadcast()``, or for no reason: ask anew.
  /// With the lock held.
  public func wait() { pthread_cond_wait(condition, mutex) }
  /// Wakes one of those who wait.
  public func signal() { pthread_cond_signal(condition) }
  /// Wakes all who wait.
  public func broadcast() { pthread_cond_broadcast(condition) }
}
