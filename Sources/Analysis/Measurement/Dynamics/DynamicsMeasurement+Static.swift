import AudioCore
import Glibc

/// Transforms of a whole step and of its halves.
struct StaticTransforms {
  let whole: WindowedSpectrum.Transform
  let half: WindowedSpectrum.Transform

  init(frames: Int) {
    whole = WindowedSpectrum.Transform(length: frames)
    half = WindowedSpectrum.Transform(length: frames / 2)
  }
}

/// One step of the static curve.
struct StaticPoint {
  /// dBFS.
  let input: Double
  let output: Double
  /// The change of level from the first to the second half, decibels.
  let drift: Double
  /// The change that is still to come, about as much as there has been, if the level moves by more than noise; else 0,
  /// decibels.
  let unsettled: Double
  /// The deviation of the output, decibels: noise around the tone, rounding, and a level that has not settled, which
  /// has about as far to go as it has come.
  let deviation: Double
  /// True when the tone is at least 18 dB above the noise around it.
  let isKnown: Bool
  /// The amplitude of the harmonics 2 to 9 above the noise, as a part of the tone's.
  let distortion: Double
  /// The deviation of the amplitude by the noise around it.
  let noise: Double

  init(
    input: Double, _ samples: ArraySlice<Double>, frequencyHertz: Double, sampleRate: Double, rounding: RoundingLines,
    _ transforms: StaticTransforms
  ) {
    func level(_ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform) -> Double {
      let spectrum = transform.spectrum(samples, sampleRate: sampleRate)
      return Decibels.of(amplitude: spectrum.amplitude(at: frequencyHertz).magnitude)
    }
    self.input = input
    let spectrum = transforms.whole.spectrum(samples, sampleRate: sampleRate)
    let amplitude = spectrum.amplitude(at: frequencyHertz).magnitude
    output = Decibels.of(amplitude: amplitude)
    let harmonics = spectrum.lobes(of: stride(from: 0, to: sampleRate / 2, by: frequencyHertz))
    let noise = spectrum.noiseAmplitude(at: frequencyHertz, excluding: harmonics) / 2.0.squareRoot()
    isKnown = amplitude > 8 * noise
    self.noise = noise
    // Among noise and rounding nothing is told of harmonics of some hundredths.
    let doubt = max(noise, 2 * rounding.amplitude(of: samples))
    let overtones = (2...9).map { Double($0) * frequencyHertz }.filter { $0 < 0.49 * sampleRate }.map {
      max(0, spectrum.amplitude(at: $0).magnitude - 4 * doubt)
    }
    distortion = amplitude > 300 * doubt ? overtones.sumOfSquares.squareRoot() / amplitude : 0
    drift =
      level(samples.suffix(samples.count / 2), transforms.half)
      - level(samples.prefix(samples.count / 2), transforms.half)
    // A gain that follows the level turns what rounding does to that into as much again.
    let spread = Uncertainty.decibels(max(noise, 2 * rounding.amplitude(of: samples)), of: amplitude)
    // Each half has twice the variance. A drift within the noise is not added to the deviation: weights that scatter do
    // not improve a fit.
    unsettled = drift.isFinite && abs(drift) > 4 * 2 * spread ? drift : 0
    deviation = hypot(spread, unsettled)
  }
}

extension DynamicsMeasurement {
  /// Below this a step counts as silent, dBFS.
  static let silenceDecibels = -180.0

  /// - Parameters:
  ///   - change: the change of the gain with time, if there is no static curve for it.
  ///   - small: the change from the staircase to the same levels later, decibels.
  func staticFindings(_ steps: [StaticPoint], change: DynamicsChange?, small: Double, channel: Int) -> Findings {
    let x = Curve.Axis("input level", .decibelsFullScale)
    var findings = Findings(curves: [
      Curve(
        "staticCurve", "Static curve", x: x, y: Curve.Axis("output level", .decibelsFullScale),
        points: steps.map { $0.curvePoint(over: 0) }),
      Curve(
        "staticGain", "Gain by level", x: x, y: Curve.Axis("gain", .decibels),
        points: steps.map { $0.curvePoint(over: $0.input) }),
    ])
    let sounding = steps.filter { $0.output > Self.silenceDecibels }
    if let restless = sounding.max(by: { abs($0.drift) < abs($1.drift) }), abs(restless.drift) > 0.05 {
      findings.remarks.append(
        "channel \(channel) is not settled at \(restless.input) dBFS: the level still moves by "
          + "\(NumberText.decimal(restless.drift, digits: 2)) dB; a longer time to settle is needed")
    }
    let known = sounding.filter(\.isKnown)
    if let change {
      findings.remarks.append("channel \(channel) \(change.text); it has no static curve")
      return findings
    }
    func fitted(_ output: (StaticPoint) -> Double) -> GainCurveFit? {
      GainCurveFit(known.map { GainCurveFit.Point(x: $0.input, y: output($0), deviation: $0.deviation) })
    }
    guard let fit = fitted(\.output) else {
      findings.remarks.append(
        "channel \(channel) is silent, or no louder than its noise, at too many levels for a static curve")
      return findings
    }
    // With nearly all steps on one line, the bending shows in the harmonics of the last.
    if let shaped = ShapedWave(known, least: fit.isStraight ? 0.005 : ShapedWave.leastDistortion) {
      findings.readings += shaped.readings
      findings.remarks.append("channel \(channel) \(shaped.text)")
      return findings
    }
    var spread = fit.uncertainties
    // Levels that have not settled are off to one side at all levels: the fit as it would be if all had gone as far
    // again.
    if sounding.contains(where: { $0.unsettled != 0 }), let settled = fitted({ $0.output + $0.unsettled }) {
      spread.add(halfWidthsTo: settled, of: fit)
    }
    // A gain that goes on as slowly as that tilts the curve.
    if small != 0, let first = known.first?.input, let last = known.last?.input, last > first,
      let tilted = fitted({ $0.output - small * ($0.input - first) / (last - first) })
    {
      spread.add(halfWidthsTo: tilted, of: fit)
    }
    findings.readings += Self.readings(of: fit, spread)
    return findings
  }

  private static func readings(of fit: GainCurveFit, _ spread: GainCurveFit.Uncertainties) -> [Reading] {
    // Slopes that noise does not tell apart are one.
    let apart = abs(fit.slopeAbove - fit.slopeBelow)
    guard !fit.isStraight, apart > spread.slopeBelow + spread.slopeAbove else {
      return [
        Reading(
          "staticSlope", "Slope of the static curve", (fit.slopeBelow + fit.slopeAbove) / 2, .amplitude,
          uncertainty: hypot(spread.slopeBelow, spread.slopeAbove) / 2,
          remark: "a straight line: there is no threshold")
      ]
    }
    let remark =
      fit.worstDecibels > 0.25 ? "the fit misses by up to \(NumberText.decimal(fit.worstDecibels, digits: 2)) dB" : nil
    let ratioName = fit.isCompressor ? "Ratio above the threshold" : "Ratio of expansion below the threshold"
    return [
      Reading(
        "threshold", "Threshold", fit.thresholdDecibels, .decibelsFullScale, uncertainty: spread.threshold,
        remark: remark),
      ratio(of: fit, spread, ratioName, remark),
      Reading(
        "knee", "Knee", fit.kneeDecibels, .decibels, uncertainty: spread.knee, remark: remark),
      Reading(
        "thresholdGain", "Gain where both lines meet", fit.gainDecibels, .decibels,
        uncertainty: spread.gain, remark: remark),
      Reading(
        "slopeBelow", "Slope below the threshold", fit.slopeBelow, .amplitude, uncertainty: spread.slopeBelow),
      Reading(
        "slopeAbove", "Slope above the threshold", fit.slopeAbove, .amplitude, uncertainty: spread.slopeAbove),
      Reading("fitDeviation", "Largest distance from the fit", fit.worstDecibels, .decibels),
    ]
  }

  /// The ratio; at least so much, where the slope above the threshold could be none at all.
  private static func ratio(
    of fit: GainCurveFit, _ spread: GainCurveFit.Uncertainties, _ name: String, _ remark: String?
  ) -> Reading {
    guard fit.isCompressor else {
      return Reading("ratio", name, fit.slopeBelow, .ratio, uncertainty: spread.slopeBelow, remark: remark)
    }
    let (slope, error) = (max(0, fit.slopeAbove), spread.slopeAbove)
    guard slope > 2 * error else {
      return Reading(
        "ratio", name, 1 / max(slope + error, 1e-9), .ratio, bound: .atLeast,
        remark: "the slope above the threshold is no more than what is not known of it")
    }
    // The farther end of the interval: 1 ÷ (s − error) lies beyond 1 ÷ (s + error).
    return Reading("ratio", name, fit.ratio, .ratio, uncertainty: error / (slope * (slope - error)), remark: remark)
  }
}
