// AudioHardwareDeprecated.h: listeners and callbacks as they were before there were addresses and identifiers. The
// listeners are kept here and hear through those of AudioHardware.h.

import AudioCore
import CAudioToolbox

/// A listener of the older kind. Never freed once added: a call to it may be under way when it is removed.
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
    case .hardware(let proc): unsafeBitCast(proc, to: UInt.self)
    case .device(let proc, _, _): unsafeBitCast(proc, to: UInt.self)
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
    self.object == object && address.mSelector == other.mSelector && address.mScope == other.mScope
      && address.mElement == other.mElement
  }

  static let all = Locked<[OlderListener]>([])

  /// What the hardware calls for all of them; the listener is its user data.
  private static let relay: AudioObjectPropertyListenerProc = { _, count, addresses, userData in
    guard let userData else { return noErr }
    let listener = Unmanaged<OlderListener>.fromOpaque(userData).takeUnretainedValue()
    for address in UnsafeBufferPointer(start: addresses, count: Int(count)) { listener.call(address.mSelector) }
    return noErr
  }

  func add() throws(AudioStatus) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    try AudioHardware.shared.addListener(object, address, Self.relay, me)
    _ = Unmanaged.passRetained(self)
    Self.all.withLock { $0.append(self) }
  }

  static func remove(
    _ function: UInt, _ object: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(AudioStatus) {
    let ended = all.withLock { all in
      let ended = all.filter { $0.function == function && $0.isAt(address, of: object) }
      all.removeAll { listener in ended.contains { $0 === listener } }
      return ended
    }
    for listener in ended {
      let pointer = Unmanaged.passUnretained(listener).toOpaque()
      try AudioHardware.shared.removeListener(object, address, relay, pointer)
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

private func systemAddress(_ selector: AudioObjectPropertySelector) -> AudioObjectPropertyAddress {
  AudioObjectPropertyAddress(
    mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
}

@c @implementation
public func AudioHardwareAddPropertyListener(
  _ inPropertyID: AudioHardwarePropertyID, _ inProc: @escaping AudioHardwarePropertyListenerProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in
    try OlderListener(kAudioObjectSystemObject, systemAddress(inPropertyID), .hardware(inProc), inClientData).add()
  }
}

@c @implementation
public func AudioHardwareRemovePropertyListener(
  _ inPropertyID: AudioHardwarePropertyID, _ inProc: @escaping AudioHardwarePropertyListenerProc
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in
    try OlderListener.remove(
      unsafeBitCast(inProc, to: UInt.self), kAudioObjectSystemObject, systemAddress(inPropertyID))
  }
}

@c @implementation
public func AudioDeviceAddPropertyListener(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool, _ inPropertyID: AudioDevicePropertyID,
  _ inProc: @escaping AudioDevicePropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in
    try OlderListener(
      inDevice, address(inPropertyID, channel: inChannel, isInput: isInput),
      .device(inProc, channel: inChannel, isInput: isInput), inClientData
    ).add()
  }
}

@c @implementation
public func AudioDeviceRemovePropertyListener(
  _ inDevice: AudioDeviceID, _ inChannel: UInt32, _ isInput: Bool, _ inPropertyID: AudioDevicePropertyID,
  _ inProc: @escaping AudioDevicePropertyListenerProc
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in
    try OlderListener.remove(
      unsafeBitCast(inProc, to: UInt.self), inDevice, address(inPropertyID, channel: inChannel, isInput: isInput))
  }
}

@c @implementation
public func AudioDeviceAddIOProc(
  _ inDevice: AudioDeviceID, _ inProc: @escaping AudioDeviceIOProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in
    _ = try AudioHardware.shared.addClient(inDevice, inProc, inClientData, isItsOwnNumber: true)
  }
}

@c @implementation
public func AudioDeviceRemoveIOProc(_ inDevice: AudioDeviceID, _ inProc: @escaping AudioDeviceIOProc) -> OSStatus {
  let number = unsafeBitCast(inProc, to: UInt.self)
  if number == 0 { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in try AudioHardware.shared.removeClient(inDevice, number) }
}
