// The place at which a queue's functions are called: a thread of its own, a run loop, or a dispatch queue.

import AudioCore
import CAudioToolbox
import CoreFoundation

/// The relation of the calling thread to a place.
enum QueueTurn { case own, here, elsewhere }

/// Has a queue's calls made somewhere.
protocol QueuePlace: AnyObject, Sendable {
  /// Once, before anything else.
  /// - Parameter makeAll: makes the calls that are due then.
  func begin(_ makeAll: @escaping @Sendable () -> Void)
  /// Sees to it that calls are made there, soon.
  func requestCalls(_ makeAll: @escaping @Sendable () -> Void)
  /// `own`: any thread of ours may make the calls; `here`: the calling thread is the place.
  var turn: QueueTurn { get }
  func end()
}

/// A thread of the queue's own.
final class OwnPlace: QueuePlace {
  func begin(_ makeAll: @escaping @Sendable () -> Void) {}
  func requestCalls(_ makeAll: @escaping @Sendable () -> Void) {
    // Without a thread, the calling one has to do.
    if !DetachedThread.run(makeAll) { makeAll() }
  }
  var turn: QueueTurn { .own }
  func end() {}
}

/// A source on a run loop of the program's.
final class LoopPlace: QueuePlace, @unchecked Sendable {
  private let loop: CFRunLoop
  private let mode: CFString
  private var source: CFRunLoopSource?

  private final class Context {
    let makeAll: @Sendable () -> Void
    init(_ makeAll: @escaping @Sendable () -> Void) { self.makeAll = makeAll }
  }

  /// - Parameters:
  ///   - loop: a `CFRunLoopRef`.
  ///   - mode: a `CFStringRef`; null: the common modes.
  init(loop: UnsafeRawPointer, mode: UnsafeRawPointer?) {
    self.loop = Unmanaged<CFRunLoop>.fromOpaque(loop).takeUnretainedValue()
    self.mode = mode.map { Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue() } ?? kCFRunLoopCommonModes
  }

  func begin(_ makeAll: @escaping @Sendable () -> Void) {
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passRetained(Context(makeAll)).toOpaque()
    context.release = { info in info.map { Unmanaged<Context>.fromOpaque($0).release() } }
    context.perform = { info in
      info.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue().makeAll() }
    }
    context.retain = { info in
      info.map { UnsafeRawPointer(Unmanaged<Context>.fromOpaque($0).retain().toOpaque()) }
    }
    source = CFRunLoopSourceCreate(nil, 0, &context)
    // The source has retained it.
    context.info.map { Unmanaged<Context>.fromOpaque($0).release() }
    if let source { CFRunLoopAddSource(loop, source, mode) }
  }

  func requestCalls(_ makeAll: @escaping @Sendable () -> Void) {
    guard let source else { return }
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(loop)
  }

  var turn: QueueTurn { CFRunLoopGetCurrent() === loop ? .here : .elsewhere }

  func end() { if let source { CFRunLoopSourceInvalidate(source) } }
}

/// A dispatch queue of C.
final class DispatchPlace: QueuePlace {
  private let queue: CDispatchQueue

  /// - Parameter queue: a `dispatch_queue_t`.
  init?(_ queue: UnsafeMutableRawPointer) {
    guard let queue = CDispatchQueue(queue) else { return nil }
    self.queue = queue
  }

  func begin(_ makeAll: @escaping @Sendable () -> Void) {}
  func requestCalls(_ makeAll: @escaping @Sendable () -> Void) { queue.async(makeAll) }
  var turn: QueueTurn { .elsewhere }
  func end() {}
}

/// A dispatch queue of Swift, by the functions of the overload: see DispatchOverloads.swift.
final class SwiftQueuePlace: QueuePlace, @unchecked Sendable {
  private let place: _AUListenerPlace

  private final class Calls {
    let makeAll: @Sendable () -> Void
    init(_ makeAll: @escaping @Sendable () -> Void) { self.makeAll = makeAll }
  }

  /// - Parameter place: becomes this object's, which gives it back when it ends.
  init(_ place: _AUListenerPlace) { self.place = place }

  deinit { place.release(place.context) }

  func begin(_ makeAll: @escaping @Sendable () -> Void) {}
  func requestCalls(_ makeAll: @escaping @Sendable () -> Void) {
    place.schedule(place.context, Unmanaged.passRetained(Calls(makeAll)).toOpaque(), 0) { context in
      context.map { Unmanaged<Calls>.fromOpaque($0).takeRetainedValue().makeAll() }
    }
  }
  var turn: QueueTurn { .elsewhere }
  func end() {}
}
