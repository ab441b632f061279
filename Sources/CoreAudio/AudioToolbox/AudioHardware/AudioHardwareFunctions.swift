// AudioHardware.h: audio objects, their properties, and callbacks on the device.

import AudioCore
import AudioEngine
import CAudioToolbox
import Glibc
import Hardware

/// Prints what an object is to the standard error, as the systems it comes from print it to their console.
@c @implementation
public func AudioObjectShow(_ inObjectID: AudioObjectID) {
  let name: String =
    switch HardwareObject(inObjectID) {
    case .system: "the audio system"
    case .device: SimulatedHardware.name
    case .outputStream: "output stream of \(SimulatedHardware.name)"
    case .inputStream: "input stream of \(SimulatedHardware.name)"
    case nil: "no such object"
    }
  writeAll("AudioObjectID \(inObjectID): \(name)\n", to: STDERR_FILENO)
}

/// Tells whether an object has a property at an address; false for an object that does not exist.
@c @implementation
public func AudioObjectHasProperty(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>
) -> Bool {
  if isNull(inAddress) { return false }
  return status(_ = try AudioHardware.shared.value(inObjectID, inAddress.pointee)) == noErr
}

/// Tells whether ``AudioObjectSetPropertyData(_:_:_:_:_:_:)`` takes a property. '!obj' and 'who?' for objects and
/// properties that do not exist, 'nope' for a null pointer.
@c @implementation
public func AudioObjectIsPropertySettable(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ outIsSettable: UnsafeMutablePointer<Bool>
) -> OSStatus {
  if isNull(inAddress) || isNull(outIsSettable) { return kAudioHardwareIllegalOperationError }
  return status { () throws(AudioStatus) in
    _ = try AudioHardware.shared.value(inObjectID, inAddress.pointee)
    outIsSettable.pointee = AudioHardware.shared.isSettable(inObjectID, inAddress.pointee)
  }
}

/// A property's size in bytes. '!obj' and 'who?' for objects and properties that do not exist.
@c @implementation
public func AudioObjectGetPropertyDataSize(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
  _ inQualifierData: UnsafeRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  if isNull(inAddress) || isNull(outDataSize) { return kAudioHardwareIllegalOperationError }
  let qualifier = qualifier(inQualifierData, inQualifierDataSize)
  return status(
    outDataSize.pointee = UInt32(try AudioHardware.shared.value(inObjectID, inAddress.pointee, qualifier).size))
}

/// Reads a property of the system object, of the simulated hardware or of its streams. The size is the room in bytes on
/// the way in and what was written on the way out; '!siz' for too little room, '!obj' and 'who?' for what does not
/// exist.
@c @implementation
public func AudioObjectGetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
  _ inQualifierData: UnsafeRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>,
  _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  if isNull(inAddress) || isNull(ioDataSize) || isNull(outData) { return kAudioHardwareIllegalOperationError }
  let qualifier = qualifier(inQualifierData, inQualifierDataSize)
  return recorded(nil, CallText.property(inObjectID, inAddress.pointee, nil, 0)) {
    status { () throws(AudioStatus) in
      try AudioHardware.shared.value(inObjectID, inAddress.pointee, qualifier).write(
        to: outData, size: &ioDataSize.pointee, partly: true,
        orThrow: AudioStatus(kAudioHardwareBadPropertySizeError))
    }
  }
}

/// Sets a property and calls its listeners on this thread. Only the rate and the frames of a cycle have consequences.
/// 'unop' for a property that is only read, '!dat' for a rate or format that the device cannot have, '!siz' for too few
/// bytes.
@c @implementation
public func AudioObjectSetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
  _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus {
  if isNull(inAddress) || isNull(inData) { return kAudioHardwareIllegalOperationError }
  return recorded(nil, CallText.property(inObjectID, inAddress.pointee, inData, inDataSize)) {
    status { () throws(AudioStatus) in
      try AudioHardware.shared.setValue(
        inObjectID, inAddress.pointee, UnsafeRawBufferPointer(start: inData, count: Int(inDataSize)))
    }
  }
}

private func qualifier(_ data: UnsafeRawPointer?, _ size: UInt32) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
}

/// Calls a function when a property changes, on the thread that changes it. The wildcard selector matches all of them;
/// adding the same again changes nothing. '!obj' for an object that does not exist.
@c @implementation
public func AudioObjectAddPropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: @escaping AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isNull(inAddress) || isMissing(inListener) { return kAudioHardwareIllegalOperationError }
  return recorded(nil, CallText.property(inObjectID, inAddress.pointee, nil, 0)) {
    status { () throws(AudioStatus) in
      try AudioHardware.shared.addListener(inObjectID, inAddress.pointee, inListener, inClientData)
    }
  }
}

/// Removes a listener that was added with this address, function and data; 0 where there is none.
@c @implementation
public func AudioObjectRemovePropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: @escaping AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isNull(inAddress) || isMissing(inListener) { return kAudioHardwareIllegalOperationError }
  return recorded(nil, CallText.property(inObjectID, inAddress.pointee, nil, 0)) {
    status { () throws(AudioStatus) in
      try AudioHardware.shared.removeListener(inObjectID, inAddress.pointee, inListener, inClientData)
    }
  }
}

/// Registers a callback of the device, with an identifier of its own that is no function. '!dev' for an unknown device,
/// 'nope' for a null pointer.
@c @implementation
public func AudioDeviceCreateIOProcID(
  _ inDevice: AudioObjectID, _ inProc: @escaping AudioDeviceIOProc, _ inClientData: UnsafeMutableRawPointer?,
  _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>
) -> OSStatus {
  if isMissing(inProc) || isNull(outIOProcID) { return kAudioHardwareIllegalOperationError }
  return recorded {
    status { () throws(AudioStatus) in
      let number = try AudioHardware.shared.addClient(inDevice, inProc, inClientData)
      outIOProcID.pointee = unsafeBitCast(number, to: AudioDeviceIOProcID?.self)
    }
  }
}

/// Stops a callback and forgets it. 'nope' for an identifier that is none.
@c @implementation
public func AudioDeviceDestroyIOProcID(
  _ inDevice: AudioObjectID, _ inIOProcID: @escaping AudioDeviceIOProcID
) -> OSStatus {
  let number = functionAddress(inIOProcID)
  if number == 0 { return kAudioHardwareIllegalOperationError }
  return recorded { status { () throws(AudioStatus) in try AudioHardware.shared.removeClient(inDevice, number) } }
}

/// Starts a callback, on a thread of its own; with null the device's clock alone. 'nope' for an identifier that is
/// none, 'what' where the run cannot start.
@c @implementation
public func AudioDeviceStart(_ inDevice: AudioObjectID, _ inProcID: AudioDeviceIOProcID?) -> OSStatus {
  let number = functionAddress(inProcID)
  return recorded { status { () throws(AudioStatus) in try AudioHardware.shared.start(inDevice, number) } }
}

/// Stops a callback, or with null the device's clock. 'nope' for an identifier that is none.
@c @implementation
public func AudioDeviceStop(_ inDevice: AudioObjectID, _ inProcID: AudioDeviceIOProcID?) -> OSStatus {
  let number = functionAddress(inProcID)
  return recorded { status { () throws(AudioStatus) in try AudioHardware.shared.stop(inDevice, number) } }
}
