import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The edges of what the normalizer takes for loud, and of how far it raises it.
@Suite("Edges of the normalizer") struct NormalizerLevelTests {
  private static let rate = 48_000.0

  private func tone(_ decibels: Double) -> [Float] {
    sine(hertz: 997, sampleRate: Self.rate, frames: 48_000, amplitude: pow(10, decibels / 20))
  }

  private func measured(_ signal: Signal, _ set: (Normalizer) throws -> Void = { _ in }) throws -> Normalizer {
    let unit = Normalizer()
    try set(unit)
    _ = try fed(unit, signal, sampleRate: Self.rate)
    unit.beginPreflight()
    var time = 0
    while time < signal[0].count {
      let count = min(1000, signal[0].count - time)
      _ = try unit.render(sampleTime: Int64(time), frames: count)
      time += count
    }
    unit.endPreflight()
    unit.reset()
    return unit
  }

  /// BS.1770-4: surrounds between 60° and 120° count 1.41 times, the low frequency effects not at all.
  @Test(
    "each channel's weight is that of its place in a WAV file of so many",
    arguments: [
      [1, 1, 1], [1, 1, 1.41, 1.41], [1, 1, 1, 1.41, 1.41], [1, 1, 1, 0, 1.41, 1.41],
      [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 1, 1, 1.41, 1.41],
    ] as [[Double]])
  func weights(_ weights: [Double]) throws {
    let (tone, none) = (tone(-20), [Float](repeating: 0, count: 48_000))
    for (channel, weight) in weights.enumerated() {
      let found = try measured(weights.indices.map { $0 == channel ? tone : none }).measuredLUFS
      guard weight > 0 else {
        #expect(found == nil, "channel \(channel)")
        continue
      }
      // A sine of 997 Hz at 0 dBFS on a channel of weight 1 is −3.01 LKFS.
      let level = try #require(found)
      #expect(abs(level - (-23.01 + 10 * log10(weight))) < 0.02, "channel \(channel): \(level)")
    }
  }

  @Test("a sound is loud from 400 ms and −70 LUFS on; one that is not passes as it is, but for its peak in mode 1")
  func gates() throws {
    for (frames, isLoud) in [(19_199, false), (19_200, true)] {
      // It ends where it crosses 0: at an edge the sound between the samples would be larger.
      let signal = [sine(hertz: 1000, sampleRate: Self.rate, frames: frames, amplitude: 0.1)]
      let unit = try measured(signal)
      #expect((unit.measuredLUFS != nil) == isLoud, "\(frames)")
      #expect(try (renderedSignal(unit, total: frames) == signal) == !isLoud)
      let peak = try measured(signal) { try $0.set(.mode, to: 1) }
      let gain = try renderedSignal(peak, total: frames)[0][100] / signal[0][100]
      // Up to −14, the level where none is set.
      #expect(abs(20 * log10(Double(gain)) - 6) < 0.05)
    }
    // Two channels alike are as many LUFS as a channel's dBFS.
    for (decibels, isLoud) in [(-70.3, false), (-69.7, true)] {
      let signal = [tone(decibels), tone(decibels)]
      let unit = try measured(signal)
      #expect((unit.measuredLUFS != nil) == isLoud, "\(decibels) dB")
      #expect(try (renderedSignal(unit, total: 1000)[0] == Array(signal[0][..<1000])) == !isLoud)
    }
  }

  @Test(
    "by its peak a sound comes to the level, or to the ceiling where that is lower; by its loudness no peak exceeds it",
    arguments: [(1, -9, -6, -9), (1, -3, -6, -6), (0, -20, -30, -30), (0, -23, -1, -20)]
      as [(Float, Float, Float, Double)])
  func levels(_ mode: Float, _ level: Float, _ ceiling: Float, _ wanted: Double) throws {
    // One channel: −23 LUFS where its peak is −20 dBFS.
    let signal = [tone(-12)]
    let unit = try measured(signal) {
      try $0.set(.mode, to: mode)
      try $0.set(.level, to: level)
      try $0.set(.ceiling, to: ceiling)
    }
    let output = try renderedSignal(unit, total: 20_000)[0]
    let peak = 20 * log10(Double(output[5000...].map(abs).max() ?? 0))
    #expect(abs(peak - wanted) < 0.05, "\(peak)")
  }
}
