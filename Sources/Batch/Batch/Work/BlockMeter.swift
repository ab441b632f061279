import AudioCore
import BatchRender
import Loudness

/// Loudness and true peak of a sound that comes block by block.
final class BlockMeter {
  /// The most frames at a time.
  static let blockFrames = 8192
  let meter: LoudnessMeter
  private let block: PlanarBuffer

  /// - Throws: `.input` for a rate or a number of channels that has no loudness.
  init(_ format: StreamFormat, _ layout: ChannelLayout?, at place: String) throws(BenchError) {
    do throws(BenchError) {
      meter = try LoudnessMeter(
        sampleRate: format.sampleRate, channels: LoudnessChannel.of(layout, count: format.channelCount))
    } catch {
      throw error.inside(place)
    }
    block = PlanarBuffer(channelCount: format.channelCount, frameCapacity: Self.blockFrames)
  }

  /// - Parameter frames: at most 8192.
  func add(_ planes: FloatPlanes, offset: Int, frames: Int) {
    for channel in 0..<block.channelCount {
      block[channel].update(from: planes[channel] + offset, count: frames)
    }
    meter.add(block.planes, frames: frames)
  }
}
