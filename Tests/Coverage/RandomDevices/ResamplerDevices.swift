import AudioCore
import Glibc
import Measurement
import Spectrum

/// Random resamplers: a sinc under a window, laid over the input wherever the output wants a sample. Its response is
/// known at every frequency, and with it ripple, corners, images and aliases.
public enum ResamplerDevices {
  public static let family = CoverageFamily("resampler", .resampler) { seed, number in
    var draw = Draw(seed: seed, "resampler", number)
    let (from, to) = draw.pick([
      (44_100.0, 48_000.0), (48_000, 44_100), (48_000, 96_000), (96_000, 48_000), (48_000, 16_000), (22_050, 48_000),
      (44_100, 32_000), (88_200, 48_000),
    ])
    let kernel = KnownKernel(
      edge: draw.uniform(0.43, 0.5) * min(1, to / from), halfFrames: Double(draw.whole(8, 40)) * max(1, from / to),
      shape: draw.uniform(1, 3), lateFrames: draw.uniform(0, 3))
    let noise = number % 3 == 0 ? 0 : draw.logarithmic(1e-7, 1e-5)
    return kernel.known(from: from, to: to, noise: noise, seed: draw.seed())
  } measure: { known in
    try ResamplerMeasurement(from: known.sampleRate, to: known.outputRate).measure(known.device)
  }
}

/// 2·c·sinc(2·c·t)·w(t): c the edge in cycles per frame of the input, w a power of Hann's window: it ends smoothly, so
/// that what lies many multiples of the rate away is nothing.
struct KnownKernel: Sendable {
  let edge: Double
  let halfFrames: Double
  let shape: Double
  /// Beyond what makes it causal, frames of the input.
  let lateFrames: Double
  private let values: [Double]
  private let step: Double

  init(edge: Double, halfFrames: Double, shape: Double, lateFrames: Double) {
    (self.edge, self.halfFrames, self.shape, self.lateFrames) = (edge, halfFrames, shape, lateFrames)
    // For the response by Simpson's rule: the kernel over half its length.
    let count = 2 * Int(clamping: halfFrames * 24)
    let step = halfFrames / Double(count)
    self.step = step
    values = (0...count).map { Self.value(at: step * Double($0), edge, halfFrames, shape) }
  }

  private static func value(at t: Double, _ edge: Double, _ half: Double, _ shape: Double) -> Double {
    guard abs(t) <= half else { return 0 }
    let window = pow(max(0, cos(.pi / 2 * t / half)), 2 * shape)
    return 2 * edge * (abs(t) < 1e-12 ? 1 : sin(2 * .pi * edge * t) / (2 * .pi * edge * t)) * window
  }

  /// H at a frequency in cycles per frame of the input; real, as the kernel is even.
  func response(at frequency: Double) -> Double {
    let last = values.count - 1
    var sum = 0.0
    // cos(n·x) by turning.
    let turn = 2 * Double.pi * frequency * step
    let (c, s) = (cos(turn), sin(turn))
    var (x, y) = (1.0, 0.0)
    for (index, value) in values.enumerated() {
      sum += value * x * (index == 0 || index == last ? 1 : index % 2 == 1 ? 4 : 2)
      (x, y) = (x * c - y * s, x * s + y * c)
    }
    return 2 * sum * step / 3
  }

  func known(from: Double, to: Double, noise: Double, seed: UInt64) -> KnownDevice {
    let kernel = self
    let name =
      "\(from) to \(to) Hz, edge \(edge), \(2 * halfFrames) frames, Hann to the \(shape), late by \(lateFrames), noise \(noise)"
    let device = FunctionDevice(name, precision: .float32) { (input) throws(BenchError) in
      var channels: [[Double]] = []
      for samples in SamplePrecision.float32.rounded(input).channels {
        var output = kernel.run(samples, from: from, to: to)
        var generator = GaussianNoise(seed: seed ^ UInt64(samples.count))
        if noise > 0 { for frame in output.indices { output[frame] += noise * generator.next() } }
        channels.append(output)
      }
      return SamplePrecision.float32.rounded(AudioSignal(sampleRate: to, channels: channels))
    }
    var known = KnownDevice(name, device)
    (known.sampleRate, known.outputRate) = (from, to)
    addTruths(&known, noise: noise)
    return known
  }

  private func run(_ samples: [Double], from: Double, to: Double) -> [Double] {
    let ratio = from / to
    // As many phases as the ratio has; places of the output repeat after them.
    var (a, b) = (Int(clamping: from), Int(clamping: to))
    while b != 0 { (a, b) = (b, a % b) }
    let (phases, advance) = (Int(clamping: to) / a, Int(clamping: from) / a)
    let taps = Int(clamping: (2 * halfFrames).rounded(.up)) + 2
    let late = halfFrames + lateFrames
    let tables = (0..<phases).map { phase -> (first: Int, taps: [Double]) in
      let place = Double(phase) * ratio - late
      let first = Int(clamping: (place - halfFrames).rounded(.up))
      return (first, (0..<taps).map { Self.value(at: place - Double(first + $0), edge, halfFrames, shape) })
    }
    let count = Int(clamping: (Double(samples.count) / ratio).rounded())
    var output = [Double](repeating: 0, count: count)
    for frame in 0..<count {
      let table = tables[frame % phases]
      let first = table.first + frame / phases * advance
      var sum = 0.0
      for tap in max(0, -first)..<max(max(0, -first), min(taps, samples.count - first)) {
        sum += table.taps[tap] * samples[first + tap]
      }
      output[frame] = sum
    }
    return output
  }

  // MARK: Truths

  private func decibels(_ gain: Double) -> Double { 20 * log10(max(abs(gain), 1e-300)) }

  /// The components that a tone becomes: beside itself one for every multiple of the input's rate, folded at the
  /// output's; those that meet add with their phases. By rising frequency, hertz.
  private func components(_ hertz: Double, from: Double, to: Double) -> [(hertz: Double, value: Complex)] {
    var found: [(hertz: Double, value: Complex)] = []
    for multiple in -12...12 {
      let frequency = hertz / from + Double(multiple)
      let late = -2 * Double.pi * frequency * (halfFrames + lateFrames)
      var value = Complex(magnitude: 1, phase: late) * response(at: frequency)
      var place = (frequency * from).truncatingRemainder(dividingBy: to)
      if place > to / 2 { place -= to }
      if place < -to / 2 { place += to }
      if place < 0 { (place, value) = (-place, value.conjugate) }
      if let index = found.firstIndex(where: { abs($0.hertz - place) < 1e-3 }) {
        found[index].value = found[index].value + value
      } else {
        found.append((place, value))
      }
    }
    return found
  }

  private func gain(_ hertz: Double, from: Double, to: Double) -> Double {
    let own = components(hertz, from: from, to: to).first { abs($0.hertz - hertz) < 1e-3 }
    return decibels(own?.value.magnitude ?? 0)
  }

  /// The largest component of a tone beside its own; nil where all meet it.
  private func image(_ hertz: Double, from: Double, to: Double) -> Double? {
    components(hertz, from: from, to: to).filter { abs($0.hertz - hertz) > 1e-3 }.map { decibels($0.value.magnitude) }
      .max()
  }

  private func addTruths(_ known: inout KnownDevice, noise: Double) {
    let (from, to) = (known.sampleRate, known.outputRate)
    let nyquist = min(from, to) / 2
    let top = 0.8 * nyquist
    let gain: @Sendable (Double) -> Double = { self.gain($0, from: from, to: to) }
    // With a whole ratio down, folded components lie on the tone itself, and move its phase.
    let isWhole = (from / to).rounded() == from / to
    known.truths[.init("gain")] = .value(gain(997))
    known.truths[.init("thd")] = .nothing
    if !isWhole {
      known.truths[.init("delay")] = .value((halfFrames + lateFrames) * to / from)
      known.truths[.init("delayDeviation")] = .nothing
    }
    let kernel = self
    known.truthsOfFindings = { findings in
      var truths: [KnownDevice.Key: Truth] = [:]
      let points = findings.curve("response")?.points ?? []
      guard let first = points.first?.x, let last = points.last?.x else { return [:] }
      // Ripple: fifteen points to each period of it.
      let steps = Int(clamping: 30 * kernel.halfFrames)
      let passband = (0...steps).map { first + (top - first) * Double($0) / Double(steps) }
      func refined(_ sign: Double) -> Double {
        let values = passband.map { sign * gain($0) }
        let best = values.indices.max { values[$0] < values[$1] } ?? 0
        var (low, high) = (passband[max(0, best - 1)], passband[min(steps, best + 1)])
        for _ in 0..<60 {
          let (a, b) = (high - 0.618 * (high - low), low + 0.618 * (high - low))
          if sign * gain(a) > sign * gain(b) { high = b } else { low = a }
        }
        return sign * max(values[best], sign * gain((low + high) / 2))
      }
      truths[.init("passbandRipple")] = .value(refined(1) - refined(-1))
      for (id, fall) in [("minus01dB", 0.1), ("minus1dB", 1.0), ("minus3dB", 3.0103)] {
        let limit = gain(first) - fall
        // The last of the tones that lies above, and from there on.
        guard let index = points.lastIndex(where: { gain($0.x) >= limit }), points[index].x < last else { continue }
        var (low, high) = (points[index].x, points[index + 1].x)
        for _ in 0..<60 {
          let middle = (low + high) / 2
          if gain(middle) >= limit { low = middle } else { high = middle }
        }
        truths[.init(id)] = .value((low + high) / 2)
      }
      func worst(_ curve: String, below limit: Double = .infinity, _ level: (Double) -> Double?) -> Double? {
        findings.curve(curve)?.points.filter { $0.x <= limit }.compactMap { level($0.x) }.max()
      }
      let image: (Double) -> Double? = { kernel.image($0, from: from, to: to) }
      if let level = worst("imagesByFrequency", below: top * 1.001, image) { truths[.init("images")] = .value(level) }
      if let level = worst("imagesByFrequency", image) { truths[.init("imagesToNyquist")] = .value(level) }
      func place(_ hertz: Double) -> Double {
        let rest = hertz.truncatingRemainder(dividingBy: to)
        return min(rest, to - rest)
      }
      func alias(_ hertz: Double) -> Double {
        let found = kernel.components(hertz, from: from, to: to).first { abs($0.hertz - place(hertz)) < 1e-3 }
        return kernel.decibels(found?.value.magnitude ?? 0)
      }
      if let level = worst("aliasesByFrequency", { place($0) <= top ? alias($0) : nil }) {
        truths[.init("aliases")] = .value(level)
      }
      if let level = worst("aliasesByFrequency", { alias($0) }) { truths[.init("aliasesToNyquist")] = .value(level) }
      // A level within noise or rounding is reported as a bound only.
      let hidden = max(-140, 20 * log10(max(noise, 1e-30)) - 20)
      return truths.filter { key, truth in
        guard ["images", "imagesToNyquist", "aliases", "aliasesToNyquist"].contains(key.id),
          case .value(let level) = truth
        else { return true }
        return level > hidden
      }
    }
  }
}
