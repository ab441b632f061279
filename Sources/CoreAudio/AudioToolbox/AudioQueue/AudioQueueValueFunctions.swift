// AudioQueue.h: parameters, properties, listeners, times, offline rendering and taps.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import Synchronization
import Transcripts

/// ``withQueue(_:_:)``, recorded where calls are.
private func callQueue(
  _ handle: AudioQueueRef?, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (AudioQueueObject) throws(AudioStatus) -> Void
) -> OSStatus {
  recorded(CallSubject(queue: handle), arguments(), result: result(), function: function) { withQueue(handle, body) }
}

// MARK: Parameters

/// The present value of a parameter. -66682 for one that there is not.
@c @implementation
public func AudioQueueGetParameter(
  _ inAQ: AudioQueueRef, _ inParamID: AudioQueueParameterID, _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>
) -> OSStatus {
  if isNull(outValue) { return kAudio_ParamError }
  return callQueue(inAQ, "parameter \(inParamID)", result: NumberText.short(outValue.pointee)) {
    (queue) throws(AudioStatus) in
    guard !queue.isInput else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    guard let value = queue.gain.value(inParamID) else { throw AudioStatus(kAudioQueueErr_InvalidParameter) }
    outValue.pointee = value
  }
}

/// Sets a parameter of a queue that plays, with its next cycle; a value beyond its range counts as the range's end. -66682
/// for one that there is not and for what is no number, -66677 for an input queue.
@c @implementation
public func AudioQueueSetParameter(
  _ inAQ: AudioQueueRef, _ inParamID: AudioQueueParameterID, _ inValue: AudioQueueParameterValue
) -> OSStatus {
  callQueue(inAQ, "parameter \(inParamID) = \(NumberText.short(inValue))") { (queue) throws(AudioStatus) in
    guard !queue.isInput else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    guard queue.gain.set(inParamID, inValue) else { throw AudioStatus(kAudioQueueErr_InvalidParameter) }
  }
}

// MARK: Properties

/// Reads a property. The size is the room in bytes on the way in and what was written on the way out; -66684 for a
/// property that the queue has not, -66683 for too little room. A name is the caller's to release.
@c @implementation
public func AudioQueueGetProperty(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ outData: UnsafeMutableRawPointer,
  _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  if isNull(outData) || isNull(ioDataSize) { return kAudio_ParamError }
  return callQueue(
    inAQ, CallText.property(inID), result: CallText.value(inID, outData, ioDataSize.pointee)
  ) { (queue) throws(AudioStatus) in
    try queue.value(inID).write(
      to: outData, size: &ioDataSize.pointee, orThrow: AudioStatus(kAudioQueueErr_InvalidPropertySize))
  }
}

/// Sets a property: see docs/audio-queues.md. -66684 for one that cannot be set, -66683 for a wrong size, -66675 for a value
/// that it cannot have, -66678 where it is set too late.
@c @implementation
public func AudioQueueSetProperty(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inData: UnsafeRawPointer, _ inDataSize: UInt32
) -> OSStatus {
  callQueue(inAQ, "\(CallText.property(inID)) = \(CallText.value(inID, inData, inDataSize))") {
    (queue) throws(AudioStatus) in
    guard !isNull(inData) else { throw .parameterError }
    try queue.setValue(inID, UnsafeRawBufferPointer(start: inData, count: Int(inDataSize)))
  }
}

/// A property's size in bytes. -66684 for one that the queue has not.
@c @implementation
public func AudioQueueGetPropertySize(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  if isNull(outDataSize) { return kAudio_ParamError }
  return callQueue(inAQ, CallText.property(inID)) { (queue) throws(AudioStatus) in
    outDataSize.pointee = UInt32(clamping: try queue.value(inID).size)
  }
}

/// Calls a function when a property has changed, where the queue's callbacks are called.
@c @implementation
public func AudioQueueAddPropertyListener(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inProc: @escaping AudioQueuePropertyListenerProc,
  _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudio_ParamError }
  return callQueue(inAQ, CallText.property(inID)) { (queue) throws(AudioStatus) in
    try queue.addListener(inID, inProc, inUserData)
  }
}

/// Removes a listener that was added with this function and data; 0 where there is none.
@c @implementation
public func AudioQueueRemovePropertyListener(
  _ inAQ: AudioQueueRef, _ inID: AudioQueuePropertyID, _ inProc: @escaping AudioQueuePropertyListenerProc,
  _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  if isMissing(inProc) { return kAudio_ParamError }
  return callQueue(inAQ, CallText.property(inID)) { (queue) throws(AudioStatus) in
    queue.removeListener(inID, inProc, inUserData)
  }
}

// MARK: Time

/// Makes a timeline, by which breaks in the queue's time are told. -50 without a place for it.
@c @implementation
public func AudioQueueCreateTimeline(
  _ inAQ: AudioQueueRef, _ outTimeline: UnsafeMutablePointer<AudioQueueTimelineRef?>
) -> OSStatus {
  if isNull(outTimeline) { return kAudio_ParamError }
  return callQueue(inAQ) { (queue) throws(AudioStatus) in
    outTimeline.pointee = try queue.addTimeline()
  }
}

/// Ends a timeline. -50 for one that is not this queue's.
@c @implementation
public func AudioQueueDisposeTimeline(_ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef) -> OSStatus {
  callQueue(inAQ) { (queue) throws(AudioStatus) in
    try queue.removeTimeline(inTimeline)
  }
}

/// The frame of the queue that is heard or recorded next; of the time stamp only the sample time is valid. With a timeline
/// also whether its time has had a break since this was last asked. -66678 for a queue that is stopped.
@c @implementation
public func AudioQueueGetCurrentTime(
  _ inAQ: AudioQueueRef, _ inTimeline: AudioQueueTimelineRef?, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>?,
  _ outTimelineDiscontinuity: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  callQueue(inAQ, result: outTimeStamp.map { NumberText.short($0.pointee.mSampleTime) } ?? "") {
    (queue) throws(AudioStatus) in
    let time = try queue.currentTime()
    if let inTimeline {
      let hasBreak: Bool? =
        HandleTable.shared.withObject(inTimeline, QueueTimeline.self) { timeline -> Bool? in
          guard timeline.queue === queue else { return nil }
          let present = queue.discontinuities.load(ordering: .acquiring)
          return timeline.seen.exchange(present, ordering: .relaxed) != present
        } ?? nil
      guard let hasBreak else { throw .parameterError }
      outTimelineDiscontinuity?.pointee = DarwinBoolean(hasBreak)
    } else {
      outTimelineDiscontinuity?.pointee = false
    }
    outTimeStamp?.pointee = AudioTimeStamp(sampleTime: time)
  }
}

/// The present moment of the device that queues play to: sample time, host time and rate. 'stop' where no queue runs.
@c @implementation
public func AudioQueueDeviceGetCurrentTime(
  _ inAQ: AudioQueueRef, _ outTimeStamp: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  if isNull(outTimeStamp) { return kAudio_ParamError }
  return callQueue(inAQ) { (queue) throws(AudioStatus) in
    outTimeStamp.pointee = AudioTimeStamp(try queue.deviceTime())
  }
}

/// The host time of a sample time of the device, or the other way round. 'stop' where no queue runs, -66682 for a moment
/// that has neither.
@c @implementation
public func AudioQueueDeviceTranslateTime(
  _ inAQ: AudioQueueRef, _ inTime: UnsafePointer<AudioTimeStamp>, _ outTime: UnsafeMutablePointer<AudioTimeStamp>
) -> OSStatus {
  if isNull(inTime) || isNull(outTime) { return kAudio_ParamError }
  return callQueue(inAQ) { (queue) throws(AudioStatus) in
    outTime.pointee = try queue.translate(inTime.pointee)
  }
}

/// The nearest time at which a queue can be started; flags must be 0. 'stop' where no queue runs.
@c @implementation
public func AudioQueueDeviceGetNearestStartTime(
  _ inAQ: AudioQueueRef, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>, _ inFlags: UInt32
) -> OSStatus {
  if isNull(ioRequestedStartTime) || inFlags != 0 { return kAudio_ParamError }
  return callQueue(inAQ) { (queue) throws(AudioStatus) in
    ioRequestedStartTime.pointee = try queue.nearestStart(ioRequestedStartTime.pointee)
  }
}

// MARK: Offline rendering

/// Lets the program render a queue in place of the device; without a format, the device again. -66678 unless it is
/// stopped, -66677 for an input queue, 'fmt?' for a format other than linear PCM. The layout is not looked at.
@c @implementation
public func AudioQueueSetOfflineRenderFormat(
  _ inAQ: AudioQueueRef, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inLayout: UnsafePointer<AudioChannelLayout>?
) -> OSStatus {
  callQueue(inAQ, inFormat.map { CallText.file(0, $0) } ?? "none") { (queue) throws(AudioStatus) in
    try queue.setOffline(inFormat?.pointee)
  }
}

/// Renders frames of a queue that has been started into one of its buffers, which says how many bytes these are: fewer where
/// no more was enqueued. -66626 without an offline format, -66687 for a buffer that is too small, enqueued or not this
/// queue's, -66678 for a queue that was not started.
@c @implementation
public func AudioQueueOfflineRender(
  _ inAQ: AudioQueueRef, _ inTimestamp: UnsafePointer<AudioTimeStamp>, _ ioBuffer: AudioQueueBufferRef,
  _ inNumberFrames: UInt32
) -> OSStatus {
  if isNull(inTimestamp) { return kAudio_ParamError }
  return callQueue(inAQ, NumberText.count(inNumberFrames, "frame")) { (queue) throws(AudioStatus) in
    try queue.renderOffline(ioBuffer, frames: inNumberFrames)
  }
}

// MARK: Taps

/// Adds a processing tap to a queue that is stopped; at most one. -66678 where it runs or is paused, -66670 for a second
/// one, -66667 for flags that say neither or both of before and behind effects.
@c @implementation
public func AudioQueueProcessingTapNew(
  _ inAQ: AudioQueueRef, _ inCallback: @escaping AudioQueueProcessingTapCallback,
  _ inClientData: UnsafeMutableRawPointer?, _ inFlags: AudioQueueProcessingTapFlags,
  _ outMaxFrames: UnsafeMutablePointer<UInt32>,
  _ outProcessingFormat: UnsafeMutablePointer<AudioStreamBasicDescription>,
  _ outAQTap: UnsafeMutablePointer<AudioQueueProcessingTapRef?>
) -> OSStatus {
  if isMissing(inCallback) || isNull(outMaxFrames) || isNull(outProcessingFormat) || isNull(outAQTap) {
    return kAudio_ParamError
  }
  return callQueue(inAQ, "flags \(inFlags.rawValue)") { (queue) throws(AudioStatus) in
    let tap = try queue.addTap(inCallback, inClientData, inFlags)
    outMaxFrames.pointee = UInt32(QueueTap.maximumFrames)
    outProcessingFormat.pointee = tap.format.audioStreamBasicDescription
    outAQTap.pointee = tap.handle
  }
}

/// Ends a tap. -66678 while its queue runs or is paused, -50 for a handle that is stale.
@c @implementation
public func AudioQueueProcessingTapDispose(_ inAQTap: AudioQueueProcessingTapRef) -> OSStatus {
  recorded {
    let queue = HandleTable.shared.withObject(inAQTap, QueueTap.self) { $0.queue } ?? nil
    guard let queue else { return kAudio_ParamError }
    return status { () throws(AudioStatus) in try queue.removeTap(inAQTap) }
  }
}

/// Gives a tap's callback the sound before it. -66669 outside of it, -50 for a list of the wrong shape.
@c @implementation
public func AudioQueueProcessingTapGetSourceAudio(
  _ inAQTap: AudioQueueProcessingTapRef, _ inNumberFrames: UInt32, _ ioTimeStamp: UnsafeMutablePointer<AudioTimeStamp>,
  _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>, _ outNumberFrames: UnsafeMutablePointer<UInt32>,
  _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  if isNull(ioTimeStamp) || isNull(outFlags) || isNull(outNumberFrames) || isNull(ioData) { return kAudio_ParamError }
  return HandleTable.shared.withObject(inAQTap, QueueTap.self) { tap in
    status { () throws(AudioStatus) in
      try tap.source(inNumberFrames, ioTimeStamp, outFlags, outNumberFrames, ioData)
    }
  } ?? kAudio_ParamError
}

/// The queue's time at the present chunk of a tap's callback, and the frames of the queue that it stands for. -66669
/// outside of it, -66677 for an input queue.
@c @implementation
public func AudioQueueProcessingTapGetQueueTime(
  _ inAQTap: AudioQueueProcessingTapRef, _ outQueueSampleTime: UnsafeMutablePointer<Float64>,
  _ outQueueFrameCount: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  if isNull(outQueueSampleTime) || isNull(outQueueFrameCount) { return kAudio_ParamError }
  return HandleTable.shared.withObject(inAQTap, QueueTap.self) { tap in
    status { () throws(AudioStatus) in
      let time = try tap.queueTime()
      outQueueSampleTime.pointee = time.sampleTime
      outQueueFrameCount.pointee = time.frames
    }
  } ?? kAudio_ParamError
}
