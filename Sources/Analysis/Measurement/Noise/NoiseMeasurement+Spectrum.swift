import AudioCore
import Glibc

extension NoiseMeasurement {
  /// Lines that stand above the noise around them, the strongest first.
  /// - Parameter rounding: the deviation of a line's amplitude by the rounding of samples, which repeats with tones.
  func idleTones(_ spectrum: WindowedSpectrum, lines all: SpectrumLines, rounding: Double) -> [Reading] {
    let lobe = spectrum.lobeBins
    let bins = spectrum.binRange(bandHertz)
    let powers = bins.map { spectrum.meanSquare(ofBin: $0) }
    var lines: [(bin: Int, meanSquare: Double)] = []
    for index in powers.indices where all.stands[bins.lowerBound + index] {
      let around = max(0, index - lobe)...min(powers.count - 1, index + lobe)
      guard powers[index] > 0, powers[around].allSatisfy({ $0 <= powers[index] }) else { continue }
      lines.append((bins.lowerBound + index, powers[around].reduce(0, +)))
    }
    return lines.sorted { $0.meanSquare > $1.meanSquare }.prefix(idleToneCount).map { line in
      let hertz = Double(line.bin) * spectrum.binHertz
      let share = spectrum.noiseMeanSquarePerBin(at: hertz, excluding: all.isLine)
      let (amplitude, uncertainty) = spectrum.line(squaredAmplitude: 2 * line.meanSquare, noise: share)
      return Reading(
        "idleTone", "Tone at rest, \(Int(clamping: hertz.rounded())) Hz", amplitude: amplitude, .decibelsFullScale,
        floor: rounding > 0 ? 3 * rounding : nil,
        uncertainty: hypot(uncertainty, Uncertainty.coverageFactor * rounding),
        at: ["frequency": hertz])
    }
  }

  /// The deviation of a line's amplitude by the rounding of samples to the device's format: errors that repeat with the
  /// strongest tone lie on few lines. 0 where there is no tone, or noise of the size of a step: rounding is noise then.
  func rounding(
    _ samples: ArraySlice<Double>, _ spectrum: WindowedSpectrum, lines: SpectrumLines, _ precision: SamplePrecision
  ) -> Double {
    let standing = spectrum.binRange(bandHertz).filter { lines.stands[$0] }
    guard let top = standing.max(by: { spectrum.meanSquare(ofBin: $0) < spectrum.meanSquare(ofBin: $1) }) else {
      return 0
    }
    let step = precision.roundingDeviation(of: samples)
    let noise = spectrum.noiseMeanSquarePerBin(at: Double(top) * spectrum.binHertz, excluding: lines.isLine)
    guard noise * Double(spectrum.binCount) < step * step / 4 else { return 0 }
    let hertz = (Double(top) * spectrum.binHertz).rounded()
    return RoundingLines(precision, of: [hertz], sampleRate: sampleRate, frames: samples.count).amplitude(of: samples)
  }

  /// The noise of each third octave (base 10), dBFS.
  func thirdOctaves(_ spectrum: WindowedSpectrum) -> Curve {
    let points = (13...43).compactMap { index -> Curve.Point? in
      let middle = pow(10, Double(index) / 10)
      let edge = pow(10, 0.05)
      guard middle * edge < sampleRate / 2, middle / edge >= 10 * spectrum.binHertz else { return nil }
      return Curve.Point(middle, 10 * log10(2 * spectrum.meanSquare(in: middle / edge...middle * edge)))
    }
    return Curve(
      "noiseByThirdOctave", "Noise by third octave", x: .frequency, y: Curve.Axis("level", .decibelsFullScale),
      points: points)
  }
}
