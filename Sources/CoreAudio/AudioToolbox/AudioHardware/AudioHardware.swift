// The state of the hardware interface: who listens, and what runs. Any thread but a render thread: it takes a lock.
// Listeners are called outside of it, on the thread that made the change.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits
import Hardware

/// The hardware interface's view of the simulated hardware, for the whole process.
package final class AudioHardware: Sendable {
  static let shared = AudioHardware(.shared)

  private struct Listener {
    let object: AudioObjectID
    let address: AudioObjectPropertyAddress
    let target: ListenerTarget

    func isSame(as other: Listener) -> Bool {
      object == other.object && address.isSame(as: other.address) && target.isSame(as: other.target)
    }
  }

  private struct State {
    var listeners: [Listener] = []
    /// The callbacks by their number; 0 is the device's clock without any.
    var clients: [UInt: DeviceClient] = [:]
    var nextClient: UInt = 1
  }

  private let hardware: SimulatedHardware
  private let state = Locked(State())

  package init(_ hardware: SimulatedHardware) {
    self.hardware = hardware
    hardware.observe { [weak self] event in
      if case .configurationChanged(let former) = event { self?.tellOfChange(from: former) }
    }
  }

  // MARK: Properties

  private var isRunning: Bool { state.withLock { $0.clients.values.contains { $0.isRunning } } }

  /// The value at an address.
  /// - Throws: `kAudioHardwareBadObjectError`, `kAudioHardwareUnknownPropertyError`.
  package func value(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ qualifier: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(AudioStatus) -> CValue {
    guard let object = HardwareObject(id) else { throw AudioStatus(kAudioHardwareBadObjectError) }
    let properties = HardwareProperties(
      configuration: hardware.configuration, sampleRates: hardware.sampleRates, isRunning: isRunning)
    guard let value = properties.value(object, address, qualifier: qualifier) else {
      throw AudioStatus(kAudioHardwareUnknownPropertyError)
    }
    return value
  }

  package func isSettable(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> Bool {
    let settable: Set<AudioObjectPropertySelector> =
      switch HardwareObject(id) {
      case .system:
        [
          kAudioHardwarePropertyDefaultInputDevice, kAudioHardwarePropertyDefaultOutputDevice,
          kAudioHardwarePropertyDefaultSystemOutputDevice, kAudioHardwarePropertyRunLoop,
          kAudioHardwarePropertyMixStereoToMono, kAudioHardwarePropertyProcessIsAudible,
          kAudioHardwarePropertySleepingIsAllowed, kAudioHardwarePropertyUnloadingIsAllowed,
          kAudioHardwarePropertyHogModeIsAllowed, kAudioHardwarePropertyUserIDChanged,
          kAudioHardwarePropertyProcessInputMute, kAudioHardwarePropertyPowerHint,
        ]
      case .device:
        [
          kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyBufferSize,
          kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat, kAudioDevicePropertyHogMode,
        ]
      case .outputStream, .inputStream: [kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat]
      case nil: []
      }
    return settable.contains(address.mSelector)
  }

  /// Writes a property. A value without effect on simulated hardware is accepted as it is.
  package func setValue(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ data: UnsafeRawBufferPointer
  ) throws(AudioStatus) {
    let present = try value(id, address)
    guard isSettable(id, address) else {
      throw AudioStatus(kAudioHardwareUnsupportedOperationError)
    }
    // A rate may come as a range of one rate, as programs write it.
    guard data.count >= present.size else { throw AudioStatus(kAudioHardwareBadPropertySizeError) }
    let former = hardware.configuration
    switch address.mSelector {
    case kAudioHardwarePropertyDefaultInputDevice, kAudioHardwarePropertyDefaultOutputDevice,
      kAudioHardwarePropertyDefaultSystemOutputDevice:
      guard data.loadUnaligned(as: UInt32.self) == SimulatedHardware.deviceID else {
        throw AudioStatus(kAudioHardwareBadDeviceError)
      }
    case kAudioDevicePropertyNominalSampleRate: try setRate(data.loadUnaligned(as: Double.self))
    case kAudioDevicePropertyBufferFrameSize: try setFrames(Int(data.loadUnaligned(as: UInt32.self)))
    case kAudioDevicePropertyBufferSize:
      try setFrames(Int(data.loadUnaligned(as: UInt32.self)) / former.streamFormat.bytesPerFrame)
    case kAudioDevicePropertyStreamFormat, kAudioStreamPropertyPhysicalFormat:
      let isInput =
        HardwareObject(id) == .inputStream || address.mScope == kAudioDevicePropertyScopeInput
      try setFormat(data.loadUnaligned(as: AudioStreamBasicDescription.self), former, isInput: isInput)
    default: break
    }
    tellOfChange(from: former)
  }

  private func setRate(_ rate: Double) throws(AudioStatus) {
    do {
      try hardware.setSampleRate(rate)
    } catch {
      throw AudioStatus(kAudioDeviceUnsupportedFormatError)
    }
  }

  private func setFrames(_ frames: Int) throws(AudioStatus) {
    do {
      try hardware.setBufferFrames(frames)
    } catch {
      throw AudioStatus(kAudioHardwareIllegalOperationError)
    }
  }

  /// Only the rate of a stream's format can be changed.
  private func setFormat(
    _ format: AudioStreamBasicDescription, _ configuration: DeviceConfiguration, isInput: Bool
  ) throws(AudioStatus) {
    let mine = HardwareProperties(configuration: configuration, isRunning: false).format(isInput)
    guard format.mFormatID == mine.mFormatID, format.mFormatFlags == mine.mFormatFlags,
      format.mBytesPerFrame == mine.mBytesPerFrame, format.mChannelsPerFrame == mine.mChannelsPerFrame,
      format.mBitsPerChannel == mine.mBitsPerChannel
    else { throw AudioStatus(kAudioDeviceUnsupportedFormatError) }
    try setRate(format.mSampleRate)
  }

  // MARK: Listeners

  package func addListener(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ proc: @escaping AudioObjectPropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?
  ) throws(AudioStatus) { try addListener(id, address, .function(proc, UInt(bitPattern: userData))) }

  package func removeListener(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ proc: @escaping AudioObjectPropertyListenerProc,
    _ userData: UnsafeMutableRawPointer?
  ) throws(AudioStatus) { try removeListener(id, address, .function(proc, UInt(bitPattern: userData))) }

  package func addListener(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ target: ListenerTarget
  ) throws(AudioStatus) {
    try changeListeners(Listener(object: id, address: address, target: target)) { (listeners, listener) in
      if !listeners.contains(where: listener.isSame) { listeners.append(listener) }
    }
  }

  package func removeListener(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ target: ListenerTarget
  ) throws(AudioStatus) {
    try changeListeners(Listener(object: id, address: address, target: target)) { (listeners, listener) in
      listeners.removeAll(where: listener.isSame)
    }
  }

  private func changeListeners(
    _ listener: Listener, _ change: (inout [Listener], Listener) -> Void
  ) throws(AudioStatus) {
    guard HardwareObject(listener.object) != nil else { throw AudioStatus(kAudioHardwareBadObjectError) }
    state.withLock { state in change(&state.listeners, listener) }
  }

  private func tellOfChange(from former: DeviceConfiguration) {
    let present = hardware.configuration
    if present.sampleRate != former.sampleRate {
      for selector in [
        kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyActualSampleRate, kAudioDevicePropertyStreamFormat,
        kAudioStreamPropertyPhysicalFormat,
      ] {
        tell(SimulatedHardware.deviceID, selector)
      }
      for stream in [SimulatedHardware.outputStreamID, SimulatedHardware.inputStreamID] {
        tell(stream, kAudioStreamPropertyVirtualFormat)
        tell(stream, kAudioStreamPropertyPhysicalFormat)
      }
    }
    if present.bufferFrames != former.bufferFrames {
      tell(SimulatedHardware.deviceID, kAudioDevicePropertyBufferFrameSize)
      tell(SimulatedHardware.deviceID, kAudioDevicePropertyBufferSize)
    }
  }

  private func tell(_ id: AudioObjectID, _ selector: AudioObjectPropertySelector) {
    let address = AudioObjectPropertyAddress(selector)
    for listener in state.withLock({ $0.listeners }) where listener.object == id && listener.address.hears(selector) {
      listener.target.call(id, address)
    }
  }

  // MARK: Callbacks

  /// Registers a callback.
  /// - Parameter isItsOwnNumber: the older way: the function's address is the number, and it is registered once.
  /// - Returns: a number of its own, which goes for a pointer to a function and is none.
  package func addClient(
    _ id: AudioObjectID, _ proc: @escaping AudioDeviceIOProc, _ userData: UnsafeMutableRawPointer?,
    isItsOwnNumber: Bool = false
  ) throws(AudioStatus) -> UInt {
    try addClient(id, .function(proc, userData), number: isItsOwnNumber ? functionAddress(proc) : nil)
  }

  /// Registers the function or block of a callback.
  /// - Parameter given: the number that it gets; nil: one of its own.
  func addClient(
    _ id: AudioObjectID, _ callback: DeviceCallback, number given: UInt? = nil
  ) throws(AudioStatus) -> UInt {
    try checkDevice(id)
    let client = DeviceClient(hardware, callback)
    let number: UInt? = state.withLock { state in
      let number = given ?? state.nextClient
      if state.clients[number] != nil { return nil }
      if given == nil { state.nextClient += 1 }
      state.clients[number] = client
      return number
    }
    guard let number else { throw AudioStatus(kAudioHardwareIllegalOperationError) }
    return number
  }

  /// Stops a callback and forgets it.
  package func removeClient(_ id: AudioObjectID, _ number: UInt) throws(AudioStatus) {
    try checkDevice(id)
    guard let client = state.withLock({ $0.clients.removeValue(forKey: number) }) else {
      throw AudioStatus(kAudioHardwareIllegalOperationError)
    }
    client.stop()
  }

  /// Starts a callback, or with number 0 the device's clock alone.
  package func start(_ id: AudioObjectID, _ number: UInt) throws(AudioStatus) { try client(id, number).start() }

  package func stop(_ id: AudioObjectID, _ number: UInt) throws(AudioStatus) { try client(id, number).stop() }

  /// Starts a callback that is called from a time on.
  /// - Parameter isInput: the time is that of the input.
  /// - Returns: the time at which its first cycle is expected.
  package func start(
    _ id: AudioObjectID, _ number: UInt, at time: AudioTimeStamp, isInput: Bool
  ) throws(AudioStatus) -> AudioTimeStamp {
    let client = try client(id, number)
    let moment = try DeviceMoment(time)
    // A time of the clock that runs is the same moment of all callbacks.
    let clock = clockClient?.clock
    let hostTime = clock.flatMap { $0.hostTime(of: moment) } ?? moment.hostTime
    let start = DeviceMoment(sampleTime: hostTime == nil ? moment.sampleTime : nil, hostTime: hostTime)
    try client.start(notBefore: start, isInput: isInput)
    return (clock ?? client.clock).boundary(at: moment) ?? time
  }

  /// The present time of the device.
  /// - Throws: 'stop' where nothing runs on it.
  package func currentTime(_ id: AudioObjectID) throws(AudioStatus) -> AudioTimeStamp {
    AudioTimeStamp(try clock(id).present)
  }

  /// A moment by all of its measures.
  package func translated(_ id: AudioObjectID, _ time: AudioTimeStamp) throws(AudioStatus) -> AudioTimeStamp {
    AudioTimeStamp(try clock(id).time(of: DeviceMoment(time)))
  }

  /// The beginning of the first cycle at a time or behind it, of those to come.
  package func nearestStart(_ id: AudioObjectID, _ time: AudioTimeStamp) throws(AudioStatus) -> AudioTimeStamp {
    guard let start = try clock(id).boundary(at: DeviceMoment(time)) else {
      throw AudioStatus(kAudioHardwareNotRunningError)
    }
    return start
  }

  /// The callback whose clock is the device's: of those that run the one that was registered first.
  private var clockClient: DeviceClient? {
    state.withLock { state in
      state.clients.filter { $0.value.isRunning && $0.value.clock.hasBegun }.min { $0.key < $1.key }?.value
    }
  }

  private func clock(_ id: AudioObjectID) throws(AudioStatus) -> CallbackClock {
    try checkDevice(id)
    guard let client = clockClient else { throw AudioStatus(kAudioHardwareNotRunningError) }
    return client.clock
  }

  private func client(_ id: AudioObjectID, _ number: UInt) throws(AudioStatus) -> DeviceClient {
    try checkDevice(id)
    let client = state.withLock { state in
      if number == 0 && state.clients[0] == nil { state.clients[0] = DeviceClient(hardware, nil) }
      return state.clients[number]
    }
    guard let client else { throw AudioStatus(kAudioHardwareIllegalOperationError) }
    return client
  }

  private func checkDevice(_ id: AudioObjectID) throws(AudioStatus) {
    guard id == SimulatedHardware.deviceID else { throw AudioStatus(kAudioHardwareBadDeviceError) }
  }
}

extension AudioObjectPropertyAddress {
  /// Makes an address for a whole object, or for one side of it.
  init(_ selector: AudioObjectPropertySelector, scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal) {
    self.init(mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
  }

  func isSame(as other: AudioObjectPropertyAddress) -> Bool {
    mSelector == other.mSelector && mScope == other.mScope && mElement == other.mElement
  }

  /// True when a listener at this address is called for a property of the whole object.
  fileprivate func hears(_ selector: AudioObjectPropertySelector) -> Bool {
    mSelector == selector || mSelector == kAudioObjectPropertySelectorWildcard
  }
}
