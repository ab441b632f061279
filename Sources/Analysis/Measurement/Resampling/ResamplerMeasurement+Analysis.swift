import AudioCore
import Glibc

/// The response at one frequency.
struct ResponsePoint {
  let hertz: Double
  /// The gain.
  let decibels: Double
  /// Seconds behind the whole frames of delay that are known, from the phase; not unwrapped.
  let phase: Double
  /// The deviation of the gain by noise and rounding, decibels.
  let deviation: Double
  /// The deviation of the phase, radians.
  let phaseDeviation: Double
}

extension ResamplerMeasurement {
  func toneReadings(
    _ samples: ArraySlice<Double>, _ rounding: RoundingLines, _ transform: WindowedSpectrum.Transform
  ) -> [Reading] {
    var options = ToneAnalysis.Options()
    options.roundingAmplitude = rounding.amplitude(of: samples)
    let tone = ToneAnalysis(
      samples, frequencyHertz: frequencyHertz, sampleRate: outputRate, options: options, transform: transform)
    return [
      Reading(
        "thdPlusNoise", "THD+N, \(frequencyHertz) Hz", amplitude: tone.thdPlusNoise,
        uncertainty: tone.thdPlusNoiseUncertainty, remark: "20 Hz to 20 kHz"),
      Reading(
        "thd", "THD, \(frequencyHertz) Hz", amplitude: tone.thd, floor: tone.thdFloor,
        uncertainty: tone.thdUncertainty),
      Reading(
        "gain", "Gain, \(frequencyHertz) Hz", tone.levelDecibels - levelDecibels, .decibels,
        uncertainty: Uncertainty.decibels(tone.fundamental.uncertainty, of: tone.fundamental.amplitude)),
    ]
  }

  func responsePoints(
    _ samples: ArraySlice<Double>, _ sound: ResamplerPlan.Sound, _ response: SegmentedStimulus.Response,
    _ transform: WindowedSpectrum.Transform, channel: Int
  ) -> [ResponsePoint] {
    let spectrum = transform.spectrum(samples, sampleRate: outputRate)
    // The segment's start in the output, the whole frames of delay taken off, against its start in the input.
    let late =
      Double(response.frames(sound.segment, channel: channel).lowerBound - response.latencyFrames(channel)) / outputRate
      - Double(sound.segment.start) / inputRate
    let tones = sound.tones.filter { $0.frequencyHertz < outputRate / 2 }
    let lobes = spectrum.lobes(of: tones.map(\.frequencyHertz))
    return tones.map { tone in
      // Half of the noise changes the amplitude, the other half the phase.
      let noise = spectrum.noiseAmplitude(at: tone.frequencyHertz, excluding: lobes) / 2.0.squareRoot()
      let found = spectrum.amplitude(at: tone.frequencyHertz)
      // The amplitude's phase is of a cosine, the tone's of a sine.
      let angle = found.phase + .pi / 2 - tone.phase - 2 * .pi * tone.frequencyHertz * late
      return ResponsePoint(
        hertz: tone.frequencyHertz, decibels: Decibels.of(amplitude: found.magnitude / tone.amplitude),
        phase: angle - 2 * .pi * (angle / (2 * .pi)).rounded(),
        deviation: Uncertainty.decibels(noise, of: found.magnitude),
        phaseDeviation: noise / max(found.magnitude, 1e-300))
    }
  }

  /// Ripple, the points where the response falls, delay.
  func responseFindings(_ points: [ResponsePoint], latencyFrames: Int, channel: Int) -> Findings {
    guard let first = points.first else { return Findings() }
    let between = ResponseBetweenTones(points)
    let passband = first.hertz...max(first.hertz, passbandHertz)
    let (most, least) = (between.extreme(in: passband, sign: 1), between.extreme(in: passband, sign: -1))
    var ofRipple = Uncertainty()
    for end in [most, least] {
      ofRipple.add(standard: end.deviation)
      ofRipple.add(halfWidth: end.grid)
      ofRipple.add(pickedFrom: between.candidates(near: end, in: passband), deviation: end.deviation)
    }
    var findings = Findings(
      readings: [
        Reading(
          "passbandRipple", "Ripple up to \(Int(clamping: passbandHertz.rounded())) Hz", most.decibels - least.decibels,
          .decibels,
          uncertainty: ofRipple.expanded,
          remark: "highest less lowest gain from \(Int(clamping: first.hertz.rounded())) Hz on")
      ],
      curves: [
        Curve(
          "response", "Gain by frequency", x: .frequency, y: Curve.Axis("gain", .decibels),
          points: points.map {
            Curve.Point($0.hertz, $0.decibels, uncertainty: Uncertainty.coverageFactor * $0.deviation)
          })
      ])
    for (id, fall) in [("minus01dB", 0.1), ("minus1dB", 1.0), ("minus3dB", 3.0103)] {
      let corner = between.corner(limit: first.decibels - fall)
      let value = corner?.hertz
      let uncertainty = corner.map { corner in
        Uncertainty(
          standard: hypot(corner.value.deviation, first.deviation) / corner.decibelsPerHertz,
          halfWidth: corner.value.grid / corner.decibelsPerHertz
        ).expanded
      }
      findings.readings.append(
        Reading(
          id, "−\(fall == 3.0103 ? "3" : fall == 1 ? "1" : "0.1") dB", value ?? .nan, .hertz,
          uncertainty: uncertainty,
          remark: value.map { "\(($0 / lowerNyquist * 10_000).rounded() / 10_000) of the lower Nyquist frequency" }
            ?? "not below \(Int(clamping: (points.last?.hertz ?? 0).rounded())) Hz"))
    }
    findings.add(delayFindings(points, latencyFrames: latencyFrames, channel: channel))
    return findings
  }

  /// The slope of the phase below an eighth of the lower rate, where whole frames, known from the chirp, leave it below
  /// half a turn.
  private func delayFindings(_ points: [ResponsePoint], latencyFrames: Int, channel: Int) -> Findings {
    let low = points.filter { $0.hertz < min(inputRate, outputRate) / 8 }
    guard !low.isEmpty else { return Findings() }
    // A device that turns the polarity is half a turn off at all frequencies.
    let turned = low.filter { abs($0.phase) > .pi / 2 }.count > low.count / 2
    let phases = low.map { point -> (hertz: Double, phase: Double) in
      guard turned else { return (point.hertz, point.phase) }
      return (point.hertz, point.phase > 0 ? point.phase - .pi : point.phase + .pi)
    }
    let squares = low.map(\.hertz).sumOfSquares
    let slope = phases.reduce(0) { $0 + $1.hertz * $1.phase } / squares
    let frames = -slope / (2 * .pi) * outputRate + Double(latencyFrames)
    let deviation = phases.filter { $0.hertz >= 200 }.map {
      abs($0.phase - slope * $0.hertz) / (2 * .pi * $0.hertz) * outputRate
    }
    // The deviation of the slope by noise and rounding, and the most that they could change any one phase.
    let slopeDeviation =
      low.reduce(0) { $0 + $1.hertz * $1.hertz * $1.phaseDeviation * $1.phaseDeviation }.squareRoot() / squares
    let delayUncertainty = Uncertainty.coverageFactor * slopeDeviation / (2 * .pi) * outputRate
    let floor = low.filter { $0.hertz >= 200 }.map {
      4 * $0.phaseDeviation / (2 * .pi * $0.hertz) * outputRate
    }.max()
    let whole = frames.rounded()
    return Findings(
      readings: [
        Reading(
          "delay", "Delay", frames, .frames, uncertainty: delayUncertainty,
          remark: "\(Int(clamping: whole)) and \(((frames - whole) * 1e6).rounded() / 1e6 + 0) frames of the output"),
        Reading(
          "delayDeviation", "Largest distance of the phase delay from it", deviation.max() ?? .nan, .frames,
          floor: floor, uncertainty: floor, remark: "200 Hz to an eighth of the lower rate"),
      ], remarks: turned ? ["channel \(channel) is turned in polarity"] : [])
  }

  func imageOf(_ tone: Tone, _ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform) -> Spurious {
    var options = ToneAnalysis.Options()
    options.highestHarmonic = 1
    let analysis = ToneAnalysis(
      samples, frequencyHertz: tone.frequencyHertz, sampleRate: outputRate, options: options, transform: transform)
    return Spurious(
      of: tone.frequencyHertz, strongestOf: analysis.residualSpectrum, in: 0...outputRate / 2,
      excluding: [0, tone.frequencyHertz], over: tone.amplitude)
  }

  /// Each tone's first alias: what there is where it folds to.
  func aliasesOf(
    _ tones: [Tone], _ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform
  ) -> [Spurious] {
    let places = tones.map { [folded($0.frequencyHertz)] }
    return spurious(of: tones, at: places, beside: [], transform.spectrum(samples, sampleRate: outputRate))
  }

  /// The strongest image of each of several tones, if it is above the level that noise may reach.
  func imagesOf(
    _ tones: [Tone], _ samples: ArraySlice<Double>, _ plan: ResamplerPlan, _ transform: WindowedSpectrum.Transform
  ) -> [Spurious] {
    let kept = tones.filter { $0.frequencyHertz < outputRate / 2 }
    let spectrum = transform.spectrum(samples, sampleRate: outputRate)
    let own = kept.map(\.frequencyHertz)
    let places = own.map { hertz in
      // With whole ratios down all images lie on the tone itself.
      plan.imagePlaces(of: hertz).filter { place in own.allSatisfy { abs($0 - place) > 8 * plan.binHertz } }
    }
    return spurious(of: kept, at: places, beside: own, spectrum).filter { $0.decibels > $0.floor ?? -.infinity }
  }

  /// The strongest component for each tone at some places.
  /// - Parameter beside: other components of the spectrum that are no noise.
  private func spurious(
    of tones: [Tone], at places: [[Double]], beside: [Double], _ spectrum: WindowedSpectrum
  ) -> [Spurious] {
    let lobes = spectrum.lobes(of: beside + places.joined())
    return zip(tones, places).compactMap { tone, places in
      places.map { place -> Spurious in
        let noise = spectrum.noiseAmplitude(at: place, excluding: lobes)
        return Spurious(
          of: tone.frequencyHertz, at: place, spectrum.amplitude(at: place, without: noise),
          // The largest of many tones.
          floor: 4 * noise, uncertainty: Uncertainty.coverageFactor * noise / 2.0.squareRoot(), over: tone.amplitude)
      }.worst
    }
  }

  func spuriousFindings(images: [Spurious], aliases: [Spurious]) -> Findings {
    let edge = Int(clamping: passbandHertz.rounded())
    func curves(_ id: String, _ name: String, _ all: [Spurious]) -> [Curve] {
      all.isEmpty ? [] : [all.sorted { $0.toneHertz < $1.toneHertz }.curve(id, name, relativeTo: "tone")]
    }
    return Findings(
      readings: [
        images.filter { $0.toneHertz <= passbandHertz * 1.001 }
          .reading("images", "Worst image of the tones up to \(edge) Hz"),
        images.reading("imagesToNyquist", "Worst image of all tones"),
        // In the passband: where they come down.
        aliases.filter { $0.hertz ?? .nan <= passbandHertz }.reading("aliases", "Worst alias below \(edge) Hz"),
        aliases.reading("aliasesToNyquist", "Worst alias of all tones"),
      ].compactMap { $0 },
      curves: curves("imagesByFrequency", "Worst image by frequency", images)
        + curves("aliasesByFrequency", "Alias by frequency", aliases))
  }
}
