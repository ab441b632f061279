import AudioCore
import Glibc

/// Sounds that a voice processor is measured with: made from a seed, so that the same measurement has the same sounds
/// anywhere.
package struct VoiceSignals: Sendable {
  /// Hertz.
  package let sampleRate: Double
  private var random: SplitMix64

  package init(sampleRate: Double, seed: UInt64) {
    self.sampleRate = sampleRate
    random = SplitMix64(seed: seed)
  }

  private mutating func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

  /// Gaussian numbers of deviation 1, by Box and Muller.
  private mutating func gaussian() -> Double {
    let radius = (-2 * log(1 - uniform(0...0.999_999_999))).squareRoot()
    return radius * cos(2 * .pi * uniform(0...1))
  }

  /// White noise of an rms, dBFS.
  package mutating func noise(frames: Int, rmsDecibels: Double) -> [Double] {
    let amplitude = Decibels.amplitude(rmsDecibels)
    return (0..<frames).map { _ in amplitude * gaussian() }
  }

  /// Plucked notes of eight partials with a beat of noise, four a second, of an rms in dBFS.
  package mutating func music(frames: Int, rmsDecibels: Double) -> [Double] {
    var sound = [Double](repeating: 0, count: frames)
    let step = sampleRate / 4
    for note in 0..<Int(clamping: Double(frames) / step) {
      let frequency = 110 * exp2(Double(Int(clamping: uniform(0...35.99))) / 12)
      let start = Int(clamping: Double(note) * step)
      let length = min(frames - start, Int(clamping: sampleRate))
      for partial in 1...8 where frequency * Double(partial) < 0.45 * sampleRate {
        let turn = 2 * Double.pi * frequency * Double(partial) / sampleRate
        let phase = uniform(0...(2 * .pi))
        let decay = Double(3 + partial) / sampleRate
        for frame in 0..<length {
          sound[start + frame] += sin(turn * Double(frame) + phase) * exp(-Double(frame) * decay) / Double(partial)
        }
      }
      if note.isMultiple(of: 2) {
        for frame in 0..<length { sound[start + frame] += 0.3 * gaussian() * exp(-40 * Double(frame) / sampleRate) }
      }
    }
    let rms = (sound.reduce(0) { $0 + $1 * $1 } / Double(max(1, frames))).squareRoot()
    return sound.map { $0 * Decibels.amplitude(rmsDecibels) / max(rms, 1e-12) }
  }

  // MARK: Speech

  /// Centres of the first four formants of five vowels, hertz: means of men after Peterson and Barney ("Control Methods
  /// Used in a Study of the Vowels", 1952), the fourth alike in all.
  private static let vowels: [[Double]] = [
    [270, 2290, 3010, 3600], [530, 1840, 2480, 3600], [730, 1090, 2440, 3600], [570, 840, 2410, 3600],
    [300, 870, 2240, 3600],
  ]
  private static let bandwidths: [Double] = [60, 90, 120, 200]

  /// An artificial talker: words of two to five syllables with pauses between, each a vowel of glottal pulses through
  /// four formants, most with a hiss in front. Its level is that of where it speaks, as ITU-T P.56 means it, dBFS.
  package mutating func speech(frames: Int, activeDecibels: Double) -> [Double] {
    var sound: [Double] = []
    sound.reserveCapacity(frames + Int(clamping: sampleRate))
    let pitch = uniform(95...210)
    let scale = pitch > 150 ? 1.15 : 1
    var filters = Self.bandwidths.map { _ in Resonator() }
    while sound.count < frames {
      for _ in 0..<Int(clamping: uniform(2...5.99)) {
        if uniform(0...1) < 0.6 { hiss(&sound, seconds: uniform(0.04...0.1)) }
        syllable(&sound, seconds: uniform(0.12...0.28), pitch: pitch * uniform(0.85...1.2), scale: scale, &filters)
      }
      sound += [Double](repeating: 0, count: Int(clamping: uniform(0.08...0.4) * sampleRate))
    }
    sound.removeLast(sound.count - frames)
    let level = VoiceFigures.activeRMS(sound, sampleRate: sampleRate)
    // Peaks of speech lie about 20 dB above its level: those that go further are cut as a converter cuts them.
    let gain = Decibels.amplitude(activeDecibels) / max(level, 1e-12)
    return sound.map { min(0.98, max(-0.98, $0 * gain)) }
  }

  private mutating func hiss(_ sound: inout [Double], seconds: Double) {
    let frames = Int(clamping: seconds * sampleRate)
    var former = 0.0
    for frame in 0..<frames {
      let noise = gaussian()
      // The first difference: more towards the top.
      sound.append(0.02 * (noise - former) * sin(.pi * Double(frame) / Double(frames)))
      former = noise
    }
  }

  private mutating func syllable(
    _ sound: inout [Double], seconds: Double, pitch: Double, scale: Double, _ filters: inout [Resonator]
  ) {
    let frames = Int(clamping: seconds * sampleRate)
    let from = Self.vowels[Int(clamping: uniform(0...4.99))]
    let to = Self.vowels[Int(clamping: uniform(0...4.99))]
    let loudness = uniform(0.5...1)
    var phase = 0.0
    var glottis = (first: 0.0, second: 0.0)
    var former = 0.0
    let corner = exp(-2 * .pi * 120 / sampleRate)
    for frame in 0..<frames {
      let place = Double(frame) / Double(frames)
      if frame.isMultiple(of: 32) {
        for index in filters.indices {
          let frequency = scale * (from[index] + (to[index] - from[index]) * place)
          filters[index].set(hertz: frequency, bandwidth: Self.bandwidths[index], sampleRate: sampleRate)
        }
      }
      phase += pitch * (1.1 - 0.2 * place) / sampleRate
      var pulse = 0.0
      if phase >= 1 {
        phase -= 1
        pulse = 1
      }
      glottis.first = pulse + corner * glottis.first
      glottis.second = glottis.first + corner * glottis.second
      // Lips radiate the difference.
      let flow = glottis.second + 0.02 * gaussian()
      var sample = flow - former
      former = flow
      for index in filters.indices { sample = filters[index].process(sample) }
      let envelope = min(1, min(place, 1 - place) * 8)
      sound.append(sample * loudness * envelope)
    }
  }

  /// Two poles, with a gain of 1 at 0 Hz.
  private struct Resonator {
    private var (a1, a2, gain) = (0.0, 0.0, 0.0)
    private var (y1, y2) = (0.0, 0.0)

    mutating func set(hertz: Double, bandwidth: Double, sampleRate: Double) {
      guard hertz < 0.48 * sampleRate else {
        (a1, a2, gain) = (0, 0, 1)
        return
      }
      let radius = exp(-.pi * bandwidth / sampleRate)
      a1 = 2 * radius * cos(2 * .pi * hertz / sampleRate)
      a2 = -radius * radius
      gain = 1 - a1 - a2
    }

    mutating func process(_ sample: Double) -> Double {
      let output = gain * sample + a1 * y1 + a2 * y2
      (y2, y1) = (y1, output)
      return output
    }
  }
}
