import AudioCore
import Glibc
import Measurement

/// Random devices for the dynamics measurement: compressors, limiters and expanders, with noise, holds and delays; what
/// clips; what has no dynamics, or varies in time.
public enum DynamicsDevices {
  public static let family = CoverageFamily("dynamics", .dynamics) { seed, number in
    var draw = Draw(seed: seed, "dynamics", number)
    let rate = LinearDevices.rate(&draw)
    var known: KnownDevice
    switch number % 10 {
    case 5: known = clipping(&draw, rate)
    case 6:
      known =
        draw.sign() > 0
        ? peakLimiter(&draw, rate) : compressor(&draw, rate, number: 0, hold: draw.logarithmic(0.002, 0.05))
    case 7: known = compressor(&draw, rate, number: 0, slope: 0)
    case 8: known = moving(&draw, rate)
    case 9: known = plain(&draw, rate)
    default: known = compressor(&draw, rate, number: number)
    }
    if draw.whole(0, 2) == 0 { known = known.delayed(seconds: draw.uniform(0, 4)) }
    if draw.whole(0, 4) == 0 { known = known.clocked(partsPerMillion: draw.sign() * draw.logarithmic(0.1, 300)) }
    return known
  } measure: { known in
    var measurement = DynamicsMeasurement()
    measurement.sampleRate = known.sampleRate
    let period = RandomCompressor.periodFrames(known.sampleRate)
    measurement.frequencyHertz = known.sampleRate / Double(period)
    measurement.jumpFrequencyHertz = known.sampleRate / Double(period)
    return try measurement.measure(known.device)
  }

  /// The level of the tone is known from two samples of it; the gain goes along an exponential in decibels.
  private static func compressor(
    _ draw: inout Draw, _ rate: Double, number: Int, slope: Double? = nil, hold: Double = 0
  ) -> KnownDevice {
    var compressor = RandomCompressor(sampleRate: rate)
    compressor.threshold = draw.uniform(-50, -12)
    compressor.slopeAbove = slope ?? 1 / draw.logarithmic(1.3, 30)
    compressor.makeup = draw.uniform(-6, 6)
    compressor.knee = draw.whole(0, 7) == 0 ? 0 : draw.uniform(3, 18)
    if number % 5 == 4 {
      (compressor.slopeBelow, compressor.slopeAbove) = (draw.uniform(1.3, 3), 1)
      compressor.threshold = draw.uniform(-28, -12)
    }
    compressor.falling = draw.logarithmic(0.001, 0.05)
    compressor.rising = draw.logarithmic(0.003, number % 5 == 4 ? 0.04 : 0.25)
    compressor.hold = hold
    compressor.noise = number % 6 == 0 ? 0 : draw.logarithmic(1e-7, 1e-4)
    compressor.seed = draw.seed()
    return compressor.known
  }

  private static func clipping(_ draw: inout Draw, _ rate: Double) -> KnownDevice {
    let level = draw.uniform(-40, -1)
    let limit = pow(10, level / 20)
    let name = "clips at \(level) dBFS, \(rate) Hz"
    var known = KnownDevice(
      name, LinearDevices.device(name, .float32) { $0.map { min(max($0, -limit), limit) } })
    known.sampleRate = rate
    known.truths[.init("threshold")] = .value(level)
    for id in ["ratio", "knee", "staticSlope"] { known.truths[.init(id)] = .nothing }
    return known
  }

  /// It follows the peaks of the wave itself, holds them, and lets its gain go.
  private static func peakLimiter(_ draw: inout Draw, _ rate: Double) -> KnownDevice {
    let (threshold, hold) = (draw.uniform(-28, -12), Int(clamping: draw.logarithmic(0.001, 0.03) * rate))
    let release = draw.logarithmic(0.002, 0.2) * rate
    @Sendable func gains(_ samples: [Double]) -> [Double] {
      var (peak, left) = (0.0, 0)
      let limit = pow(10, threshold / 20)
      let factor = exp(-1 / release)
      return samples.map { sample in
        if abs(sample) >= peak {
          (peak, left) = (abs(sample), hold)
        } else if left > 0 {
          left -= 1
        } else {
          peak = max(abs(sample), peak * factor)
        }
        return min(1, limit / max(peak, 1e-9))
      }
    }
    let name = "limits peaks at \(threshold) dBFS, hold \(hold) frames, release \(release) frames, \(rate) Hz"
    var known = KnownDevice(
      name, LinearDevices.device(name, .float32) { samples in zip(samples, gains(samples)).map { $0 * $1 } })
    known.sampleRate = rate
    let period = RandomCompressor.periodFrames(rate)
    // Between two samples the wave is higher than at any of them.
    let highest = (0..<period).reduce(0) { max($0, abs(sin(2 * .pi * Double($1) / Double(period)))) }
    known.truths[.init("threshold")] = .value(threshold - 20 * log10(highest))
    // The gain itself, behind a jump from −6 to −30 dBFS.
    let loud = 200 * period
    let tone = (0..<loud + Int(clamping: rate)).map { frame in
      pow(10, (frame < loud ? -6.0 : -30) / 20) * sin(2 * .pi * Double(frame % period) / Double(period))
    }
    let course = gains(tone).map { 20 * log10($0) }
    let end = course.suffix(period).reduce(0, +) / Double(period)
    if let last = course.lastIndex(where: { abs($0 - end) > 1 }), hold > period {
      known.truths[.init("releaseTime")] = .value(Double(last + 1 - loud) / rate)
    }
    return known
  }

  /// Its gain rises, falls, or goes to and fro.
  private static func moving(_ draw: inout Draw, _ rate: Double) -> KnownDevice {
    let kind = draw.whole(0, 2)
    let perSecond = draw.sign() * draw.logarithmic(1e-4, 1)
    let (depth, hertz) = (draw.logarithmic(1e-4, 0.3), draw.uniform(0.3, 7))
    let (settling, seconds) = (draw.logarithmic(0.02, 3), draw.uniform(0.3, 4))
    let name =
      [
        "gain that moves by \(perSecond) dB/s", "tremolo of \(depth) at \(hertz) Hz",
        "gain that settles by \(settling) dB in \(seconds) s",
      ][kind] + ", \(rate) Hz"
    var known = KnownDevice(
      name,
      LinearDevices.device(name, .float32) { samples in
        samples.enumerated().map { frame, sample in
          let time = Double(frame) / rate
          return switch kind {
          case 0: sample * pow(10, perSecond * time / 20)
          case 1: sample * (1 + depth * sin(2 * .pi * hertz * time))
          default: sample * pow(10, settling * exp(-time / seconds) / 20)
          }
        }
      })
    known.sampleRate = rate
    for id in ["threshold", "ratio", "attackTime"] { known.truths[.init(id)] = .nothing }
    known.truths[.init("staticSlope")] = .valueIfRead(1)
    return known
  }

  /// No dynamics at all.
  private static func plain(_ draw: inout Draw, _ rate: Double) -> KnownDevice {
    let gain = draw.sign() * draw.logarithmic(0.1, 1)
    let noise = draw.sign() > 0 ? 0 : draw.logarithmic(1e-7, 1e-4)
    let name = "gain of \(gain), noise \(noise), \(rate) Hz"
    var known = KnownDevice(
      name, LinearDevices.device(name, .float32, noise: noise, seed: draw.seed()) { $0.map { gain * $0 } })
    known.sampleRate = rate
    known.truths[.init("staticSlope")] = .value(1)
    for id in ["threshold", "ratio", "attackTime", "releaseTime"] { known.truths[.init(id)] = .nothing }
    return known
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
  /// Seconds for which a gain that would rise stays where it is.
  var hold = 0.0
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
      + "rises in \(rising) s, hold \(hold) s, noise \(noise), \(sampleRate) Hz"
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
    known.truths[.init("releaseTime")] = .value(
      (high < low ? rising : falling) * log(change) + (high < low ? hold : 0))
    known.truths[.init("attackGain")] = .value(high)
    known.truths[.init("releaseGain")] = .value(low)
    return known
  }

  private func run(_ samples: [Double]) -> [Double] {
    let omega = 2 * Double.pi / Double(Self.periodFrames(sampleRate))
    let (cosine, sine) = (cos(omega), sin(omega))
    let (down, up) = (1 - exp(-1 / (falling * sampleRate)), 1 - exp(-1 / (rising * sampleRate)))
    let held = Int(clamping: hold * sampleRate)
    var (before, now, left) = (0.0, makeup, 0)
    return samples.map { sample in
      // Two neighbours of a sine give the amplitude.
      let square = sample * sample + before * before - 2 * sample * before * cosine
      before = sample
      // To 0.0005 dB: what rounds the samples does not move the level.
      let level = (40_000 * log10(max(max(square, 0).squareRoot() / sine, 1e-5))).rounded() / 2000
      let target = gain(level)
      if target <= now {
        now += down * (target - now)
        left = held
      } else if left > 0 {
        left -= 1
      } else {
        now += up * (target - now)
      }
      return sample * pow(10, now / 20)
    }
  }
}
