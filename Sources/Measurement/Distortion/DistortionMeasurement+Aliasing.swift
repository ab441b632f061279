import AudioCore
import Glibc

/// What a tone leaves that is neither DC nor one of its harmonics below half the rate.
struct AliasFinding {
  let toneHertz: Double
  /// The strongest component, relative to the fundamental, decibels, and where it is.
  let worstDecibels: Double
  let worstHertz: Double
  /// What of noise would look like it, and what noise does to it, decibels.
  let worstFloorDecibels: Double
  let worstUncertaintyDecibels: Double
  /// The rms of all of it, relative to the fundamental's, decibels.
  let totalDecibels: Double
  let totalUncertaintyDecibels: Double

  init(
    _ samples: ArraySlice<Double>, _ toneHertz: Double, sampleRate: Double, _ transform: WindowedSpectrum.Transform
  ) {
    var options = ToneAnalysis.Options()
    options.bandHertz = 20...sampleRate / 2
    options.highestHarmonic = 1
    let tone = ToneAnalysis(
      samples, frequencyHertz: toneHertz, sampleRate: sampleRate, options: options, transform: transform)
    let spectrum = tone.residualSpectrum
    let count = Int(sampleRate / 2 / toneHertz)
    let known = (0...max(1, count)).map { Double($0) * toneHertz }
    let lobes = spectrum.lobes(of: known)
    let band = max(20, 2 * Double(spectrum.lobeBins) * spectrum.binHertz)...sampleRate / 2
    self.toneHertz = toneHertz
    let worst = StrongestComponent(spectrum, in: band, excluding: known)
    let fundamental = tone.fundamental.amplitude
    worstHertz = worst.frequencyHertz
    worstDecibels = Decibels.of(amplitude: worst.amplitude / fundamental)
    worstFloorDecibels = Decibels.of(amplitude: worst.floor / fundamental)
    worstUncertaintyDecibels = Uncertainty.decibels(worst.uncertainty, of: worst.amplitude)
    let total = spectrum.meanSquare(in: band, excluding: lobes)
    totalDecibels = Decibels.of(amplitude: (2 * total).squareRoot() / fundamental)
    let deviation = spectrum.meanSquareDeviation(in: band, excluding: lobes, tone.residualLines) * tone.burstiness
    totalUncertaintyDecibels =
      total > 0 ? Uncertainty.decibels(Uncertainty.coverageFactor * deviation / (2 * total), of: 1) : 0
  }
}

extension DistortionMeasurement {
  /// Tones up to 0.45 × rate, each on an odd bin, such that its harmonics fold away from one another: up to the 40th,
  /// what folds back lies at least 20 bins from what does not.
  var aliasTones: [Double] {
    (1...aliasToneCount).map { index in
      let wanted = max(100, 0.45 * sampleRate * Double(index) / Double(aliasToneCount))
      var bin = Int((wanted * Double(frames) / sampleRate).rounded()) | 1
      while !foldsClear(bin) { bin -= 2 }
      return Double(bin) * sampleRate / Double(frames)
    }
  }

  private func foldsClear(_ bin: Int) -> Bool {
    // A harmonic a folded at a multiple of the rate meets harmonic b where (a ± b)·bin is close to that multiple.
    for order in 1...80 where order * bin > frames / 2 {
      let offset = order * bin % frames
      if min(offset, frames - offset) < 20 { return false }
    }
    return true
  }

  /// The worst of all tones, and curves over the tones.
  func aliasFindings(_ found: [AliasFinding]) -> Findings {
    guard let worst = found.max(by: { $0.worstDecibels < $1.worstDecibels }),
      let loudest = found.max(by: { $0.totalDecibels < $1.totalDecibels })
    else { return Findings() }
    let y = Curve.Axis("relative to the fundamental", .decibels)
    return Findings(
      readings: [
        Reading(
          "aliasing", "Worst component that is no harmonic", worst.worstDecibels, .decibels,
          floor: worst.worstFloorDecibels,
          uncertainty: Uncertainty.ofLargest(
            worst.worstDecibels, worst.worstUncertaintyDecibels, among: found.map(\.worstDecibels)),
          remark: worst.worstHertz.isNaN
            ? nil
            : "at \(Int(worst.worstHertz.rounded())) Hz, of a tone at \(Int(worst.toneHertz.rounded())) Hz"),
        Reading(
          "aliasingFrequency", "Where that component is", worst.worstHertz, .hertz,
          uncertainty: sampleRate / Double(frames)),
        Reading("aliasingTone", "The tone that leaves it", worst.toneHertz, .hertz, uncertainty: 0),
        Reading(
          "nonHarmonic", "All that is no harmonic, rms", loudest.totalDecibels, .decibels,
          uncertainty: Uncertainty.ofLargest(
            loudest.totalDecibels, loudest.totalUncertaintyDecibels, among: found.map(\.totalDecibels)),
          remark: "20 Hz to half the rate, of a tone at \(Int(loudest.toneHertz.rounded())) Hz"),
      ],
      curves: [
        Curve(
          "aliasingByFrequency", "Worst component that is no harmonic", x: .frequency, y: y,
          points: found.map { Curve.Point($0.toneHertz, $0.worstDecibels) }),
        Curve(
          "nonHarmonicByFrequency", "All that is no harmonic", x: .frequency, y: y,
          points: found.map { Curve.Point($0.toneHertz, $0.totalDecibels) }),
      ])
  }
}
