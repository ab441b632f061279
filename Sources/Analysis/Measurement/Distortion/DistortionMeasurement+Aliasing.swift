import AudioCore
import Glibc

/// The residual of a tone without DC and without its harmonics below half the rate.
struct AliasFinding {
  /// The strongest component.
  let worst: Spurious
  /// The rms of all of it, relative to the fundamental's.
  let total: Spurious
  /// Sounds that ring beside the tone, and become weaker.
  let fading: Fading

  init(
    _ samples: ArraySlice<Double>, _ toneHertz: Double, clockRatio: Double = 1, sampleRate: Double,
    _ transform: WindowedSpectrum.Transform, half: WindowedSpectrum.Transform
  ) {
    var options = ToneAnalysis.Options()
    options.bandHertz = 20...sampleRate / 2
    options.highestHarmonic = 1
    options.clockRatio = clockRatio
    let tone = ToneAnalysis(
      samples, frequencyHertz: toneHertz, sampleRate: sampleRate, options: options, transform: transform)
    let spectrum = tone.residualSpectrum
    let found = tone.fundamental.frequencyHertz
    let count = Int(clamping: sampleRate / 2 / found)
    let known = (0...max(1, count)).map { Double($0) * found }
    let lobes = spectrum.lobes(of: known)
    let band = max(20, 2 * Double(spectrum.lobeBins) * spectrum.binHertz)...sampleRate / 2
    let fundamental = tone.fundamental.amplitude
    // A line beside the tone, and what moves with it, is hidden by its lobe.
    let beside = tone.close.lines.max { $0.amplitude.magnitude < $1.amplitude.magnitude }
    let moving = tone.close.movingMeanSquare
    var all = [Spurious(of: toneHertz, strongestOf: spectrum, in: band, excluding: known, over: fundamental)]
    if let beside {
      all.append(
        Spurious(
          of: toneHertz, at: beside.hertz, beside.amplitude.magnitude, floor: 3 * beside.deviation,
          uncertainty: Uncertainty.coverageFactor * beside.deviation, over: fundamental))
    }
    if moving > 0 {
      let amplitude = tone.movingAmplitude / 1.01
      all.append(
        Spurious(of: toneHertz, at: nil, amplitude, floor: 1.01 * amplitude, uncertainty: 0, over: fundamental))
    }
    fading = Fading(tone, sampleRate: sampleRate, excluding: known, half: half)
    if fading.amplitude > 0, let hertz = all[0].hertz, abs(hertz - fading.hertz) < 4 * spectrum.binHertz {
      all[0] = Spurious(
        of: toneHertz, at: hertz, fading.amplitude, floor: 1.5 * fading.amplitude, uncertainty: 0, over: fundamental)
    }
    worst = all.worst ?? all[0]
    // A window hears what comes and goes at its middle alone.
    let (comesAndGoes, _, course) = NoiseCourse.found(in: tone.residual, spectrum, band)
    let whole = spectrum.meanSquare(in: band)
    let rest = spectrum.meanSquare(in: band, excluding: lobes)
    let heard = comesAndGoes && whole > 0 ? course.meanSquare * rest / whole : rest
    let square = heard + tone.close.meanSquare(in: band) + moving
    let deviation = hypot(
      comesAndGoes
        ? heard * course.relativeDeviation
        : spectrum.meanSquareDeviation(in: band, excluding: lobes, tone.residualLines) * tone.burstiness,
      hypot(tone.close.meanSquareDeviation, 2 * square * tone.fundamental.deviation / max(fundamental, 1e-300)))
    let size = (2 * square).squareRoot()
    let passing = max(tone.movingAmplitude, fading.amplitude)
    total = Spurious(
      toneHertz: toneHertz, decibels: Decibels.of(amplitude: size / fundamental), hertz: nil,
      floor: passing > 0.5 * size ? Decibels.of(amplitude: max(passing, 1.01 * size) / fundamental) : nil,
      uncertainty: Uncertainty.decibels(meanSquare: square, deviation: deviation))
  }
}

extension DistortionMeasurement {
  /// Tones up to 0.45 × rate, each on an odd bin, such that its harmonics fold away from one another: up to the 40th,
  /// what folds back lies at least 20 bins from what does not.
  var aliasTones: [Double] {
    (1...aliasToneCount).map { index in
      let wanted = max(100, 0.45 * sampleRate * Double(index) / Double(aliasToneCount))
      var bin = Int(clamping: (wanted * Double(frames) / sampleRate).rounded()) | 1
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
    let (components, totals) = (found.map(\.worst), found.map(\.total))
    guard let worst = components.worst,
      let aliasing = components.reading("aliasing", "Worst component that is no harmonic"),
      let loudest = totals.worst, var nonHarmonic = totals.reading("nonHarmonic", "All that is no harmonic, rms")
    else { return Findings() }
    nonHarmonic.remark = "20 Hz to half the rate, of a tone at \(Int(clamping: loudest.toneHertz.rounded())) Hz"
    return Findings(
      readings: [
        aliasing,
        Reading(
          "aliasingFrequency", "Where that component is", worst.hertz ?? .nan, .hertz,
          uncertainty: sampleRate / Double(frames)),
        Reading("aliasingTone", "The tone that leaves it", worst.toneHertz, .hertz, uncertainty: 0),
        nonHarmonic,
      ],
      curves: [
        components.curve("aliasingByFrequency", aliasing.name, relativeTo: "fundamental"),
        totals.curve("nonHarmonicByFrequency", "All that is no harmonic", relativeTo: "fundamental"),
      ])
  }
}
