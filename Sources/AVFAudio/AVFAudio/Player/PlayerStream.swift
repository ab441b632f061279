// The frames of a player's sound, read ahead of the hardware's thread: pass after pass, at the hardware's rate. A stream
// is handed to the render side whole; for another place or number of passes another stream takes over.

import AudioCore
import AudioEngine
import BuiltInUnits
import HandOver
import SoundFile

/// The passes of a sound from some frame on. Frames count from the beginning of the first pass.
final class PlayerStream: Parcel, @unchecked Sendable {
  /// Additional passes, those in front of ``origin`` included; −1: without end.
  let loops: Int
  /// The first frame that can be read.
  let origin: Int64
  /// True: it goes on at the frame that the stream before it has come to.
  let continues: Bool
  /// The frame behind the last one; nil: there is none.
  let end: Int64?
  let readAhead: ReadAhead

  /// Frames that are kept ahead, and read on the calling thread beforehand.
  private static let aheadFrames = 16_384

  /// - Parameters:
  ///   - rate: hertz, the hardware's.
  ///   - speed: the most frames that are wanted for each frame of the hardware.
  /// - Throws: the error of the file, and `.render` where the system gives no more threads.
  init(
    _ sound: PlayerSound, rate: Double, loops: Int, from origin: Int64, continues: Bool = false, speed: Double
  ) throws(BenchError) {
    self.loops = loops
    self.origin = origin
    self.continues = continues
    let frames = try SoundFrames(sound, rate: rate, loops: loops, from: origin)
    end = frames.stream.totalFrames
    readAhead = try ReadAhead(frames, maximumFrames: Self.aheadFrames, speed: speed)
    super.init()
    prefetch()
  }

  /// Reads on, behind what was played. Not for the render thread.
  func prefetch() { readAhead.prefetch(frames: Self.aheadFrames) }
}

/// A file's stream, counted from its place on.
private final class SoundFrames: FrameStream {
  let stream: FileStream
  private let origin: Int64
  private let sound: PlayerSound
  private let reader: SoundFileReader

  init(_ sound: PlayerSound, rate: Double, loops: Int, from origin: Int64) throws(BenchError) {
    self.sound = sound
    self.origin = origin
    reader = try sound.takeReader()
    stream = try FileStream(
      reader, region: 0..<sound.frameCount, loops: loops, sampleRate: rate, quality: .standard)
    if origin > 0 { try stream.seek(to: origin) }
  }

  deinit { sound.giveBack(reader) }

  var channelCount: Int { stream.channelCount }
  var knownEnd: Int64 { .max }
  var framesBeforeFailure: Int { stream.framesBeforeFailure }
  func produce(into planes: FloatPlanes, offset: Int, frames: Int) throws(BenchError) {
    try stream.produce(into: planes, offset: offset, frames: frames)
  }
  func seek(to frame: Int64) throws(BenchError) { try stream.seek(to: origin + frame) }
}
