import AudioCore
import AudioEngine

/// A part of a file that a ``ScheduledFilePlayer`` is to play at some time.
public struct ScheduledRegion: Sendable {
  /// The end of a region.
  public enum End: Hashable, Sendable {
    /// Its last frame has been rendered.
    case played
    /// A reset has dropped it before that, or the player was uninitialized.
    case dropped
  }

  /// The index of the player's file, from 0 on.
  public var file: Int
  /// The first frame to play, in the file's own frames.
  public var startFrame: Int64
  /// The number of the file's own frames to play; more than there are, `UInt32.max` above all: to the end of the file.
  public var frameCount: UInt32
  /// Additional passes: 0 plays once, `UInt32.max` for ever.
  public var loopCount: UInt32
  /// The output frame at which it begins, counted from the player's start; nil: right behind the region before it.
  public var sampleTime: Int64?
  /// Called once. After `.played` the caller is the render thread, inside the render call.
  public var completion: (@Sendable (End) -> Void)?

  /// By default the first file as a whole, once, right behind the region before it.
  public init(
    file: Int = 0, startFrame: Int64 = 0, frameCount: UInt32 = .max, loopCount: UInt32 = 0, sampleTime: Int64? = nil,
    completion: (@Sendable (End) -> Void)? = nil
  ) {
    self.file = file
    self.startFrame = startFrame
    self.frameCount = frameCount
    self.loopCount = loopCount
    self.sampleTime = sampleTime
    self.completion = completion
  }

  /// As a file player counts passes: −1 for ever.
  var loops: Int { loopCount == .max ? -1 : Int(loopCount) }

  /// The frames of a file of this length that are played.
  func frames(of length: Int64) -> Range<Int64> {
    let start = min(max(0, startFrame), length)
    let count = frameCount == .max ? length - start : min(Int64(frameCount), length - start)
    return start..<start + count
  }
}
