import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import RenderGraph

/// The settings of manual rendering.
struct ManualRendering {
  let mode: AVAudioEngineManualRenderingMode
  let format: AVAudioFormat
  let maximumFrames: AVAudioFrameCount
}

extension AVAudioEngine {
  /// Lets the program pull the engine, in a format of PCM.
  /// - Throws: `NSError`: −80801 while the engine runs; −10868 for a format that is not PCM, or out of range; −50 for a
  ///   maximum that is 0 or beyond 2^20.
  public func enableManualRenderingMode(
    _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
  ) throws {
    try locked {
      guard !isRunning else {
        throw NSError(
          AVAudioEngineManualRenderingError.initialized, "the engine runs: stop it in front of a change of its mode")
      }
      guard pcmFormat.stream?.isValid ?? false else {
        throw NSError(.formatNotSupported, "\(pcmFormat) cannot be rendered: PCM is expected")
      }
      guard AudioEngine.Unit.sliceFrames.contains(Int(maximumFrameCount)) else {
        throw NSError(
          .parameterError,
          "a slice has 1 to \(AudioEngine.Unit.sliceFrames.upperBound) frames, not \(maximumFrameCount)")
      }
      self.mode = ManualRendering(mode: mode, format: pcmFormat, maximumFrames: maximumFrameCount)
      link?.end()
      link = nil
      noteEdit()
      sampleTime.store(0, ordering: .relaxed)
      betweenSlices { lastSlice = nil }
    }
  }

  /// Ends manual rendering mode, and stops the engine if it runs.
  public func disableManualRenderingMode() {
    if isRunning { stop() }
    locked {
      mode = nil
      noteEdit()
    }
  }

  /// True between ``enableManualRenderingMode(_:format:maximumFrameCount:)`` and ``disableManualRenderingMode()``.
  public var isInManualRenderingMode: Bool { locked { mode != nil } }

  /// The mode; offline where there is none.
  public var manualRenderingMode: AVAudioEngineManualRenderingMode { locked { mode?.mode ?? .offline } }

  /// The format of what is rendered; 44.1 kHz stereo where there is no mode.
  public var manualRenderingFormat: AVAudioFormat { locked { mode?.format ?? .initial } }

  /// The longest slice; 0 where there is no mode.
  public var manualRenderingMaximumFrameCount: AVAudioFrameCount { locked { mode?.maximumFrames ?? 0 } }

  /// The first frame of the next slice, in frames of the rendering format.
  public var manualRenderingSampleTime: AVAudioFramePosition { sampleTime.load(ordering: .acquiring) }

  /// Renders into a buffer in the rendering format, and sets its length.
  /// - Throws: `NSError`: −80800 outside of offline mode, −80802 while the engine does not run, −10874 for more frames
  ///   than ``manualRenderingMaximumFrameCount``, −50 for a buffer of another format or with too little room.
  @discardableResult
  public func renderOffline(
    _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    guard let mode = locked({ mode }), mode.mode == .offline else {
      throw NSError(.invalidMode, "the engine is not in offline manual rendering mode")
    }
    guard isRunning else { throw NSError(.notRunning, "the engine does not run: call start() first") }
    guard numberOfFrames <= mode.maximumFrames else {
      throw NSError(
        .tooManyFramesToProcess, "\(numberOfFrames) frames are more than the maximum of \(mode.maximumFrames)")
    }
    guard buffer.format.isEqual(mode.format), buffer.frameCapacity >= numberOfFrames else {
      throw NSError(
        .parameterError,
        "the buffer has room for \(buffer.frameCapacity) frames of \(buffer.format), not for \(numberOfFrames) of \(mode.format)"
      )
    }
    buffer.frameLength = 0
    let result: AVAudioEngineManualRenderingStatus
    do {
      try locked { if needsCompiling { try compile() } }
      result = try render(Int(numberOfFrames), into: buffer.mutableAudioBufferList, of: mode.format)
    } catch {
      makeDueCalls()
      throw error
    }
    if result != .cannotDoInCurrentContext { buffer.frameLength = numberOfFrames }
    // A node that was detached goes with the plan that it was in.
    renderer?.collect()
    makeDueCalls()
    return result
  }

  /// Renders as ``renderOffline(_:to:)`` does, in either mode, into buffers of the caller's.
  ///
  /// In realtime mode it neither allocates nor compiles, and waits for edits of other threads no longer than these need
  /// to change some words, a second at most: then it renders nothing and answers `cannotDoInCurrentContext`. The
  /// functions of the program that are due are called on another thread. In offline mode they are called before it
  /// returns. Ask for it when the mode is set.
  public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    let mode = locked { self.mode }
    let follower = mode?.mode == .realtime ? locked { realtimeFollower() } : nil
    return { [weak self] frames, list, status in
      func failed(_ code: Int32) -> AVAudioEngineManualRenderingStatus {
        status?.pointee = code
        return .error
      }
      guard let self, let mode else { return failed(AVAudioEngineManualRenderingError.invalidMode.rawValue) }
      guard isRunning else { return failed(AVAudioEngineManualRenderingError.notRunning.rawValue) }
      guard frames <= mode.maximumFrames else { return failed(AudioStatus.tooManyFramesToProcess.rawValue) }
      guard let stream = mode.format.stream, stream.holds(list, frames: Int(frames)) else {
        return failed(AudioStatus.parameterError.rawValue)
      }
      defer { if let follower { follower.follow() } else { makeDueCalls() } }
      do {
        if mode.mode == .offline { try locked { if needsCompiling { try compile() } } }
        status?.pointee = 0
        return try render(Int(frames), into: list, of: mode.format)
      } catch { return failed(Int32(clamping: (error as NSError).code)) }
    }
  }

  /// Renders a slice of the graph that was compiled last.
  private func render(
    _ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>, of format: AVAudioFormat
  ) throws -> AVAudioEngineManualRenderingStatus {
    let start = sampleTime.load(ordering: .relaxed)
    let slice = SliceTime(sampleTime: start, sampleRate: format.sampleRate, hostTime: 0, frames: frames)
    let bytesPerFrame = format.stream?.bytesPerFrame ?? 0
    let buffers = UnsafeMutableAudioBufferListPointer(list)
    let status: AudioStatus? = render(slice) { output, offset, count in
      for index in 0..<min(output.count, buffers.count) {
        buffers[index].mData?.advanced(by: offset * bytesPerFrame)
          .copyMemory(from: output.buffers[index], byteCount: count * bytesPerFrame)
      }
    }
    guard let status else { return .cannotDoInCurrentContext }
    guard status == .noError else {
      throw NSError(status, renderer?.failure(for: status).description)
    }
    for index in buffers.indices { buffers[index].mDataByteSize = UInt32(frames * bytesPerFrame) }
    return inputRanDry ? .insufficientDataFromInputNode : .success
  }

  /// Renders a slice: the thread that renders, for all ways of it. Nothing is allocated, and no lock is taken.
  /// - Returns: nil where an edit has kept it away for too long.
  func render(
    _ slice: SliceTime, deliver: (_ output: BusBuffer, _ offset: Int, _ frames: Int) -> Void
  ) -> AudioStatus? {
    guard slice.frames > 0 else { return .noError }
    var wait = BoundedWait()
    while !domain.enter() {
      // An edit keeps slices away for the time of some words. Its thread may have been interrupted: this one lets it run.
      repeat {
        guard wait.pause() else { return nil }
      } while isHeld.load(ordering: .acquiring)
    }
    defer { domain.leave() }
    let failure = editFailure.load(ordering: .acquiring)
    guard failure == 0, let renderer else { return failure == 0 ? .noConnection : AudioStatus(failure) }
    inputRanDry = false
    lastSlice = slice
    do throws(AudioStatus) {
      try renderer.render(sampleTime: slice.sampleTime, frames: slice.frames, deliver: deliver)
    } catch { return error }
    sampleTime.store(slice.sampleTime + Int64(slice.frames), ordering: .releasing)
    return .noError
  }
}

extension StreamFormat {
  /// True where a list has the buffers of this format with room for so many frames.
  func holds(_ list: UnsafePointer<AudioBufferList>, frames: Int) -> Bool {
    let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
    return buffers.count == bufferCount
      && buffers.allSatisfy { $0.mData != nil && Int($0.mDataByteSize) >= frames * bytesPerFrame }
  }
}

extension AVAudioFormat {
  /// The format of buses that nobody has given one.
  static let initial: AVAudioFormat = AVAudioFormat(.initial, layout: nil)
}
