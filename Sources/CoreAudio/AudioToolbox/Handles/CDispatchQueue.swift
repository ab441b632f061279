// A dispatch queue of C. Swift's Dispatch can neither be made from one nor retain it, so the library's functions are
// found by name.

import AudioCore
import Glibc

/// A `dispatch_queue_t` of a program's, retained for as long as this object lives.
final class CDispatchQueue: @unchecked Sendable {
  typealias Work = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private typealias Object = UnsafeMutableRawPointer

  private struct Library: @unchecked Sendable {
    typealias Count = @convention(c) (Object) -> Void
    typealias Time = @convention(c) (UInt64, Int64) -> UInt64
    typealias After = @convention(c) (UInt64, Object, UnsafeMutableRawPointer?, Work) -> Void
    typealias Call = @convention(c) (Object, UnsafeMutableRawPointer?, Work) -> Void
    let retain: Count
    let release: Count
    let time: Time
    let after: After
    let async: Call
    let sync: Call

    init?() {
      func symbol<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
      }
      guard let retain = symbol("dispatch_retain", as: Count.self),
        let release = symbol("dispatch_release", as: Count.self), let time = symbol("dispatch_time", as: Time.self),
        let after = symbol("dispatch_after_f", as: After.self), let async = symbol("dispatch_async_f", as: Call.self),
        let sync = symbol("dispatch_sync_f", as: Call.self)
      else { return nil }
      (self.retain, self.release, self.time, self.after) = (retain, release, time, after)
      (self.async, self.sync) = (async, sync)
    }
  }
  private static let library = Library()

  private final class Body {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let queue: Object
  private let library: Library

  /// - Parameter queue: a `dispatch_queue_t`.
  init?(_ queue: UnsafeMutableRawPointer?) {
    guard let queue, let library = Self.library else { return nil }
    self.library = library
    self.queue = queue
    library.retain(queue)
  }

  deinit { library.release(queue) }

  /// Calls a function with its context, some seconds from now.
  func async(after seconds: Double, _ context: UnsafeMutableRawPointer?, _ work: Work) {
    // 0 is now.
    library.after(library.time(0, Int64(clamping: min(seconds, 3e8) * 1e9)), queue, context, work)
  }

  /// Calls `body` behind what the queue was given before.
  func async(_ body: @escaping @Sendable () -> Void) {
    library.async(queue, Unmanaged.passRetained(Body(body)).toOpaque()) { context in
      context.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().body() }
    }
  }

  /// Calls `body` there, and returns when it has. Allocates nothing of its own.
  func sync(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { body in
        library.sync(queue, UnsafeMutableRawPointer(mutating: body)) { context in
          context?.assumingMemoryBound(to: (() -> Void).self).pointee()
        }
      }
    }
  }
}
