// Signals 15 to 23 of EBU Tech 3341 (2016 and 2023, table 1), tolerance +0.2/−0.4 dB.

import AudioCore
import Glibc
import Loudness
import Testing

@Suite("EBU Tech 3341, true peak")
struct TruePeakTests {
  /// A sine of rate ÷ divisor.
  struct Tone: Sendable {
    let number: Int
    let divisor: Int
    let amplitude: Double
    let phaseDegrees: Double
    let expected: Double
  }

  static let tones = [
    Tone(number: 15, divisor: 4, amplitude: 0.5, phaseDegrees: 0, expected: -6),
    Tone(number: 16, divisor: 4, amplitude: 0.5, phaseDegrees: 45, expected: -6),
    Tone(number: 17, divisor: 6, amplitude: 0.5, phaseDegrees: 60, expected: -6),
    Tone(number: 18, divisor: 8, amplitude: 0.5, phaseDegrees: 67.5, expected: -6),
    Tone(number: 19, divisor: 4, amplitude: 1.41, phaseDegrees: 45, expected: 3),
  ]

  @Test(
    "15 to 19: a stereo sine whose samples miss its peaks, 10 ms of fade in and out", arguments: tones,
    [44_100.0, 48_000, 96_000])
  func tone(_ tone: Tone, _ sampleRate: Double) throws {
    let frames = Int(clamping: sampleRate)
    let samples = (0..<frames).map { frame in
      let angle = 2 * Double.pi * Double(frame % tone.divisor) / Double(tone.divisor) + tone.phaseDegrees / 180 * .pi
      return Self.fade(frame, frames, over: Int(clamping: sampleRate / 100)) * tone.amplitude * sin(angle)
    }
    let readings = try measured([samples, samples], sampleRate: sampleRate)
    for channel in 0..<2 {
      let excess = readings.truePeakDecibels(channel: channel) - tone.expected
      #expect(excess <= 0.2 && excess >= -0.4, "\(excess) dB")
    }
  }

  @Test(
    "20 to 23: a single period of fs/4 at full scale in a sine of fs/6 at half, made at 4·fs, decimated at offset 0 to 3",
    arguments: 0..<4, [44_100.0, 48_000])
  func burst(_ offset: Int, _ sampleRate: Double) throws {
    let samples = Self.burst(offset: offset)
    let readings = try measured([samples, samples], sampleRate: sampleRate)
    for channel in 0..<2 {
      let level = readings.truePeakDecibels(channel: channel)
      #expect(level <= 0.2 && level >= -0.4, "\(level) dBTP")
    }
  }

  @Test("sees a peak between the last two samples, and is never below the sample peak")
  func lastPeak() throws {
    // A sine of fs/4 at 45° that stops short: both last samples are 0.707 of its peak.
    let samples = (0..<4_802).map { $0 < 4_000 ? 0 : sin(Double.pi / 2 * Double($0 % 4) + .pi / 4) }
    let readings = try measured([samples])
    #expect(readings.truePeakDecibels(channel: 0) > -0.5)
    #expect(readings.truePeaks[0] >= readings.samplePeaks[0])
  }

  @Test(
    "of noise, clicks between samples and tones, at every rate: what a plain sum of sincs finds, within its own ±",
    arguments: [44_100.0, 48_000, 96_000, 192_000], ["noise", "clicks", "tone", "slow noise"])
  func plainSum(_ sampleRate: Double, _ kind: String) throws {
    var generator = SplitMix64(seed: UInt64(clamping: Int(clamping: sampleRate)) &+ UInt64(kind.utf8.count))
    let clicks = (0..<4).map { _ in (place: 60 + 120 * generator.unit(), height: generator.unit() - 0.5) }
    var before = 0.0
    let samples = (0..<240).map { frame -> Double in
      let noise = generator.unit() - 0.5
      before = 0.9 * before + 0.1 * noise
      return switch kind {
      case "noise": noise
      case "clicks": clicks.reduce(0) { $0 + $1.height * Self.sinc(Double(frame) - $1.place) }
      case "tone": 0.3 * sin(1 + 2.7 * Double(frame))
      default: before
      }
    }
    let readings = try measured([samples], sampleRate: sampleRate)
    let points = (-64..<16 * 256).map { point in
      abs(samples.enumerated().reduce(0) { $0 + $1.element * Self.sinc(Double(point) / 16 - Double($1.offset)) })
    }
    // Between the highest points a parabola.
    let place = try #require(points.indices.dropFirst().dropLast().max { points[$0] < points[$1] })
    let (left, middle, right) = (points[place - 1], points[place], points[place + 1])
    let truth = middle - (right - left) * (right - left) / (8 * (left - 2 * middle + right))
    #expect(abs(readings.truePeaks[0] - truth) <= readings.truePeakUncertainties[0])
    #expect(readings.truePeakUncertainties[0] > 0)
    if kind != "tone" { #expect(readings.truePeakUncertainties[0] < 0.04 * truth) }
  }

  @Test("the ± of a tone that begins and ends at once holds the peak of the one that goes on")
  func ends() throws {
    let samples = (0..<9_000).map { 0.5 * cos(0.9 * Double($0)) }
    let readings = try measured([samples])
    #expect(readings.truePeaks[0] > 0.54)
    #expect(abs(readings.truePeaks[0] - 0.5) <= readings.truePeakUncertainties[0])
  }

  @Test("the same for any division into blocks")
  func blocks() throws {
    let samples = (0..<30_000).map { sin(0.001 * Double($0)) * sin(2.2 * Double($0)) }
    func peaks(_ block: Int) throws -> LoudnessReadings {
      let meter = try LoudnessMeter(sampleRate: 44_100, channels: [.left])
      for start in stride(from: 0, to: samples.count, by: block) {
        let part = DoubleBuffer([Array(samples[start..<min(samples.count, start + block)])])
        meter.add(part.planes, frames: part.frameCapacity)
      }
      return meter.finish()
    }
    #expect(try peaks(1_000) == peaks(30_000) && peaks(77) == peaks(30_000))
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

  private static func fade(_ frame: Int, _ frames: Int, over length: Int) -> Double {
    min(1, Double(frame) / Double(length), Double(frames - 1 - frame) / Double(length))
  }

  /// At 4·fs a period of fs/6 has 24 samples and one of fs/4 has 16; the phase runs on.
  private static func burst(offset: Int) -> [Double] {
    let periods = 800
    var wide: [Double] = []
    for index in 0..<24 * periods { wide.append(0.5 * sin(2 * Double.pi * Double(index % 24) / 24)) }
    wide += (0..<16).map { sin(2 * Double.pi * Double($0) / 16) }
    for index in 0..<24 * periods { wide.append(0.5 * sin(2 * Double.pi * Double(index % 24) / 24)) }
    for index in wide.indices { wide[index] *= fade(index, wide.count, over: 1_920) }
    // Anti-aliasing: a sinc to fs/2 under a Hann window of 64 samples of fs.
    let half = 128
    let taps = (-half...half).map { tap in
      let x = Double.pi * Double(tap) / 4
      return (tap == 0 ? 1 : sin(x) / x) / 4 * (0.5 + 0.5 * cos(Double.pi * Double(tap) / Double(half + 1)))
    }
    return stride(from: offset, to: wide.count, by: 4).map { centre in
      var sum = 0.0
      for tap in -half...half where wide.indices.contains(centre + tap) { sum += taps[tap + half] * wide[centre + tap] }
      return sum
    }
  }
}
