import AudioCore
import Glibc
import Measurement

/// Random compressors, limiters and expanders for the dynamics measurement, with noise: the level of the tone is known
/// from two samples of it, the gain goes along an exponential in decibels.
public enum DynamicsDevices {
  public static let family = CoverageFamily("dynamics", .dynamics) { seed, number in
    var draw = Draw(seed: seed, "dynamics", number)
    let rate = LinearDevices.rate(&draw)
    var compressor = RandomCompressor(sampleRate: rate)
    compressor.threshold = draw.uniform(-50, -12)
    compressor.slopeAbove = 1 / draw.logarithmic(1.3, 30)
    compressor.makeup = draw.uniform(-6, 6)
    compressor.knee = draw.whole(0, 7) == 0 ? 0 : draw.uniform(3, 18)
    if number % 5 == 4 {
      (compressor.slopeBelow, compressor.slopeAbove) = (draw.uniform(1.3, 3), 1)
      compressor.threshold = draw.uniform(-28, -12)
    }
    compressor.falling = draw.logarithmic(0.001, 0.05)
    compressor.rising = draw.logarithmic(0.003, number % 5 == 4 ? 0.04 : 0.25)
    compressor.noise = number % 6 == 0 ? 0 : draw.logarithmic(1e-7, 1e-4)
    compressor.seed = draw.seed()
    return compressor.known
  } measure: { known in
    var measurement = DynamicsMeasurement()
    measurement.sampleRate = known.sampleRate
    let period = RandomCompressor.periodFrames(known.sampleRate)
    measurement.frequencyHertz = known.sampleRate / Double(period)
    measurement.jumpFrequencyHertz = known.sampleRate / Double(period)
    return try measurement.measure(known.device)
  }
}

struct RandomCompressor: Sendable {
  let sampleRate: Double
  var threshold = -20.0
  var slopeBelow = 1.0
  var slopeAbove = 0.25
  var knee = 0.0
  var makeup = 0.0
  /// Time constants of a gain that falls and that rises, seconds.
  var falling = 0.01
  var rising = 0.1
  var noise = 0.0
  var seed: UInt64 = 1

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  static func periodFrames(_ sampleRate: Double) -> Int { Int(clamping: (sampleRate / 2000).rounded()) }

  /// Decibels, of a level in dBFS.
  func gain(_ level: Double) -> Double {
    let u = level - threshold
    let (below, above) = (slopeBelow - 1, slopeAbove - 1)
    if u <= -knee / 2 { return makeup + below * u }
    if u >= knee / 2 { return makeup + above * u }
    return makeup + below * u + (above - below) * (u + knee / 2) * (u + knee / 2) / (2 * knee)
  }

  var known: KnownDevice {
    let name =
      "threshold \(threshold), slopes \(slopeBelow) and \(slopeAbove), knee \(knee), gain \(makeup), falls in \(falling) s, "
      + "rises in \(rising) s, noise \(noise), \(sampleRate) Hz"
    let compressor = self
    var known = KnownDevice(
      name, LinearDevices.device(name, .float32, noise: noise, seed: seed) { compressor.run($0) })
    known.sampleRate = sampleRate
    let isCompressor = slopeBelow == 1
    known.truths[.init("threshold")] = .value(threshold)
    known.truths[.init("ratio")] = .value(isCompressor ? 1 / slopeAbove : slopeBelow)
    known.truths[.init("knee")] = .value(knee)
    known.truths[.init("thresholdGain")] = .value(makeup)
    known.truths[.init("slopeBelow")] = .value(slopeBelow)
    known.truths[.init("slopeAbove")] = .value(slopeAbove)
    // From -30 to -6 dBFS and back, until 1 dB is left.
    let (low, high) = (gain(-30), gain(-6))
    guard abs(high - low) > 1.2 else { return known }
    let change = abs(high - low)
    known.truths[.init("attackTime")] = .value((high < low ? falling : rising) * log(change))
    known.truths[.init("releaseTime")] = .value((high < low ? rising : falling) * log(change))
    known.truths[.init("attackGain")] = .value(high)
    known.truths[.init("releaseGain")] = .value(low)
    return known
  }

  private func run(_ samples: [Double]) -> [Double] {
    let omega = 2 * Double.pi / Double(Self.periodFrames(sampleRate))
    let (cosine, sine) = (cos(omega), sin(omega))
    let (down, up) = (1 - exp(-1 / (falling * sampleRate)), 1 - exp(-1 / (rising * sampleRate)))
    var (before, now) = (0.0, makeup)
    return samples.map { sample in
      // Two neighbours of a sine give the amplitude.
      let square = sample * sample + before * before - 2 * sample * before * cosine
      before = sample
      // To 0.0005 dB: what rounds the samples does not move the level.
      let level = (40_000 * log10(max(max(square, 0).squareRoot() / sine, 1e-5))).rounded() / 2000
      let target = gain(level)
      now += (target < now ? down : up) * (target - now)
      return sample * pow(10, now / 20)
    }
  }
}
