import AudioCore
import Glibc
import Spectrum

extension DistortionMeasurement {
  /// The highest order of sidebands beside 7 kHz that counts: n − 1 times 60 Hz away for order n.
  static let highestSMPTEOrder = 6

  /// Whether 7 kHz and its sidebands lie below half the rate.
  var canSMPTE: Bool { sampleRate / 2 > 7000 + 60 * Double(Self.highestSMPTEOrder) }

  /// Whether 19 kHz and 20 kHz, and 21 kHz between them, lie below half the rate.
  var canDifference: Bool { sampleRate / 2 > 21_000 + 100 }

  /// SMPTE RP 120 (60 Hz and 7 kHz, 4:1): the sidebands 7000 ± k·60 Hz of one order are added as amplitudes, as a
  /// demodulator reads them (IEC 60268-3, modulation distortion), the orders as powers, relative to 7 kHz.
  func smpteReadings(
    _ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform, channel: Int
  ) -> [Reading] {
    let rest = Remainder(samples, tones(of: .smpte), sampleRate: sampleRate, transform)
    let carrier = rest.amplitudes[1]
    let orders = (2...Self.highestSMPTEOrder).map { order in
      let distance = 60 * Double(order - 1)
      return (rest.amplitude(7000 - distance) + rest.amplitude(7000 + distance)) / carrier
    }
    let total = orders.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let remark = "sidebands of an order added as amplitudes, orders as powers, relative to 7 kHz"
    return [
      Reading(
        "imdSMPTE", "IMD SMPTE, 60 Hz and 7 kHz 4:1", Decibels.of(amplitude: total), .decibels, channel: channel,
        remark: remark),
      Reading(
        "imdSMPTEPercent", "IMD SMPTE, 60 Hz and 7 kHz 4:1", 100 * total, .percent, channel: channel, remark: remark),
    ]
      + orders.prefix(2).enumerated().map { index, value in
        Reading(
          "imdSMPTEOrder", "IMD SMPTE, order \(index + 2)", Decibels.of(amplitude: value), .decibels,
          channel: channel, at: ["order": Double(index + 2)])
      }
  }

  /// Difference-frequency distortion (CCIF, ITU-R; IEC 60268-3): 19 kHz and 20 kHz alike; order 2 is 1 kHz, order 3 is
  /// 18 kHz and 21 kHz added as amplitudes, relative to the sum of both tones' amplitudes.
  func differenceReadings(
    _ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform, channel: Int
  ) -> [Reading] {
    let rest = Remainder(samples, tones(of: .difference), sampleRate: sampleRate, transform)
    let reference = rest.amplitudes[0] + rest.amplitudes[1]
    let second = rest.amplitude(1000) / reference
    let third = (rest.amplitude(18_000) + rest.amplitude(21_000)) / reference
    let total = hypot(second, third)
    let remark = "1 kHz, and 18 kHz + 21 kHz, as powers, relative to the sum of both tones' amplitudes"
    return [
      Reading(
        "imdDifference", "IMD CCIF/ITU-R, 19 kHz and 20 kHz", Decibels.of(amplitude: total), .decibels,
        channel: channel, remark: remark),
      Reading(
        "imdDifferencePercent", "IMD CCIF/ITU-R, 19 kHz and 20 kHz", 100 * total, .percent, channel: channel,
        remark: remark),
    ]
      + [second, third].enumerated().map { index, value in
        Reading(
          "imdDifferenceOrder", "IMD CCIF/ITU-R, order \(index + 2)", Decibels.of(amplitude: value), .decibels,
          channel: channel, at: ["order": Double(index + 2)])
      }
  }

  /// A stretch without its tones: what lies beside them can then be read without their side lobes.
  private struct Remainder {
    /// Of the tones, peaks.
    let amplitudes: [Double]
    private let spectrum: WindowedSpectrum

    init(
      _ samples: ArraySlice<Double>, _ tones: [Tone], sampleRate: Double, _ transform: WindowedSpectrum.Transform
    ) {
      let whole = transform.spectrum(samples, sampleRate: sampleRate)
      let found = tones.map { whole.amplitude(at: $0.frequencyHertz) }
      amplitudes = found.map(\.magnitude)
      // A cosine of a phase is a sine a quarter turn on.
      let back = zip(tones, found).map { tone, value in
        Tone(tone.frequencyHertz, amplitude: value.magnitude, phase: value.phase + .pi / 2)
      }
      let sum = Tone.samples(back, frames: 0..<samples.count, sampleRate: sampleRate)
      spectrum = transform.spectrum(zip(samples, sum).map { $0 - $1 }, sampleRate: sampleRate)
    }

    func amplitude(_ hertz: Double) -> Double { spectrum.amplitude(at: hertz).magnitude }
  }
}
