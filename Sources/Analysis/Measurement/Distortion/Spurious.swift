import AudioCore
import Glibc

/// A component of the output that is neither the tone nor a harmonic of it: the strongest one, or all of them together.
struct Spurious {
  let toneHertz: Double
  /// Relative to the tone.
  let decibels: Double
  /// The frequency of the component; nil for all together, or if there is none.
  let hertz: Double?
  /// The level that noise may reach, relative to the tone, decibels.
  let floor: Double?
  /// The ± by noise, decibels.
  let uncertainty: Double
}

extension Spurious {
  /// A component of an amplitude.
  /// - Parameter reference: the tone's own amplitude.
  init(
    of toneHertz: Double, at hertz: Double?, _ amplitude: Double, floor: Double, uncertainty: Double,
    over reference: Double
  ) {
    self.init(
      toneHertz: toneHertz, decibels: Decibels.of(amplitude: amplitude / reference), hertz: hertz,
      floor: Decibels.of(amplitude: floor / reference), uncertainty: Uncertainty.decibels(uncertainty, of: amplitude))
  }

  /// The strongest component of a spectrum outside what is known to be in it; its frequency to a bin.
  /// - Parameter known: frequencies of what does not count, hertz.
  init(
    of toneHertz: Double, strongestOf spectrum: WindowedSpectrum, in band: ClosedRange<Double>,
    excluding known: [Double],
    over reference: Double
  ) {
    let worst = spectrum.strongest(in: band, excluding: spectrum.lobes(of: known))
    let place = worst?.frequencyHertz ?? 0
    let share = spectrum.noiseMeanSquarePerBin(at: place, excluding: spectrum.lobes(of: known + [place]))
    let line = spectrum.line(squaredAmplitude: pow(worst?.amplitude ?? 0, 2), noise: share)
    // The largest of n shares of noise is about ln n times their mean; a line is the sum over its lobe. And the largest
    // of many tones.
    let places = Double(max(2, spectrum.binRange(band).count))
    self.init(
      of: toneHertz, at: worst?.frequencyHertz, line.amplitude,
      floor: (2 * share * 2.5 * spectrum.noiseBandwidthBins * (log(places) + 5)).squareRoot(),
      uncertainty: line.uncertainty, over: reference)
  }
}

extension [Spurious] {
  var worst: Spurious? { self.max { $0.decibels < $1.decibels } }

  /// The worst of all tones; nil where there is none.
  func reading(_ id: String, _ name: String) -> Reading? {
    worst.map { worst in
      Reading(
        id, name, worst.decibels, .decibels, floor: worst.floor,
        uncertainty: Uncertainty.ofLargest(worst.decibels, worst.uncertainty, among: map(\.decibels)),
        remark: worst.hertz.map {
          "at \(Int(clamping: $0.rounded())) Hz, of a tone at \(Int(clamping: worst.toneHertz.rounded())) Hz"
        })
    }
  }

  /// One point for each tone, in their order.
  func curve(_ id: String, _ name: String, relativeTo reference: String) -> Curve {
    Curve(
      id, name, x: .frequency, y: Curve.Axis("relative to the \(reference)", .decibels),
      points: map { Curve.Point($0.toneHertz, $0.decibels, floor: $0.floor) })
  }
}

extension Uncertainty {
  /// The ± of the largest of several levels, decibels: where others are as large but for their noise, it is the one
  /// that noise has helped most.
  static func ofLargest(_ value: Double, _ uncertainty: Double, among others: [Double]) -> Double {
    var whole = Uncertainty()
    let deviation = uncertainty / coverageFactor
    whole.add(standard: deviation)
    whole.add(pickedFrom: others.filter { value - $0 <= 4 * deviation }.count, deviation: deviation)
    return whole.expanded
  }
}
