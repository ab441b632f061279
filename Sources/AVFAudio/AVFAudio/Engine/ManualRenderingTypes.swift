// The choices, answers and errors of manual rendering. Names and values: Apple's documentation of AVAudioEngine.

import AVFAudioFiles
import AudioCore

/// The way in which a program pulls an engine.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
  /// As fast as it can, by ``AVAudioEngine/renderOffline(_:to:)``.
  case offline
  /// From a thread with deadlines, by ``AVAudioEngine/manualRenderingBlock``.
  case realtime
}

/// The result of rendering one slice.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
  /// The slice failed; the error says how.
  case error = -1
  /// All frames were rendered.
  case success
  /// The input block had nothing: its part of the frames is silent.
  case insufficientDataFromInputNode
  /// Nothing was rendered, as an edit on another thread has not ended within a second; the program may try again.
  case cannotDoInCurrentContext
}

/// The codes of errors of manual rendering, in the domain `com.apple.coreaudio.avfaudio`.
public enum AVAudioEngineManualRenderingError: Int32, Error, Sendable {
  /// The engine is not in the mode that the call is for.
  case invalidMode = -80800
  /// The engine runs, and the call is for one that is stopped.
  case initialized = -80801
  /// The engine does not run.
  case notRunning = -80802
}

/// Renders a slice into a list of buffers in the rendering format. The last argument takes the status of a failure.
public typealias AVAudioEngineManualRenderingBlock = (
  AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

extension NSError {
  /// An error of manual rendering with a text.
  convenience init(_ error: AVAudioEngineManualRenderingError, _ text: String) {
    self.init(AudioStatus(error.rawValue), text)
  }
}
