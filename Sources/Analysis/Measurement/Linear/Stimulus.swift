import AudioCore
import Glibc

/// Signals that make a device show what it does.
public enum Stimulus {
  /// One sample of height `amplitude` at frame `at`.
  public static func impulse(frames: Int, at: Int = 0, amplitude: Double = 1) -> [Double] {
    var samples = silence(frames: frames)
    samples[at] = amplitude
    return samples
  }

  /// Zeros.
  static func silence(frames: Int) -> [Double] { [Double](repeating: 0, count: frames) }

  /// White noise, uniform in ±`amplitude`, the same for the same seed (SplitMix64).
  public static func whiteNoise(frames: Int, amplitude: Double = 0.5, seed: UInt64 = 1) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return (0..<frames).map { _ in (2 * generator.unit() - 1) * amplitude }
  }

  /// A sine, from phase 0 at frame 0 on.
  public static func sine(
    frames: Int, frequencyHertz: Double, sampleRate: Double, amplitude: Double = 0.5
  ) -> [Double] {
    let cycles = frequencyHertz / sampleRate
    return (0..<frames).map { frame in
      // Whole cycles are taken out first, so that late frames are as exact as early ones.
      let turns = (cycles * Double(frame)).truncatingRemainder(dividingBy: 1)
      return amplitude * sin(2 * .pi * turns)
    }
  }
}

/// A sine whose frequency grows by the same factor in the same time, so that the harmonics that a device adds arrive
/// before its linear response (A. Farina, AES 108, 2000).
public struct ExponentialSweep: Hashable, Sendable {
  /// Hertz at frame 0; above 0.
  public let startHertz: Double
  /// Hertz at the end; above ``startHertz``, up to half the rate.
  public let endHertz: Double
  /// 2 or more.
  public let frames: Int
  /// Hertz.
  public let sampleRate: Double

  /// Precondition: 0 < `startHertz` < `endHertz` ≤ `sampleRate`/2, and 2 frames or more.
  public init(startHertz: Double, endHertz: Double, frames: Int, sampleRate: Double) {
    precondition(0 < startHertz && startHertz < endHertz && endHertz <= sampleRate / 2 && frames > 1)
    self.startHertz = startHertz
    self.endHertz = endHertz
    self.frames = frames
    self.sampleRate = sampleRate
  }

  /// Frames in which the frequency grows by e.
  public var growthFrames: Double { Double(frames) / log(endHertz / startHertz) }

  /// The frames by which a harmonic's response precedes the linear one: growthFrames·ln(order).
  public func leadFrames(ofHarmonic order: Int) -> Double { growthFrames * log(Double(order)) }

  /// sin(2π·f₁·L·(e^(n/L) − 1)/rate), with a short fade at its beginning; it ends at full height.
  public func samples(amplitude: Double) -> [Double] {
    let growth = growthFrames
    let fade = min(frames / 8, Int(clamping: sampleRate / startHertz))
    return (0..<frames).map { frame in
      let cycles = startHertz / sampleRate * growth * expm1(Double(frame) / growth)
      let rise = frame < fade ? 0.5 - 0.5 * cos(.pi * Double(frame) / Double(fade)) : 1
      return amplitude * rise * sin(2 * .pi * cycles.truncatingRemainder(dividingBy: 1))
    }
  }
}

/// Sines at whole bins of a period, with random phases: played over and over, a device's answer at each bin is exact as
/// soon as it has settled.
public struct Multitone: Hashable, Sendable {
  /// Frames of one period.
  public let period: Int
  /// The bins that sound, 1 ..< period/2.
  public let bins: [Int]
  /// The seed of the phases: the same seed gives the same samples.
  public let seed: UInt64

  /// About `tonesPerOctave` tones between two frequencies, each bin once.
  public init(
    period: Int, startHertz: Double, endHertz: Double, tonesPerOctave: Int, sampleRate: Double, seed: UInt64 = 1
  ) {
    var bins: [Int] = []
    let count = Int(clamping: log2(endHertz / startHertz) * Double(tonesPerOctave))
    for index in 0...max(0, count) {
      let hertz = startHertz * pow(2, Double(index) / Double(tonesPerOctave))
      let bin = Int(clamping: (hertz * Double(period) / sampleRate).rounded())
      if bin > (bins.last ?? 0), bin < period / 2 { bins.append(bin) }
    }
    self.period = period
    self.bins = bins
    self.seed = seed
  }

  /// One period, its largest sample `amplitude`.
  public func samples(amplitude: Double) -> [Double] {
    var generator = SplitMix64(seed: seed)
    var sum = [Double](repeating: 0, count: period)
    let table = (0..<period).map { sin(2 * .pi * Double($0) / Double(period)) }
    for bin in bins {
      var place = Int(clamping: generator.unit() * Double(period))
      for frame in 0..<period {
        sum[frame] += table[place]
        place += bin
        if place >= period { place -= period }
      }
    }
    let peak = sum.largest.magnitude
    return sum.map { $0 * amplitude / peak }
  }
}
