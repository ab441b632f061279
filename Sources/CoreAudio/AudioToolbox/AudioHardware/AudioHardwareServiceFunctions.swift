// AudioHardwareService.h: the same properties by other functions. Its own, the volume and balance that a person sets,
// are properties that the simulated hardware does not have.

import CAudioToolbox

/// As ``AudioObjectHasProperty(_:_:)``.
@c @implementation
public func AudioHardwareServiceHasProperty(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>
) -> Bool { AudioObjectHasProperty(inObjectID, inAddress) }

/// As ``AudioObjectIsPropertySettable(_:_:_:)``.
@c @implementation
public func AudioHardwareServiceIsPropertySettable(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ outIsSettable: UnsafeMutablePointer<Bool>
) -> OSStatus { AudioObjectIsPropertySettable(inObjectID, inAddress, outIsSettable) }

/// As ``AudioObjectGetPropertyDataSize(_:_:_:_:_:)``.
@c @implementation
public func AudioHardwareServiceGetPropertyDataSize(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
  _ inQualifierData: UnsafeRawPointer?, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  AudioObjectGetPropertyDataSize(inObjectID, inAddress, inQualifierDataSize, inQualifierData, outDataSize)
}

/// As ``AudioObjectGetPropertyData(_:_:_:_:_:_:)``; 'who?' for the volume and the balance, which the device does not
/// have.
@c @implementation
public func AudioHardwareServiceGetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
  _ inQualifierData: UnsafeRawPointer?, _ ioDataSize: UnsafeMutablePointer<UInt32>,
  _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  AudioObjectGetPropertyData(inObjectID, inAddress, inQualifierDataSize, inQualifierData, ioDataSize, outData)
}

/// As ``AudioObjectSetPropertyData(_:_:_:_:_:_:)``; 'who?' for the volume and the balance, which the device does not
/// have.
@c @implementation
public func AudioHardwareServiceSetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>, _ inQualifierDataSize: UInt32,
  _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32, _ inData: UnsafeRawPointer
) -> OSStatus {
  AudioObjectSetPropertyData(inObjectID, inAddress, inQualifierDataSize, inQualifierData, inDataSize, inData)
}

/// As ``AudioObjectAddPropertyListener(_:_:_:_:)``.
@c @implementation
public func AudioHardwareServiceAddPropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: @escaping AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus { AudioObjectAddPropertyListener(inObjectID, inAddress, inListener, inClientData) }

/// As ``AudioObjectRemovePropertyListener(_:_:_:_:)``.
@c @implementation
public func AudioHardwareServiceRemovePropertyListener(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inListener: @escaping AudioObjectPropertyListenerProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus { AudioObjectRemovePropertyListener(inObjectID, inAddress, inListener, inClientData) }
