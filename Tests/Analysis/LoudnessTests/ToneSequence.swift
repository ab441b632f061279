import AudioCore
import Glibc
import Loudness
import TestSupport

/// A stretch of a tone.
struct Stretch: Sendable {
  let seconds: Double
  /// Peak level of the sine in dBFS; nil: silence.
  let level: Double?
  init(_ seconds: Double, _ level: Double?) {
    self.seconds = seconds
    self.level = level
  }
}

/// A sine of 1000 Hz at 48 kHz whose level changes: what most signals of EBU Tech 3341 and 3342 are made of.
struct ToneSequence {
  var channels: [LoudnessChannel] = [.left, .right]
  /// Decibels added for each channel.
  var gains: [Double] = [0, 0]
  let stretches: [Stretch]

  /// Meters it in blocks of 10 ms; `observe` gets the seconds after each.
  func measured(_ observe: (Double, LoudnessMeter) -> Void = { _, _ in }) throws -> LoudnessReadings {
    let meter = try LoudnessMeter(sampleRate: 48_000, channels: channels)
    let period = (0..<480).map { sin(2 * Double.pi * Double($0 % 48) / 48) }
    let buffer = DoubleBuffer(channelCount: channels.count, frameCapacity: 480)
    defer { withExtendedLifetime(buffer) {} }
    var blocks = 0
    for stretch in stretches {
      for channel in channels.indices {
        let amplitude = stretch.level.map { Decibels.amplitude($0 + gains[channel]) } ?? 0
        for frame in 0..<480 { buffer.planes[channel][frame] = amplitude * period[frame] }
      }
      for _ in 0..<Int(clamping: (stretch.seconds * 100).rounded()) {
        meter.add(buffer.planes, frames: 480)
        blocks += 1
        observe(Double(blocks) / 100, meter)
      }
    }
    return meter.finish()
  }
}

/// Meters a whole signal.
func measured(
  _ channels: [[Double]], sampleRate: Double = 48_000, as meaning: [LoudnessChannel]? = nil
) throws -> LoudnessReadings {
  let meter = try LoudnessMeter(
    sampleRate: sampleRate, channels: meaning ?? LoudnessChannel.usual(count: channels.count))
  let buffer = DoubleBuffer(channels)
  withExtendedLifetime(buffer) { meter.add(buffer.planes, frames: channels[0].count) }
  return meter.finish()
}
