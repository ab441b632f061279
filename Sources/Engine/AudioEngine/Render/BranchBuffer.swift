// Buffers beside the pull: of branches that workers rendered ahead, and of taps. Written and read by one thread at a
// time: the pool hands over from one to the other.

import AudioCore

/// The output of a branch for one whole slice, or for a block of short ones, rendered ahead; its puller reads it
/// instead of rendering.
package final class BranchBuffer: @unchecked Sendable {
  package let buffer: StreamBuffer
  private var start: Int64 = 0
  private var end: Int64 = 0
  private let writing: StreamPointers

  package init(format: StreamFormat, frameCapacity: Int) {
    buffer = StreamBuffer(format: format, frameCapacity: frameCapacity)
    writing = StreamPointers(count: buffer.bus.count)
  }

  /// Forgets what it held: from now on nothing is covered.
  package func clear(at sampleTime: Int64) {
    start = sampleTime
    end = sampleTime
  }

  /// The place of the frames that follow those it holds.
  package func tail() -> BusBuffer {
    writing.bus(buffer.bus, from: Int(end - start), bytesPerFrame: buffer.format.bytesPerFrame)
  }

  /// Appends frames that follow those it holds; nothing is copied where they were rendered into ``tail()``.
  package func append(_ source: BusBuffer, frames: Int) {
    let offset = Int(end - start)
    precondition(offset + frames <= buffer.frameCapacity)
    buffer.bus.copy(
      from: source, sourceFrame: 0, toFrame: offset, frames: frames, bytesPerFrame: buffer.format.bytesPerFrame)
    end += Int64(frames)
  }

  func covers(_ sampleTime: Int64, frames: Int) -> Bool {
    sampleTime >= start && sampleTime + Int64(frames) <= end
  }

  func view(at sampleTime: Int64, through view: BusBuffer) -> BusBuffer {
    let offset = Int(sampleTime - start) * buffer.format.bytesPerFrame
    for index in 0..<buffer.bus.count { view.buffers[index] = buffer.bus.buffers[index] + offset }
    return BusBuffer(buffers: view.buffers, count: buffer.bus.count, frames: Int(end - sampleTime))
  }
}

/// A copy of what a node put out since it was last emptied, for a file beside the main output.
package final class TapBuffer: @unchecked Sendable {
  package let buffer: StreamBuffer
  package private(set) var frames = 0

  package init(format: StreamFormat, frameCapacity: Int) {
    buffer = StreamBuffer(format: format, frameCapacity: frameCapacity)
  }

  func append(_ source: BusBuffer, frames count: Int) -> AudioStatus {
    guard frames + count <= buffer.frameCapacity else { return .tooManyFramesToProcess }
    buffer.bus.copy(
      from: source, sourceFrame: 0, toFrame: frames, frames: count, bytesPerFrame: buffer.format.bytesPerFrame)
    frames += count
    return .noError
  }

  /// Drops the oldest frames; the rest moves to the front.
  package func removeFirst(_ count: Int) {
    precondition(count <= frames)
    buffer.bus.copy(
      from: buffer.bus, sourceFrame: count, toFrame: 0, frames: frames - count,
      bytesPerFrame: buffer.format.bytesPerFrame)
    frames -= count
  }
}
