import AudioCore
import DSPKernels

/// The largest magnitude of each channel of what went by, and which samples of it were not finite.
package struct SamplePeaks {
  /// Linear; NaN for a channel that has a sample which is not finite: its peak is no figure.
  package private(set) var channels: [Float]
  package private(set) var nonFinite = NonFiniteSamples()
  private var framesSeen: Int64 = 0

  package init(channelCount: Int) { channels = Array(repeating: 0, count: channelCount) }

  /// The same in dBFS: −∞ for silence.
  package var decibels: [Double] { channels.map { Decibels.of(amplitude: Double($0)) } }

  package mutating func measure(_ planes: FloatPlanes, offset: Int = 0, frames: Int) {
    for channel in channels.indices {
      let plane = planes[channel] + offset
      let peak = LevelKernels.absolutePeak(plane, frames: frames)
      if peak.isFinite {
        // One that is NaN stays so.
        if peak > channels[channel] { channels[channel] = peak }
      } else {
        channels[channel] = .nan
        nonFinite.add(plane.prefix(frames).elements.span, channel: channel, firstFrame: framesSeen)
      }
    }
    framesSeen += Int64(frames)
  }
}
