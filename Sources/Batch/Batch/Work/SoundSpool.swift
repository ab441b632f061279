import AudioCore
import BatchRender
import Glibc
import SoundFile

/// A sound between two passes: what is done to it depends on all of it. A file without a name, beside the output, so
/// that memory does not grow with it.
final class SoundSpool: AudioSink {
  let format: StreamFormat
  private(set) var frames: Int64 = 0
  /// From the first frame that is not below the threshold to the last; nil where there is none.
  private(set) var loud: Range<Int64>?
  var exactBits: Int?

  private static let blockFrames = 8192
  /// Its owner; nil where another process is, and this one has only opened it.
  private let file: AtomicFile?
  let descriptor: Int32
  /// The path of the output, for messages.
  private let path: String
  private let threshold: Float?
  /// The block that is being filled, or was read last.
  private let block: PlanarBuffer
  private var filled = 0
  /// Blocks in the file.
  private var blockCount: Int64 = 0
  private var blockRead: Int64 = -1
  private var blockBytes: Int { Self.blockFrames * 4 }

  /// - Parameters:
  ///   - path: the path of the output.
  ///   - thresholdDecibels: the level of silence, dBFS; nil: the sound's range is not needed.
  /// - Throws: `.output` where nothing can be written there.
  init(beside path: String, _ format: StreamFormat, thresholdDecibels: Double?) throws(BenchError) {
    self.format = format
    let file = try AtomicFile(path: path, overwrites: true)
    (self.file, descriptor, self.path) = (file, file.descriptor, path)
    threshold = thresholdDecibels.map { Float(Decibels.amplitude($0)) }
    block = PlanarBuffer(channelCount: format.channelCount, frameCapacity: Self.blockFrames)
  }

  /// Opens a spool that another process has written.
  /// - Parameters:
  ///   - descriptor: the descriptor of its file; it is closed here.
  ///   - loud: as the other has found it.
  init(
    reading descriptor: Int32, for path: String, _ format: StreamFormat, frames: Int64, loud: Range<Int64>?
  ) {
    (self.format, self.frames, self.loud) = (format, frames, loud)
    (file, self.descriptor, self.path, threshold) = (nil, descriptor, path, nil)
    block = PlanarBuffer(channelCount: format.channelCount, frameCapacity: Self.blockFrames)
  }

  deinit { if file == nil { close(descriptor) } }

  func write(
    _ planes: FloatPlanes, offset: Int, frames count: Int
  ) throws(BenchError) {
    note(planes, offset: offset, frames: count)
    var done = 0
    while done < count {
      let step = min(count - done, Self.blockFrames - filled)
      for channel in 0..<format.channelCount {
        (block[channel] + filled).update(from: planes[channel] + offset + done, count: step)
      }
      filled += step
      done += step
      if filled == Self.blockFrames { try flush() }
    }
    frames += Int64(count)
  }

  func end() throws(BenchError) -> SoundFileWriteReport? {
    if filled > 0 { try flush() }
    return nil
  }

  func publish() throws(BenchError) {}
  func discard() { file?.discard() }

  /// Calls `body` with the planes of a range of frames, block by block.
  func forEachBlock(
    of range: Range<Int64>,
    _ body: (FloatPlanes, _ offset: Int, _ frames: Int, _ first: Int64)
      throws(BenchError) -> Void
  ) throws(BenchError) {
    var frame = range.lowerBound
    while frame < range.upperBound {
      let index = frame / Int64(Self.blockFrames)
      try read(index)
      let start = Int(frame - index * Int64(Self.blockFrames))
      let count = Int(min(Int64(Self.blockFrames - start), range.upperBound - frame))
      try body(block.planes, start, count, frame)
      blockRead = -1  // whoever was called may have changed it
      frame += Int64(count)
    }
  }

  private func note(_ planes: FloatPlanes, offset: Int, frames count: Int) {
    guard let threshold else { return }
    for frame in 0..<count {
      var isLoud = false
      for channel in 0..<format.channelCount where !(abs(planes[channel][offset + frame]) < threshold) { isLoud = true }
      guard isLoud else { continue }
      let place = frames + Int64(frame)
      loud = (loud?.lowerBound ?? place)..<(place + 1)
    }
  }

  private func place(_ block: Int64, _ channel: Int) -> off_t {
    off_t((block * Int64(format.channelCount) + Int64(channel)) * Int64(blockBytes))
  }

  private func flush() throws(BenchError) {
    for channel in 0..<format.channelCount {
      var done = 0
      while done < blockBytes {
        let start = UnsafeRawPointer(block[channel].start) + done
        let count = pwrite(descriptor, start, blockBytes - done, place(blockCount, channel) + off_t(done))
        if count > 0 { done += count } else if errno != EINTR { throw AtomicFile.failure(errno, at: path) }
      }
    }
    blockCount += 1
    filled = 0
  }

  private func read(_ index: Int64) throws(BenchError) {
    guard index != blockRead else { return }
    for channel in 0..<format.channelCount {
      var done = 0
      while done < blockBytes {
        let start = UnsafeMutableRawPointer(block[channel].start) + done
        let count = pread(descriptor, start, blockBytes - done, place(index, channel) + off_t(done))
        if count > 0 {
          done += count
        } else if count == 0 || errno != EINTR {
          throw AtomicFile.failure(count == 0 ? EIO : errno, at: path, "cannot be read between two passes")
        }
      }
    }
    blockRead = index
  }
}
