// A unit that another module renders, behind a handle: parameters, properties, listeners and notifies. Edits are that module's;
// listeners are called outside of them.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware

/// The instance behind the handle of a node's unit: the very unit that the engine of classes renders.
///
/// The engine alone initializes, connects, renders and starts its units: functions for that answer −10863, and so does
/// an edit from within a slice. Parameters are set without a lock, as those of any unit.
final class AttachedInstance: UnitInstance, @unchecked Sendable {
  /// Reads and writes the unit's properties and parameters.
  private let inner: NativeInstance
  private let host: any UnitHandleHost
  /// Under the lock.
  private var listeners = PropertyListeners()
  /// In the host's edits.
  private var notifies: [(registration: RenderNotifies.Registration, token: Int)] = []
  private var changes: [(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement)] = []

  init(_ component: ComponentEntry, unit: Unit, _ host: any UnitHandleHost) {
    inner = NativeInstance(component, unit: unit, domain: RenderDomain())
    self.host = host
    super.init(component, domain: inner.domain)
  }

  private var unit: Unit { inner.unit }

  override func open() throws(AudioStatus) {
    inner.stand(for: handle)
    inner.propertyRelay = { [unowned self] id, scope, element in changes.append((id, scope, element)) }
  }

  /// Removes what the program has added; the unit stays as it is.
  override func close() -> OSStatus {
    lock.withLock { listeners = PropertyListeners() }
    return editUnit {
      guard !notifies.isEmpty else { return noErr }
      host.betweenSlices {
        for notify in notifies { unit.removeRenderNotify(notify.token) }
        notifies = []
      }
      host.unitDidChange()
      return noErr
    }
  }

  /// Runs an edit of the host's, and then calls the listeners of what it has changed.
  private func editUnit(_ body: () -> OSStatus) -> OSStatus {
    guard !host.isRenderingHere else { return kAudioUnitErr_CannotDoInCurrentContext }
    var result = noErr
    var told: [(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement)] = []
    host.edit {
      result = body()
      (told, changes) = (changes, [])
      if !told.isEmpty { host.unitDidChange() }
    }
    for (id, scope, element) in told { lock.withLock { listeners }.call(handle, id, scope, element) }
    return result
  }

  // MARK: Life cycle

  override func canDo(_ selector: Int16) -> Bool {
    switch Int(selector) {
    // Properties, parameters, reset, listeners, notifies.
    case 0x03...0x07, 0x09...0x0B, 0x0F...0x12: true
    default: false
    }
  }

  override var isInitialized: Bool { inner.isInitialized }
  override func initialize() -> OSStatus { isInitialized ? noErr : kAudioUnitErr_CannotDoInCurrentContext }
  override func uninitialize() -> OSStatus { kAudioUnitErr_CannotDoInCurrentContext }
  override func start() -> OSStatus { kAudioUnitErr_CannotDoInCurrentContext }
  override func stop() -> OSStatus { kAudioUnitErr_CannotDoInCurrentContext }
  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> OSStatus {
    editUnit {
      host.betweenSlices { unit.reset() }
      return noErr
    }
  }

  // MARK: Properties

  override func propertyInfo(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    size: UnsafeMutablePointer<UInt32>?, isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    if deviceValue(id) != nil {
      size?.pointee = 4
      isWritable?.pointee = id == kAudioOutputUnitProperty_CurrentDevice
      return noErr
    }
    return editUnit { inner.propertyInfo(id, scope, element, size: size, isWritable: isWritable) }
  }

  override func property(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeMutableRawPointer?,
    size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    if let value = deviceValue(id) {
      guard let data else { return propertyInfo(id, scope, element, size: size, isWritable: nil) }
      guard size.pointee >= 4 else { return kAudioUnitErr_InvalidPropertyValue }
      data.storeBytes(of: value, as: UInt32.self)
      size.pointee = 4
      return noErr
    }
    return editUnit { inner.property(id, scope, element, data: data, size: size) }
  }

  override func setProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeRawPointer?,
    size: UInt32
  ) -> OSStatus {
    if deviceValue(id) != nil {
      guard id == kAudioOutputUnitProperty_CurrentDevice else { return kAudioUnitErr_PropertyNotWritable }
      guard let data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
      return data.loadUnaligned(as: UInt32.self) == host.deviceID ? noErr : kAudioHardwareBadDeviceError
    }
    if id == kAudioUnitProperty_MakeConnection || id == kAudioUnitProperty_SetRenderCallback {
      return kAudioUnitErr_CannotDoInCurrentContext
    }
    return editUnit { inner.setProperty(id, scope, element, data: data, size: size) }
  }

  /// The value of a property of the device that the engine plays to; nil: another property, or no device.
  private func deviceValue(_ id: AudioUnitPropertyID) -> UInt32? {
    guard let device = host.deviceID else { return nil }
    return switch id {
    case kAudioOutputUnitProperty_CurrentDevice: device
    case kAudioOutputUnitProperty_IsRunning: host.isRunning ? 1 : 0
    default: nil
    }
  }

  override func addPropertyListener(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    lock.withLock { listeners = listeners.adding(id, proc, userData) }
    return noErr
  }

  override func removePropertyListener(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
    anyUserData: Bool
  ) -> OSStatus {
    lock.withLock { listeners = listeners.removing(id, proc, anyUserData ? nil : .some(userData)) }
    return noErr
  }

  // MARK: Parameters

  override func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    into value: UnsafeMutablePointer<AudioUnitParameterValue>
  ) -> OSStatus { inner.parameter(id, scope, element, into: value) }

  override func setParameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    to value: AudioUnitParameterValue, bufferOffset: UInt32
  ) -> OSStatus { inner.setParameter(id, scope, element, to: value, bufferOffset: bufferOffset) }

  override func scheduleParameters(_ events: UnsafePointer<AudioUnitParameterEvent>, count: UInt32) -> OSStatus {
    inner.scheduleParameters(events, count: count)
  }

  // MARK: Rendering

  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { kAudioUnitErr_CannotDoInCurrentContext }

  override func addRenderNotify(
    _ proc: @escaping AURenderCallback, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    let registration = RenderNotifies.Registration(proc: proc, userData: userData)
    return editUnit {
      guard !notifies.contains(where: { $0.registration.isSame(registration) }) else { return noErr }
      let notify = AttachedNotify(registration, unit)
      host.betweenSlices {
        let token = unit.addRenderNotify { notify.call($0, $1, $2, $3) }
        notifies.append((registration, token))
      }
      host.unitDidChange()
      return noErr
    }
  }

  override func removeRenderNotify(
    _ proc: @escaping AURenderCallback, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    let registration = RenderNotifies.Registration(proc: proc, userData: userData)
    return editUnit {
      guard let index = notifies.firstIndex(where: { $0.registration.isSame(registration) }) else { return noErr }
      host.betweenSlices { unit.removeRenderNotify(notifies.remove(at: index).token) }
      host.unitDidChange()
      return noErr
    }
  }
}

/// A program's notify around the slices of a unit that an engine renders. Runs on the render thread, and allocates nothing there.
private final class AttachedNotify: @unchecked Sendable {
  private let notify: RenderNotifies
  private unowned let unit: Unit
  private let list = BufferList(capacity: 64)

  init(_ registration: RenderNotifies.Registration, _ unit: Unit) {
    notify = RenderNotifies([registration])
    self.unit = unit
  }

  /// In front of a slice the list has no buffers.
  func call(_ phase: RenderNotify.Phase, _ sampleTime: Int64, _ frames: Int, _ output: BusBuffer?) {
    list.pointer.pointee.mNumberBuffers = 0
    if let output, let format = try? unit.streamFormat(.output) {
      list.point(at: output, offset: 0, frames: frames, format: format)
    }
    var stamp = AudioTimeStamp(sampleTime: Double(sampleTime))
    let flags: AudioUnitRenderActionFlags =
      switch phase {
      case .before: .unitRenderAction_PreRender
      case .after: .unitRenderAction_PostRender
      case .failed: [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
      }
    notify.call(flags, flags: [], &stamp, bus: 0, frames: UInt32(clamping: frames), list.pointer)
  }
}
