import AudioCore
import Glibc
import Measurement

/// Random devices for the noise measurement: white and coloured noise, dither, hum, DC, and noise that rises with the
/// sound.
public enum NoiseDevices {
  public static let family = CoverageFamily("noise", .noise) { seed, number in
    var draw = Draw(seed: seed, "noise", number)
    let rate = LinearDevices.rate(&draw)
    var source = NoiseSource(sampleRate: rate, seed: draw.seed())
    switch number % 6 {
    case 0: source.deviation = draw.logarithmic(1e-7, 1e-2)
    case 1:
      source.deviation = draw.logarithmic(1e-7, 1e-4)
      source.lines = lines(&draw, source, decibels: 30...70)
    case 2: source.bits = draw.pick([12, 16, 20, 24])
    case 3:
      source.deviation = draw.logarithmic(1e-6, 1e-2)
      source.pole = draw.uniform(-0.97, 0.97)
    case 4:
      source.deviation = draw.logarithmic(1e-6, 1e-3)
      source.breath = draw.logarithmic(1e-4, 1e-1)
    default:
      source.deviation = draw.logarithmic(1e-7, 1e-3)
      source.gain = draw.sign() * draw.logarithmic(0.05, 3)
    }
    if draw.sign() > 0 { source.offset = draw.sign() * draw.logarithmic(1e-5, 1e-2) }
    return source.known
  }

  /// Hum and its like: so far above the noise that each is a line, and 60 Hz apart.
  private static func lines(
    _ draw: inout Draw, _ source: NoiseSource, decibels: ClosedRange<Double>
  ) -> [Tone] {
    var tones: [Tone] = []
    for _ in 0..<draw.whole(1, 5) {
      let hertz = draw.logarithmic(45, 15_000)
      guard tones.allSatisfy({ abs($0.frequencyHertz - hertz) > 60 }), abs(hertz - 997) > 60 else { continue }
      // In a second's transform a line of this amplitude is so many decibels above the noise beside it.
      let level = source.deviation * (4 / source.sampleRate).squareRoot()
      tones.append(
        Tone(
          hertz, amplitude: level * Decibels.amplitude(draw.uniform(decibels.lowerBound, decibels.upperBound)),
          phase: draw.uniform(0, 6)))
    }
    return tones
  }
}

/// The noise that a device adds to a sound, and the right readings of it.
struct NoiseSource: Sendable {
  let sampleRate: Double
  let seed: UInt64
  /// The deviation of the white noise, before the pole.
  var deviation = 0.0
  /// The pole of the filter that colours it.
  var pole = 0.0
  /// Noise for each unit of the sound.
  var breath = 0.0
  var offset = 0.0
  var gain = 1.0
  /// Integers that the sound is rounded to, with triangular dither.
  var bits: Int?
  var lines: [Tone] = []
  /// The mean square of what ``through`` adds, white.
  var added = 0.0
  /// The device in front of the noise.
  var through: (@Sendable ([Double]) -> [Double])?
  /// For the name.
  var more = ""

  private static let toneAmplitude = 1e-3
  private static let band = 20.0...20_000

  init(sampleRate: Double, seed: UInt64) { (self.sampleRate, self.seed) = (sampleRate, seed) }

  var name: String {
    "noise \(deviation), pole \(pole), \(breath) of the sound, offset \(offset), gain \(gain), bits "
      + "\(bits.map(String.init) ?? "-"), lines \(lines.map { [$0.frequencyHertz, $0.amplitude] }), \(more)\(sampleRate) Hz"
  }

  private var device: FunctionDevice {
    let source = self
    return LinearDevices.device(name, .float32) { samples in
      var generator = GaussianNoise(
        seed: source.seed ^ UInt64(bitPattern: Int64(clamping: samples[samples.count / 2] * 1e12)))
      var dither = SplitMix64(seed: source.seed)
      let hum = Tone.samples(source.lines, frames: 0..<samples.count, sampleRate: source.sampleRate)
      var state = 0.0
      let samples = source.through?(samples) ?? samples
      return samples.indices.map { frame in
        if source.deviation > 0 { state = source.pole * state + source.deviation * generator.next() }
        var value = source.gain * samples[frame] + state + source.offset + hum[frame]
        if source.breath > 0 { value += source.breath * samples[frame] * generator.next() }
        guard let bits = source.bits else { return value }
        let scale = exp2(Double(bits - 1))
        value = (value * scale + dither.unit() - dither.unit()).rounded() / scale
        return value
      }
    }
  }

  /// The density of the noise at a frequency: mean square per hertz.
  private func density(_ hertz: Double, withTone: Bool) -> Double {
    var white = deviation * deviation
    if let bits { white += exp2(2 * Double(1 - bits)) / 4 }
    let omega = 2 * Double.pi * hertz / sampleRate
    white /= 1 + pole * pole - 2 * pole * cos(omega)
    white += added
    if withTone { white += breath * breath * Self.toneAmplitude * Self.toneAmplitude / 2 }
    return white / (sampleRate / 2)
  }

  /// dBFS of AES17: twice the mean square.
  private func level(withTone: Bool, _ weight: (Double) -> Double) -> Double {
    let top = min(Self.band.upperBound, sampleRate / 2)
    // Simpson over the logarithm of frequency.
    let steps = 4000
    let width = log(top / Self.band.lowerBound) / Double(steps)
    var sum = 0.0
    for step in 0...steps {
      let hertz = Self.band.lowerBound * exp(width * Double(step))
      let share = step == 0 || step == steps ? 1.0 : step % 2 == 1 ? 4 : 2
      sum += share * hertz * density(hertz, withTone: withTone) * pow(10, weight(hertz) / 10)
    }
    var square = sum * width / 3
    for line in lines { square += line.amplitude * line.amplitude / 2 * pow(10, weight(line.frequencyHertz) / 10) }
    return 10 * log10(2 * square)
  }

  var known: KnownDevice {
    var known = KnownDevice(name, device)
    known.sampleRate = sampleRate
    let source = self
    let weightings: [(suffix: String, weight: (Double) -> Double)] = [
      ("", { _ in 0 }), ("A", KnownWeighting.a), ("468", KnownWeighting.itu468),
      ("CCIR", { KnownWeighting.itu468($0) - KnownWeighting.itu468(2000) }),
    ]
    for (suffix, weight) in weightings {
      known.truths[.init("noise\(suffix)")] = .value(level(withTone: false, weight))
      guard suffix != "468" else { continue }
      let beside = level(withTone: true, weight)
      known.truths[.init("noiseWithTone\(suffix)")] = .value(beside)
      known.truths[.init("dynamicRange\(suffix)")] = .value(20 * log10(abs(gain)) - beside)
    }
    known.truths[.init("idleDC")] = .value(offset)
    guard !lines.isEmpty else { return known }
    known.truthsOfFindings = { findings in
      var truths: [KnownDevice.Key: Truth] = [:]
      for reading in findings.readings where reading.id == "idleTone" {
        let hertz = reading.at["frequency"] ?? 0
        let line = source.lines.first { abs($0.frequencyHertz - hertz) < 2 }
        truths[.init("idleTone", at: ["frequency": hertz])] =
          line.map { .value(20 * log10($0.amplitude)) } ?? .nothing
      }
      return truths
    }
    return known
  }
}

/// Weightings as their standards print them, written a second time: nothing of the product judges itself.
enum KnownWeighting {
  /// Decibels; IEC 61672-1, E.1.
  static func a(_ hertz: Double) -> Double {
    let f2 = hertz * hertz
    func response(_ f2: Double) -> Double {
      12194.217 * 12194.217 * f2 * f2
        / ((f2 + 20.598997 * 20.598997) * (f2 + 12194.217 * 12194.217)
          * ((f2 + 107.65265 * 107.65265) * (f2 + 737.86223 * 737.86223)).squareRoot())
    }
    return 20 * log10(response(f2) / response(1e6))
  }

  /// Decibels, 0 at 1 kHz; ITU-R BS.468-4.
  static func itu468(_ hertz: Double) -> Double {
    func response(_ f: Double) -> Double {
      let h1 =
        -4.737338981378384e-24 * pow(f, 6) + 2.043828333606125e-15 * pow(f, 4) - 1.363894795463638e-7 * f * f + 1
      let h2 = 1.306612257412824e-19 * pow(f, 5) - 2.118150887518656e-11 * pow(f, 3) + 5.559488023498642e-4 * f
      return 1.246332637532143e-4 * f / hypot(h1, h2)
    }
    return 20 * log10(response(hertz) / response(1000))
  }
}
