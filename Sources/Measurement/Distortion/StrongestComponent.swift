import Glibc

/// The strongest component of a spectrum outside what is known to be in it, and what noise could look like.
struct StrongestComponent: Sendable {
  /// To a bin; not a number where there is none.
  let frequencyHertz: Double
  /// Of the peak, without what noise adds to it.
  let amplitude: Double
  /// What noise alone may read as, as amplitude.
  let floor: Double
  /// Of the amplitude.
  let uncertainty: Double

  /// - Parameter known: frequencies of what does not count, hertz.
  init(_ spectrum: WindowedSpectrum, in band: ClosedRange<Double>, excluding known: [Double]) {
    let worst = spectrum.strongest(in: band, excluding: spectrum.lobes(of: known))
    frequencyHertz = worst?.frequencyHertz ?? .nan
    let place = worst?.frequencyHertz ?? 0
    let share = spectrum.noiseMeanSquarePerBin(at: place, excluding: spectrum.lobes(of: known + [place]))
    // The largest of n shares of noise is about ln n times their mean; a line is the sum over its lobe. And the largest of many
    // tones.
    let places = Double(max(2, spectrum.binRange(band).count))
    floor = (2 * share * 2.5 * spectrum.noiseBandwidthBins * (log(places) + 5)).squareRoot()
    // Noise within the line's lobe adds to its power.
    let lobe = Double(2 * spectrum.lobeBins + 1)
    amplitude = max(0, pow(worst?.amplitude ?? 0, 2) - 2 * share * lobe).squareRoot()
    var uncertainty = Uncertainty()
    uncertainty.add(standard: spectrum.summedLineVariance(share).squareRoot())
    self.uncertainty = uncertainty.expanded
  }
}

extension Uncertainty {
  /// The ± of the largest of several levels, decibels: where others are as large but for their noise, it is the one that noise has
  /// helped most.
  static func ofLargest(_ value: Double, _ uncertainty: Double, among others: [Double]) -> Double {
    var whole = Uncertainty()
    let deviation = uncertainty / coverageFactor
    whole.add(standard: deviation)
    whole.add(pickedFrom: others.filter { value - $0 <= 4 * deviation }.count, deviation: deviation)
    return whole.expanded
  }
}
