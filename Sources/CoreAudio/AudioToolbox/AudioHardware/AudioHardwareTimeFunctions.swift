// AudioHardware.h: the device's time. Its clock is that of the callback that was registered first, of those that run.

import AudioCore
import CAudioToolbox

/// Starts a callback, whose first call is that of the first cycle at a time or behind it.
///
/// - Parameter ioRequestedStartTime: the sample time, else the host time; by the flag of the input that of the input, else
///   of the output. Gets the time that is expected.
/// - Returns: 'nope' for an identifier that is none and for a time that says neither, 'what' where the run cannot start.
@c @implementation
public func AudioDeviceStartAtTime(
  _ inDevice: AudioObjectID, _ inProcID: AudioDeviceIOProcID?,
  _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>, _ inFlags: UInt32
) -> OSStatus {
  if isNull(ioRequestedStartTime) { return kAudioHardwareIllegalOperationError }
  let number = functionAddress(inProcID)
  return recorded {
    status { () throws(AudioStatus) in
      ioRequestedStartTime.pointee = try AudioHardware.shared.start(
        inDevice, number, at: ioRequestedStartTime.pointee, isInput: inFlags & kAudioDeviceStartTimeIsInputFlag != 0)
    }
  }
}

/// The device's time now, by all measures. 'stop' where nothing runs on it, '!dev' for an unknown device.
@c @implementation
public func AudioDeviceGetCurrentTime(
  _ inDevice: AudioObjectID, _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  if isNull(outTime) { return kAudioHardwareIllegalOperationError }
  return recorded {
    status { () throws(AudioStatus) in outTime.pointee = try AudioHardware.shared.currentTime(inDevice) }
  }
}

/// Says a time of the device by the measures for which the flags of `outTime` ask. 'stop' where nothing runs on it,
/// 'nope' for a time that has neither sample time nor host time.
@c @implementation
public func AudioDeviceTranslateTime(
  _ inDevice: AudioObjectID, _ inTime: UnsafePointer<AudioTimeStamp>, _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  if isNull(inTime) || isNull(outTime) { return kAudioHardwareIllegalOperationError }
  return recorded {
    status { () throws(AudioStatus) in
      var time = try AudioHardware.shared.translated(inDevice, inTime.pointee)
      time.mFlags.formIntersection(outTime.pointee.mFlags)
      outTime.pointee = time
    }
  }
}

/// The beginning of the first cycle at a time or behind it, of those to come. 'stop' where nothing runs on the device.
@c @implementation
public func AudioDeviceGetNearestStartTime(
  _ inDevice: AudioObjectID, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>, _ inFlags: UInt32
) -> OSStatus {
  if isNull(ioRequestedStartTime) { return kAudioHardwareIllegalOperationError }
  return recorded {
    status { () throws(AudioStatus) in
      ioRequestedStartTime.pointee = try AudioHardware.shared.nearestStart(inDevice, ioRequestedStartTime.pointee)
    }
  }
}
