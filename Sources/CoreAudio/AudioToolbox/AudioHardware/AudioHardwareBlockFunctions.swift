// AudioHardware.h: listeners and callbacks that are blocks. A block and a queue of C cannot be parameters of a function
// that implements a header on Linux: these come in under their C names with plain pointers.

import AudioCore
import CAudioToolbox

/// AudioObjectAddPropertyListenerBlock: calls a block when a property changes, on a queue or, without one, on the thread
/// that changes it. '!obj' for an object that does not exist, 'nope' for a null pointer.
@c(AudioObjectAddPropertyListenerBlock)
public func _audioObjectAddPropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>?,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inListener: UnsafeRawPointer?
) -> OSStatus {
  withListenerBlock(inObjectID, inAddress, inDispatchQueue, inListener, function: "AudioObjectAddPropertyListenerBlock")
  {
    (address, target) throws(AudioStatus) in try AudioHardware.shared.addListener(inObjectID, address, target)
  }
}

/// AudioObjectRemovePropertyListenerBlock: removes a block that was added with this address and queue; 0 where there is
/// none.
@c(AudioObjectRemovePropertyListenerBlock)
public func _audioObjectRemovePropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>?,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inListener: UnsafeRawPointer?
) -> OSStatus {
  withListenerBlock(
    inObjectID, inAddress, inDispatchQueue, inListener, function: "AudioObjectRemovePropertyListenerBlock"
  ) {
    (address, target) throws(AudioStatus) in try AudioHardware.shared.removeListener(inObjectID, address, target)
  }
}

private func withListenerBlock(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?, _ queue: UnsafeMutableRawPointer?,
  _ block: UnsafeRawPointer?, function: StaticString,
  _ body: (AudioObjectPropertyAddress, ListenerTarget) throws(AudioStatus) -> Void
) -> OSStatus {
  guard let address, let block = ListenerBlock(block, queue) else { return kAudioHardwareIllegalOperationError }
  return recorded(nil, CallText.property(object, address.pointee, nil, 0), function: function) {
    status { () throws(AudioStatus) in try body(address.pointee, .block(block)) }
  }
}

/// AudioDeviceCreateIOProcIDWithBlock: registers a block as a callback of the device, which waits for it where it is
/// called on a queue. '!dev' for an unknown device, 'nope' for a null pointer.
@c(AudioDeviceCreateIOProcIDWithBlock)
public func _audioDeviceCreateIOProcIDWithBlock(
  _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>?, _ inDevice: AudioObjectID,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inIOBlock: UnsafeRawPointer?
) -> OSStatus {
  guard let outIOProcID, let block = HeldBlock(inIOBlock) else { return kAudioHardwareIllegalOperationError }
  return recorded(nil, function: "AudioDeviceCreateIOProcIDWithBlock") {
    status { () throws(AudioStatus) in
      let number = try AudioHardware.shared.addClient(inDevice, .block(block, CDispatchQueue(inDispatchQueue)))
      outIOProcID.pointee = unsafeBitCast(number, to: AudioDeviceIOProcID?.self)
    }
  }
}
