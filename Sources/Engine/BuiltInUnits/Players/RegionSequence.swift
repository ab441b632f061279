// The reading side of a scheduled file player. Runs on whichever thread reads ahead, never inside a render call, and
// one thread at a time: ``ReadAhead`` sees to that.

import AudioCore
import AudioEngine
import SampleRate

/// Regions of files one behind another, in the order in which they were scheduled, each converted to one rate and one
/// number of channels: a stream without gaps. When a region sounds is the render side's affair.
///
/// A region's converter is made when its turn comes, so many may wait at little cost.
final class RegionSequence: FrameStream {
  private struct Item {
    let file: any PlayableFile
    let region: Range<Int64>
    let loops: Int
    let start: Int64
    /// The frame behind its last one; nil: it has none.
    let end: Int64?
  }

  /// A region that is being read.
  private struct Open {
    let stream: FileStream
    /// Nil: the channels are the output's own.
    let matrix: ChannelMatrix?
    let scratch: PlanarBuffer
  }

  let channelCount: Int
  private let sampleRate: Double
  private let quality: RateConversionQuality
  private var items: [Item] = []
  private var open: Open?
  private var position: Int64 = 0
  private(set) var knownEnd: Int64 = 0
  private let shifted: PlaneAddresses<Float>

  init(channelCount: Int, sampleRate: Double, quality: RateConversionQuality) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.quality = quality
    shifted = PlaneAddresses(channelCount: channelCount)
  }

  /// Adds a region behind the last one.
  ///
  /// - Returns: its beginning in the stream, and the number of its frames; nil for endless loops.
  func append(_ region: ScheduledRegion, of file: any PlayableFile) -> (start: Int64, frames: Int64?) {
    let info = file.playableInfo
    let played = region.frames(of: info.frameCount)
    var frames = FileStream.frames(of: played, loops: region.loops, from: info.sampleRate, to: sampleRate)
    // More frames than a number holds are played without an end: that is a hundred thousand years.
    if let known = frames, known > .max / 2 - knownEnd { frames = nil }
    let start = knownEnd
    let end = frames.map { start + $0 }
    // Behind an endless region nothing is ever read.
    if start < .max && frames != 0 {
      items.append(Item(file: file, region: played, loops: region.loops, start: start, end: end))
      knownEnd = end ?? .max
    }
    return (start, frames)
  }

  /// Drops all regions; the next one begins at `position`.
  func removeAll(at position: Int64) {
    items = []
    open = nil
    self.position = position
    knownEnd = position
  }

  func produce(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    var done = 0
    while done < frames {
      guard let item = items.first else { preconditionFailure("no more is read than is known") }
      let left = item.end.map { $0 - position } ?? .max
      if left <= 0 {
        items.removeFirst()
        open = nil
        continue
      }
      let count = Int(min(Int64(frames - done), left))
      try produce(item, into: planes, offset: offset + done, frames: count)
      done += count
      position += Int64(count)
    }
  }

  private func produce(
    _ item: Item, into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    let open = try opened(item)
    guard let matrix = open.matrix else { return try open.stream.produce(into: planes, offset: offset, frames: frames) }
    try open.stream.produce(into: open.scratch.planes, offset: 0, frames: frames)
    matrix.apply(from: open.scratch.planes, to: shifted.planes(planes, from: offset), frames: frames)
  }

  private func opened(_ item: Item) throws(BenchError) -> Open {
    if let open { return open }
    let stream = try FileStream(
      item.file, region: item.region, loops: item.loops, sampleRate: sampleRate, quality: quality)
    let matrix = ChannelMatrix.conventional(inputCount: stream.channelCount, outputCount: channelCount)
    let isStraight = matrix.isIdentity
    let fresh = Open(
      stream: stream, matrix: isStraight ? nil : matrix,
      scratch: PlanarBuffer(
        channelCount: isStraight ? 0 : stream.channelCount, frameCapacity: ReadAhead.blockFrames))
    open = fresh
    return fresh
  }

  /// Forward only: what lies behind has been dropped.
  func seek(to frame: Int64) throws(BenchError) {
    while let item = items.first, let end = item.end, end <= frame {
      items.removeFirst()
      open = nil
    }
    position = frame
    if let item = items.first { try opened(item).stream.seek(to: frame - item.start) }
  }
}
