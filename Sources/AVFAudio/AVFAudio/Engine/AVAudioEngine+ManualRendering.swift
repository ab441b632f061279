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
      noteEdit()
      sampleTime = 0
      lastSlice = nil
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
  public var manualRenderingSampleTime: AVAudioFramePosition { locked { sampleTime } }

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
    do { result = try render(Int(numberOfFrames), into: buffer.mutableAudioBufferList) } catch {
      makeDueCalls()
      throw error
    }
    buffer.frameLength = numberOfFrames
    makeDueCalls()
    return result
  }

  /// Renders as ``renderOffline(_:to:)`` does, in either mode, into buffers of the caller's.
  ///
  /// It takes the engine's lock, and the program's functions are called inside of it.
  public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    { [weak self] frames, list, status in
      func failed(_ code: Int) -> AVAudioEngineManualRenderingStatus {
        status?.pointee = OSStatus(truncatingIfNeeded: code)
        return .error
      }
      guard let self, let mode = locked({ self.mode }) else {
        return failed(Int(AVAudioEngineManualRenderingError.invalidMode.rawValue))
      }
      guard isRunning else { return failed(Int(AVAudioEngineManualRenderingError.notRunning.rawValue)) }
      guard frames <= mode.maximumFrames else { return failed(Int(AudioStatus.tooManyFramesToProcess.rawValue)) }
      guard let stream = mode.format.stream, stream.holds(list, frames: Int(frames)) else {
        return failed(Int(AudioStatus.parameterError.rawValue))
      }
      defer { makeDueCalls() }
      do {
        status?.pointee = 0
        return try render(Int(frames), into: list)
      } catch { return failed((error as NSError).code) }
    }
  }

  /// Renders a slice, compiling the graph first where it was edited.
  private func render(
    _ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws -> AVAudioEngineManualRenderingStatus {
    try locked {
      if renderer == nil { try compile() }
      guard let renderer, let stream = mode?.format.stream, frames > 0 else { return .success }
      inputRanDry = false
      lastSlice = sampleTime
      let buffers = UnsafeMutableAudioBufferListPointer(list)
      do throws(AudioStatus) {
        try renderer.render(sampleTime: sampleTime, frames: frames) { output, offset, count in
          for index in 0..<min(output.count, buffers.count) {
            buffers[index].mData?.advanced(by: offset * stream.bytesPerFrame)
              .copyMemory(from: output.buffers[index], byteCount: count * stream.bytesPerFrame)
          }
        }
      } catch {
        throw NSError(error, renderer.failure(for: error).description)
      }
      for index in buffers.indices { buffers[index].mDataByteSize = UInt32(frames * stream.bytesPerFrame) }
      sampleTime += AVAudioFramePosition(frames)
      return inputRanDry ? .insufficientDataFromInputNode : .success
    }
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
