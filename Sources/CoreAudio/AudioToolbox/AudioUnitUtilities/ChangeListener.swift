// The object behind an AUParameterListenerRef or AUEventListenerRef: the changes that it listens to, those still to be
// delivered, and the way of delivery. Any thread; no lock is held while a program's function runs. Not for the render
// thread: it allocates.

import AudioCore
import CAudioToolbox
import Glibc

final class ChangeListener: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .listener }

  /// A program's function, or its block.
  enum Call {
    case parameter(
      (UnsafeMutableRawPointer?, UnsafePointer<AudioUnitParameter>, AudioUnitParameterValue) -> Void)
    case event(
      (UnsafeMutableRawPointer?, UnsafePointer<AudioUnitEvent>, UInt64, AudioUnitParameterValue) -> Void)
  }

  private struct Registration: Hashable {
    let key: ChangeKey
    /// The program's own pointer, as bits.
    let object: UInt
  }

  private struct State {
    var registrations: [Registration] = []
    var queue = ChangeQueue()
    var isScheduled = false
    var isDisposed = false
    /// The threads that are inside the program's function, one entry for each call.
    var callers: [pthread_t] = []
  }

  private let call: Call
  /// In seconds; 0: at once, on the thread that changes.
  private let interval: Double
  /// In nanoseconds; nil: however far apart.
  private let granularity: UInt64?
  private let place: (any DeliveryPlace)?
  private let state = Locked(State())
  /// Orders those who add and remove, so that each property of a unit is listened to once.
  private let editing = Locked<Void>(())
  private(set) var handle: OpaquePointer?

  var isForEvents: Bool { if case .event = call { true } else { false } }

  /// Makes a listener with its handle, and sets it to listen.
  ///
  /// - Parameters:
  ///   - interval, granularity: in seconds, 0 or more.
  ///   - place: returns the place of calls; only called if the interval is not 0.
  /// - Throws: -50 for an interval below 0, or where there is no such place.
  static func make(
    _ call: Call, interval: Float32, granularity: Float32?, place: () -> (any DeliveryPlace)?
  ) throws(AudioStatus) -> ChangeListener {
    guard interval >= 0, interval.isFinite, granularity.map({ $0 >= 0 && $0.isFinite }) ?? true else {
      throw .parameterError
    }
    var chosen: (any DeliveryPlace)?
    if interval > 0 {
      guard let place = place() else { throw .parameterError }
      chosen = place
    }
    let listener = ChangeListener(call, interval: interval, granularity: granularity, place: chosen)
    let handle = try HandleTable.shared.add(listener)
    listener.handle = handle
    (chosen as? RunLoopPlace)?.begin(handle)
    Listeners.add(listener)
    return listener
  }

  private init(_ call: Call, interval: Float32, granularity: Float32?, place: (any DeliveryPlace)?) {
    self.call = call
    self.interval = Double(interval)
    // A century is as good as for ever; the bound keeps the number in range.
    self.granularity = granularity.map { UInt64(clamping: min(Double($0), 3e9) * 1e9) }
    self.place = place
  }

  /// Ends a listener: no call of its function begins any more, and none is under way, but for one that this very call
  /// is made from.
  static func dispose(_ handle: OpaquePointer?) -> OSStatus {
    guard let listener = HandleTable.shared.remove(handle, ChangeListener.self) else {
      return kAudio_ParamError
    }
    Listeners.remove(listener)
    let registrations = listener.state.withLock { state in
      state.isDisposed = true
      state.queue = ChangeQueue()
      return state.registrations
    }
    listener.place?.end()
    for key in Set(registrations.lazy.filter(\.key.isProperty).map { ListenedProperty($0.key) }) {
      key.end(handle)
    }
    listener.settle()
    return noErr
  }

  /// Waits for calls on other threads; gives up after a second, as the program's function may be waiting for the
  /// caller.
  private func settle() {
    let own = pthread_self()
    var wait = BoundedWait()
    while state.withLock({ $0.callers.contains { pthread_equal($0, own) == 0 } }), wait.pause() {}
  }

  // MARK: Registrations

  /// Adding the same again changes nothing.
  func add(_ key: ChangeKey, object: UInt) -> OSStatus {
    editing.withLock { _ in
      let known = state.withLock { $0.registrations }
      let new = Registration(key: key, object: object)
      guard !known.contains(new) else { return noErr }
      if key.isProperty {
        let property = ListenedProperty(key)
        if !known.contains(where: { $0.key.isProperty && ListenedProperty($0.key) == property }) {
          let status = property.begin(handle)
          guard status == noErr else { return status }
        }
      } else {
        let status = withUnit(key.unit) { _ in noErr }
        guard status == noErr else { return status }
      }
      state.withLock { $0.registrations.append(new) }
      return noErr
    }
  }

  /// Changes of it that wait to be delivered are dropped too. Removing a key that was not added changes nothing.
  func remove(_ key: ChangeKey, object: UInt) -> OSStatus {
    editing.withLock { _ in
      let rest = state.withLock { state in
        state.registrations.removeAll { $0 == Registration(key: key, object: object) }
        state.queue.remove(key, object: object)
        return state.registrations
      }
      if key.isProperty, case let property = ListenedProperty(key),
        !rest.contains(where: { $0.key.isProperty && ListenedProperty($0.key) == property })
      {
        property.end(handle)
      }
      return noErr
    }
  }

  /// The keys it listens to that a change of `key` concerns: several if it means all parameters of a unit.
  func keys(coveredBy key: ChangeKey) -> [ChangeKey] {
    state.withLock { $0.registrations.map(\.key).filter(key.covers) }
  }

  // MARK: Telling

  /// Tells of a change, at once or later, on behalf of every object that listens to it.
  ///
  /// - Parameter sender: the object that made the change, which is not called; nil: all are called.
  func tell(_ change: Change, exceptFor sender: UInt?) {
    let (objects, schedules) = state.withLock { state in
      guard !state.isDisposed else { return ([UInt](), false) }
      let objects = state.registrations.filter { $0.key == change.key && $0.object != sender }.map(\.object)
      guard interval > 0 else { return (objects, false) }
      for object in objects { state.queue.add(change, object: object, granularity: granularity) }
      let schedules = !state.isScheduled && !state.queue.isEmpty
      if schedules { state.isScheduled = true }
      return ([], schedules)
    }
    for object in objects { perform(change, object) }
    if schedules, let handle { place?.schedule(handle, after: interval) }
  }

  /// Delivers all changes that are waiting. Called on the listener's run loop or queue, with its handle.
  static func flush(_ handle: UnsafeMutableRawPointer?) {
    HandleTable.shared.withObject(handle.map { OpaquePointer($0) }, ChangeListener.self) {
      let entries = $0.state.withLock { state in
        state.isScheduled = false
        return state.queue.takeAll()
      }
      for entry in entries { $0.perform(entry.change, entry.object) }
    }
  }

  /// Calls the program's function, unless the registration or the unit has gone since.
  private func perform(_ change: Change, _ object: UInt) {
    guard let unit = change.key.unit, withUnit(unit, { _ in noErr }) == noErr else { return }
    let thread = pthread_self()
    let isWanted = state.withLock { state in
      guard !state.isDisposed, state.registrations.contains(Registration(key: change.key, object: object)) else {
        return false
      }
      state.callers.append(thread)
      return true
    }
    guard isWanted else { return }
    var event = change.key.event(of: unit)
    let pointer = UnsafeMutableRawPointer(bitPattern: object)
    switch call {
    case .parameter(let function): function(pointer, &event.mArgument.mParameter, change.value)
    case .event(let function): function(pointer, &event, change.hostTime, change.value)
    }
    state.withLock { state in
      guard let index = state.callers.lastIndex(where: { pthread_equal($0, thread) != 0 }) else { return }
      state.callers.remove(at: index)
    }
  }
}
