import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The limiter against its law, and against what no limiter may let through.
@Suite struct PeakLimiterTests {
  private struct Setting {
    var attack: Float = 0.012
    var decay: Float = 0.024
    var preGain: Float = 0
    var ceiling: Float = 0
    var truePeak = false
  }

  private func unit(_ setting: Setting) throws -> PeakLimiter {
    let limiter = PeakLimiter()
    try limiter.set(.attackTime, to: setting.attack)
    try limiter.set(.decayTime, to: setting.decay)
    try limiter.set(.preGain, to: setting.preGain)
    try limiter.setCeiling(setting.ceiling)
    try limiter.setLimitsTruePeak(setting.truePeak)
    return limiter
  }

  /// Noise whose level swells, with lone peaks.
  private func signal(frames: Int, seed: UInt64) -> Signal {
    var signal = noise(2, frames: frames, seed: seed, amplitude: 1)
    for channel in 0..<2 {
      for frame in 0..<frames {
        signal[channel][frame] *= Float(pow(10, 0.8 * sin(Double(frame) / 700 + Double(channel)))) / 4
      }
      for peak in stride(from: 137 + 500 * channel, to: frames, by: 1771) {
        signal[channel][peak] = channel == 0 ? 8 : -11
      }
    }
    return signal
  }

  @Test(
    "its law, the straight lines computed by force",
    arguments: [(44_100.0, 0.012, 0.024), (8_000, 0.001, 0.06), (96_000, 0.03, 0.001)])
  func law(_ rate: Double, _ attack: Double, _ decay: Double) throws {
    let setting = Setting(attack: Float(attack), decay: Float(decay), preGain: 3, ceiling: -1)
    let frames = 9000
    let signal = signal(frames: frames, seed: 3)
    let limiter = try fed(unit(setting), signal, sampleRate: rate)
    let ahead = Int(clamping: (attack * rate).rounded())
    #expect(limiter.latencyFrames == ahead && limiter.tailFrames == 0)
    let output = try renderedSignal(limiter, total: frames + ahead)
    let (gain, ceiling) = (pow(10, 3.0 / 20), pow(10, -1.0 / 20))
    let needed = (0..<frames + ahead).map { frame in
      let peak = frame < frames ? signal.map { abs(Double($0[frame]) * gain) }.max() ?? 0 : 0
      return min(1, ceiling / max(peak, 1e-9))
    }
    var release = 1.0
    let share = 1 - exp(-1 / (decay * rate))
    for frame in 0..<frames {
      var line = 1.0
      for step in 0..<ahead where frame + step < needed.count {
        line = min(line, needed[frame + step] + (1 - needed[frame + step]) * Double(step) / Double(ahead))
      }
      release = min(line, release + (1 - release) * share)
      for channel in 0..<2 {
        let expected = Double(signal[channel][frame]) * gain * release
        #expect(abs(Double(output[channel][frame + ahead]) - expected) < 2e-5, "frame \(frame)")
      }
    }
  }

  @Test("nothing above the ceiling leaves it, whatever comes in: noise, squares, single samples, the largest floats")
  func ceiling() throws {
    for (seed, attack) in [(1 as UInt64, 0.001 as Float), (2, 0.012), (3, 0.03)] {
      for ceiling in [0, -1, -20.5] as [Float] {
        let limiter = try unit(Setting(attack: attack, preGain: 24, ceiling: ceiling))
        var signal = signal(frames: 20_000, seed: seed)
        for frame in 12_000..<14_000 { signal[0][frame] = frame / 50 % 2 == 0 ? 3 : -3 }
        signal[1][15_000] = 1e30
        let output = try renderedSignal(fed(limiter, signal), total: 22_000)
        let limit = Float(pow(10, Double(ceiling) / 20))
        #expect(output.joined().allSatisfy { abs($0) <= limit })
        #expect(output[0].contains { abs($0) > 0.9 * limit })
      }
    }
  }

  @Test("below the ceiling it is a delay and nothing else, bit for bit")
  func quiet() throws {
    let signal = noise(3, frames: 5000, amplitude: 0.9)
    let output = try renderedSignal(fed(PeakLimiter(), signal), total: 5529)
    #expect(output.map { Array($0[529...]) } == signal)
  }

  /// The magnitude between samples, sixteen times as many, by a long sinc under a Blackman window: not the unit's own
  /// filter.
  private func truePeak(_ samples: [Float]) -> Double {
    let reach = 40
    let rows = (0..<16).map { phase -> [Double] in
      (-reach..<reach).map { tap in
        let distance = Double(tap) + 1 - Double(phase) / 16
        let place = (distance + Double(reach)) / Double(2 * reach)
        let window = 0.42 - 0.5 * cos(2 * .pi * place) + 0.08 * cos(4 * .pi * place)
        return (distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)) * window
      }
    }
    var peak = 0.0
    for frame in reach..<samples.count - reach {
      // Only where samples are high can something higher lie between them.
      guard max(abs(samples[frame]), abs(samples[frame + 1])) > 0.4 else { continue }
      for row in rows {
        var sum = 0.0
        for (index, weight) in row.enumerated() { sum += weight * Double(samples[frame + index - reach + 1]) }
        peak = max(peak, abs(sum))
      }
    }
    return peak
  }

  @Test("true peaks stay below the ceiling by some hundredths of a decibel, and without the switch do not")
  func truePeaks() throws {
    // A sine at a quarter of the rate whose samples miss its peaks by 3 dB, and noise below 0.4 of the rate.
    let frames = 12_000
    var sound = (0..<frames).map { (frame: Int) -> Float in
      let phase = Double.pi / 2 * Double(frame) + Double.pi / 4
      return Float(1.2 * sin(phase) * (Double(frame) / 12_000))
    }
    let white = noise(1, frames: frames, seed: 9, amplitude: 3)[0]
    for frame in 6000..<frames {
      var sum: Float = 0
      for tap in -100...100 where frame + tap < frames {
        let window = 0.5 + 0.5 * cos(.pi * Float(tap) / 101)
        sum += white[frame + tap] * window * (tap == 0 ? 0.8 : sin(0.8 * .pi * Float(tap)) / (.pi * Float(tap)))
      }
      sound[frame] = sum
    }
    var peaks: [Bool: Double] = [:]
    for isOn in [true, false] {
      let limiter = try fed(unit(Setting(preGain: 6, ceiling: -1, truePeak: isOn)), [sound])
      #expect(limiter.latencyFrames == 529 + (isOn ? 64 : 0))
      peaks[isOn] = 20 * log10(truePeak(try renderedSignal(limiter, total: frames + 600)[0]))
    }
    #expect(try #require(peaks[true]) < -0.9, "\(peaks)")
    #expect(try #require(peaks[false]) > 0)
  }

  /// The magnitude of the band-limited waveform through all samples, with zeros around them, at sixteen points of each
  /// frame: the sum of sincs itself, without a window.
  private func exactPeak(_ samples: [Float]) -> Double {
    let points = 16
    let wave = samples.map(Double.init)
    var peak = wave.map(abs).max() ?? 0
    for point in 1..<points {
      // sin(pi (n + p/16 - k)) is that of p/16 with the sign of n - k.
      let part = Double(point) / Double(points)
      let weights = (0..<2 * wave.count).map { place -> Double in
        let distance = Double(place - wave.count) + part
        return (place - wave.count) % 2 == 0 ? sin(.pi * part) / (.pi * distance) : -sin(.pi * part) / (.pi * distance)
      }
      weights.withUnsafeBufferPointer { weights in
        wave.withUnsafeBufferPointer { wave in
          for frame in wave.indices where abs(wave[frame]) > 0.5 {
            var sum = 0.0
            for place in wave.indices { sum += wave[place] * weights[frame - place + wave.count] }
            peak = max(peak, abs(sum))
          }
        }
      }
    }
    return peak
  }

  @Test(
    "true peaks of any sound stay below the ceiling by the exact waveform: noise up to half the rate, sines next to it",
    arguments: [(0.012 as Float, 0.024 as Float), (0.001, 0.001)])
  func anyTruePeaks(_ attack: Float, _ decay: Float) throws {
    let frames = 600
    let white = noise(1, frames: frames, seed: 4, amplitude: 4)[0]
    let binary = white.map { sample -> Float in sample < 0 ? -2 : 2 }
    func sine(_ turnsPerFrame: Double, _ frame: Int) -> Float {
      Float(3 * sin(2 * .pi * turnsPerFrame * Double(frame)))
    }
    let bursts = (0..<frames).map { frame -> Float in frame % 300 < 150 ? 0 : sine(0.49, frame) }
    let sounds: [[Float]] = [white, binary, bursts, (0..<frames).map { sine(0.45123, $0) }]
    for (number, sound) in sounds.enumerated() {
      let limiter = try fed(unit(Setting(attack: attack, decay: decay, truePeak: true)), [sound])
      let output = try renderedSignal(limiter, total: frames + limiter.latencyFrames)[0]
      let peak = 20 * log10(exactPeak(Array(output[limiter.latencyFrames...])))
      #expect(peak < 0.05, "sound \(number): \(peak) dB")
      #expect(peak > -9)
    }
  }

  @Test("a ceiling beyond its range is refused, and nothing of it changes while it is initialized")
  func refused() throws {
    let limiter = PeakLimiter()
    #expect(throws: AudioStatus.invalidPropertyValue) { try limiter.setCeiling(1) }
    #expect(throws: AudioStatus.invalidPropertyValue) { try limiter.setCeiling(.nan) }
    try limiter.initialize()
    #expect(throws: AudioStatus.initialized) { try limiter.setCeiling(-1) }
    #expect(throws: AudioStatus.initialized) { try limiter.setLimitsTruePeak(true) }
  }

  @Test("a limiter's ceiling is −60 to 0 dBFS, both ends in it; its properties say what its setters set, and set it")
  func ceilings() throws {
    let limiter = PeakLimiter()
    for value: Float in [-60, 0, -3] {
      try limiter.setCeiling(value)
      #expect(limiter.ceilingDecibels == value)
      #expect(try limiter.property(.limiterCeiling) == .float64(Double(value)))
    }
    for value: Float in [-60.001, 0.001] {
      #expect(throws: AudioStatus.invalidPropertyValue) { try limiter.setCeiling(value) }
    }
    #expect(limiter.ceilingDecibels == -3)
    try limiter.setProperty(.limiterCeiling, to: .float64(-12))
    try limiter.setProperty(.limitsTruePeak, to: .uint32(1))
    #expect(limiter.ceilingDecibels == -12 && limiter.limitsTruePeak)
    try limiter.setLimitsTruePeak(false)
    #expect(try limiter.property(.limitsTruePeak) == .uint32(0))
  }

  @Test("the look-ahead is the longest attack known at the start: a longer one is cut to it, a shorter one begins late")
  func lookAhead() throws {
    let rate = 48_000.0
    var signal = [Float](repeating: 0.5, count: 4000)
    signal[1000] = 2
    func limiter(_ attack: Float) throws -> PeakLimiter {
      let unit = PeakLimiter()
      try unit.set(.attackTime, to: 0.002)
      let ready = try fed(unit, [signal], sampleRate: rate)
      try ready.set(.attackTime, to: attack)
      return ready
    }
    let longer = try limiter(0.03)
    #expect(longer.latencyFrames == 96)
    #expect(try renderedSignal(longer, total: 4000) == renderedSignal(try limiter(0.002), total: 4000))
    longer.setBypass(true)
    #expect(longer.latencyFrames == 0)
    longer.setBypass(false)
    #expect(longer.latencyFrames == 96)
    longer.uninitialize()
    #expect(longer.latencyFrames == 1440)
    // Half of it: a straight line from 48 frames before the peak on.
    let shorter = try limiter(0.001)
    #expect(shorter.latencyFrames == 96)
    let output = try renderedSignal(shorter, total: 4000)[0]
    for frame in 800...1000 {
      let before = 1000 - frame
      let gain = before < 48 ? 0.5 + 0.5 * Double(before) / 48 : 1
      #expect(abs(Double(output[frame + 96]) - Double(signal[frame]) * gain) < 1e-6, "\(frame)")
    }
    let timed = try opened(PeakLimiter(), rate: rate)
    try timed.setTimeline(.through((0, 0.002), (100, 0.002), (100, 0.02), (200, 0.001)), for: ParameterAddress(0))
    #expect(timed.latencyFrames == 960)
  }
}
