// Time stretching and pitch shifting of a stream. The library joins pieces of the sound in the time domain (WSOLA) and
// resamples for the pitch. Runs on the thread that renders; each function's comment has its allocations.

import AudioCore
import CSoundTouch

/// A stream played at another tempo and another pitch, by SoundTouch.
///
/// Frame 0 of the output belongs to frame 0 of the input. In between, the input position varies around the one that the
/// tempo gives: pieces are played at the original tempo, and the next begins where it joins best. Over any length the
/// tempo is kept. The output's bits do not depend on the division of the input into calls. They are those of one
/// version of the library on one kind of processor.
public final class TimeStretcher: @unchecked Sendable {
  /// True when the library is on this machine.
  public static var isAvailable: Bool { timestretch_is_there() }
  /// The library's version; nil where it is not there.
  public static var version: String? { timestretch_version().map { String(cString: $0) } }
  /// The numbers of channels that it takes.
  public static let channelCounts = 1...16
  /// Factors of tempo that are applied.
  public static let tempos: ClosedRange<Float> = 1 / 32...32
  /// Factors of pitch that are applied.
  public static let pitches: ClosedRange<Float> = 0.25...4

  /// Milliseconds of the pieces, of the stretch over which each is looked for, and of the crossfades.
  public struct Lengths: Hashable, Sendable {
    /// 0: the library's own, by tempo: 90 ms at half of it and below, to 40 ms at twice and above.
    public var sequence = 0
    /// 0: the library's own, by tempo: 20 ms to 15 ms.
    public var seek = 0
    /// 1 to 32.
    public var overlap = 8

    /// The library's own, but for the crossfade.
    public init(overlap: Int = 8) { self.overlap = min(32, max(1, overlap)) }

    /// Short pieces: attacks are heard once where longer ones would give them twice or leave them out; low notes
    /// flutter.
    public static func short(overlap: Int) -> Lengths {
      var lengths = Lengths(overlap: overlap)
      (lengths.sequence, lengths.seek) = (30, 12)
      return lengths
    }
  }

  /// Channels of each frame.
  public let channelCount: Int
  private let stretch: OpaquePointer
  private static let blockFrames = 256
  private let interleaved: FlatMemory<Float>
  private var tempo: Float = 1
  private var pitch: Float = 1
  private var lengths: Lengths?
  private var lateFrames = 0

  /// - Parameters:
  ///   - sampleRate: hertz; the library counts its milliseconds by 8,000 to 192,000 Hz, and by the nearer of these
  ///     beyond them.
  ///   - channelCount: 1 to 16.
  /// - Throws: `.render` where the library is not there, has no memory, or does not take so many channels.
  public init(sampleRate: Double, channelCount: Int) throws(BenchError) {
    guard Self.isAvailable else {
      throw BenchError(
        .render, "time stretching is not built: libSoundTouchDll.so.1 is missing", advice: "install libsoundtouch1")
    }
    guard Self.channelCounts.contains(channelCount) else {
      throw BenchError(.render, "time stretching takes 1 to 16 channels, not \(channelCount)")
    }
    let rate = Int32(clamping: min(192_000, max(8000, sampleRate.rounded())))
    guard let stretch = timestretch_make(rate, Int32(channelCount)) else {
      throw BenchError(.render, "there is no memory for time stretching")
    }
    self.stretch = stretch
    self.channelCount = channelCount
    interleaved = FlatMemory(repeating: 0, count: Self.blockFrames * channelCount)
  }

  deinit { timestretch_free(stretch) }

  /// Begins a stream. Bit for bit the same, whatever came before. The library allocates where the pitch or the lengths
  /// are others than before.
  ///
  /// - Parameters: as ``set(tempo:pitch:)`` takes them.
  public func restart(tempo: Float, pitch: Float, lengths: Lengths) {
    if lengths != self.lengths {
      self.lengths = lengths
      timestretch_set_lengths(stretch, Int32(lengths.sequence), Int32(lengths.seek), Int32(lengths.overlap))
    }
    set(tempo: tempo, pitch: pitch)
    timestretch_restart(stretch)
    lateFrames = Int(timestretch_late_frames(stretch, self.pitch))
  }

  /// Sets what holds for all that the library has not worked on yet: from some time within the next piece on. The
  /// library allocates where the pitch is another than before.
  ///
  /// - Parameters:
  ///   - tempo: factor of the speed, 1/32 to 32; beyond, the nearest of these.
  ///   - pitch: factor of the frequencies, 1/4 to 4; beyond, the nearest of these.
  public func set(tempo: Float, pitch: Float) {
    let tempo = min(Self.tempos.upperBound, max(Self.tempos.lowerBound, tempo))
    let pitch = min(Self.pitches.upperBound, max(Self.pitches.lowerBound, pitch))
    guard tempo != self.tempo || pitch != self.pitch else { return }
    (self.tempo, self.pitch) = (tempo, pitch)
    timestretch_set(stretch, tempo, pitch)
  }

  /// Adds input. The library allocates while its queues grow to what they need.
  ///
  /// - Parameter planes: as many as there are channels, read from frame `offset` on.
  public func put(_ planes: FloatPlanes, offset: Int, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(Self.blockFrames, frames - done)
      for channel in 0..<channelCount {
        let plane = planes[channel] + offset + done
        for frame in 0..<count { interleaved[frame * channelCount + channel] = plane[frame] }
      }
      timestretch_put(stretch, interleaved.all.start, Int32(count))
      done += count
    }
  }

  /// Takes output that is ready, and returns how many frames these were.
  ///
  /// - Parameter planes: as many as there are channels, written from frame `offset` on.
  public func take(into planes: FloatPlanes, offset: Int, frames: Int) -> Int {
    while lateFrames > 0 {
      let count = Int(timestretch_take(stretch, interleaved.all.start, Int32(min(Self.blockFrames, lateFrames))))
      guard count > 0 else { return 0 }
      lateFrames -= count
    }
    var done = 0
    while done < frames {
      let count = Int(timestretch_take(stretch, interleaved.all.start, Int32(min(Self.blockFrames, frames - done))))
      guard count > 0 else { break }
      for channel in 0..<channelCount {
        let plane = planes[channel] + offset + done
        for frame in 0..<count { plane[frame] = interleaved[frame * channelCount + channel] }
      }
      done += count
    }
    return done
  }
}
