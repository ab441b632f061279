import Glibc

/// A thread of its own that runs one function, and that its owner waits for: it outlives no owner.
public final class JoinedThread: @unchecked Sendable {
  private var handle: pthread_t?

  /// Begins a thread.
  ///
  /// - Parameters:
  ///   - stackBytes: the size of its stack; nil: the system's own.
  ///   - body: the function that it runs. It must not retain the thread's owner, which would wait for itself.
  /// - Returns: nil where the system gives no more threads.
  public init?(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    guard let thread = begin(stackBytes: stackBytes, body) else { return nil }
    handle = thread
  }

  /// Begins a thread of an owner whose `deinit` ends and joins it. While the thread runs it does not keep the owner
  /// alive: one that did, as a captured `self` does for as long as a method of it runs, even an unowned one, would
  /// never see it go.
  ///
  /// - Parameters:
  ///   - owner: has to end and join the thread in its `deinit`.
  ///   - stackBytes: nil: what the system gives.
  ///   - body: runs with the owner, which must not go before the thread has ended.
  public convenience init?<Owner: AnyObject>(
    of owner: Owner, stackBytes: Int? = nil, _ body: @escaping @Sendable (Owner) -> Void
  ) {
    let unretained = Unretained(reference: .passUnretained(owner))
    self.init(stackBytes: stackBytes) { unretained.reference._withUnsafeGuaranteedRef { body($0) } }
  }

  private struct Unretained<Owner: AnyObject>: @unchecked Sendable {
    let reference: Unmanaged<Owner>
  }

  deinit { join() }

  /// Waits until the thread has ended; on the thread itself, lets go of it instead. Once either is done, this does
  /// nothing. Not from several threads at once.
  public func join() {
    guard let handle else { return }
    self.handle = nil
    if pthread_equal(handle, pthread_self()) != 0 { pthread_detach(handle) } else { pthread_join(handle, nil) }
  }
}

/// A thread that is never joined.
public enum DetachedThread {
  /// - Returns: false where the system gives no more threads.
  public static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = begin(stackBytes: nil, body) else { return false }
    pthread_detach(thread)
    return true
  }
}

private final class Body {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func begin(stackBytes: Int?, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
  var thread = pthread_t()
  let context = Unmanaged.passRetained(Body(body))
  let status = pthread_create(
    &thread, &attributes,
    { context in
      context.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
      return nil
    }, context.toOpaque())
  if status == 0 { return thread }
  context.release()
  return nil
}
