import AudioCore
import Glibc

/// How long a device rings: one impulse on all channels, and a long time to listen.
struct Listening {
  private static let blockFrames = 64
  /// Below the largest sample by so much, a float's response counts as over: what is left of H is a billionth.
  private static let leastPart = 1e-9

  /// The frames of a response that hold all that stands out from the device's noise: a power of two from
  /// ``LinearSettings/leastResponseFrames`` on, at most ``LinearSettings/longestResponseFrames``.
  static func responseFrames(of device: any Device, _ settings: LinearSettings) throws(BenchError) -> Int {
    var longest = settings.longestResponseFrames
    guard longest > LinearSettings.leastResponseFrames else { return longest }
    // Many channels may not fit into memory for as long.
    while longest > 2 * LinearSettings.leastResponseFrames {
      do throws(BenchError) {
        try AudioSignal.checkMemory(frames: longest, channels: settings.channelCount, at: "stimulus")
        break
      } catch { longest /= 2 }
    }
    let lead = settings.leadFrames
    var input = AudioSignal(
      sampleRate: settings.sampleRate, channelCount: settings.channelCount,
      [Double](repeating: 0, count: lead + longest))
    for channel in input.channels.indices {
      // No two alike: what subtracts one channel from another would hear nothing.
      let part = (Double(channel) * 0.618).truncatingRemainder(dividingBy: 1)
      input.channels[channel][lead] = settings.amplitude * (1 - 0.37 * part)
    }
    let output = try device.process(device.precision.rounded(input))
    guard output.sampleRate == settings.sampleRate, !output.hasNonFiniteSamples else {
      // The measurement says so, and of which stimulus.
      return settings.responseFrames
    }
    let needed = output.channels.map { last(in: $0, lead: lead, precision: device.precision) - lead }.max() ?? 0
    var frames = LinearSettings.leastResponseFrames
    while frames < needed, frames < settings.longestResponseFrames { frames *= 2 }
    return min(frames, settings.longestResponseFrames)
  }

  /// The frame behind the last block that stands out.
  private static func last(in samples: [Double], lead: Int, precision: SamplePrecision) -> Int {
    let silence = samples.prefix(lead / 2)
    guard !silence.isEmpty else { return 0 }
    let mean = silence.reduce(0, +) / Double(silence.count)
    var variance = silence.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(silence.count)
    let top = samples.reduce(0) { max($0, abs($1 - mean)) }
    if case .integer = precision {
      // A step up or down is rounding.
      let step = precision.roundingDeviation(peak: top) * 12.0.squareRoot()
      variance += step * step
    }
    let least = max(leastPart * top, 6.5 * variance.squareRoot())
    var end = samples.count
    while end > lead {
      let start = max(lead, end - blockFrames)
      var (energy, peak) = (0.0, 0.0)
      for frame in start..<end {
        let sample = samples[frame] - mean
        energy += sample * sample
        peak = max(peak, abs(sample))
      }
      if peak > least || (variance > 0 && energy > 3 * variance * Double(end - start) && peak > leastPart * top) {
        return end
      }
      end = start
    }
    return lead
  }
}
