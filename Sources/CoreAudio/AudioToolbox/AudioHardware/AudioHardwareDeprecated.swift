// AudioHardwareDeprecated.h: listeners and callbacks as they were before there were addresses and identifiers. The
// listeners are kept here and called through those of AudioHardware.h.

import AudioCore
import CAudioToolbox

/// A listener of the older kind. The hardware knows it by a number, so that a call that comes late finds nothing.
private final class OlderListener: @unchecked Sendable {
  enum Proc {
    case hardware(AudioHardwarePropertyListenerProc)
    case device(AudioDevicePropertyListenerProc, channel: UInt32, isInput: Bool)
  }

  let object: AudioObjectID
  let address: AudioObjectPropertyAddress
  let proc: Proc
  let userData: UInt

  init(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ proc: Proc, _ userData: UnsafeMutableRawPointer?
  ) {
    self.object = object
    self.address = address
    self.proc = proc
    self.userData = UInt(bitPattern: userData)
  }

  /// The function, as a number to know it by.
  var function: UInt {
    switch proc {
    case .hardware(let proc): functionAddress(proc)
    case .device(let proc, _, _): functionAddress(proc)
    }
  }

  func call(_ selector: AudioObjectPropertySelector) {
    let data = UnsafeMutableRawPointer(bitPattern: userData)
    switch proc {
    case .hardware(let proc): _ = proc(selector, data)
    case .device(let proc, let channel, let isInput): _ = proc(object, channel, isInput, selector, data)
    }
  }

  func isAt(_ other: AudioObjectPropertyAddress, of object: AudioObjectID) -> Bool {
    self.object == object && address.isSame(as: other)
  }

  private struct Registry {
    var listeners: [UInt: OlderListener] = [:]
    var lastNumber: UInt = 0
  }
  private static let registry = Locked(Registry())

  /// The function that the hardware calls for all of them; the listener's number is its user data.
  private static let relay: AudioObjectPropertyListenerProc = { _, count, addresses, userData in
    let number = UInt(bitPattern: userData)
    guard let listener = registry.withLock({ $0.listeners[number] }) else { return noErr }
    for address in UnsafeBufferPointer(start: addresses, count: Int(count)) { listener.call(address.mSelector) }
    return noErr
  }

  private func isSame(as other: OlderListener) -> Bool {
    function == other.function && userData == other.userData && isAt(other.address, of: other.object)
  }

  /// Adding the same again changes nothing.
  func add() throws(AudioStatus) {
    let number = Self.registry.withLock { registry -> UInt? in
      if registry.listeners.values.contains(where: isSame) { return nil }
      registry.lastNumber += 1
      registry.listeners[registry.lastNumber] = self
      return registry.lastNumber
    }
    guard let number else { return }
    do {
      try AudioHardware.shared.addListener(object, address, Self.relay, UnsafeMutableRawPointer(bitPattern: number))
    } catch {
      Self.registry.withLock { registry in registry.listeners[number] = nil }
      throw error
    }
  }

  static func remove(
    _ function: UInt, _ object: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(AudioStatus) {
    let ended = registry.withLock { registry in
      let ended = registry.listeners.filter { $0.value.function == function && $0.value.isAt(address, of: object) }
      for number in ended.keys { registry.listeners[number] = nil }
      return ended.keys
    }
    for number in ended {
      try AudioHardware.shared.removeListener(object, address, relay, UnsafeMutableRawPointer(bitPattern: number))
    }
  }
}

private func address(
  _ selector: AudioObjectPropertySelector, channel: UInt32, isInput: Bool
) -> AudioObjectPropertyAddress {
  AudioObjectPropertyAddress(
    mSelector: selector, mScope: isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput,
    mElement: channel)
}

/// Calls a function when a property of the system object changes. Adding it again changes nothing; 'nope' for a null
/// function.
@c @implementation
public func AudioHardwareAddPropertyListener(
  _ inPropertyID: AudioHardwarePropertyID, _ inProc: @escaping AudioHardwarePropertyListenerProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status(
    try OlderListener(
      kAudioObjectSystemObject, AudioObjectPropertyAddress(inPropertyID), .hardware(inProc), inClientData
    ).add())
}

/// Removes a listener of the system object whatever data it was added with; 0 where there is none.
@c @implementation
public func AudioHardwareRemovePropertyListener(
  _ inPropertyID: AudioHardwarePropertyID, _ inProc: @escaping AudioHardwarePropertyListenerProc
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status(
    try OlderListener.remove(
      functionAddress(inProc), kAudioObjectSystemObject, AudioObjectPropertyAddress(inPropertyID)))
}

/// Calls a function when a property of a device changes: channel 0 is the device itself. '!obj' for an object that does
/// not exist, 'nope' for a null function.
@c @implementation
public func AudioDeviceAddPropertyListener(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool, _ inPropertyID: AudioDevicePropertyID,
  _ inProc: @escaping AudioDevicePropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status(
    try OlderListener(
      inDevice, address(inPropertyID, channel: inChannel, isInput: isInput),
      .device(inProc, channel: inChannel, isInput: isInput), inClientData
    ).add())
}

/// Removes a listener of a device, added for the same channel, side and property, whatever data it was added with.
@c @implementation
public func AudioDeviceRemovePropertyListener(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool, _ inPropertyID: AudioDevicePropertyID,
  _ inProc: @escaping AudioDevicePropertyListenerProc
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status(
    try OlderListener.remove(
      functionAddress(inProc), inDevice, address(inPropertyID, channel: inChannel, isInput: isInput)))
}

/// Registers a callback whose address is its identifier. 'nope' where it is registered already, '!dev' for an unknown
/// device.
@c @implementation
public func AudioDeviceAddIOProc(
  _ inDevice: AudioDeviceID, _ inProc: @escaping AudioDeviceIOProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status(_ = try AudioHardware.shared.addClient(inDevice, inProc, inClientData, isItsOwnNumber: true))
}

/// Stops a callback and forgets it. 'nope' where it is not registered.
@c @implementation
public func AudioDeviceRemoveIOProc(_ inDevice: AudioDeviceID, _ inProc: @escaping AudioDeviceIOProc) -> OSStatus {
  let number = functionAddress(inProc)
  if number == 0 { return kAudioHardwareIllegalOperationError }
  return status(try AudioHardware.shared.removeClient(inDevice, number))
}
