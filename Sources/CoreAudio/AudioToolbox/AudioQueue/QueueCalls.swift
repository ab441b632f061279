// Calls of a program's functions that are due: made one after another, on the place that the queue was made with. No lock
// is held while one runs.

import AudioCore
import CAudioToolbox
import Glibc
import Hardware

/// The calls of one queue, in the order in which they became due.
final class QueueCalls: @unchecked Sendable {
  /// Real time, seconds, that the hardware waits for a run loop or a dispatch queue, unless its clock is the wall's. On a
  /// machine with more to do than cores, a thread may be away for a large part of a second.
  private static let longestWait = 2.0

  private let place: any QueuePlace
  private let lock = ConditionLock()
  private var calls: [() -> Void] = []
  /// The thread that makes calls.
  private var caller: pthread_t?
  private var isClosed = false
  /// The place did not come to its calls in time: it is not waited for until it does.
  private var isAbsent = false

  /// The number of calls that a thread is inside of.
  private static let depthKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
  /// True inside a call of any queue's.
  static var isInCall: Bool { pthread_getspecific(depthKey) != nil }

  init(_ place: any QueuePlace) {
    self.place = place
    place.begin { [weak self] in self?.makeAll() }
  }

  /// Adds a call that is to be made.
  func add(_ call: @escaping () -> Void) {
    lock.lock()
    if !isClosed { calls.append(call) }
    lock.unlock()
  }

  /// True on the thread that is inside one of these calls.
  var isCalling: Bool {
    lock.lock()
    defer { lock.unlock() }
    return caller.map { pthread_equal($0, pthread_self()) != 0 } ?? false
  }

  /// Makes all calls, and those that become due meanwhile; returns at once where a thread makes them already.
  func makeAll() {
    lock.lock()
    guard caller == nil else { return lock.unlock() }
    isAbsent = false
    while !calls.isEmpty {
      let call = calls.removeFirst()
      caller = pthread_self()
      lock.unlock()
      let depth = pthread_getspecific(Self.depthKey)
      pthread_setspecific(Self.depthKey, UnsafeRawPointer(bitPattern: UInt(bitPattern: depth) + 1))
      call()
      pthread_setspecific(Self.depthKey, depth)
      lock.lock()
      caller = nil
    }
    lock.broadcast()
    lock.unlock()
  }

  /// Sees to it that calls are made that a function of the interface has brought.
  /// - Parameter waits: true to return when they have been made, if that can be said: not inside another call, and not
  ///   where the place belongs to another thread of the program's.
  func request(waits: Bool) {
    if Self.isInCall || !waits {
      if !isCalling { place.requestCalls { [self] in makeAll() } }
      return
    }
    switch place.turn {
    case .own:
      place.requestCalls { [self] in makeAll() }
      waitUntilMade(seconds: nil)
    case .here: makeAll()
    case .elsewhere: place.requestCalls { [self] in makeAll() }
    }
  }

  /// On the hardware's thread, between two cycles.
  func makeFromHardware() {
    if place.turn == .own { makeAll() } else { place.requestCalls { [self] in makeAll() } }
  }

  /// On a thread of the program's that renders offline.
  func makeFromProgram() { makeAll() }

  /// Behind a cycle of the hardware, on a thread of its own.
  func follow(_ clock: DeviceConfiguration.Clock) {
    lock.lock()
    let isIdle = calls.isEmpty
    let waits = (place.turn == .own ? clock != .real : clock == .free) && !isAbsent
    lock.unlock()
    guard !isIdle else { return }
    if place.turn == .own {
      makeAll()
      if waits { waitUntilMade(seconds: Self.longestWait) }
      return
    }
    place.requestCalls { [self] in makeAll() }
    if waits { waitUntilMade(seconds: Self.longestWait) }
  }

  private func waitUntilMade(seconds: Double?) {
    let deadline = seconds.map { MonotonicClock.now() + UInt64(clamping: $0 * 1e9) }
    lock.lock()
    while !isClosed, !calls.isEmpty || caller != nil {
      guard let deadline else {
        lock.wait()
        continue
      }
      guard MonotonicClock.now() < deadline else {
        isAbsent = true
        break
      }
      lock.unlock()
      var pause = timespec(tv_sec: 0, tv_nsec: 200_000)
      nanosleep(&pause, nil)
      lock.lock()
    }
    lock.unlock()
  }

  /// No call is made any more; one that is under way has ended, unless the thread asks that is inside of one.
  func end() {
    lock.lock()
    isClosed = true
    calls = []
    lock.broadcast()
    if !Self.isInCall { while caller != nil { lock.wait() } }
    lock.unlock()
    place.end()
  }
}
