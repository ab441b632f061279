import AudioCore
import SoundFile

/// Where rendered or converted frames go, in order.
package protocol AudioSink: AnyObject {
  /// Takes `frames` frames of `planes`, from frame `offset` of each on.
  func write(
    _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int
  ) throws(BenchError)
  /// Completes what was written; nothing of it is to be seen yet.
  func end() throws(BenchError) -> SoundFileWriteReport?
  /// Lets it be seen.
  func publish() throws(BenchError)
  /// Drops what was written; nothing of it remains.
  func discard()
}

extension SoundFileWriter: AudioSink {
  package func end() throws(BenchError) -> SoundFileWriteReport? { try complete() }
}

/// Where the frames of a conversion come from, in order.
package protocol SoundSource: AnyObject {
  var info: SoundFileInfo { get }
  /// The frame that the next read begins with.
  var position: Int64 { get }
  /// Reads up to `frames` frames to planes, from frame `offset` of each on; fewer at the end alone.
  func read(
    into planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int
  ) throws(BenchError) -> Int
}

extension SoundFileReader: SoundSource {}

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
    _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int
  ) throws(BenchError) {
    for channel in channels.indices {
      channels[channel].append(contentsOf: UnsafeBufferPointer(start: planes[channel] + offset, count: frames))
    }
  }
  func end() throws(BenchError) -> SoundFileWriteReport? { nil }
  func publish() throws(BenchError) {}
  func discard() {}
}
