import AudioCore
import AudioEngine

/// Frames of the input that are kept around the place that is read. The render side's.
final class InputWindow {
  /// The size of the window's memory.
  struct Extent {
    var channelCount: Int
    /// The most that are kept at one time.
    var frames: Int
    /// The most frames that the source delivers at once.
    var longestPull: Int

    /// Twice as much, so that what is kept is moved to the front now and then only.
    fileprivate var frameCapacity: Int { 2 * frames + longestPull }
    /// The size for the memory budget.
    var byteCount: Int { MemoryBudget.product(channelCount, 4 * frameCapacity + 256) }
  }

  let buffer: PlanarBuffer
  private let channelCount: Int
  private let longestPull: Int
  /// The input frame at the beginning of the buffer, and how many frames are there.
  private(set) var origin: Int64 = 0
  private var count = 0
  /// The last pull: its first frame, and how many there were.
  private var last = (frame: Int64.min, count: 0)

  init(_ extent: Extent) {
    channelCount = extent.channelCount
    longestPull = extent.longestPull
    buffer = PlanarBuffer(channelCount: extent.channelCount, frameCapacity: extent.frameCapacity)
  }

  /// The input frame that is pulled next.
  var end: Int64 { origin + Int64(count) }

  /// Begins at an input frame, with silence in front of it.
  func restart(at frame: Int64, silence: Int) {
    origin = frame - Int64(silence)
    count = silence
    buffer.clear(frames: silence)
  }

  /// Takes of a source what is missing in front of frame `end`; of what there is, frames from `first` on are kept.
  @inline(__always)
  func pull(
    _ source: (_ sampleTime: Int64, _ frames: Int) throws(AudioStatus) -> BusBuffer, before end: Int64,
    keepingFrom first: Int64
  ) throws(AudioStatus) {
    while self.end < end {
      var frames = Int(min(Int64(longestPull), end - self.end))
      // A source has rendered a frame of its clock once, with as many frames as were asked for then.
      if self.end == last.frame { frames = min(frames, last.count) }
      let input = try source(self.end, frames)
      guard input.count > 0 else { throw .noConnection }
      last = (self.end, frames)
      if count + frames > buffer.frameCapacity { drop(before: first) }
      precondition(count + frames <= buffer.frameCapacity, "more input than there is room for")
      for channel in 0..<channelCount {
        (buffer.planes[channel] + count).update(from: input.planes[channel], count: frames)
      }
      count += frames
    }
  }

  /// Pulls what is missing of input bus 0.
  func pull(_ piece: RenderPiece, before end: Int64, keepingFrom first: Int64) throws(AudioStatus) {
    try pull(
      { (time, frames) throws(AudioStatus) in try piece.pull(bus: 0, sampleTime: time, frames: frames) }, before: end,
      keepingFrom: first)
  }

  private func drop(before frame: Int64) {
    let past = Int(min(Int64(count), max(0, frame - origin)))
    guard past > 0 else { return }
    for channel in 0..<channelCount {
      buffer.planes[channel].update(from: buffer.planes[channel] + past, count: count - past)
    }
    origin += Int64(past)
    count -= past
  }

  /// The place of an input frame in the buffer's planes.
  @inline(__always)
  func place(of frame: Int64) -> Int { Int(frame - origin) }
}
