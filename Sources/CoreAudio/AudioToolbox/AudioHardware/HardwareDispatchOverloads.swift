// The functions of the hardware that take a dispatch queue, for the queues of Swift. Compiled twice: into the library, and
// into the module that `make install` puts in place. So this file calls nothing but what the C headers declare.

import CAudioToolbox
import Dispatch

/// As the C function of the same name, for the queues of Swift.
/// - Parameters:
///   - inObjectID: the object of the property.
///   - inAddress: the property; the wildcard selector matches all of them.
///   - inDispatchQueue: the queue on which the block is called; nil: the thread that changes the property.
///   - inListener: gets the number of addresses and the addresses.
/// - Returns: as the C function.
@_disfavoredOverload
public func AudioObjectAddPropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
  guard let inDispatchQueue else {
    return AudioObjectAddPropertyListenerBlock(inObjectID, inAddress, nil as OpaquePointer?, inListener)
  }
  nonisolated(unsafe) let listener = inListener
  return AudioObjectAddPropertyListenerBlock(inObjectID, inAddress, nil as OpaquePointer?) { count, addresses in
    let copies = Array(UnsafeBufferPointer(start: addresses, count: Int(count)))
    inDispatchQueue.async { copies.withUnsafeBufferPointer { $0.baseAddress.map { listener(count, $0) } } }
  }
}

/// As the C function of the same name, for the queues of Swift. A closure of Swift is another block each time that it is
/// handed over, here as on a Mac, and is not found.
/// - Parameters:
///   - inObjectID: the object of the property.
///   - inAddress: the property.
///   - inDispatchQueue: the queue that the block was added with.
///   - inListener: the block.
/// - Returns: as the C function.
@_disfavoredOverload
public func AudioObjectRemovePropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
  AudioObjectRemovePropertyListenerBlock(inObjectID, inAddress, nil as OpaquePointer?, inListener)
}

/// As the C function of the same name, for the queues of Swift.
/// - Parameters:
///   - outIOProcID: gets the identifier, which AudioDeviceDestroyIOProcID ends.
///   - inDevice: the device.
///   - inDispatchQueue: the queue on which the block is called, for which the device's thread waits; nil: that thread.
///   - inIOBlock: gets the time, the input and its time, the output and its time.
/// - Returns: as the C function.
@_disfavoredOverload
public func AudioDeviceCreateIOProcIDWithBlock(
  _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>, _ inDevice: AudioObjectID,
  _ inDispatchQueue: DispatchQueue?, _ inIOBlock: @escaping AudioDeviceIOBlock
) -> OSStatus {
  guard let inDispatchQueue else {
    return AudioDeviceCreateIOProcIDWithBlock(outIOProcID, inDevice, nil as OpaquePointer?, inIOBlock)
  }
  return AudioDeviceCreateIOProcIDWithBlock(outIOProcID, inDevice, nil as OpaquePointer?) {
    now, input, inputTime, output, outputTime in
    inDispatchQueue.sync { inIOBlock(now, input, inputTime, output, outputTime) }
  }
}
