// AudioSession.h: the process-wide audio session of old mobile programs.

import CAudioToolbox

/// AudioSessionInitialize; Swift cannot name a function after a header where that has CoreFoundation's types. The run
/// loop and its mode are not needed: nothing interrupts a session here, and listeners are called where the change is
/// made.
@c(AudioSessionInitialize)
public func _audioSessionInitialize(
  _ inRunLoop: UnsafeMutableRawPointer?, _ inRunLoopMode: UnsafeMutableRawPointer?,
  _ inInterruptionListener: AudioSessionInterruptionListener?, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  recorded(function: "AudioSessionInitialize") {
    AudioSession.shared.initialize(inInterruptionListener, inClientData)
  }
}

/// Marks the session as active or not, which changes nothing else here. '!ini' before AudioSessionInitialize.
@c @implementation
public func AudioSessionSetActive(_ active: Bool) -> OSStatus {
  recorded(nil, "\(active)") { AudioSession.shared.setActive(active) }
}

/// The one flag there is tells other programs of a deactivation; there are none.
@c @implementation
public func AudioSessionSetActiveWithFlags(_ active: Bool, _ inFlags: UInt32) -> OSStatus {
  recorded(nil, "\(active), flags \(inFlags)") { AudioSession.shared.setActive(active) }
}

/// Reads a property. The size is the room in bytes on the way in and what was written on the way out; '!ini' before
/// AudioSessionInitialize, 'pty?' for a property that is unknown or cannot be read, '!siz' for too little room.
@c @implementation
public func AudioSessionGetProperty(
  _ inID: AudioSessionPropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  recorded(nil, CallText.property(inID), result: CallText.value(inID, outData, ioDataSize.pointee)) {
    if isNull(ioDataSize) || isNull(outData) { return kAudio_ParamError }
    return AudioSession.shared.property(inID, ioDataSize, outData)
  }
}

/// Sets a property. Preferred rate and buffer are the simulated hardware's where it can have them; '!cat' for what the
/// category does not allow, 'pty?' for a property or value that is unknown, '!siz' for a wrong size.
@c @implementation
public func AudioSessionSetProperty(
  _ inID: AudioSessionPropertyID, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus {
  recorded(nil, "\(CallText.property(inID)) = \(CallText.value(inID, inData, inDataSize))") {
    if isNull(inData) { return kAudio_ParamError }
    return AudioSession.shared.setProperty(inID, inDataSize, inData)
  }
}

/// A property's size in bytes. 'pty?' for a property that is unknown.
@c @implementation
public func AudioSessionGetPropertySize(
  _ inID: AudioSessionPropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  recorded(nil, CallText.property(inID)) {
    if isNull(outDataSize) { return kAudio_ParamError }
    return AudioSession.shared.propertySize(inID, outDataSize)
  }
}

/// Calls a function when a property changes, on the thread that changes it. Only the route and the hardware's rate
/// change here.
@c @implementation
public func AudioSessionAddPropertyListener(
  _ inID: AudioSessionPropertyID, _ inProc: @escaping AudioSessionPropertyListener,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  recorded(nil, CallText.property(inID)) {
    isMissing(inProc) ? kAudio_ParamError : AudioSession.shared.addListener(inID, inProc, inClientData)
  }
}

/// Removes all listeners of a property, those of other callers too.
@c @implementation
public func AudioSessionRemovePropertyListener(_ inID: AudioSessionPropertyID) -> OSStatus {
  recorded(nil, CallText.property(inID)) { AudioSession.shared.removeListeners(inID) }
}

/// Removes a listener that was added with this function and data; 0 where there is none.
@c @implementation
public func AudioSessionRemovePropertyListenerWithUserData(
  _ inID: AudioSessionPropertyID, _ inProc: @escaping AudioSessionPropertyListener,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  recorded(nil, CallText.property(inID)) {
    isMissing(inProc) ? kAudio_ParamError : AudioSession.shared.removeListener(inID, inProc, inClientData)
  }
}
