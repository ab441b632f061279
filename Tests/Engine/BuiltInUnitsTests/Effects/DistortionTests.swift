import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// A distortion with one stage on, wet only, unless it says otherwise; below a soft clip that is linear to 90 dB.
func distortion(_ values: [Distortion.Parameter: Float]) throws -> Distortion {
  let unit = Distortion()
  for parameter in [Distortion.Parameter.delayMix, .decimationMix, .polynomialMix, .ringModMix] {
    try unit.set(parameter, to: 0)
  }
  try unit.set(.finalMix, to: 100)
  try unit.set(.softClipGain, to: -40)
  for (parameter, value) in values { try unit.set(parameter, to: value) }
  return unit
}

/// f of the unit's law, in Double.
func softClip(_ u: Double) -> Double { abs(u) >= 3 ? (u < 0 ? -1 : 1) : u * (27 + u * u) / (27 + 9 * u * u) }

/// A tenth of a second of a tone's output in which all multiples of 10 Hz are whole, and what is in it.
struct ToneOutput {
  let samples: [Double]
  let rate: Double

  /// - Parameters:
  ///   - values: as ``distortion(_:)``.
  ///   - hertz: a multiple of 10, of each tone.
  ///   - scale: the factor for the output.
  init(
    _ values: [Distortion.Parameter: Float], hertz: [Double], amplitude: Double, rate: Double = 44_100,
    scale: Double = 1,
    settling: Double = 0.4
  ) throws {
    let (start, count) = (Int(clamping: settling * rate), Int(clamping: rate / 10))
    let tone = (0..<start + count).map { frame in
      Float(hertz.reduce(0) { $0 + amplitude * sin(2 * .pi * $1 * Double(frame) / rate) })
    }
    let unit = try fed(distortion(values), [tone], sampleRate: rate)
    samples = try renderedSignal(unit, total: start + count)[0][start...].map { Double($0) * scale }
    self.rate = rate
  }

  private func projection(_ hertz: Double) -> (cosine: Double, sine: Double) {
    var (cosine, sine) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
      let angle = 2 * .pi * hertz * Double(frame) / rate
      cosine += sample * cos(angle)
      sine += sample * sin(angle)
    }
    let scale = (hertz == 0 ? 1 : 2) / Double(samples.count)
    return (cosine * scale, sine * scale)
  }

  /// The amplitude of one component.
  func amplitude(_ hertz: Double) -> Double {
    let (cosine, sine) = projection(hertz)
    return hypot(cosine, sine)
  }

  /// The rms of what lies up to 20 kHz and is neither constant nor a harmonic of a tone, against the tone, decibels.
  ///
  /// - Parameter tone: a multiple of 100 Hz: then all aliases are, and a hundredth of a second holds whole waves of
  ///   them.
  func aliases(of tone: Int) -> Double {
    let part = ToneOutput(samples: Array(samples[..<Int(clamping: rate / 100)]), rate: rate)
    let squares = stride(from: 100, to: 20_000, by: 100).reduce(0.0) { sum, hertz in
      let level = hertz % tone == 0 ? 0 : part.amplitude(Double(hertz))
      return sum + level * level
    }
    return 20 * log10(squares.squareRoot() / part.amplitude(Double(tone)))
  }
}

/// The stages of the distortion, each by itself, against formulas.
@Suite struct DistortionTests {
  @Test("dry it is the input 84 frames later, bit for bit, and what is wet without a stage is as late")
  func dry() throws {
    let signal = noise(2, frames: 3000)
    let unit = Distortion()
    try unit.set(.finalMix, to: 0)
    let output = try renderedSignal(fed(unit, signal), total: 3084)
    #expect(unit.latencyFrames == 84)
    for channel in 0..<2 { #expect(Array(output[channel][84...]) == signal[channel]) }
    unit.setBypass(true)
    #expect(unit.latencyFrames == 0)

    // Half dry and half wet is the same again, as both come at once. Nothing clips at -60 dBFS.
    let tone = sine(hertz: 7000, sampleRate: 44_100, frames: 4000, amplitude: 0.001)
    let half = try renderedSignal(
      fed(distortion([.softClipGain: 0, .finalMix: 50]), [tone]), total: 4000)[0]
    let worst =
      (500..<3900).map { (frame: Int) -> Double in abs(Double(half[frame + 84]) - Double(tone[frame])) }.max() ?? 1
    #expect(20 * log10(worst / 0.001) < -95, "\(20 * log10(worst / 0.001)) dB")
  }

  @Test("echo: what comes back is e^(-decay) as loud each time", arguments: [(0.1, 1.0), (12.5, 0.3), (500, 50)])
  func echo(_ milliseconds: Double, _ decay: Double) throws {
    let rate = 44_100.0
    let delay = max(1, Int(clamping: (milliseconds / 1000 * rate).rounded()))
    // Nothing above 0.4 of the rate: two tones that fade in.
    let signal = (0..<60_000).map { frame in
      let time = Double(frame) / rate
      let fade = min(1, time / 0.01)
      return Float(fade * fade * (3 - 2 * fade) * (0.3 * sin(2 * .pi * 311 * time) + 0.2 * sin(2 * .pi * 4999 * time)))
    }
    let unit = try distortion([.delay: Float(milliseconds), .decay: Float(decay), .delayMix: 60])
    let output = try renderedSignal(fed(unit, [signal]), total: 60_000)[0]
    var line: [Double] = []
    for frame in signal.indices {
      let heard = frame >= delay ? line[frame - delay] : 0
      line.append(Double(signal[frame]) + exp(-decay) * heard)
      let expected = 0.4 * Double(signal[frame]) + 0.6 * heard
      guard frame + 84 < 60_000 else { continue }
      let found = 100 * Double(output[frame + 84])
      guard abs(found - expected) > 5e-5 else { continue }
      Issue.record("frame \(frame): \(found), not \(expected)")
      return
    }
  }

  @Test("another delay is a crossfade of 20 ms, and one that is set meanwhile waits")
  func delayChanges() throws {
    let tone = sine(hertz: 500, sampleRate: 44_100, frames: 9000)
    let unit = try fed(distortion([.delay: 10, .decay: 50, .delayMix: 100]), [tone])
    func setting(_ frame: Int, _ milliseconds: Float) -> HostEvent {
      HostEvent(frame: frame) { try $0.setParameter(ParameterAddress(0), to: milliseconds) }
    }
    // 441 frames, then 1323.
    let events = [setting(4000, 30), setting(4200, 5), setting(4300, 30)]
    let output = try renderedSignal(unit, total: 9000, events: events)[0]
    for frame in 3000..<8900 {
      let weight = min(1, max(0, Double(frame - 4000 + 1) / 882))
      let (one, other) = (Double(tone[frame - 441]), Double(tone[frame - 1323]))
      let expected = one + (other - one) * weight
      let found = 100 * Double(output[frame + 84])
      guard abs(found - expected) > 1e-3 else { continue }
      Issue.record("frame \(frame): \(found), not \(expected)")
      return
    }
  }

  @Test("decimation: the images of a held tone lie at k·h ± f, as loud as a hold's Dirichlet kernel says")
  func decimation() throws {
    // 32 kHz · (500/32000)^0.5 = 4 kHz: every eighth sample.
    let rate = 32_000.0
    let output = try ToneOutput(
      [.decimation: 50, .decimationMix: 100], hertz: [1000], amplitude: 0.5, rate: rate, scale: 100)
    for hertz in [1000.0, 3000, 5000, 7000, 9000, 11_000, 13_000] {
      let kernel = abs(sin(.pi * hertz * 8 / rate) / (8 * sin(.pi * hertz / rate)))
      #expect(abs(output.amplitude(hertz) - 0.5 * kernel) < 1e-4, "\(hertz): \(output.amplitude(hertz))")
    }
    for hertz in [2000.0, 4000, 500, 6000] { #expect(output.amplitude(hertz) < 1e-4) }
    // Half of it is half of it.
    let half = try ToneOutput(
      [.decimation: 50, .decimationMix: 50], hertz: [1000], amplitude: 0.5, rate: rate, scale: 100)
    #expect(abs(half.amplitude(3000) - output.amplitude(3000) / 2) < 1e-4)
  }

  @Test("rounding: a constant becomes the nearest multiple of 2^(1 - bits)")
  func rounding() throws {
    for (rounding, bits) in [(100.0 as Float, 2.0), (50, 9), (75, 5.5), (1, 15.86)] {
      for value in [0.3 as Float, -0.7, 0.1234, 0.9] {
        let unit = try distortion([.decimation: 0, .rounding: rounding, .decimationMix: 100, .softClipGain: -80])
        let output = try renderedSignal(fed(unit, [[Float](repeating: value, count: 2000)]), total: 1500)[0]
        let step = exp2(1 - bits)
        let expected = (Double(value) / step).rounded() * step
        #expect(abs(1e4 * Double(output[1400]) - expected) < 2e-6, "\(value) of \(bits) bits: \(1e4 * output[1400])")
      }
    }
  }

  @Test("polynomial: a sine's harmonics are those of Chebyshev's formulas, and squares leave no constant")
  func polynomial() throws {
    for (amplitude, linear, squared, cubic, mix) in [
      (0.5, 1.0, 2.0, 3.0, 1.0), (0.9, 0.4, 0, 20, 0.7), (0.7, 0, 20, 0, 1),
    ] {
      let values: [Distortion.Parameter: Float] = [
        .linearTerm: Float(linear), .squaredTerm: Float(squared), .cubicTerm: Float(cubic),
        .polynomialMix: Float(100 * mix), .softClipGain: -80,
      ]
      let output = try ToneOutput(values, hertz: [1000], amplitude: amplitude, scale: 1e4)
      // sin² = (1 - cos 2φ)/2, sin³ = (3 sin φ - sin 3φ)/4.
      let (square, cube) = (amplitude * amplitude, amplitude * amplitude * amplitude)
      let expected: [Double: Double] = [
        1000: (1 - mix) * amplitude + mix * (linear * amplitude + cubic * 3 * cube / 4),
        2000: mix * squared * square / 2,
        3000: mix * cubic * cube / 4, 4000: 0, 0: 0,
      ]
      for (hertz, level) in expected {
        let found = output.amplitude(hertz)
        #expect(abs(found - level) < 2e-4 * (1 + level), "\(hertz) Hz: \(found), not \(level)")
      }
    }
  }

  @Test("soft clip: a sine's harmonics are the Fourier coefficients of its formula", arguments: [-6.0, 0, 12, 20])
  func clip(_ decibels: Double) throws {
    let output = try ToneOutput([.softClipGain: Float(decibels)], hertz: [1000], amplitude: 0.8)
    let gain = pow(10, decibels / 20)
    for order in 1...15 {
      var coefficient = 0.0
      for step in 0..<8192 {
        let angle = 2 * .pi * Double(step) / 8192
        coefficient += softClip(gain * 0.8 * sin(angle)) * sin(Double(order) * angle) / 4096
      }
      let found = output.amplitude(1000 * Double(order))
      #expect(abs(found - abs(coefficient)) < 1e-5, "harmonic \(order): \(found), not \(abs(coefficient))")
    }
  }

  @Test("ring: two pairs of side bands, by the balance, and none that folds")
  func ring() throws {
    let values: [Distortion.Parameter: Float] = [
      .ringModFreq1: 250, .ringModFreq2: 1230, .ringModBalance: 30, .ringModMix: 80,
    ]
    let output = try ToneOutput(values, hertz: [3000], amplitude: 0.5, scale: 100)
    let expected: [Double: Double] = [
      3000: 0.2 * 0.5, 2750: 0.8 * 0.7 * 0.25, 3250: 0.8 * 0.7 * 0.25, 1770: 0.8 * 0.3 * 0.25,
      4230: 0.8 * 0.3 * 0.25, 250: 0, 1230: 0, 0: 0,
    ]
    for (hertz, level) in expected {
      #expect(abs(output.amplitude(hertz) - level) < 2e-5, "\(hertz) Hz: \(output.amplitude(hertz)), not \(level)")
    }
    // 18 + 8 kHz lies above half the rate and would come back at 18.1 kHz.
    let high = try ToneOutput(
      [.ringModFreq1: 8000, .ringModFreq2: 8000, .ringModMix: 100], hertz: [18_000], amplitude: 0.5, scale: 100)
    #expect(abs(high.amplitude(10_000) - 0.25) < 2e-5)
    #expect(high.amplitude(18_100) < 0.25e-5)
  }

  /// A full-scale sine that is clipped: its frequency, the gain, and the limit of its aliases up to 20 kHz, decibels
  /// against the tone. Above 20 kHz the filter between one and two times the rate lets frequencies below 24.1 kHz fold.
  static let clips: [(hertz: Int, gain: Float, limit: Double)] = [
    (1100, 12, -120), (5000, 12, -120), (9100, 12, -115), (14_900, 12, -80), (1100, 20, -110), (5000, 20, -100),
    (9100, 20, -56), (3100, 0, -120), (15_100, 0, -115),
  ]
  @Test(
    "aliases of a sine that is clipped lie far below those of the same formula at the rate itself", arguments: clips)
  func aliasing(_ hertz: Int, _ decibels: Float, _ limit: Double) throws {
    let output = try ToneOutput([.softClipGain: decibels], hertz: [Double(hertz)], amplitude: 1)
    let gain = pow(10, Double(decibels) / 20)
    let plain = ToneOutput(
      samples: (0..<441).map { softClip(gain * sin(2 * .pi * Double(hertz) * Double($0) / 44_100)) }, rate: 44_100)
    let (found, without) = (output.aliases(of: hertz), plain.aliases(of: hertz))
    if getenv("AUBENCH_PRINT") != nil { print("aliases, \(hertz) Hz, \(decibels) dB: \(found), without \(without)") }
    #expect(found < limit, "\(found) dB")
    #expect(without > -80 ? found < without - 45 : found < -110, "\(found) dB, without \(without)")
  }

  @Test("the polynomial of a sine folds nowhere: below 85 dB at the end of the band, below 115 in its lower half")
  func polynomialAliasing() throws {
    for hertz in [6100, 11_100, 17_100, 19_900] {
      let output = try ToneOutput(
        [.cubicTerm: 1, .squaredTerm: 0.5, .polynomialMix: 100, .softClipGain: -80], hertz: [Double(hertz)],
        amplitude: 0.8)
      let found = output.aliases(of: hertz)
      if getenv("AUBENCH_PRINT") != nil { print("polynomial, \(hertz) Hz: \(found)") }
      #expect(found < (hertz < 12_000 ? -115 : -85), "\(hertz) Hz: \(found) dB")
    }
  }
}

extension ToneOutput {
  init(samples: [Double], rate: Double) { (self.samples, self.rate) = (samples, rate) }
}
