// The reading side of a file player. Runs on whichever thread reads ahead, never inside a render call.

import AudioCore
import AudioEngine
import SampleRate
import SoundFile

/// A file whose frames a player reads: what opens it is the caller's affair. One player at a time may use it, on any
/// thread, one call at a time; a player moves it as it likes.
package protocol PlayableFile: AnyObject, Sendable {
  /// The facts about the file that are fixed.
  var playableInfo: PlayableFileInfo { get }
  /// Reads up to `frames` frames to `planes`, from frame `offset` of each plane on; 0 at the end.
  func read(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) -> Int
  /// Makes frame `frame` the next to be read, exactly.
  func seek(toFrame frame: Int64) throws(BenchError)
}

/// Length, rate and channels of a file that can be played.
package struct PlayableFileInfo: Hashable, Sendable {
  /// The name in errors.
  package var path: String
  /// Frames at the file's own rate, 0 or more.
  package var frameCount: Int64
  /// Hertz.
  package var sampleRate: Double
  /// 1 to 1024 can be played.
  package var channelCount: Int
  /// True when a seek costs no more than a read.
  package var isSeekable: Bool

  /// The facts as given by the maker of a ``PlayableFile``; nothing is checked here.
  package init(path: String, frameCount: Int64, sampleRate: Double, channelCount: Int, isSeekable: Bool) {
    self.path = path
    self.frameCount = frameCount
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.isSeekable = isSeekable
  }
}

extension SoundFileReader: PlayableFile {
  /// As the file's header has it.
  package var playableInfo: PlayableFileInfo {
    PlayableFileInfo(
      path: info.path, frameCount: info.frameCount, sampleRate: info.sampleRate, channelCount: info.channelCount,
      isSeekable: info.isSeekable)
  }
}

/// A region of a sound file, played some times in a row and converted to a sample rate: one stream without seams.
package final class FileStream: FrameStream {
  package let channelCount: Int
  /// Silence follows without end.
  package var knownEnd: Int64 { .max }
  /// Frames of output until the last one that sounds; nil for endless loops.
  package let totalFrames: Int64?
  private let reader: any PlayableFile
  private let info: PlayableFileInfo
  private let converter: RateConverter?
  private let region: Range<Int64>
  private let passes: Int64?
  private let scratch: PlanarBuffer
  package private(set) var framesBeforeFailure = 0
  /// The frames of the file in front of an error.
  private var goodFrames = 0
  private var passesDone: Int64 = 0
  private var filePosition: Int64

  /// - Parameters:
  ///   - region: frames of the file to play.
  ///   - loops: additional passes; −1 for ever.
  package init(
    _ reader: any PlayableFile, region: Range<Int64>, loops: Int, sampleRate: Double, quality: RateConversionQuality
  ) throws(BenchError) {
    self.reader = reader
    info = reader.playableInfo
    self.region = region
    channelCount = info.channelCount
    passes = loops < 0 ? nil : Self.passes(loops: loops)
    filePosition = region.lowerBound
    let fileRate = info.sampleRate
    converter =
      fileRate == sampleRate
      ? nil
      : try RateConverter(
        from: fileRate, to: sampleRate, channelCount: channelCount, quality: quality,
        maximumOutputFrames: ReadAhead.blockFrames)
    scratch = PlanarBuffer(channelCount: converter == nil ? 0 : channelCount, frameCapacity: ReadAhead.blockFrames)
    totalFrames = Self.frames(of: region, loops: loops, from: fileRate, to: sampleRate)
    try reader.seek(toFrame: region.lowerBound)
  }

  /// About how many bytes a stream of a file takes, with the file's reader.
  static func memoryBytes(
    _ fileRate: Double, to sampleRate: Double, channelCount: Int, quality: RateConversionQuality
  ) -> Int {
    let frames = ReadAhead.blockFrames
    let reader = MemoryBudget.product(channelCount, 8, frames) + 64 << 10
    guard fileRate != sampleRate else { return reader }
    return reader + 4 * channelCount * frames
      + RateConverter.memoryBytes(
        from: fileRate, to: sampleRate, channelCount: channelCount, quality: quality, maximumOutputFrames: frames)
  }

  /// One pass more than there are loops; the largest number stays.
  private static func passes(loops: Int) -> Int64 { loops == .max ? .max : Int64(loops) + 1 }

  /// Frames of output that a region gives; nil: it has no end, or more than can be counted.
  static func frames(of region: Range<Int64>, loops: Int, from fileRate: Double, to sampleRate: Double) -> Int64? {
    if region.isEmpty { return 0 }
    guard loops >= 0 else { return nil }
    let (frames, overflow) = Int64(region.count).multipliedReportingOverflow(by: passes(loops: loops))
    return overflow ? nil : FrameCount.converted(frames, from: fileRate, to: sampleRate)
  }

  /// True when all passes are done.
  private var hasEnded: Bool { passes.map { passesDone >= $0 } ?? false }

  /// Makes frame `frame` of the stream the next one. If rates are converted, the conversion goes on from as far back as
  /// its filter reaches, or from the beginning if it keeps a state, so that the frames are the same as without the jump.
  package func seek(to frame: Int64) throws(BenchError) {
    let (input, surplus) = converter?.restart(atOutput: frame) ?? (frame, 0)
    passesDone = region.isEmpty ? 0 : input / Int64(region.count)
    filePosition = region.lowerBound + (region.isEmpty ? 0 : input % Int64(region.count))
    if !hasEnded { try reader.seek(toFrame: filePosition) }
    guard surplus > 0 else { return }
    let sink = PlanarBuffer(channelCount: channelCount, frameCapacity: ReadAhead.blockFrames)
    var left = surplus
    while left > 0 {
      let count = Int(min(left, Int64(ReadAhead.blockFrames)))
      try produce(into: sink.planes, offset: 0, frames: count)
      left -= Int64(count)
    }
  }

  /// Writes the next frames; silence behind the end.
  package func produce(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    do throws(BenchError) {
      guard let converter else { return try read(into: planes, offset: offset, frames: frames) }
      var needed = converter.inputFramesNeeded(toProduce: frames)
      while needed > 0 {
        let count = min(needed, scratch.frameCapacity)
        try read(into: scratch.planes, offset: 0, frames: count)
        converter.push(scratch.planes, frames: count)
        needed -= count
      }
      converter.pop(into: planes, offset: offset, frames: frames)
    } catch {
      framesBeforeFailure = goodFrames
      if let converter {
        converter.push(scratch.planes, frames: goodFrames)
        framesBeforeFailure = converter.popKnown(into: planes, offset: offset, atMost: frames)
      }
      throw error
    }
  }

  /// The next frames at the file's own rate, pass after pass.
  private func read(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    var done = 0
    goodFrames = 0
    while done < frames {
      if region.isEmpty || hasEnded {
        for channel in 0..<channelCount {
          (planes[channel] + offset + done).update(repeating: 0, count: frames - done)
        }
        return
      }
      let count = Int(min(Int64(frames - done), region.upperBound - filePosition))
      let got: Int
      do throws(BenchError) {
        got = try reader.read(into: planes, offset: offset + done, frames: count)
      } catch {
        if let bad = (reader as? SoundFileReader)?.refusedFrame { goodFrames = done + Int(max(0, bad - filePosition)) }
        throw error
      }
      guard got > 0 else {
        throw BenchError(
          .input, at: info.path,
          "the file ends at frame \(filePosition), before frame \(region.upperBound) that its header promises")
      }
      done += got
      filePosition += Int64(got)
      if filePosition == region.upperBound {
        passesDone += 1
        filePosition = region.lowerBound
        if !hasEnded { try reader.seek(toFrame: filePosition) }
      }
    }
  }
}

extension RateConverter {
  /// Puts out what follows from the input so far alone.
  /// - Returns: the number of those frames.
  fileprivate func popKnown(into planes: FloatPlanes, offset: Int, atMost frames: Int) -> Int {
    var (known, beyond) = (0, frames + 1)
    while beyond - known > 1 {
      let middle = (known + beyond) / 2
      if inputFramesNeeded(toProduce: middle) == 0 { known = middle } else { beyond = middle }
    }
    if known > 0 { pop(into: planes, offset: offset, frames: known) }
    return known
  }
}
