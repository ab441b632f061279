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
  /// How far the level moves from the first to the second half, decibels.
  let drift: Double

  init(
    input: Double, _ samples: ArraySlice<Double>, frequencyHertz: Double, sampleRate: Double,
    _ transforms: StaticTransforms
  ) {
    func level(_ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform) -> Double {
      let spectrum = transform.spectrum(samples, sampleRate: sampleRate)
      return Decibels.of(amplitude: spectrum.amplitude(at: frequencyHertz).magnitude)
    }
    self.input = input
    output = level(samples, transforms.whole)
    drift =
      level(samples.suffix(samples.count / 2), transforms.half)
      - level(samples.prefix(samples.count / 2), transforms.half)
  }
}

extension DynamicsMeasurement {
  /// Below this a step counts as silent, dBFS.
  private static let silenceDecibels = -180.0

  func staticFindings(_ steps: [StaticPoint], channel: Int) -> Findings {
    let x = Curve.Axis("input level", .decibelsFullScale)
    var findings = Findings(curves: [
      Curve(
        "staticCurve", "Static curve", x: x, y: Curve.Axis("output level", .decibelsFullScale),
        points: steps.map { Curve.Point($0.input, $0.output) }, channel: channel),
      Curve(
        "staticGain", "Gain by level", x: x, y: Curve.Axis("gain", .decibels),
        points: steps.map { Curve.Point($0.input, $0.output - $0.input) }, channel: channel),
    ])
    let sounding = steps.filter { $0.output > Self.silenceDecibels }
    if let restless = sounding.max(by: { abs($0.drift) < abs($1.drift) }), abs(restless.drift) > 0.05 {
      findings.remarks.append(
        "channel \(channel) is not settled at \(restless.input) dBFS: the level still moves by "
          + "\((restless.drift * 100).rounded() / 100) dB; a longer time to settle is needed")
    }
    guard let fit = GainCurveFit(sounding.map { ($0.input, $0.output) }) else {
      findings.remarks.append("channel \(channel) is silent at too many levels for a static curve")
      return findings
    }
    guard !fit.isStraight else {
      findings.readings.append(
        Reading(
          "staticSlope", "Slope of the static curve", (fit.slopeBelow + fit.slopeAbove) / 2, .amplitude,
          channel: channel, remark: "a straight line: there is no threshold"))
      return findings
    }
    let remark =
      fit.worstDecibels > 0.25 ? "the fit misses by up to \((fit.worstDecibels * 100).rounded() / 100) dB" : nil
    let ratioName = fit.isCompressor ? "Ratio above the threshold" : "Ratio of expansion below the threshold"
    findings.readings += [
      Reading("threshold", "Threshold", fit.thresholdDecibels, .decibelsFullScale, channel: channel, remark: remark),
      Reading("ratio", ratioName, fit.ratio, .ratio, channel: channel, remark: remark),
      Reading("knee", "Knee", fit.kneeDecibels, .decibels, channel: channel, remark: remark),
      Reading(
        "thresholdGain", "Gain where both lines meet", fit.outputDecibels - fit.thresholdDecibels, .decibels,
        channel: channel, remark: remark),
      Reading("slopeBelow", "Slope below the threshold", fit.slopeBelow, .amplitude, channel: channel),
      Reading("slopeAbove", "Slope above the threshold", fit.slopeAbove, .amplitude, channel: channel),
      Reading("fitDeviation", "Largest distance from the fit", fit.worstDecibels, .decibels, channel: channel),
    ]
    return findings
  }
}
