import AudioCore
import Glibc
import Measurement

/// Devices that are not the same at all times, and devices with a line beside the tones: for distortion, noise and
/// crosstalk.
public enum UnsteadyDevices {
  static let families = [distortion, noise, crosstalk]

  /// The change of a device with time, or what it adds.
  enum Change: Sendable {
    /// The level goes to and fro: depth, hertz, phase.
    case modulation(Double, hertz: Double, phase: Double)
    /// Decibels at the start, of which e⁻¹ is left after so many seconds.
    case settling(Double, seconds: Double)
    /// Decibels a second.
    case drift(Double)
    /// A tone of the device's own.
    case line(hertz: Double, amplitude: Double)
    /// A resonance beside the tones: hertz, seconds of −60 dB, share.
    case resonance(hertz: Double, seconds: Double, mix: Double)
    /// Single samples, so high, so many seconds apart.
    case clicks(Double, seconds: Double)
    /// Noise of a deviation, on for a part of each period.
    case bursts(Double, seconds: Double, duty: Double)

    /// The sound with the change.
    func run(_ samples: [Double], rate: Double, seed: UInt64) -> [Double] {
      switch self {
      case .modulation(let depth, let hertz, let phase):
        return samples.enumerated().map { $1 * (1 + depth * sin(2 * .pi * hertz * Double($0) / rate + phase)) }
      case .settling(let decibels, let seconds):
        return samples.enumerated().map { $1 * pow(10, decibels * exp(-Double($0) / rate / seconds) / 20) }
      case .drift(let decibels):
        return samples.enumerated().map { $1 * pow(10, decibels * Double($0) / rate / 20) }
      case .line(let hertz, let amplitude):
        let line = Tone.samples(
          [Tone(hertz, amplitude: amplitude, phase: 1)], frames: 0..<samples.count, sampleRate: rate)
        return zip(samples, line).map { $0 + $1 }
      case .resonance(let hertz, let seconds, let mix):
        let section = Self.section(hertz, seconds, rate)
        return zip(samples, section.run(samples)).map { $0 + mix * $1 }
      case .clicks(let height, let seconds):
        let period = max(1, Int(clamping: seconds * rate))
        var output = samples
        for frame in stride(from: Int(clamping: seed % UInt64(period)), to: samples.count, by: period) {
          output[frame] += height
        }
        return output
      case .bursts(let deviation, let seconds, let duty):
        var generator = GaussianNoise(seed: seed ^ UInt64(samples.count))
        let (period, start) = (seconds * rate, Double(seed % 1000) / 1000)
        return samples.enumerated().map { frame, sample in
          let part = (Double(frame) / period + start).truncatingRemainder(dividingBy: 1)
          return part < duty ? sample + deviation * generator.next() : sample
        }
      }
    }

    static func section(_ hertz: Double, _ seconds: Double, _ rate: Double) -> KnownSection {
      KnownSection(poleRadius: pow(10, -3 / (seconds * rate)), angle: 2 * .pi * hertz / rate)
    }

    /// The mean square of what clicks and bursts are on average; nil of others.
    func meanSquare(rate: Double) -> Double? {
      switch self {
      case .clicks(let height, let seconds): height * height / Double(max(1, Int(clamping: seconds * rate)))
      case .bursts(let deviation, _, let duty): deviation * deviation * duty
      default: nil
      }
    }
  }

  private static func change(_ draw: inout Draw, kind: Int, beside hertz: Double) -> Change {
    switch kind {
    case 0:
      .modulation(draw.logarithmic(1e-4, 0.1), hertz: draw.logarithmic(0.3, 12), phase: draw.uniform(0, 6))
    case 1: .settling(draw.sign() * draw.logarithmic(0.01, 2), seconds: draw.logarithmic(0.05, 3))
    case 2: .drift(draw.sign() * draw.logarithmic(1e-3, 0.5))
    case 3: .line(hertz: hertz + draw.sign() * draw.logarithmic(1.5, 30), amplitude: draw.logarithmic(1e-5, 1e-2))
    case 4:
      .resonance(
        hertz: hertz * (1 + draw.sign() * draw.logarithmic(1e-3, 3e-2)), seconds: draw.logarithmic(0.03, 3),
        mix: draw.logarithmic(0.01, 1))
    case 5: .clicks(draw.logarithmic(1e-3, 0.1), seconds: draw.uniform(0.05, 1.5))
    default: .bursts(draw.logarithmic(1e-5, 1e-2), seconds: draw.uniform(0.1, 2), duty: draw.uniform(0.05, 0.9))
    }
  }

  // MARK: Distortion

  static let distortion = CoverageFamily("unsteady distortion", .distortion, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "unsteady distortion", number)
    let rate = LinearDevices.rate(&draw)
    let (gain, noiseSeed) = (draw.uniform(0.2, 0.9), draw.seed())
    let change = change(&draw, kind: number % 7, beside: 997)
    let name = "gain \(gain), \(change), \(rate) Hz"
    var known = KnownDevice(
      name,
      LinearDevices.device(name, .float32) { samples in
        change.run(samples.map { gain * $0 }, rate: rate, seed: noiseSeed)
      })
    known.sampleRate = rate
    let level = gain * Decibels.amplitude(-1)
    known.truths[.init("thd")] = .nothing
    let band = (min(20_000, rate / 2) - 20) / (rate / 2)
    func add(rest meanSquare: Double, aliasing: Double?, nonHarmonic: Double) {
      known.truths[.init("fundamental")] = .value(20 * log10(level))
      known.truths[.init("thdPlusNoise")] = .value(
        10 * log10(meanSquare / (level * level / 2 + meanSquare)))
      if let aliasing { known.truths[.init("aliasing")] = .value(20 * log10(aliasing / level)) }
      known.truths[.init("nonHarmonic")] = .value(20 * log10(nonHarmonic / level))
    }
    switch change {
    case .modulation(let depth, _, _):
      let side = depth / 2 * level
      add(rest: side * side, aliasing: side, nonHarmonic: 2.0.squareRoot() * side)
      known.truths[.init("timeVariance")] = .something
    case .line(_, let amplitude):
      add(rest: amplitude * amplitude / 2, aliasing: amplitude, nonHarmonic: amplitude)
    case .clicks, .bursts:
      let square = change.meanSquare(rate: rate) ?? 0
      add(rest: square * band, aliasing: nil, nonHarmonic: (2 * square).squareRoot())
      known.truths[.init("nonHarmonic")] = nil
    case .resonance(let hertz, let seconds, let mix):
      let section = Change.section(hertz, seconds, rate)
      known.truths[.init("fundamental")] = .value(
        20 * log10(level * KnownSum(section: section, mix: mix).gain(atHertz: 997, sampleRate: rate)))
      for id in ["thdPlusNoise", "aliasing", "nonHarmonic"] { known.truths[.init(id)] = .nothing }
    case .settling, .drift:
      for id in ["thdPlusNoise", "aliasing", "nonHarmonic"] { known.truths[.init(id)] = .nothing }
      if case .drift = change { known.truths[.init("timeVariance")] = .something }
    }
    return known
  } measure: { known in
    var measurement = DistortionMeasurement()
    measurement.parts = [.tone, .aliasing]
    measurement.aliasToneCount = 8
    measurement.sampleRate = known.sampleRate
    return try measurement.measure(known.device)
  }

  // MARK: Noise

  static let noise = CoverageFamily("unsteady noise", .noise, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "unsteady noise", number)
    let rate = LinearDevices.rate(&draw)
    var source = NoiseSource(sampleRate: rate, seed: draw.seed())
    source.deviation = draw.logarithmic(1e-7, 1e-5)
    // Half of them click or come in bursts.
    let change = change(&draw, kind: number % 2 == 0 ? 5 + number / 2 % 2 : number / 2 % 5, beside: 997)
    let seed = draw.seed()
    source.added = change.meanSquare(rate: rate) ?? 0
    source.through = { change.run($0, rate: rate, seed: seed) }
    source.more = "\(change), "
    var known = source.known
    switch change {
    case .clicks: known.truths[.init("idleDC")] = nil
    case .modulation(let depth, _, _):
      // Two lines beside −60 dBFS.
      known.setRange(of: source, plus: (1e-3 * depth / 2) * (1e-3 * depth / 2), at: 997)
    case .line(let hertz, let amplitude):
      for id in ["noise", "noiseA", "noise468", "noiseCCIR"] { known.truths[.init(id)] = nil }
      known.setRange(of: source, plus: amplitude * amplitude / 2, at: hertz)
    case .resonance(let hertz, let seconds, let mix):
      // The noise is behind it.
      let gain =
        20
        * log10(KnownSum(section: Change.section(hertz, seconds, rate), mix: mix).gain(atHertz: 997, sampleRate: rate))
      for suffix in ["", "A", "CCIR"] {
        guard case .value(let range)? = known.truths[.init("dynamicRange\(suffix)")] else { continue }
        known.truths[.init("dynamicRange\(suffix)")] = .value(range + gain)
      }
    default: break
    }
    return known
  }

  // MARK: Crosstalk

  /// Two channels with a leak, the whole of which changes, and one of which may be late.
  static let crosstalk = CoverageFamily("unsteady crosstalk", .crosstalk, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "unsteady crosstalk", number)
    let rate = LinearDevices.rate(&draw)
    let (leak, noiseSeed) = (draw.logarithmic(1e-4, 0.1), draw.seed())
    let gain = draw.uniform(0.2, 0.9)
    let kind = number % 6
    let change = change(&draw, kind: [0, 1, 2, 3, 5, 6][kind], beside: draw.pick([97, 997, 9973]))
    let late = draw.whole(0, 2) == 0 ? Int(clamping: draw.uniform(0, 2) * rate) : 0
    let name = "a pair with leaks of \(leak), gain \(gain), \(change), channel 1 \(late) frames late, \(rate) Hz"
    let device = FunctionDevice(name, inputChannelCount: 2, precision: .float32) { (input) throws(BenchError) in
      let rounded = SamplePrecision.float32.rounded(input)
      var output = rounded
      for channel in 0..<2 {
        let sum = zip(rounded.channels[channel], rounded.channels[1 - channel]).map { gain * ($0 + leak * $1) }
        let delay = channel == 1 ? min(late, sum.count) : 0
        let delayed = [Double](repeating: 0, count: delay) + sum.dropLast(delay)
        output.channels[channel] = change.run(delayed, rate: rate, seed: noiseSeed ^ UInt64(channel))
      }
      return SamplePrecision.float32.rounded(output)
    }
    var known = KnownDevice(name, device)
    (known.sampleRate, known.channelCount) = (rate, 2)
    // A level that comes and goes is as loud as on average; one that settles, as in the end.
    var isSteady = true
    if case .drift = change { isSteady = false }
    if case .settling = change { isSteady = false }
    for input in 0..<2 {
      for hertz in [97.0, 997, 9973] {
        let at = ["input": Double(input), "frequency": hertz]
        if isSteady {
          known.truths[.init("level", channel: input, at: at)] = .value(20 * log10(gain))
        }
        // Behind a delay of its own the change meets another part of the tone.
        guard isSteady || late == 0 else { continue }
        known.truths[.init("crosstalk", channel: 1 - input, at: at)] = .value(20 * log10(leak))
      }
      known.truths[.init("loudestOutput", at: ["input": Double(input)])] = .value(Double(input))
      known.truths[.init("polarity", at: ["input": Double(input)])] = .value(1)
    }
    return known
  }
}

extension KnownDevice {
  /// Noise beside the tone and dynamic range with a line more.
  mutating func setRange(of source: NoiseSource, plus meanSquare: Double, at hertz: Double) {
    let weights = [
      "": 0, "A": KnownWeighting.a(hertz), "CCIR": KnownWeighting.itu468(hertz) - KnownWeighting.itu468(2000),
    ]
    for (suffix, weight) in weights {
      guard case .value(let level)? = truths[.init("noiseWithTone\(suffix)")] else { continue }
      let whole = 10 * log10(pow(10, level / 10) + 2 * meanSquare * pow(10, weight / 10))
      truths[.init("noiseWithTone\(suffix)")] = .value(whole)
      truths[.init("dynamicRange\(suffix)")] = .value(20 * log10(abs(source.gain)) - whole)
    }
  }
}
