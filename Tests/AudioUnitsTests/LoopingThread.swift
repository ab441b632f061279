import Glibc
import Synchronization

/// A thread of the system that does one thing over and over until it is stopped: beside a test, whatever the pool of
/// Swift's tasks is busy with.
final class LoopingThread: @unchecked Sendable {
  private final class Work: Sendable {
    let isOver = Atomic<Bool>(false)
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  private let work: Work
  private var thread: pthread_t?

  init(_ body: @escaping @Sendable () -> Void) {
    work = Work(body)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        while !work.isOver.load(ordering: .relaxed) { work.body() }
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    precondition(status == 0, "the system gives no thread to a test")
    self.thread = thread
  }

  func stop() {
    work.isOver.store(true, ordering: .relaxed)
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  deinit { stop() }
}
