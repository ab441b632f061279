import AudioCore
import Glibc
import Measurement

/// Random devices for the distortion measurement: shapers whose harmonics and intermodulation are known, with and
/// without noise and dither, and devices that have noise, jitter or tremolo but no harmonics.
public enum DistortionDevices {
  public static let family = CoverageFamily("distortion", .distortion) { seed, number in
    var draw = Draw(seed: seed, "distortion", number)
    return switch number % 8 {
    case 0, 1, 2: shaper(&draw, noise: 0)
    case 3, 4: shaper(&draw, noise: draw.logarithmic(1e-7, 3e-4))
    case 5: shaper(&draw, noise: 0, bits: draw.pick([16, 20, 24]))
    case 6: jitter(&draw)
    default: noisy(&draw)
    }
  } measure: { known in
    var measurement = DistortionMeasurement()
    // The sweeps are the same analysis once more.
    measurement.parts = [.tone, .intermodulation, .aliasing]
    measurement.sampleRate = known.sampleRate
    return try measurement.measure(known.device)
  }

  private static let levelDecibels = -1.0
  private static let toneHertz = 997.0
  private static let top = 20_000.0

  /// c₀ + x + c₂·x² + … with noise behind it, or with integers of so many bits and triangular dither.
  /// - Parameter before: the device in front of it.
  static func shaper(
    _ draw: inout Draw, noise: Double, bits: Int? = nil, behind before: (@Sendable ([Double]) -> [Double])? = nil
  ) -> KnownDevice {
    let rate = LinearDevices.rate(&draw)
    var coefficients = [0, 1.0]
    let degree = draw.whole(2, 5)
    for _ in 2...degree { coefficients.append(draw.sign() * draw.logarithmic(1e-5, 0.05)) }
    if draw.sign() > 0 { coefficients[0] = draw.sign() * draw.logarithmic(1e-5, 0.01) }
    // Integers hold no more than full scale.
    if bits != nil { coefficients = coefficients.map { 0.8 * $0 } }
    let shape = Shaper(coefficients: coefficients)
    let device = Processed(noise: noise, bits: bits, seed: draw.seed())
    let name = "\(coefficients) noise \(noise) bits \(bits.map(String.init) ?? "-"), \(rate) Hz"
    var known = KnownDevice(name, device.device(name) { (before?($0) ?? $0).map { shape.value(at: $0) } })
    known.sampleRate = rate
    addTruths(&known, shape, noise: device.deviation, degree: degree)
    return known
  }

  /// The tone's phase jitters; there is nothing that repeats with the tone.
  static func jitter(_ draw: inout Draw) -> KnownDevice {
    let rate = LinearDevices.rate(&draw)
    let frames = draw.logarithmic(1e-5, 1e-2)
    let seed = draw.seed()
    let name = "random jitter of \(frames) frames, \(rate) Hz"
    var known = KnownDevice(
      name,
      LinearDevices.device(name, .float32) { samples in
        var generator = GaussianNoise(seed: seed ^ UInt64(samples.count))
        return samples.indices.map { frame in
          let slope = (samples[min(frame + 1, samples.count - 1)] - samples[max(frame - 1, 0)]) / 2
          return samples[frame] + frames * generator.next() * slope
        }
      })
    known.sampleRate = rate
    let level = Decibels.amplitude(levelDecibels)
    let deviation = frames * level * sin(2 * .pi * toneHertz / rate) / 2.0.squareRoot()
    addNone(&known)
    addResidual(&known, meanSquare: deviation * deviation * band(rate), fundamental: level)
    return known
  }

  /// Noise beside the tone, of one level or of that of the tone, and nothing else.
  static func noisy(_ draw: inout Draw) -> KnownDevice {
    let rate = LinearDevices.rate(&draw)
    let (noise, breath) = (draw.logarithmic(1e-7, 1e-3), draw.sign() > 0 ? 0 : draw.logarithmic(1e-6, 1e-3))
    let (seed, gain) = (draw.seed(), draw.uniform(0.2, 1))
    let name = "noise of \(noise), \(breath) of the sound, gain \(gain), \(rate) Hz"
    var known = KnownDevice(
      name,
      LinearDevices.device(name, .float32, noise: noise, seed: seed) { samples in
        var generator = GaussianNoise(seed: seed ^ UInt64(samples.count) ^ 0x5555)
        return samples.map { gain * $0 * (1 + breath * generator.next()) }
      })
    known.sampleRate = rate
    let level = gain * Decibels.amplitude(levelDecibels)
    let square = noise * noise + breath * breath * level * level / 2
    addNone(&known)
    known.truths[.init("toneDC")] = .value(0)
    addResidual(&known, meanSquare: square * band(rate), fundamental: level)
    return known
  }

  // MARK: Truths

  /// The part of white noise within the residual's band.
  private static func band(_ rate: Double) -> Double { (min(top, rate / 2) - 20) / (rate / 2) }

  private static func decibels(_ ratio: Double) -> Truth { .value(20 * log10(max(ratio, 1e-300))) }

  private static func addNone(_ known: inout KnownDevice) {
    known.truths[.init("thd")] = .nothing
    for order in 2...10 { known.truths[.init("harmonic", at: ["harmonic": Double(order)])] = .nothing }
    known.truths[.init("imdSMPTE")] = .nothing
    if known.sampleRate > 42_200 { known.truths[.init("imdDifference")] = .nothing }
    known.truths[.init("aliasing")] = .nothing
  }

  /// - Parameter meanSquare: the mean square of all in the band beside the tone.
  private static func addResidual(_ known: inout KnownDevice, meanSquare: Double, fundamental: Double) {
    let part = (meanSquare / (fundamental * fundamental / 2 + meanSquare)).squareRoot()
    known.truths[.init("fundamental")] = decibels(fundamental)
    known.truths[.init("thdPlusNoise")] = decibels(part)
    known.truths[.init("thdPlusNoisePercent")] = .value(100 * part)
    known.truths[.init("sinad")] = .value(-20 * log10(part))
  }

  private static func addTruths(_ known: inout KnownDevice, _ shape: Shaper, noise: Double, degree: Int) {
    let rate = known.sampleRate
    let level = Decibels.amplitude(levelDecibels)
    let tone = shape.harmonics(amplitude: level)
    let squares = tone.dropFirst(2).reduce(0) { $0 + $1 * $1 }
    addResidual(
      &known, meanSquare: squares / 2 + noise * noise * band(rate), fundamental: abs(tone[1]))
    known.truths[.init("toneDC")] = .value(tone[0])
    known.truths[.init("thd")] = decibels(squares.squareRoot() / abs(tone[1]))
    known.truths[.init("thdPercent")] = .value(100 * squares.squareRoot() / abs(tone[1]))
    for order in 2...10 {
      known.truths[.init("harmonic", at: ["harmonic": Double(order)])] =
        order <= degree ? decibels(abs(tone[order] / tone[1])) : .nothing
    }
    // 60 Hz with 7 kHz: order n lies n − 1 times 60 Hz beside 7 kHz, on either side.
    let smpte = shape.products(0.8 * level, 0.2 * level)
    let carrier = abs(smpte.value(0, 1))
    let orders = (2...6).map { (abs(smpte.value($0 - 1, 1)) + abs(smpte.value(1 - $0, 1))) / carrier }
    addOrders(&known, "imdSMPTE", orders)
    // If twice the rate less products of the fourth order is 18 kHz, they meet.
    if degree <= 3 || rate == 44_100 {
      let pair = shape.products(level / 2, level / 2)
      let both = abs(pair.value(1, 0)) + abs(pair.value(0, 1))
      addOrders(
        &known, "imdDifference",
        [abs(pair.value(-1, 1)) / both, (abs(pair.value(2, -1)) + abs(pair.value(-1, 2))) / both])
    }
    // Components above half the rate come back below it.
    known.truthsOfFindings = { findings in
      guard let curve = findings.curve("aliasingByFrequency") else { return [:] }
      var (worst, loudest) = (0.0, 0.0)
      for point in curve.points {
        let folded = tone.enumerated().dropFirst(2).filter { Double($0.offset) * point.x > rate / 2 }.map(\.element)
        worst = max(worst, folded.map { abs($0 / tone[1]) }.max() ?? 0)
        let square = folded.reduce(0) { $0 + $1 * $1 } / 2 + noise * noise
        loudest = max(loudest, (2 * square).squareRoot() / abs(tone[1]))
      }
      return [.init("aliasing"): decibels(worst), .init("nonHarmonic"): decibels(loudest)]
    }
  }

  private static func addOrders(_ known: inout KnownDevice, _ id: String, _ orders: [Double]) {
    let total = orders.reduce(0) { $0 + $1 * $1 }.squareRoot()
    known.truths[.init(id)] = decibels(total)
    known.truths[.init("\(id)Percent")] = .value(100 * total)
    for order in 2...3 {
      let part = orders[order - 2]
      known.truths[.init("\(id)Order", at: ["order": Double(order)])] = part < 1e-15 ? .nothing : decibels(part)
    }
  }
}

/// Noise, or rounding to integers with triangular dither, behind what a device does.
struct Processed: Sendable {
  let noise: Double
  let bits: Int?
  let seed: UInt64

  /// The deviation of all that is added: the noise; or for a step Δ, dither of Δ²/6 and rounding of Δ²/12.
  var deviation: Double { bits.map { exp2(Double(1 - $0)) / 2 } ?? noise }

  func device(_ name: String, _ body: @escaping @Sendable ([Double]) -> [Double]) -> FunctionDevice {
    let (bits, seed) = (bits, seed)
    return LinearDevices.device(name, .float32, noise: noise, seed: seed) { samples in
      let output = body(samples)
      guard let bits else { return output }
      let scale = exp2(Double(bits - 1))
      var dither = SplitMix64(seed: seed ^ UInt64(samples.count))
      return output.map { min(max(($0 * scale + dither.unit() - dither.unit()).rounded(), -scale), scale - 1) / scale }
    }
  }
}

/// A polynomial, and what it makes of one tone and of two.
struct Shaper: Sendable {
  let coefficients: [Double]

  func value(at x: Double) -> Double { coefficients.reversed().reduce(0) { $0 * x + $1 } }

  /// The amplitudes of DC, fundamental, harmonics of amplitude·cos; signed. By sums over one period, which are exact
  /// for a polynomial of a degree below half the points.
  func harmonics(amplitude: Double) -> [Double] {
    let count = 64
    return (0...10).map { order in
      let sum = (0..<count).reduce(0.0) { sum, index in
        let angle = 2 * Double.pi * Double(index) / Double(count)
        return sum + value(at: amplitude * cos(angle)) * cos(Double(order) * angle)
      }
      return sum * (order == 0 ? 1 : 2) / Double(count)
    }
  }

  struct Products: Sendable {
    let values: [[Double]]
    /// The amplitude of the component at m·f₁ + n·f₂.
    func value(_ m: Int, _ n: Int) -> Double { values[m + 6][n + 6] }
  }

  func products(_ first: Double, _ second: Double) -> Products {
    let count = 32
    func angle(_ index: Int) -> Double { 2 * Double.pi * Double(index) / Double(count) }
    let grid = (0..<count).map { a in
      (0..<count).map { b in value(at: first * cos(angle(a)) + second * cos(angle(b))) }
    }
    return Products(
      values: (-6...6).map { m in
        (-6...6).map { n in
          var sum = 0.0
          for a in 0..<count {
            for b in 0..<count { sum += grid[a][b] * cos(Double(m) * angle(a) + Double(n) * angle(b)) }
          }
          return 2 * sum / Double(count * count)
        }
      })
  }
}
