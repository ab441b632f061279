import AudioCore
import Glibc
import Spectrum

extension DistortionMeasurement {
  /// The highest order of sidebands beside 7 kHz that counts: n − 1 times 60 Hz away for order n.
  static let highestSMPTEOrder = 6

  /// True when 7 kHz and its sidebands are below half the rate.
  var canSMPTE: Bool { sampleRate / 2 > 7000 + 60 * Double(Self.highestSMPTEOrder) }

  /// True when 19 kHz and 20 kHz, and 21 kHz between them, are below half the rate.
  var canDifference: Bool { sampleRate / 2 > 21_000 + 100 }

  /// SMPTE RP 120 (60 Hz and 7 kHz, 4:1): the sidebands 7000 ± k·60 Hz of one order are added as amplitudes, as a
  /// demodulator reads them (IEC 60268-3, modulation distortion), the orders as powers, relative to 7 kHz.
  func smpteReadings(
    _ samples: ArraySlice<Double>, _ rounding: Double, _ transform: WindowedSpectrum.Transform
  ) -> [Reading] {
    let rest = Remainder(samples, rounding, tones(of: .smpte), sampleRate: sampleRate, transform)
    let carrier = rest.amplitudes[1]
    let orders = (2...Self.highestSMPTEOrder).map { order in
      let distance = 60 * Double(order - 1)
      return rest.sum([7000 - distance, 7000 + distance], over: carrier)
    }
    return intermodulation(
      "imdSMPTE", "IMD SMPTE", "60 Hz and 7 kHz 4:1", orders,
      remark: "sidebands of an order added as amplitudes, orders as powers, relative to 7 kHz")
  }

  /// Difference-frequency distortion (CCIF, ITU-R; IEC 60268-3): 19 kHz and 20 kHz alike; order 2 is 1 kHz, order 3 is
  /// 18 kHz and 21 kHz added as amplitudes, relative to the sum of both tones' amplitudes.
  func differenceReadings(
    _ samples: ArraySlice<Double>, _ rounding: Double, _ transform: WindowedSpectrum.Transform
  ) -> [Reading] {
    let rest = Remainder(samples, rounding, tones(of: .difference), sampleRate: sampleRate, transform)
    let reference = rest.amplitudes[0] + rest.amplitudes[1]
    return intermodulation(
      "imdDifference", "IMD CCIF/ITU-R", "19 kHz and 20 kHz",
      [rest.sum([1000], over: reference), rest.sum([18_000, 21_000], over: reference)],
      remark: "1 kHz, and 18 kHz + 21 kHz, as powers, relative to the sum of both tones' amplitudes")
  }

  /// The whole in decibels and percent, and the orders 2 and 3.
  private func intermodulation(
    _ id: String, _ name: String, _ tones: String, _ orders: [Product], remark: String
  ) -> [Reading] {
    let total = Product(orders)
    return Reading.ratio(
      id, "\(name), \(tones)", total.part, floor: total.floor, uncertainty: total.uncertainty, remark: remark)
      + orders.prefix(2).enumerated().map { index, product in
        Reading(
          "\(id)Order", "\(name), order \(index + 2)", amplitude: product.part, floor: product.floor,
          uncertainty: product.uncertainty, at: ["order": Double(index + 2)])
      }
  }

  /// The intermodulation product of an order, relative to a reference, and its uncertainty from the noise around it.
  private struct Product {
    let part: Double
    /// The deviation.
    let noise: Double
    var floor: Double
    var uncertainty: Double { Uncertainty.coverageFactor * noise }

    init(part: Double, noise: Double) {
      self.part = part
      self.noise = noise
      // Amplitudes are added whatever their phases: noise alone has a mean of √π/2 of its deviation each.
      floor = 3 * 2.0.squareRoot() * noise
    }

    /// The sum of several, added as powers; those below the noise are left out if others are not.
    init(_ products: [Product]) {
      let above = products.filter { $0.part > $0.floor }
      let counted = above.isEmpty ? products : above
      let sum = counted.map(\.part).sumOfSquares
      let part = sum.squareRoot()
      let noise = counted.reduce(0) { $0 + $1.part * $1.part * $1.noise * $1.noise } / max(sum, 1e-300)
      let hidden = products.filter { $0.part <= $0.floor }.map(\.noise).sumOfSquares
      self.init(part: part, noise: hypot(noise.squareRoot(), (sum + hidden).squareRoot() - part))
      if above.isEmpty {
        floor = products.map(\.floor).sumOfSquares.squareRoot()
      } else {
        floor = min(floor, 0.999 * part)
      }
    }
  }

  /// A segment without its tones: what lies beside them can then be read without their side lobes.
  private struct Remainder {
    /// The amplitudes of the tones, peaks.
    let amplitudes: [Double]
    private let spectrum: WindowedSpectrum
    /// The amplitude that rounding leaves at each product.
    private let rounding: Double
    /// Bins that may hold intermodulation: the others are noise.
    private let products: [Bool]

    init(
      _ samples: ArraySlice<Double>, _ rounding: Double, _ tones: [Tone], sampleRate: Double,
      _ transform: WindowedSpectrum.Transform
    ) {
      self.rounding = rounding
      let whole = transform.spectrum(samples, sampleRate: sampleRate)
      let found = tones.map { whole.amplitude(at: $0.frequencyHertz) }
      amplitudes = found.map(\.magnitude)
      // A cosine of a phase is a sine a quarter turn on.
      let back = zip(tones, found).map { tone, value in
        Tone(tone.frequencyHertz, amplitude: value.magnitude, phase: value.phase + .pi / 2)
      }
      let sum = Tone.samples(back, frames: 0..<samples.count, sampleRate: sampleRate)
      spectrum = transform.spectrum(zip(samples, sum).map { $0 - $1 }, sampleRate: sampleRate)
      // Sums and differences of the tones' multiples.
      var places: [Double] = []
      for multiple in 0...8 {
        for other in -8...8 {
          let hertz = abs(Double(multiple) * tones[1].frequencyHertz + Double(other) * tones[0].frequencyHertz)
          if hertz < sampleRate / 2 { places.append(hertz) }
        }
      }
      products = spectrum.lobes(of: places)
    }

    /// The amplitudes at some frequencies, added, over a reference.
    func sum(_ frequencies: [Double], over reference: Double) -> Product {
      let noises = frequencies.map { spectrum.noiseAmplitude(at: $0, excluding: products) }
      let deviations = noises.map { max($0 / 2.0.squareRoot(), rounding) }
      let amplitudes = zip(frequencies, noises).map { spectrum.amplitude(at: $0, without: $1) }
      return Product(
        part: amplitudes.reduce(0, +) / reference,
        noise: deviations.sumOfSquares.squareRoot() / reference)
    }
  }
}
