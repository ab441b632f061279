import Glibc

/// A counting semaphore of POSIX. It may be signalled from a render thread; waiting is for others.
public final class Semaphore: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// - Parameter count: the number of waits that return at once; 0 or more.
  public init(count: Int = 0) { sem_init(handle, 0, UInt32(count)) }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  /// Lets one waiter pass, now or when it comes.
  public func signal() { sem_post(handle) }

  /// Waits for a signal. Signals of the system that interrupt it do not end it.
  public func wait() { while sem_wait(handle) != 0 {} }
}
