// AudioQueue.h: making and ending queues, their buffers and their running. Each function tests its pointers, finds the
// queue behind its handle and hands on to AudioQueueObject.

import AudioCore
import AudioEngine
import CAudioToolbox
import CForeign
import Transcripts

/// Runs `body` with the queue of a handle; -50 for one that is stale, foreign or null.
func withQueue(_ handle: AudioQueueRef?, _ body: (AudioQueueObject) throws(AudioStatus) -> Void) -> OSStatus {
  HandleTable.shared.withObject(handle, AudioQueueObject.self) { queue in
    status { () throws(AudioStatus) in try body(queue) }
  } ?? kAudio_ParamError
}

/// The same, recorded where calls are.
private func callQueue(
  _ handle: AudioQueueRef?, _ arguments: @autoclosure () -> String = "", result: @autoclosure () -> String = "",
  function: StaticString = #function, _ body: (AudioQueueObject) throws(AudioStatus) -> Void
) -> OSStatus {
  recorded(CallSubject(queue: handle), arguments(), result: result(), function: function) { withQueue(handle, body) }
}

// MARK: Making and ending

private func place(_ loop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?) -> any QueuePlace {
  loop.map { LoopPlace(loop: $0, mode: mode) } ?? OwnPlace()
}

private func outputCall(
  _ function: AudioQueueOutputCallback?, _ userData: UnsafeMutableRawPointer?
) -> AudioQueueObject.Callback? {
  function.map { function in .output { function(userData, $0, $1) } }
}
private func inputCall(
  _ function: AudioQueueInputCallback?, _ userData: UnsafeMutableRawPointer?
) -> AudioQueueObject.Callback? {
  function.map { function in .input { function(userData, $0, $1, $2, $3, $4) } }
}
private func outputCall(_ block: UnsafeRawPointer?) -> AudioQueueObject.Callback? {
  HeldBlock(block).map { block in
    .output { foreign_call_output_block(block.copy, UnsafeMutableRawPointer($0), $1) }
  }
}
private func inputCall(_ block: UnsafeRawPointer?) -> AudioQueueObject.Callback? {
  HeldBlock(block).map { block in
    .input { foreign_call_input_block(block.copy, UnsafeMutableRawPointer($0), $1, $2, $3, $4) }
  }
}

private func make(
  _ format: UnsafePointer<AudioStreamBasicDescription>?, _ callback: AudioQueueObject.Callback?, _ flags: UInt32,
  into result: UnsafeMutablePointer<AudioQueueRef?>?, function: StaticString, at place: () -> (any QueuePlace)?
) -> OSStatus {
  recorded(
    nil, format.map { CallText.file(0, $0) } ?? "",
    result: CallSubject(queue: result?.pointee).map { "\($0)" } ?? "", function: function
  ) {
    guard let result else { return kAudio_ParamError }
    result.pointee = nil
    guard let format, let callback, flags == 0, let place = place() else { return kAudio_ParamError }
    let answer = status { () throws(AudioStatus) in
      result.pointee = try AudioQueueObject.make(format.pointee, callback, at: place)
    }
    if answer != noErr {
      RefusalLog.note(
        "\(function): \(CallText.format(format.pointee)): a queue takes linear PCM and G.711, interleaved")
    }
    return answer
  }
}

/// AudioQueueNewOutput: a queue that plays. Functions with CoreFoundation types cannot be marked as implementations of
/// their headers. With a run loop callbacks come there, in the common modes where none is named; without one on threads
/// of the queue's own.
///
/// - Returns: -50 without a format, a function or a place for the result, and for flags; 'fmt?' for a format other than
///   linear PCM and G.711, or with a buffer per channel.
@c(AudioQueueNewOutput)
public func _audioQueueNewOutput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inCallbackProc: AudioQueueOutputCallback?,
  _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: UnsafeRawPointer?,
  _ inCallbackRunLoopMode: UnsafeRawPointer?, _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  make(inFormat, outputCall(inCallbackProc, inUserData), inFlags, into: outAQ, function: "AudioQueueNewOutput") {
    place(inCallbackRunLoop, inCallbackRunLoopMode)
  }
}

/// AudioQueueNewInput: a queue that records from the simulated microphone. As the one that plays.
@c(AudioQueueNewInput)
public func _audioQueueNewInput(
  _ inFormat: UnsafePointer<AudioStreamBasicDescription>?, _ inCallbackProc: AudioQueueInputCallback?,
  _ inUserData: UnsafeMutableRawPointer?, _ inCallbackRunLoop: UnsafeRawPointer?,
  _ inCallbackRunLoopMode: UnsafeRawPointer?, _ inFlags: UInt32, _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?
) -> OSStatus {
  make(inFormat, inputCall(inCallbackProc, inUserData), inFlags, into: outAQ, function: "AudioQueueNewInput") {
    place(inCallbackRunLoop, inCallbackRunLoopMode)
  }
}

/// AudioQueueNewOutputWithDispatchQueue, with blocks and queues as C has them.
@c(AudioQueueNewOutputWithDispatchQueue)
public func _audioQueueNewOutputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inFlags: UInt32, _ inCallbackDispatchQueue: UnsafeMutableRawPointer?, _ inCallbackBlock: UnsafeRawPointer?
) -> OSStatus {
  make(inFormat, outputCall(inCallbackBlock), inFlags, into: outAQ, function: "AudioQueueNewOutputWithDispatchQueue") {
    inCallbackDispatchQueue.flatMap { DispatchPlace($0) }
  }
}

/// AudioQueueNewInputWithDispatchQueue, with blocks and queues as C has them.
@c(AudioQueueNewInputWithDispatchQueue)
public func _audioQueueNewInputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inFlags: UInt32, _ inCallbackDispatchQueue: UnsafeMutableRawPointer?, _ inCallbackBlock: UnsafeRawPointer?
) -> OSStatus {
  make(inFormat, inputCall(inCallbackBlock), inFlags, into: outAQ, function: "AudioQueueNewInputWithDispatchQueue") {
    inCallbackDispatchQueue.flatMap { DispatchPlace($0) }
  }
}

/// The function behind the overload for the queues of Swift.
@c(_AudioQueueNewOutputAtPlace)
public func _audioQueueNewOutputAtPlace(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inFlags: UInt32, _ inPlace: _AUListenerPlace, _ inCallbackBlock: UnsafeRawPointer?
) -> OSStatus {
  let place = SwiftQueuePlace(inPlace)
  return make(
    inFormat, outputCall(inCallbackBlock), inFlags, into: outAQ, function: "AudioQueueNewOutputWithDispatchQueue"
  ) { place }
}

/// The function behind the overload for the queues of Swift.
@c(_AudioQueueNewInputAtPlace)
public func _audioQueueNewInputAtPlace(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>?, _ inFormat: UnsafePointer<AudioStreamBasicDescription>?,
  _ inFlags: UInt32, _ inPlace: _AUListenerPlace, _ inCallbackBlock: UnsafeRawPointer?
) -> OSStatus {
  let place = SwiftQueuePlace(inPlace)
  return make(
    inFormat, inputCall(inCallbackBlock), inFlags, into: outAQ, function: "AudioQueueNewInputWithDispatchQueue"
  ) { place }
}

/// Ends a queue and its buffers: at once, without any callback; or behind the last buffer, until when every other call
/// answers -66685.
@c @implementation
public func AudioQueueDispose(_ inAQ: AudioQueueRef, _ inImmediate: DarwinBoolean) -> OSStatus {
  callQueue(inAQ, inImmediate.boolValue ? "immediately" : "behind the last buffer") { (queue) throws(AudioStatus) in
    try queue.dispose(immediately: inImmediate.boolValue)
  }
}

// MARK: Buffers

/// A buffer of so many bytes. -50 without a size or a place for the result, -108 without memory.
@c @implementation
public func AudioQueueAllocateBuffer(
  _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32, _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus {
  if isNull(outBuffer) { return kAudio_ParamError }
  return callQueue(inAQ, CallText.bytes(inBufferByteSize)) { (queue) throws(AudioStatus) in
    outBuffer.pointee = try queue.allocate(bytes: inBufferByteSize, descriptions: 0)
  }
}

/// As ``AudioQueueAllocateBuffer(_:_:_:)``, with room for packet descriptions.
@c @implementation
public func AudioQueueAllocateBufferWithPacketDescriptions(
  _ inAQ: AudioQueueRef, _ inBufferByteSize: UInt32, _ inNumberPacketDescriptions: UInt32,
  _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>
) -> OSStatus {
  if isNull(outBuffer) { return kAudio_ParamError }
  return callQueue(inAQ, CallText.bytes(inBufferByteSize)) { (queue) throws(AudioStatus) in
    outBuffer.pointee = try queue.allocate(bytes: inBufferByteSize, descriptions: inNumberPacketDescriptions)
  }
}

/// Frees a buffer. -66687 for one that is not this queue's, -66679 while it is enqueued.
@c @implementation
public func AudioQueueFreeBuffer(_ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef) -> OSStatus {
  callQueue(inAQ) { (queue) throws(AudioStatus) in try queue.free(inBuffer) }
}

/// Puts a buffer at the end of the line. -66687 for a buffer that is not this queue's, -66686 for an empty one, -66679
/// (input: -66666) for one that is enqueued, -66632 while the queue stops, -66685 while it is disposed of.
@c @implementation
public func AudioQueueEnqueueBuffer(
  _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
  callQueue(inAQ) { (queue) throws(AudioStatus) in
    var options = AudioQueueObject.EnqueueOptions()
    options.setDescriptions(inPacketDescs, count: inNumPacketDescs)
    _ = try queue.enqueue(inBuffer, options)
  }
}

/// The same for a queue that plays, with frames that are left out, parameters that are set with the first frame, and a
/// time on the queue's own clock. The actual start is right if no buffer before comes too late. -66682 for a parameter or
/// a time that is none, -66677 for an input queue.
@c @implementation
public func AudioQueueEnqueueBufferWithParameters(
  _ inAQ: AudioQueueRef, _ inBuffer: AudioQueueBufferRef, _ inNumPacketDescs: UInt32,
  _ inPacketDescs: UnsafePointer<AudioStreamPacketDescription>?, _ inTrimFramesAtStart: UInt32,
  _ inTrimFramesAtEnd: UInt32, _ inNumParamValues: UInt32, _ inParamValues: UnsafePointer<AudioQueueParameterEvent>?,
  _ inStartTime: UnsafePointer<AudioTimeStamp>?, _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  callQueue(inAQ, inStartTime.map { "at \(NumberText.short($0.pointee.mSampleTime))" } ?? "") {
    (queue) throws(AudioStatus) in
    guard !queue.isInput else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    guard inNumParamValues == 0 || inParamValues != nil, inNumParamValues <= 1 << 16 else {
      throw AudioStatus(kAudioQueueErr_InvalidParameter)
    }
    var options = AudioQueueObject.EnqueueOptions()
    options.trimAtStart = inTrimFramesAtStart
    options.trimAtEnd = inTrimFramesAtEnd
    options.setDescriptions(inPacketDescs, count: inNumPacketDescs)
    if let inParamValues {
      options.events = Array(UnsafeBufferPointer(start: inParamValues, count: Int(inNumParamValues)))
    }
    if let time = inStartTime?.pointee {
      guard time.mFlags.contains(.sampleTimeValid), time.mSampleTime.magnitude <= 0x1p53 else {
        throw AudioStatus(kAudioQueueErr_InvalidParameter)
      }
      options.startTime = Int64(clamping: time.mSampleTime.rounded())
    }
    let start = try queue.enqueue(inBuffer, options)
    outActualStartTime?.pointee = AudioTimeStamp(sampleTime: Double(start))
  }
}

// MARK: Running

/// Starts a queue, or lets it go on behind a pause: at a sample time or a host time of the device, or as soon as possible.
/// 0 where it runs already, -66681 where the hardware does not start, -66680 without a microphone, -66678 while it stops.
@c @implementation
public func AudioQueueStart(_ inAQ: AudioQueueRef, _ inStartTime: UnsafePointer<AudioTimeStamp>?) -> OSStatus {
  callQueue(inAQ, inStartTime.map { "at \(NumberText.short($0.pointee.mSampleTime))" } ?? "") {
    (queue) throws(AudioStatus) in try queue.start(inStartTime?.pointee)
  }
}

/// Says how many frames are ready to be played. Nothing has to be prepared here; 0 frames wanted mean all.
@c @implementation
public func AudioQueuePrime(
  _ inAQ: AudioQueueRef, _ inNumberOfFramesToPrepare: UInt32, _ outNumberOfFramesPrepared: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  callQueue(inAQ, result: outNumberOfFramesPrepared.map { NumberText.count($0.pointee, "frame") } ?? "") {
    (queue) throws(AudioStatus) in
    guard !queue.isInput else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    let waiting = UInt32(clamping: queue.waitingFrames)
    outNumberOfFramesPrepared?.pointee =
      inNumberOfFramesToPrepare == 0 ? waiting : min(waiting, inNumberOfFramesToPrepare)
  }
}

/// Stops a queue: at once, and its buffers come back by their callbacks before this returns; or behind the last buffer.
@c @implementation
public func AudioQueueStop(_ inAQ: AudioQueueRef, _ inImmediate: DarwinBoolean) -> OSStatus {
  callQueue(inAQ, inImmediate.boolValue ? "immediately" : "behind the last buffer") { (queue) throws(AudioStatus) in
    try queue.stop(immediately: inImmediate.boolValue)
  }
}

/// Lets a queue pause: its buffers and its time stay.
@c @implementation
public func AudioQueuePause(_ inAQ: AudioQueueRef) -> OSStatus {
  callQueue(inAQ) { (queue) throws(AudioStatus) in try queue.pause() }
}

/// Lets all that was enqueued come out whole; an input queue gives back the buffer that it fills.
@c @implementation
public func AudioQueueFlush(_ inAQ: AudioQueueRef) -> OSStatus {
  callQueue(inAQ) { (queue) throws(AudioStatus) in try queue.flush() }
}

/// Gives all buffers back by their callbacks, which may not enqueue them again.
@c @implementation
public func AudioQueueReset(_ inAQ: AudioQueueRef) -> OSStatus {
  callQueue(inAQ) { (queue) throws(AudioStatus) in try queue.reset() }
}
