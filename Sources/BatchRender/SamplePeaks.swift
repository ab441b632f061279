import AudioCore
import DSPKernels

/// The largest magnitude of each channel of what went by, and whether all of it was finite.
struct SamplePeaks {
  /// Linear, of the finite samples.
  private(set) var channels: [Float]
  private(set) var hasNonFiniteSamples = false

  init(channelCount: Int) { channels = Array(repeating: 0, count: channelCount) }

  mutating func measure(_ planes: FloatPlanes, frames: Int) {
    for channel in channels.indices {
      let peak = LevelKernels.absolutePeak(planes[channel], frames: frames)
      if peak.isFinite {
        channels[channel] = max(channels[channel], peak)
      } else {
        hasNonFiniteSamples = true
        for frame in 0..<frames where planes[channel][frame].isFinite {
          channels[channel] = max(channels[channel], abs(planes[channel][frame]))
        }
      }
    }
  }
}
