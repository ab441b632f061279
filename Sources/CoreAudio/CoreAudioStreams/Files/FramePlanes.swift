import AudioCore
import AudioEngine
import SoundFile

/// Frames between a file and a converter: planes of Float, or of Double where Float cannot hold the file's samples. The
/// file reads or writes planes, the converter sees the same memory as a bus.
package final class FramePlanes {
  /// The frames as a converter sees them.
  package let format: StreamFormat
  /// The same memory, as a converter's buffers.
  package let bus: BusBuffer
  private let floats: PlanarBuffer
  private let doubles: DoubleBuffer

  /// Floats, or doubles where `isWide`, a plane for each channel.
  package static func format(sampleRate: Double, channelCount: Int, isWide: Bool) -> StreamFormat {
    StreamFormat(
      sampleRate: sampleRate, channelCount: channelCount, encoding: nativeOrder(isWide ? .float64 : .float32))
  }

  /// - Parameter format: one of ``format(sampleRate:channelCount:isWide:)``.
  package init(format: StreamFormat, frameCapacity: Int) {
    self.format = format
    let (channelCount, isWide) = (format.channelCount, format.encoding.bits == 64)
    floats = PlanarBuffer(channelCount: isWide ? 0 : channelCount, frameCapacity: frameCapacity)
    doubles = DoubleBuffer(channelCount: isWide ? channelCount : 0, frameCapacity: frameCapacity)
    bus = BusBuffer(buffers: .allocate(capacity: channelCount), count: channelCount, frames: frameCapacity)
    for channel in 0..<channelCount {
      bus.buffers[channel] =
        isWide ? UnsafeMutableRawPointer(doubles[channel].start) : UnsafeMutableRawPointer(floats[channel].start)
    }
  }

  deinit { bus.buffers.deallocate() }

  private var isWide: Bool { format.encoding.bits == 64 }

  /// Reads up to so many frames, no more than there is room for; returns how many.
  package func read(from reader: SoundFileReader, frames: Int) throws(BenchError) -> Int {
    isWide
      ? try reader.read(into: doubles.planes, frames: frames) : try reader.read(into: floats.planes, frames: frames)
  }

  /// Appends the first frames to a file.
  package func write(to writer: SoundFileWriter, frames: Int) throws(BenchError) {
    if isWide {
      try writer.write(doubles.planes, frames: frames)
    } else {
      try writer.write(floats.planes, frames: frames)
    }
  }
}
