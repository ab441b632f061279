import AudioCore
import BatchRender
import Loudness

/// Loudness and true peak of a sound that comes block by block.
final class BlockMeter {
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
    block = PlanarBuffer(channelCount: format.channelCount, frameCapacity: 8192)
  }

  /// - Parameter frames: at most 8192.
  func add(_ planes: FloatPlanes, offset: Int, frames: Int) {
    for channel in 0..<block.channelCount {
      block[channel].update(from: planes[channel] + offset, count: frames)
    }
    meter.add(block.planes, frames: frames)
  }

  /// Sets the readings of a piece of a sound that is cut: at its gain, and without its neighbours.
  func note(in report: inout TaskReport) {
    let readings = meter.finish()
    report.loudnessLUFS = readings.integratedLUFS.flatMap { $0.isFinite ? $0 : nil }
    let peak = readings.maximumTruePeakDecibels
    report.truePeakDecibels = peak.isFinite ? peak : nil
  }
}
