// Offline rendering: the program takes the sound of a queue, in place of the device. Callbacks are called by the thread
// that renders, where the line is empty and behind each call.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams

/// The format that a program renders a queue in.
struct QueueOfflineFormat {
  let stream: StreamFormat
}

extension AudioQueueObject {
  /// - Parameter asbd: nil: the device's again.
  /// - Throws: −66677 for an input queue, −66678 unless it is stopped, 'fmt?' for a format that cannot be rendered.
  func setOffline(_ asbd: AudioStreamBasicDescription?) throws(AudioStatus) {
    guard !isInput else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    var format: QueueOfflineFormat?
    if let asbd {
      guard let stream = StreamFormat(asbd), stream.bufferCount == 1 else { throw ConverterError.formatNotSupported }
      format = QueueOfflineFormat(stream: stream)
    }
    try gated { () throws(AudioStatus) in
      try state.withLock { (state) throws(AudioStatus) in
        guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
        guard state.run == .stopped, !state.isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
        state.offline = format
      }
    }
  }

  /// Renders frames into a buffer of this queue's, which gets their size.
  /// - Throws: −66626 without an offline format, −66687 for a buffer of another queue or too small a one, −66678 where
  ///   the queue has not been started, or another call renders.
  func renderOffline(_ reference: AudioQueueBufferRef, frames: UInt32) throws(AudioStatus) {
    guard !isInput else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    guard !isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
    let (buffer, voice, stream) = try state.withLock {
      (state) throws(AudioStatus) -> (QueueBuffer, QueueVoice, StreamFormat) in
      guard let format = state.offline else { throw AudioStatus(kAudioQueueErr_InvalidOfflineMode) }
      guard let buffer = state.buffers[UInt(bitPattern: reference)], buffer.item == nil else {
        throw AudioStatus(kAudioQueueErr_InvalidBuffer)
      }
      guard Int(frames) * format.stream.bytesPerFrame <= buffer.capacity else {
        throw AudioStatus(kAudioQueueErr_InvalidBuffer)
      }
      buffer.reference.pointee.mAudioDataByteSize = 0
      guard let voice = self.voice, state.hasStarted, !state.isRendering else {
        throw AudioStatus(kAudioQueueErr_InvalidRunState)
      }
      state.isRendering = true
      return (buffer, voice, format.stream)
    }
    defer { state.withLock { $0.isRendering = false } }
    // A queue that is paused, or has stopped, gives nothing.
    guard state.withLock({ $0.run == .running || $0.run == .stopping }) else { return }
    source?.refill = { [unowned self] in
      offlinePhase.end()
      defer { offlinePhase.begin() }
      collect()
      calls.makeFromProgram()
      return source?.hasMore == true
    }
    defer { source?.refill = nil }
    let pointers = StreamPointers(count: 1)
    pointers.bus.buffers[0] = buffer.memory
    offlinePhase.begin()
    let count = voice.render(Int(frames), into: pointers.bus.holding(Int(frames)))
    offlinePhase.end()
    buffer.reference.pointee.mAudioDataByteSize = UInt32(clamping: count * stream.bytesPerFrame)
    collect()
    calls.makeFromProgram()
    if progress.isOver.load(ordering: .acquiring) { conclude { calls.makeFromProgram() } }
  }
}
