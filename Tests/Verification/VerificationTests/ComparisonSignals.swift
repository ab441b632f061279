import Glibc
import Measurement
import TestSupport

/// Signals with a known value at every time, between frames too: sums of sines, so that a delayed, drifting or scaled
/// copy is a closed form.
struct TestTones {
  private let tones: [(turn: Double, phase: Double, amplitude: Double)]

  /// - Parameters:
  ///   - count: the number of sines, at random frequencies (as a part of the sample rate) within `range`, and random
  ///     phases.
  init(seed: UInt64, count: Int = 60, range: ClosedRange<Double> = 0.001...0.45, peak: Double = 0.5) {
    var generator = SeededGenerator(seed: seed)
    tones = (0..<count).map { _ in
      (
        2 * Double.pi * Double.random(in: range, using: &generator), Double.random(in: 0..<6, using: &generator),
        peak / Double(count)
      )
    }
  }

  /// The value at a time in frames.
  func value(_ time: Double) -> Double {
    var sum = 0.0
    for tone in tones { sum += tone.amplitude * sin(tone.turn * time + tone.phase) }
    return sum
  }

  /// Fades in and out over `fade` frames within `frames`, so that nothing begins abruptly; all in a time that may be
  /// bent.
  func samples(frames: Int, fade: Double = 2_000, margin: Double = 300, at time: (Double) -> Double = { $0 })
    -> [Double]
  {
    (0..<frames).map { index in
      let t = time(Double(index))
      let inside = min(t - margin, Double(frames) - margin - t) / fade
      if inside <= 0 { return 0 }
      let slope = inside >= 1 ? 1 : 0.5 - 0.5 * cos(Double.pi * inside)
      return slope * value(t)
    }
  }
}

/// Noise in a signal of some channels.
func noiseSignal(seed: UInt64, frames: Int, channels: Int = 2, rate: Double = 48_000) -> AudioSignal {
  var generator = SeededGenerator(seed: seed)
  return AudioSignal(
    sampleRate: rate,
    channels: (0..<channels).map { _ in generator.noise(frames: frames).map(Double.init) })
}
