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
    /// The places of packets in the buffer; nil: the buffer says them.
    private(set) var descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?

    /// Takes over descriptions, if there are any.
    mutating func setDescriptions(_ first: UnsafePointer<AudioStreamPacketDescription>?, count: UInt32) {
      if let first, count > 0 { descriptions = UnsafeBufferPointer(start: first, count: Int(count)) }
    }
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
    guard format.packets != nil else { return try enqueue(reference, options, decoded: nil) }
    // Packets are decoded on the program's thread, one buffer behind the other, and not where sound is made.
    return try packets.withLock { (packets) throws(AudioStatus) -> Int64 in
      guard let packets else { return try enqueue(reference, options, decoded: nil) }
      let buffer = try state.withLock { (state) throws(AudioStatus) in try self.buffer(reference, in: state) }
      let bytes = UnsafeRawBufferPointer(
        start: buffer.memory, count: min(buffer.capacity, Int(reference.pointee.mAudioDataByteSize)))
      let fixed = Int(packets.format.bytesPerPacket)
      let described = options.descriptions ?? buffer.packetDescriptions
      guard let count = described?.count ?? (fixed > 0 ? bytes.count / fixed : nil) else {
        throw ConverterError.requiresPacketDescriptions
      }
      guard count > 0 else { throw AudioStatus(kAudioQueueErr_BufferEmpty) }
      let frames = try packets.decode(bytes, count: count, described?.baseAddress, concealsDamage: true)
      return try enqueue(reference, options, decoded: DecodedFrames(packets.ready, frames, format.bytesPerFrame))
    }
  }

  /// The buffer of a reference, which may be put into the line.
  private func buffer(_ reference: AudioQueueBufferRef, in state: State) throws(AudioStatus) -> QueueBuffer {
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
    return buffer
  }

  /// Puts a buffer into the line, or the frames that were decoded of it.
  private func enqueue(
    _ reference: AudioQueueBufferRef, _ options: EnqueueOptions, decoded: DecodedFrames?
  ) throws(AudioStatus) -> Int64 {
    return try state.withLock { (state) throws(AudioStatus) in
      let buffer = try self.buffer(reference, in: state)
      let bytes = isInput ? buffer.capacity : Int(buffer.reference.pointee.mAudioDataByteSize)
      let frames = decoded?.count ?? bytes / format.bytesPerFrame
      guard frames > 0 || decoded != nil else { throw AudioStatus(kAudioQueueErr_BufferEmpty) }
      let first = min(frames, Int(options.trimAtStart))
      let count = max(0, frames - first - Int(options.trimAtEnd))
      let begin = max(max(state.plannedEnd, reachedFrame), options.startTime ?? 0)
      let item = line.append(.buffer) { item in
        item.pointee.decoded = decoded?.take()
        item.pointee.data = (item.pointee.decoded ?? buffer.memory) + first * format.bytesPerFrame
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

/// Frames in memory of their own, until an item of the line takes it.
private final class DecodedFrames {
  let count: Int
  private var memory: UnsafeMutableRawPointer?

  /// A copy of frames.
  init(_ frames: UnsafeRawPointer, _ count: Int, _ bytesPerFrame: Int) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count * bytesPerFrame), alignment: 64)
    memory.copyMemory(from: frames, byteCount: count * bytesPerFrame)
    (self.count, self.memory) = (count, memory)
  }

  deinit { memory?.deallocate() }

  func take() -> UnsafeMutableRawPointer? {
    defer { memory = nil }
    return memory
  }
}
