import AudioCore
import SoundFile

/// Where rendered frames go, in order.
protocol AudioSink: AnyObject {
  /// Takes `frames` frames of `planes`, from frame `offset` of each on.
  func write(
    _ planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError)
  /// Completes what was written; nothing of it is to be seen yet.
  func end() throws(BenchError) -> SoundFileWriteReport?
  /// Lets it be seen.
  func publish() throws(BenchError)
  /// Drops what was written; nothing of it remains.
  func discard()
}

extension SoundFileWriter: AudioSink {
  func end() throws(BenchError) -> SoundFileWriteReport? { try complete() }
}

/// Arrays in memory: for tests and short signals.
final class MemorySink: AudioSink {
  private(set) var channels: [[Float]]

  /// - Parameter frames: how many will come; nil where that is not known.
  /// - Throws: `.graph` where they would take more memory than they may.
  init(_ format: StreamFormat, frames: Int64?) throws(BenchError) {
    var budget = MemoryBudget()
    try budget.add(
      MemoryBudget.product(Int(clamping: frames ?? 0), format.channelCount, MemoryLayout<Float>.size),
      for: "a render of \(frames ?? 0) frames into memory", of: "the render")
    channels = Array(repeating: [], count: format.channelCount)
    for channel in channels.indices { channels[channel].reserveCapacity(Int(clamping: frames ?? 0)) }
  }

  func write(
    _ planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    for channel in channels.indices {
      channels[channel].append(contentsOf: UnsafeBufferPointer(start: planes[channel] + offset, count: frames))
    }
  }
  func end() throws(BenchError) -> SoundFileWriteReport? { nil }
  func publish() throws(BenchError) {}
  func discard() {}
}
