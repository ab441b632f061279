import AudioCore
import Synchronization

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// A thread of its own for a test: those of the system's pool are few, and a test that spins holds one of them. Waited
/// for at the latest when its object goes.
public final class OwnThread: @unchecked Sendable {
  private let end = Flag()
  private let thread: JoinedThread

  /// - Parameters:
  ///   - stackBytes: the size of its stack; nil: the system's own.
  ///   - body: the function that it runs. The test must guard data that both use.
  public init(stackBytes: Int? = nil, _ body: @escaping () -> Void) {
    nonisolated(unsafe) let body = body
    let end = end
    let thread = JoinedThread(stackBytes: stackBytes) {
      body()
      end.set()
    }
    guard let thread else { preconditionFailure("the system gives no thread to a test") }
    self.thread = thread
  }

  /// True when the body has returned.
  public var hasEnded: Bool { end.isSet }

  public func join() { thread.join() }
}

/// A thread that does one thing over and over until it is stopped, or its object goes.
public final class LoopingThread: @unchecked Sendable {
  private let end = Flag()
  private let thread: OwnThread

  /// - Parameter body: the function to run. The test must guard data that both use.
  public init(_ body: @escaping () -> Void) {
    let end = end
    thread = OwnThread { while !end.isSet { body() } }
  }

  public func stop() {
    end.set()
    thread.join()
  }

  deinit { stop() }
}
