// Buffers of a queue: making them, and putting them into its line. Any thread; inside a cycle only enqueueing.

import AudioCore
import CAudioToolbox
import CoreAudioStreams

extension AudioQueueObject {
  /// The most bytes of a buffer.
  private static let mostBytes: UInt32 = 1 << 30

  /// - Throws: −50 without a size, −108 without memory, −66685 for a queue that ends.
  func allocate(bytes: UInt32, descriptions: UInt32) throws(AudioStatus) -> AudioQueueBufferRef {
    guard bytes > 0, bytes <= Self.mostBytes, descriptions <= 1 << 24 else { throw .parameterError }
    guard let buffer = QueueBuffer(bytes: bytes, descriptions: descriptions) else { throw .memoryFull }
    try state.withLock { (state) throws(AudioStatus) in
      guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
      state.buffers[buffer.address] = buffer
    }
    return buffer.reference
  }

  /// - Throws: −66687 for a buffer that is not this queue's, −66679 for one that is in the line.
  func free(_ reference: AudioQueueBufferRef) throws(AudioStatus) {
    let buffer = try state.withLock { (state) throws(AudioStatus) in
      guard let buffer = state.buffers[UInt(bitPattern: reference)] else {
        throw AudioStatus(kAudioQueueErr_InvalidBuffer)
      }
      guard buffer.item == nil else { throw AudioStatus(kAudioQueueErr_BufferInQueue) }
      state.buffers[buffer.address] = nil
      return buffer
    }
    // A cycle that was under way may have been in it.
    waitForRender()
    withExtendedLifetime(buffer) {}
  }

  /// The options of ``enqueue(_:_:)``.
  struct EnqueueOptions {
    var trimAtStart: UInt32 = 0
    var trimAtEnd: UInt32 = 0
    var events: [AudioQueueParameterEvent] = []
    /// The frame of the queue's time; nil: as soon as possible.
    var startTime: Int64?
  }

  /// Puts a buffer into the line.
  /// - Returns: the frame of the queue's time with which it will begin.
  /// - Throws: the documented errors of the function.
  func enqueue(_ reference: AudioQueueBufferRef, _ options: EnqueueOptions) throws(AudioStatus) -> Int64 {
    // A reset gives buffers back by this callback.
    if isReturning.load(ordering: .relaxed), calls.isCalling {
      throw AudioStatus(kAudioQueueErr_EnqueueDuringReset)
    }
    for event in options.events where QueueGain.range(event.mID) == nil || event.mValue.isNaN {
      throw AudioStatus(kAudioQueueErr_InvalidParameter)
    }
    return try state.withLock { (state) throws(AudioStatus) in
      guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
      guard state.run != .stopping else { throw AudioStatus(kAudioQueueErr_EnqueueDuringReset) }
      guard let buffer = state.buffers[UInt(bitPattern: reference)] else {
        throw AudioStatus(kAudioQueueErr_InvalidBuffer)
      }
      guard buffer.item == nil else {
        throw AudioStatus(isInput ? kAudioQueueErr_BufferEnqueuedTwice : kAudioQueueErr_BufferInQueue)
      }
      let bytes = isInput ? buffer.capacity : Int(buffer.reference.pointee.mAudioDataByteSize)
      guard bytes <= buffer.capacity else { throw AudioStatus(kAudioQueueErr_InvalidBuffer) }
      let frames = bytes / format.bytesPerFrame
      guard frames > 0 else { throw AudioStatus(kAudioQueueErr_BufferEmpty) }
      let first = min(frames, Int(options.trimAtStart))
      let count = max(0, frames - first - Int(options.trimAtEnd))
      let begin = max(max(state.plannedEnd, reachedFrame), options.startTime ?? 0)
      let item = line.append(.buffer) { item in
        item.pointee.data = buffer.memory + first * format.bytesPerFrame
        item.pointee.frames = Int64(count)
        item.pointee.startTime = options.startTime
        guard !options.events.isEmpty else { return }
        let events = UnsafeMutableBufferPointer<AudioQueueParameterEvent>.allocate(capacity: options.events.count)
        _ = events.initialize(from: options.events)
        item.pointee.events = events
      }
      buffer.item = item
      state.inLine.append(buffer)
      if !isInput { state.plannedEnd = begin + Int64(count) }
      reclaim(state)
      return begin
    }
  }

  /// The queue's frame that the render side reads next.
  var reachedFrame: Int64 { source?.shown.load(ordering: .acquiring) ?? progress.frame.load(ordering: .acquiring) }

  /// Frames that wait in the line.
  var waitingFrames: Int64 {
    state.withLock { state in state.inLine.reduce(0) { $0 + ($1.item?.pointee.frames ?? 0) } }
  }
}
