import AudioCore
import Glibc
import Measurement
import Spectrum

/// Random devices for the linear measurement: filters of all widths, delays, long rings, echoes, noises, integers,
/// shapers, and what varies in time.
public enum LinearDevices {
  public static let family = CoverageFamily("linear", .linear) { seed, number in
    var draw = Draw(seed: seed, "linear", number)
    // Every second one is a filter, with or without more.
    return switch number % 14 {
    case 0, 1, 2: filter(&draw, noise: 0, precision: .float32)
    case 3: filter(&draw, noise: draw.logarithmic(1e-6, 1e-2), precision: .float32)
    case 4: filter(&draw, noise: 0, precision: .integer(bits: draw.pick([16, 24])))
    case 5: resonator(&draw)
    case 6: delay(&draw)
    case 7: echo(&draw)
    case 8: fir(&draw)
    case 9: leaking(&draw)
    case 10: draw.sign() > 0 ? shaper(&draw) : levelled(&draw)
    case 11: draw.pick([tremolo, forgetful, drifting])(&draw)
    case 12: sparseEchoes(&draw)
    default: humming(&draw)
    }
  }

  static func range(_ rate: Double) -> ClosedRange<Double> { 20...rate * 0.45 }

  static func decibels(_ gain: Double) -> Truth { .value(20 * log10(max(gain, 1e-15))) }

  /// A device that does the same to every channel, in double, between ends of a precision.
  static func device(
    _ name: String, _ precision: SamplePrecision, noise: Double = 0, seed: UInt64 = 1,
    _ body: @escaping @Sendable ([Double]) -> [Double]
  ) -> FunctionDevice {
    FunctionDevice(name, precision: precision) { (input) throws(BenchError) in
      var output = precision.rounded(input)
      for channel in output.channels.indices {
        output.channels[channel] = body(output.channels[channel])
        // Another noise each time, as of anything that runs in real life.
        var generator = GaussianNoise(seed: seed ^ UInt64(channel) ^ UInt64(input.frameCount &* 7919))
        if noise > 0 {
          for frame in output.channels[channel].indices { output.channels[channel][frame] += noise * generator.next() }
        }
        if case .integer(let bits) = precision {
          // Triangular dither: the rounding is then noise, whatever the sound.
          let scale = exp2(Double(bits - 1))
          var dither = SplitMix64(seed: seed &+ UInt64(channel))
          output.channels[channel] = output.channels[channel].map {
            min(max(($0 * scale + dither.unit() - dither.unit()).rounded(), -scale), scale - 1) / scale
          }
        }
      }
      return precision.rounded(output)
    }
  }

  static func rate(_ draw: inout Draw) -> Double { draw.pick([44_100, 48_000, 48_000, 96_000]) }

  private static func tailFrames(_ response: [Double]) -> Double {
    Double((response.lastIndex { abs($0) > 1e-6 } ?? -1) + 1)
  }

  private static func impulse(_ frames: Int) -> [Double] { [1] + [Double](repeating: 0, count: frames - 1) }

  static func filter(_ draw: inout Draw, noise: Double, precision: SamplePrecision) -> KnownDevice {
    let rate = rate(&draw)
    let shape = draw.pick(KnownSection.Shape.allCases)
    let hertz = draw.logarithmic(25, 0.44 * rate)
    let quality = draw.logarithmic(0.2, 60)
    // A gain that would clip the sweep makes another device.
    let gain = draw.uniform(-24, noise > 0 || precision != .float32 ? 6 : 24)
    // Whose gain grows with the quality would clip the integers.
    let isResonant = [.lowPass, .highPass, .lowShelf, .highShelf].contains(shape)
    let section = KnownSection(
      shape, hertz: hertz, quality: isResonant ? min(quality, 2) : quality, gainDecibels: gain, sampleRate: rate)
    let name = "\(shape) \(hertz) Hz, Q \(quality), \(gain) dB, noise \(noise), \(precision), \(rate) Hz"
    var known = KnownDevice(
      name, device(name, precision, noise: noise, seed: draw.seed()) { section.run($0) })
    known.sampleRate = rate
    let range = range(rate)
    let places = [hertz, hertz * (1 - 1 / quality), hertz * (1 + 1 / quality)].filter { range.contains($0) }
    let truth = extremes(in: range, near: places) { section.gain(atHertz: $0, sampleRate: rate) }
    known.truths[.init("gainMaximum")] = decibels(truth.most)
    // A value below a float's rounding is reported as a bound only.
    if truth.least > 1e-4 * truth.most { known.truths[.init("gainMinimum")] = decibels(truth.least) }
    let response = section.run(impulse(1 << 18))
    if let arrival = ImpulseResponse(response, leadFrames: 0, sampleRate: rate).arrivalFrames {
      known.truths[.init("latency")] = .value(arrival)
    }
    if shape != .allPass, shape != .notch { known.truths[.init("delay")] = .value(0) }
    // A value below noise or rounding is reported as a bound only.
    if noise == 0, precision == .float32 { known.truths[.init("tail")] = .value(tailFrames(response)) }
    known.addSteady()
    return known
  }

  static func resonator(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let seconds = draw.logarithmic(0.05, 4)
    let hertz = draw.logarithmic(40, 0.4 * rate)
    let radius = pow(10, -3 / (seconds * rate))
    let section = KnownSection(poleRadius: radius, angle: 2 * .pi * hertz / rate)
    let mix = draw.logarithmic(0.05, 2)
    let name = "1 + \(mix) × resonator at \(hertz) Hz, T60 \(seconds) s, \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in zip(samples, section.run(samples)).map { $0 + mix * $1 } })
    known.sampleRate = rate
    let whole = KnownSum(section: section, mix: mix)
    let truth = extremes(in: range(rate), near: [hertz]) { whole.gain(atHertz: $0, sampleRate: rate) }
    known.truths[.init("gainMaximum")] = decibels(truth.most)
    known.truths[.init("gainMinimum")] = decibels(truth.least)
    let response = zip(impulse(1 << 20), section.run(impulse(1 << 20))).map { $0 + mix * $1 }
    known.truths[.init("tail")] = .value(tailFrames(response))
    known.addSteady()
    return known
  }

  static func delay(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let isWhole = draw.sign() > 0
    let frames = isWhole ? draw.logarithmic(1, 20_000).rounded() : draw.logarithmic(64, 3000)
    let taps = isWhole ? nil : FractionalDelay(frames: frames)
    let gain = draw.sign() * draw.logarithmic(0.01, 2)
    let noise = draw.sign() > 0 ? 0 : draw.logarithmic(1e-6, 1e-3)
    let name = "\(gain) × delay by \(frames) frames, noise \(noise), \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32, noise: noise, seed: draw.seed()) { samples in
        if let taps { return taps.run(samples).map { gain * $0 } }
        return ([Double](repeating: 0, count: Int(clamping: frames)) + samples.dropLast(Int(clamping: frames))).map {
          gain * $0
        }
      })
    known.sampleRate = rate
    known.truths[.init("latency")] = .value(frames)
    // The delay of a low-pass for a fraction is not beyond its minimum phase.
    if isWhole { known.truths[.init("delay")] = .value(frames) }
    let most = taps.map { taps in extremes(in: range(rate), near: []) { taps.gain(at: $0 / rate) }.most } ?? 1
    known.truths[.init("gainMaximum")] = decibels(abs(gain) * most)
    if isWhole { known.truths[.init("gainMinimum")] = decibels(abs(gain)) }
    if isWhole { known.truths[.init("polarity")] = .value(gain < 0 ? -1 : 1) }
    known.addSteady()
    return known
  }

  static func echo(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let frames = Int(clamping: draw.logarithmic(0.002, 8) * rate)
    let level = draw.logarithmic(1e-3, 0.9)
    let noise = draw.sign() > 0 ? 0 : draw.logarithmic(1e-7, 1e-5)
    let name = "1 + \(level) × echo after \(frames) frames, noise \(noise), \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32, noise: noise, seed: draw.seed()) { samples in
        var output = samples
        for frame in frames..<max(frames, samples.count) { output[frame] += level * samples[frame - frames] }
        return output
      })
    known.sampleRate = rate
    // The comb has teeth and gaps within the range.
    known.truths[.init("gainMaximum")] = decibels(1 + level)
    known.truths[.init("gainMinimum")] = decibels(1 - level)
    known.truths[.init("tail")] = .value(Double(frames + 1))
    // The echo's band-limited flank has a slope around 0, which moves the peak by that over π²/3.
    func slope(_ t: Double) -> Double { cos(.pi * t) / t - sin(.pi * t) / (.pi * t * t) }
    var latency = 0.0
    func bend(_ t: Double) -> Double {
      -.pi * sin(.pi * t) / t - 2 * cos(.pi * t) / (t * t) + 2 * sin(.pi * t) / (.pi * t * t * t)
    }
    for _ in 0..<20 {
      let echo = latency - Double(frames)
      latency -=
        (level * slope(echo) - Double.pi * Double.pi / 3 * latency) / (level * bend(echo) - Double.pi * Double.pi / 3)
    }
    known.truths[.init("latency")] = .value(latency)
    known.addSteady()
    return known
  }

  /// Echoes with seconds of silence between them. At a low rate: they are millions of frames at others.
  static func sparseEchoes(_ draw: inout Draw) -> KnownDevice {
    let rate = 8_000.0
    var echoes = [(frames: Int(clamping: draw.uniform(0.3, 9) * rate), level: draw.logarithmic(0.01, 0.5))]
    for _ in 0..<draw.whole(1, 3) {
      let last = echoes[echoes.count - 1].frames
      echoes.append((last + Int(clamping: draw.logarithmic(0.2, 14) * rate), draw.logarithmic(0.01, 0.5)))
    }
    let all = echoes
    let name = "1 and \(all.map { "\($0.level) after \($0.frames)" }), \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in
        var output = samples
        for echo in all {
          for frame in echo.frames..<max(echo.frames, samples.count) {
            output[frame] += echo.level * samples[frame - echo.frames]
          }
        }
        return output
      })
    known.sampleRate = rate
    known.truths[.init("tail")] = .value(Double(all[all.count - 1].frames + 1))
    known.addSteady()
    return known
  }

  /// A gain, and tones of its own.
  static func humming(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let gain = draw.sign() * draw.logarithmic(0.1, 2)
    let hertz = draw.pick([50, 60, draw.uniform(45, 400)])
    let tones = (0..<draw.whole(1, 4)).map { order in
      Tone(hertz * Double(order + 1), amplitude: draw.logarithmic(1e-5, 1e-3), phase: draw.uniform(0, 2 * .pi))
    }
    let noise = draw.sign() > 0 ? 0 : draw.logarithmic(1e-7, 1e-5)
    let name = "\(gain) with a hum of \(tones.map { [$0.frequencyHertz, $0.amplitude] }), noise \(noise), \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32, noise: noise, seed: draw.seed()) { samples in
        zip(samples, Tone.samples(tones, frames: 0..<samples.count, sampleRate: rate)).map { gain * $0 + $1 }
      })
    known.sampleRate = rate
    known.truths[.init("gainMaximum")] = decibels(abs(gain))
    known.truths[.init("gainMinimum")] = decibels(abs(gain))
    known.truths[.init("latency")] = .value(0)
    known.addSteady()
    return known
  }

  /// A low-pass of random taps' worth of windowed sinc.
  static func fir(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let half = draw.whole(4, 200)
    let edge = draw.uniform(0.02, 0.45)
    let taps = (-half...half).map { index -> Double in
      let x = Double(index)
      let sinc = index == 0 ? 2 * edge : sin(2 * .pi * edge * x) / (.pi * x)
      return sinc * (0.54 + 0.46 * cos(.pi * x / Double(half + 1)))
    }
    let name = "low-pass of \(taps.count) taps at \(edge * rate) Hz, \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in
        let transform = RealFFT(length: RealFFT.fastLength(atLeast: samples.count + taps.count))
        transform.forward(taps)
        let filter = Array(transform.bins)
        transform.forward(samples)
        for bin in filter.indices { transform.bins[bin] = transform.bins[bin] * filter[bin] }
        transform.inverse()
        return Array(transform.samples.prefix(samples.count))
      })
    known.sampleRate = rate
    // The gain of a linear-phase filter is a sum of cosines.
    func gain(_ hertz: Double) -> Double {
      abs((-half...half).reduce(0.0) { $0 + taps[$1 + half] * cos(2 * .pi * hertz / rate * Double($1)) })
    }
    let truth = extremes(in: range(rate), near: []) { gain($0) }
    var (least, most) = (truth.least, truth.most)
    // Hills lie about 1 ÷ taps apart: eight points to each, and then between.
    let steps = 16 * (2 * half + 1)
    let values = (0...steps).map { gain(20 + (range(rate).upperBound - 20) * Double($0) / Double(steps)) }
    for (sign, index) in [
      (1.0, values.indices.max { values[$0] < values[$1] } ?? 0),
      (-1.0, values.indices.min { values[$0] < values[$1] } ?? 0),
    ] {
      func place(_ index: Int) -> Double { 20 + (range(rate).upperBound - 20) * Double(index) / Double(steps) }
      var (low, high) = (place(max(0, index - 1)), place(min(steps, index + 1)))
      for _ in 0..<120 {
        let (a, b) = (high - 0.618_033_988_75 * (high - low), low + 0.618_033_988_75 * (high - low))
        if sign * gain(a) > sign * gain(b) { high = b } else { low = a }
      }
      let found = gain((low + high) / 2)
      if sign > 0 { most = max(most, found) } else { least = min(least, found) }
    }
    known.truths[.init("gainMaximum")] = decibels(most)
    if least > 1e-4 * most { known.truths[.init("gainMinimum")] = decibels(least) }
    known.truths[.init("latency")] = .value(Double(half))
    known.addSteady()
    return known
  }

  static func leaking(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let noise = draw.sign() > 0 ? 0 : draw.logarithmic(1e-7, 1e-3)
    let leak = draw.whole(0, 3) == 0 ? 0 : draw.logarithmic(1e-5, 0.3)
    let seed = draw.seed()
    let name = "a pair with leaks of \(leak), noise \(noise), \(rate) Hz"
    let device = FunctionDevice(name, inputChannelCount: 2, precision: .float32) { (input) throws(BenchError) in
      var output = SamplePrecision.float32.rounded(input)
      for channel in 0..<2 {
        var generator = GaussianNoise(seed: seed ^ UInt64(channel) ^ UInt64(input.frameCount &* 7919))
        for frame in output.channels[channel].indices {
          output.channels[channel][frame] += leak * input.channels[1 - channel][frame] + noise * generator.next()
        }
      }
      return SamplePrecision.float32.rounded(output)
    }
    var known = KnownDevice(name, device)
    known.sampleRate = rate
    known.channelCount = 2
    known.truths[.init("leak", channel: 1, at: ["input": 0])] = leak == 0 ? .nothing : decibels(leak)
    known.truths[.init("gainMaximum", channel: 0)] = .value(0)
    known.addSteady()
    return known
  }

  // MARK: Not linear, or not the same at all times

  static func shaper(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let (square, cube) = (draw.sign() * draw.logarithmic(1e-3, 0.3), draw.sign() * draw.logarithmic(1e-3, 0.3))
    let name = "x + \(square)·x² + \(cube)·x³, \(rate) Hz"
    var known = KnownDevice(
      name, device(name, .float32) { $0.map { $0 * (1 + $0 * (square + $0 * cube)) } })
    known.sampleRate = rate
    // The gain of what is infinitely quiet.
    known.truths[.init("gainMaximum")] = .value(0)
    known.truths[.init("nonlinearity")] = .something
    known.truths[.init("timeVariance")] = .nothing
    return known
  }

  /// Its gain follows the level of what goes in.
  static func levelled(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let exponent = draw.uniform(0.1, 1)
    let name = "gain that follows the peak by a power of \(exponent), \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in
        let peak = samples.reduce(1e-9) { max($0, abs($1)) }
        return samples.map { $0 * pow(peak, -exponent) }
      })
    known.sampleRate = rate
    known.truths[.init("nonlinearity")] = .something
    known.truths[.init("timeVariance")] = .nothing
    return known
  }

  static func tremolo(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let (depth, hertz) = (draw.logarithmic(0.01, 0.9), draw.logarithmic(0.3, 20))
    let phase = draw.uniform(0, 2 * .pi)
    let name = "tremolo of \(depth) at \(hertz) Hz, \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in
        samples.enumerated().map { $1 * (1 + depth * sin(2 * .pi * hertz * Double($0) / rate + phase)) }
      })
    known.sampleRate = rate
    known.truths[.init("timeVariance")] = .something
    return known
  }

  /// A filter that loses its state every so many frames.
  static func forgetful(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let frames = draw.pick([256, 512, 1024, 4096])
    let section = KnownSection(
      .lowPass, hertz: draw.logarithmic(50, 500), quality: 0.7, gainDecibels: 0, sampleRate: rate)
    let name = "filter that loses its state every \(frames) frames, \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in
        stride(from: 0, to: samples.count, by: frames).flatMap { start in
          section.run(Array(samples[start..<min(samples.count, start + frames)]))
        }
      })
    known.sampleRate = rate
    known.truths[.init("timeVariance")] = .something
    return known
  }

  /// Its gain drifts, or is another from a time on.
  static func drifting(_ draw: inout Draw) -> KnownDevice {
    let rate = rate(&draw)
    let isStep = draw.sign() > 0
    let (decibels, seconds) = (draw.sign() * draw.logarithmic(0.02, 6), isStep ? draw.uniform(0.5, 9) : 10)
    let name = "gain that goes by \(decibels) dB \(isStep ? "at" : "in") \(seconds) s, \(rate) Hz"
    var known = KnownDevice(
      name,
      device(name, .float32) { samples in
        samples.enumerated().map { frame, sample in
          let part = Double(frame) / (seconds * rate)
          return sample * pow(10, decibels / 20 * (isStep ? min(1, part).rounded(.down) : part))
        }
      })
    known.sampleRate = rate
    known.truths[.init("timeVariance")] = .something
    return known
  }
}

/// 1 + mix·H.
struct KnownSum {
  let section: KnownSection
  let mix: Double

  func gain(atHertz hertz: Double, sampleRate: Double) -> Double {
    let omega = 2 * Double.pi * hertz / sampleRate
    func value(_ c: [Double]) -> Complex {
      Complex(c[0] + c[1] * cos(omega) + c[2] * cos(2 * omega), -c[1] * sin(omega) - c[2] * sin(2 * omega))
    }
    return (Complex(1) + value(section.b) / value(section.a) * mix).magnitude
  }
}

/// A delay by any fraction: a sinc that ends at 0.8 of half the rate, under a window that leaves −140 dB beyond.
struct FractionalDelay: Sendable {
  private let first: Int
  private let taps: [Double]
  private static let half = 64

  init(frames: Double) {
    first = Int(clamping: frames) - Self.half + 1
    let start = first
    taps = (0..<2 * Self.half).map { index in
      let x = Double(start + index) - frames
      let y = x / Double(Self.half)
      // Blackman and Harris, four terms and three more: side lobes at −180 dB.
      let coefficients = [
        0.27105140069342, 0.43329793923448, 0.21812299954311, 0.06592544638803, 0.01081174209837, 0.00077658482522,
        0.00001388721735,
      ]
      let window = coefficients.enumerated().reduce(0) { $0 + $1.element * cos(.pi * y * Double($1.offset)) }
      return (abs(x) < 1e-12 ? 0.8 : sin(0.8 * .pi * x) / (.pi * x)) * window
    }
  }

  func run(_ samples: [Double]) -> [Double] {
    let transform = RealFFT(length: RealFFT.fastLength(atLeast: samples.count + first + taps.count))
    transform.forward([Double](repeating: 0, count: first) + taps)
    let filter = Array(transform.bins)
    transform.forward(samples)
    for bin in filter.indices { transform.bins[bin] = transform.bins[bin] * filter[bin] }
    transform.inverse()
    return Array(transform.samples.prefix(samples.count))
  }

  /// |H| at a frequency as a part of the rate.
  func gain(at part: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, tap) in taps.enumerated() {
      real += tap * cos(2 * .pi * part * Double(index))
      imaginary += tap * sin(2 * .pi * part * Double(index))
    }
    return hypot(real, imaginary)
  }
}
