import AudioCore
import Glibc
import Measurement
import Spectrum

/// Random signals for the level measurement: two channels, each a steady tone and DC, whose levels are known in closed
/// form; and short ones, whose true peaks are found plainly.
public enum LevelSignals {
  /// The uncertainty of loudness is that of its method for any signal: it may be far wider than the error of this one.
  public static let family = CoverageFamily("levels", .levels, holdsRatio: false) { seed, number in
    var draw = Draw(seed: seed, "levels", number)
    let rate = draw.pick([44_100.0, 48_000, 96_000, 192_000])
    return number % 2 == 0 ? steady(&draw, rate) : short(&draw, rate)
  } measure: { known in
    try LevelMeasurement.findings(
      of: known.device.process(AudioSignal(sampleRate: known.sampleRate, channelCount: 1, [0])))
  }

  private static func steady(_ draw: inout Draw, _ rate: Double) -> KnownDevice {
    let frames = Int(clamping: rate) * draw.whole(4, 8)
    // Whole periods, so that means are exact.
    let tones = (0..<2).map { _ in
      Tone(
        Double(draw.whole(40, Int(clamping: min(0.4 * rate, 19_000) / 10)) * 10),
        amplitude: draw.logarithmic(0.01, 0.9),
        phase: draw.uniform(0, 2 * .pi))
    }
    let offsets = (0..<2).map { _ in draw.whole(0, 2) == 0 ? 0 : draw.sign() * draw.logarithmic(1e-5, 0.05) }
    let name = "tones \(tones.map { [$0.frequencyHertz, $0.amplitude, $0.phase] }), offsets \(offsets), \(rate) Hz"
    let device = FunctionDevice(name) { (_) throws(BenchError) in
      AudioSignal(
        sampleRate: rate,
        channels: (0..<2).map { channel in
          Tone.samples([tones[channel]], frames: 0..<frames, sampleRate: rate).map { $0 + offsets[channel] }
        })
    }
    var known = KnownDevice(name, device)
    known.sampleRate = rate
    known.channelCount = 2
    var squares: [Double] = []
    for (channel, tone) in tones.enumerated() {
      let square = tone.amplitude * tone.amplitude / 2 + offsets[channel] * offsets[channel]
      squares.append(square)
      known.truths[.init("rms", channel: channel)] = .value(10 * log10(square))
      known.truths[.init("dc", channel: channel)] = .value(offsets[channel])
    }
    known.truths[.init("balance", channel: 1)] = .value(10 * log10(squares[1] / squares[0]))
    // DC does not pass the weighting; a steady sound passes every gate.
    let weighted = tones.reduce(0) { sum, tone in
      sum + tone.amplitude * tone.amplitude / 2 * pow(10, KnownWeighting.k(tone.frequencyHertz) / 10)
    }
    for id in ["loudnessIntegrated", "loudnessMomentaryMax", "loudnessShortTermMax"] {
      known.truths[.init(id)] = .value(10 * log10(weighted) - 0.691)
    }
    return known
  }

  /// Noise of the whole band or a part of it, tones with and without fades, clicks between samples.
  private static func short(_ draw: inout Draw, _ rate: Double) -> KnownDevice {
    let frames = draw.whole(500, 30_000)
    let scale = draw.logarithmic(0.001, 1)
    let kind = draw.whole(0, 4)
    var noise = GaussianNoise(seed: draw.seed())
    var samples: [Double]
    switch kind {
    case 0:
      samples = (0..<frames).map { _ in noise.next() }
    case 1:
      let section = KnownSection(
        draw.pick([.lowPass, .highPass, .bandPass]), hertz: draw.uniform(0.02, 0.48) * rate, quality: 2,
        gainDecibels: 0, sampleRate: rate)
      samples = section.run((0..<frames).map { _ in noise.next() })
    case 2, 3:
      let tone = Tone(draw.uniform(0.001, 0.499) * rate, amplitude: 1, phase: draw.uniform(0, 2 * .pi))
      samples = Tone.samples([tone], frames: 0..<frames, sampleRate: rate)
      guard kind == 2 else { break }
      for frame in samples.indices {
        samples[frame] *= 0.5 - 0.5 * cos(2 * .pi * (Double(frame) + 0.5) / Double(frames))
      }
    default:
      samples = Array(repeating: 0, count: frames)
      let clicks = (0..<draw.whole(1, 8)).map { _ in
        (place: draw.uniform(0, Double(frames)), height: draw.uniform(-1, 1))
      }
      for frame in samples.indices {
        for click in clicks {
          let x = Double.pi * (Double(frame) - click.place)
          samples[frame] += click.height * (x == 0 ? 1 : sin(x) / x)
        }
      }
    }
    let highest = samples.reduce(0) { max($0, abs($1)) }
    samples = samples.map { $0 * scale / highest }
    let name =
      "\(["noise", "filtered noise", "faded tone", "tone", "clicks"][kind]), \(frames) frames, \(scale), \(rate) Hz"
    let signal = AudioSignal(sampleRate: rate, channelCount: 1, samples)
    var known = KnownDevice(name, FunctionDevice(name) { (_) throws(BenchError) in signal })
    known.sampleRate = rate
    let peak = interpolatedPeak(samples)
    known.truths[.init("truePeak", channel: 0)] = .value(20 * log10(peak))
    known.truths[.init("rms", channel: 0)] = .value(10 * log10(samples.reduce(0) { $0 + $1 * $1 } / Double(frames)))
    return known
  }

  /// The largest magnitude at 64 points a sample, by a transform of 64 times the length, silence around the samples.
  static func interpolatedPeak(_ samples: [Double]) -> Double {
    let (factor, lead) = (64, 256)
    let length = RealFFT.fastLength(atLeast: 2 * samples.count + 2 * lead)
    let (narrow, wide) = (RealFFT(length: length), RealFFT(length: factor * length))
    narrow.forward([Double](repeating: 0, count: lead) + samples)
    for bin in wide.bins.indices { wide.bins[bin] = Complex(0) }
    for bin in narrow.bins.indices { wide.bins[bin] = narrow.bins[bin] }
    // Half of the bin at half the rate belongs to the negative frequencies.
    if length % 2 == 0 { wide.bins[length / 2] = narrow.bins[length / 2] * 0.5 }
    wide.inverse()
    // Around the largest point a parabola.
    let place = max(
      1, min(wide.samples.count - 2, wide.samples.indices.max { abs(wide.samples[$0]) < abs(wide.samples[$1]) } ?? 1))
    let (before, middle, behind) = (wide.samples[place - 1], wide.samples[place], wide.samples[place + 1])
    let bend = before - 2 * middle + behind
    let top = bend == 0 ? middle : middle - (behind - before) * (behind - before) / (8 * bend)
    return abs(top) * Double(factor)
  }
}

extension KnownWeighting {
  /// Decibels; ITU-R BS.1770-4, annex 1: both filters as the recommendation prints them, for 48 kHz.
  static func k(_ hertz: Double) -> Double {
    func gain(_ b: [Double], _ a: [Double]) -> Double {
      let omega = 2 * Double.pi * hertz / 48_000
      func size(_ c: [Double]) -> Double {
        hypot(c[0] + c[1] * cos(omega) + c[2] * cos(2 * omega), c[1] * sin(omega) + c[2] * sin(2 * omega))
      }
      return 20 * log10(size(b) / size(a))
    }
    return gain(
      [1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585])
      + gain([1, -2, 1], [1, -1.99004745483398, 0.99007225036621])
  }
}
