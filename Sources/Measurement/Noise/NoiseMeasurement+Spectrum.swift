import Glibc

extension NoiseMeasurement {
  /// Lines that stand above the noise around them, the strongest first.
  func idleTones(_ spectrum: WindowedSpectrum, lines all: [Bool], channel: Int) -> [Reading] {
    let lobe = spectrum.lobeBins
    let bins = spectrum.binRange(bandHertz)
    let powers = bins.map { spectrum.meanSquare(ofBin: $0) }
    let stands = spectrum.standing(in: bandHertz, decibels: idleToneDecibels)
    var lines: [(bin: Int, meanSquare: Double)] = []
    for index in powers.indices where stands[index] {
      let around = max(0, index - lobe)...min(powers.count - 1, index + lobe)
      guard powers[index] > 0, powers[around].allSatisfy({ $0 <= powers[index] }) else { continue }
      lines.append((bins.lowerBound + index, powers[around].reduce(0, +)))
    }
    return lines.sorted { $0.meanSquare > $1.meanSquare }.prefix(idleToneCount).map { line in
      let hertz = Double(line.bin) * spectrum.binHertz
      let share = spectrum.noiseMeanSquarePerBin(at: hertz, excluding: all)
      var uncertainty = Uncertainty()
      let amplitude = (2 * line.meanSquare).squareRoot()
      uncertainty.add(standard: (share * spectrum.noiseBandwidthBins).squareRoot())
      uncertainty.add(halfWidth: share * Double(2 * lobe + 1) / amplitude)
      return Reading(
        "idleTone", "Tone at rest, \(Int(hertz.rounded())) Hz", 10 * log10(2 * line.meanSquare), .decibelsFullScale,
        uncertainty: Uncertainty.decibels(uncertainty.expanded, of: amplitude), channel: channel,
        at: ["frequency": hertz])
    }
  }

  /// The noise of each third octave (base 10), dBFS.
  func thirdOctaves(_ spectrum: WindowedSpectrum, channel: Int) -> Curve {
    let points = (13...43).compactMap { index -> Curve.Point? in
      let middle = pow(10, Double(index) / 10)
      let edge = pow(10, 0.05)
      guard middle * edge < sampleRate / 2, middle / edge >= 10 * spectrum.binHertz else { return nil }
      return Curve.Point(middle, 10 * log10(2 * spectrum.meanSquare(in: middle / edge...middle * edge)))
    }
    return Curve(
      "noiseByThirdOctave", "Noise by third octave", x: .frequency, y: Curve.Axis("level", .decibelsFullScale),
      points: points, channel: channel)
  }
}

extension WindowedSpectrum {
  /// For each bin of a band, whether it stands so many decibels above the median of its block: lines within a block hardly move
  /// that.
  func standing(in band: ClosedRange<Double>, decibels: Double) -> [Bool] {
    let powers = binRange(band).map { meanSquare(ofBin: $0) }
    guard powers.count > 4 * lobeBins else { return powers.map { _ in false } }
    let block = max(8 * lobeBins, 64)
    let medians = stride(from: 0, to: powers.count, by: block).map { start in
      powers[start..<min(powers.count, start + block)].sorted()[min(block, powers.count - start) / 2]
    }
    let factor = pow(10, decibels / 10)
    return powers.enumerated().map { $1 > factor * medians[$0 / block] }
  }

  /// For each bin of the spectrum, whether a line that stands so high reaches it.
  func lines(in band: ClosedRange<Double>, decibels: Double) -> [Bool] {
    let first = binRange(band).lowerBound
    let tops = standing(in: band, decibels: decibels).enumerated().filter(\.element).map {
      Double(first + $0.offset) * binHertz
    }
    return lobes(of: tops)
  }
}
