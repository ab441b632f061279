// The place where a listener with an interval is called: a run loop, or a dispatch queue. Scheduled calls hold the
// listener's handle and not the listener, so that they end safely when the listener is gone.

import AudioCore
import CAudioToolbox
import CoreFoundation

/// Calls a listener back after a while.
protocol DeliveryPlace: AnyObject, Sendable {
  /// Sees to it that ``ChangeListener/flush(_:)`` runs for the listener there, `seconds` from now.
  func schedule(_ listener: OpaquePointer, after seconds: Double)
  /// Nothing will be scheduled any more.
  func end()
}

/// A timer on a run loop, which fires at the time that was set.
final class RunLoopPlace: DeliveryPlace, @unchecked Sendable {
  private let loop: CFRunLoop
  private let mode: CFString
  private var timer: CFRunLoopTimer?

  /// Longer than anyone waits: ten years.
  private static let never: CFTimeInterval = 3e8

  /// - Parameters:
  ///   - loop: a `CFRunLoopRef`; null: that of the calling thread.
  ///   - mode: a `CFStringRef`; null: the default mode.
  init?(loop: UnsafeRawPointer?, mode: UnsafeRawPointer?) {
    let given = loop.map { Unmanaged<CFRunLoop>.fromOpaque($0).takeUnretainedValue() }
    guard let loop = given ?? CFRunLoopGetCurrent() else { return nil }
    self.loop = loop
    self.mode = mode.map { Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue() } ?? kCFRunLoopDefaultMode
  }

  /// Takes its place on the run loop. Once, before anything is scheduled.
  func begin(_ listener: OpaquePointer) {
    var context = CFRunLoopTimerContext()
    context.info = UnsafeMutableRawPointer(listener)
    timer = CFRunLoopTimerCreate(
      nil, CFAbsoluteTimeGetCurrent() + Self.never, Self.never, 0, 0, { _, info in ChangeListener.flush(info) },
      &context)
    if let timer { CFRunLoopAddTimer(loop, timer, mode) }
  }

  func schedule(_ listener: OpaquePointer, after seconds: Double) {
    guard let timer else { return }
    CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + seconds)
    CFRunLoopWakeUp(loop)
  }

  func end() { if let timer { CFRunLoopTimerInvalidate(timer) } }
}

/// A place that the Swift overloads have made of a queue of Swift: see DispatchOverloads.swift.
final class SwiftPlace: DeliveryPlace, @unchecked Sendable {
  private let place: _AUListenerPlace

  /// - Parameter place: becomes this object's, which gives it back when it ends.
  init(_ place: _AUListenerPlace) { self.place = place }

  deinit { place.release(place.context) }

  func schedule(_ listener: OpaquePointer, after seconds: Double) {
    place.schedule(place.context, UnsafeMutableRawPointer(listener), seconds) { ChangeListener.flush($0) }
  }

  func end() {}
}

/// A dispatch queue of C.
final class CQueuePlace: DeliveryPlace {
  private let queue: CDispatchQueue

  /// - Parameter queue: a `dispatch_queue_t`.
  init?(_ queue: UnsafeMutableRawPointer) {
    guard let queue = CDispatchQueue(queue) else { return nil }
    self.queue = queue
  }

  func schedule(_ listener: OpaquePointer, after seconds: Double) {
    queue.async(after: seconds, UnsafeMutableRawPointer(listener)) { ChangeListener.flush($0) }
  }

  func end() {}
}
