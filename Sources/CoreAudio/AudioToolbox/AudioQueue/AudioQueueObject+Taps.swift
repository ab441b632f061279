// The tap of a queue. Any thread but inside a cycle.

import AudioCore
import CAudioToolbox

extension AudioQueueObject {
  /// - Throws: the documented errors of AudioQueueProcessingTapNew.
  func addTap(
    _ callback: @escaping AudioQueueProcessingTapCallback, _ userData: UnsafeMutableRawPointer?,
    _ flags: AudioQueueProcessingTapFlags
  ) throws(AudioStatus) -> QueueTap {
    let known: AudioQueueProcessingTapFlags = [.preEffects, .postEffects, .siphon]
    guard flags.subtracting(known).isEmpty, flags.contains(.preEffects) != flags.contains(.postEffects) else {
      throw AudioStatus(kAudioQueueErr_InvalidTapType)
    }
    let planar = StreamFormat(
      sampleRate: format.stream.sampleRate, channelCount: format.stream.channelCount, isInterleaved: false)
    let tap = QueueTap(callback, userData, flags: flags, format: planar)
    tap.queue = self
    let handle = try HandleTable.shared.add(tap)
    tap.handle = handle
    do throws(AudioStatus) {
      try state.withLock { (state) throws(AudioStatus) in
        guard !state.isDisposing else { throw AudioStatus(kAudioQueueErr_DisposalPending) }
        guard state.run == .stopped, !state.isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
        guard state.tap == nil else { throw AudioStatus(kAudioQueueErr_TooManyTaps) }
        state.tap = tap
      }
    } catch {
      _ = HandleTable.shared.remove(handle, QueueTap.self)
      throw error
    }
    return tap
  }

  /// - Throws: −66678 while the queue runs or is paused.
  func removeTap(_ handle: OpaquePointer) throws(AudioStatus) {
    try state.withLock { (state) throws(AudioStatus) in
      guard state.run == .stopped, !state.isRendering else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
      if state.tap?.handle == handle { state.tap = nil }
    }
    _ = HandleTable.shared.remove(handle, QueueTap.self)
  }
}
