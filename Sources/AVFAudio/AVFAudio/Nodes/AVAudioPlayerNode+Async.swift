// The functions of a player with a handler, as functions that return when the handler would be called. Another task has to
// render meanwhile.

import AVFAudioFiles

extension AVAudioPlayerNode {
  /// Schedules a buffer behind what was scheduled before.
  public func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {
    await scheduleBuffer(buffer, at: nil, options: [])
  }

  /// Schedules a buffer.
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []
  ) async {
    await scheduleBuffer(buffer, at: when, options: options, completionCallbackType: .dataConsumed)
  }

  /// Schedules a buffer behind what was scheduled before, and returns the kind of call.
  @discardableResult
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await scheduleBuffer(buffer, at: nil, completionCallbackType: callbackType)
  }

  /// Schedules a buffer, and returns the kind of call.
  @discardableResult
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { continuation in
      scheduleBuffer(buffer, at: when, options: options, completionCallbackType: callbackType) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Schedules a whole file.
  public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
    await scheduleFile(file, at: when, completionCallbackType: .dataConsumed)
  }

  /// Schedules a whole file, and returns the kind of call.
  @discardableResult
  public func scheduleFile(
    _ file: AVAudioFile, at when: AVAudioTime?,
    completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { continuation in
      scheduleFile(file, at: when, completionCallbackType: callbackType) { continuation.resume(returning: $0) }
    }
  }

  /// Schedules frames of a file.
  public func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?
  ) async {
    await withCheckedContinuation { continuation in
      scheduleSegment(file, startingFrame: startFrame, frameCount: numberFrames, at: when) { continuation.resume() }
    }
  }

  /// Schedules frames of a file, and returns the kind of call.
  @discardableResult
  public func scheduleSegment(
    _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
    at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
  ) async -> AVAudioPlayerNodeCompletionCallbackType {
    await withCheckedContinuation { continuation in
      scheduleSegment(
        file, startingFrame: startFrame, frameCount: numberFrames, at: when, completionCallbackType: callbackType
      ) { continuation.resume(returning: $0) }
    }
  }
}
