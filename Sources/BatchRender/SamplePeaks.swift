import AudioCore
import DSPKernels

/// The largest magnitude of each channel of what went by, and whether all of it was finite.
package struct SamplePeaks {
  /// Linear, of the finite samples.
  package private(set) var channels: [Float]
  package private(set) var hasNonFiniteSamples = false

  package init(channelCount: Int) { channels = Array(repeating: 0, count: channelCount) }

  package mutating func measure(_ planes: FloatPlanes, offset: Int = 0, frames: Int) {
    for channel in channels.indices {
      let plane = planes[channel] + offset
      let peak = LevelKernels.absolutePeak(plane, frames: frames)
      if peak.isFinite {
        channels[channel] = max(channels[channel], peak)
      } else {
        hasNonFiniteSamples = true
        for frame in 0..<frames where plane[frame].isFinite {
          channels[channel] = max(channels[channel], abs(plane[frame]))
        }
      }
    }
  }
}
