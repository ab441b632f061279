// AudioSession.h: the process-wide audio session of old mobile programs.

import CAudioToolbox

/// AudioSessionInitialize; Swift cannot name a function after a header where that has CoreFoundation's types. The run
/// loop and its mode are not needed: nothing interrupts a session here, and listeners are called where the change is made.
@c(AudioSessionInitialize)
public func _audioSessionInitialize(
  _ inRunLoop: UnsafeMutableRawPointer?, _ inRunLoopMode: UnsafeMutableRawPointer?,
  _ inInterruptionListener: AudioSessionInterruptionListener?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  AudioSession.shared.initialize(inInterruptionListener, inClientData)
}

@c @implementation
public func AudioSessionSetActive(_ active: Bool) -> OSStatus { AudioSession.shared.setActive(active) }

/// The one flag there is tells other programs of a deactivation; there are none.
@c @implementation
public func AudioSessionSetActiveWithFlags(_ active: Bool, _ inFlags: UInt32) -> OSStatus {
  AudioSession.shared.setActive(active)
}

@c @implementation
public func AudioSessionGetProperty(
  _ inID: AudioSessionPropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  if isNull(ioDataSize) || isNull(outData) { return kAudio_ParamError }
  return AudioSession.shared.property(inID, ioDataSize, outData)
}

@c @implementation
public func AudioSessionSetProperty(
  _ inID: AudioSessionPropertyID, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus {
  if isNull(inData) { return kAudio_ParamError }
  return AudioSession.shared.setProperty(inID, inDataSize, inData)
}

@c @implementation
public func AudioSessionGetPropertySize(
  _ inID: AudioSessionPropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  if isNull(outDataSize) { return kAudio_ParamError }
  return AudioSession.shared.propertySize(inID, outDataSize)
}

@c @implementation
public func AudioSessionAddPropertyListener(
  _ inID: AudioSessionPropertyID, _ inProc: @escaping AudioSessionPropertyListener,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if unsafeBitCast(inProc, to: UInt.self) == 0 { return kAudio_ParamError }
  return AudioSession.shared.addListener(inID, inProc, inClientData)
}

@c @implementation
public func AudioSessionRemovePropertyListener(_ inID: AudioSessionPropertyID) -> OSStatus {
  AudioSession.shared.removeListeners(inID)
}

@c @implementation
public func AudioSessionRemovePropertyListenerWithUserData(
  _ inID: AudioSessionPropertyID, _ inProc: @escaping AudioSessionPropertyListener,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if unsafeBitCast(inProc, to: UInt.self) == 0 { return kAudio_ParamError }
  return AudioSession.shared.removeListener(inID, inProc, inClientData)
}
