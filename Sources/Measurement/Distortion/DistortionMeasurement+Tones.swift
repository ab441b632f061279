import AudioCore

extension DistortionMeasurement {
  /// Readings of the one tone.
  func toneReadings(_ tone: ToneAnalysis) -> [Reading] {
    let band = "\(hertzText(frequencyHertz)), to \(hertzText(min(bandHertz.upperBound, sampleRate / 2)))"
    let (thd, noisy) = (tone.thd, tone.thdPlusNoise)
    let thdDecibels = Uncertainty.decibels(tone.thdUncertainty, of: thd)
    let noisyDecibels = Uncertainty.decibels(tone.thdPlusNoiseUncertainty, of: noisy)
    var readings = [
      Reading(
        "fundamental", "Fundamental", tone.levelDecibels, .decibelsFullScale,
        uncertainty: Uncertainty.decibels(tone.fundamental.uncertainty, of: tone.fundamental.amplitude)),
      Reading(
        "thd", "THD, \(band)", tone.thdDecibels, .decibels, floor: Decibels.of(amplitude: tone.thdFloor),
        uncertainty: thdDecibels),
      Reading(
        "thdPercent", "THD, \(band)", 100 * thd, .percent, floor: 100 * tone.thdFloor,
        uncertainty: 100 * tone.thdUncertainty),
      Reading(
        "thdPlusNoise", "THD+N, \(band)", tone.thdPlusNoiseDecibels, .decibels, uncertainty: noisyDecibels,
        remark: "AES17: rms of all but the tone over rms of all"),
      Reading(
        "thdPlusNoisePercent", "THD+N, \(band)", 100 * noisy, .percent,
        uncertainty: 100 * tone.thdPlusNoiseUncertainty),
      Reading(
        "sinad", "SINAD, \(band)", tone.sinadDecibels, .decibels, uncertainty: noisyDecibels),
      Reading(
        "toneDC", "DC beside the tone", tone.dc, .amplitude, uncertainty: Uncertainty.coverageFactor * tone.dcNoise),
    ]
    if tone.harmonics.isEmpty {
      for index in 1...2 { readings[index].remark = "no harmonic lies in the band" }
    }
    for component in tone.harmonics where component.order <= highestHarmonic {
      readings.append(
        Reading(
          "harmonic", "Harmonic \(component.order)",
          Decibels.of(amplitude: component.amplitude / tone.fundamental.amplitude), .decibels,
          floor: Decibels.of(amplitude: component.floor / tone.fundamental.amplitude),
          uncertainty: Uncertainty.decibels(component.uncertainty, of: component.amplitude),
          at: ["harmonic": Double(component.order)]))
    }
    return readings
  }

  /// `997 Hz`, `20 kHz`.
  func hertzText(_ hertz: Double) -> String {
    let (value, unit) =
      hertz >= 1000 && hertz.truncatingRemainder(dividingBy: 100) == 0 ? (hertz / 1000, "kHz") : (hertz, "Hz")
    return value == value.rounded() ? "\(Int(value)) \(unit)" : "\(value) \(unit)"
  }

  /// One of each kind, before anything is measured.
  var emptySweeps: (byLevel: ToneSweep, byFrequency: ToneSweep) {
    (
      ToneSweep("Level", x: Curve.Axis("level", .decibelsFullScale), highestHarmonic: highestHarmonic),
      ToneSweep("Frequency", x: .frequency, highestHarmonic: highestHarmonic)
    )
  }

  /// Curves of THD, THD+N and harmonics over level or over frequency.
  struct ToneSweep {
    private(set) var curves: [Curve]

    init(_ way: String, x: Curve.Axis, highestHarmonic: Int) {
      let harmonics = stride(from: 2, through: highestHarmonic, by: 1).map { ("harmonic\($0)", "Harmonic \($0)") }
      curves = ([("thd", "THD"), ("thdPlusNoise", "THD+N")] + harmonics).map { id, name in
        Curve(
          "\(id)By\(way)", "\(name) by \(way.lowercased())", x: x,
          y: Curve.Axis("relative to the fundamental", .decibels))
      }
    }

    /// Those that have points.
    var measured: [Curve] { curves.filter { !$0.points.isEmpty } }

    mutating func add(_ tone: ToneAnalysis, at x: Double) {
      func point(_ value: Double, _ uncertainty: Double) -> Curve.Point {
        Curve.Point(x, Decibels.of(amplitude: value), uncertainty: Uncertainty.decibels(uncertainty, of: value))
      }
      if !tone.harmonics.isEmpty { curves[0].points.append(point(tone.thd, tone.thdUncertainty)) }
      curves[1].points.append(point(tone.thdPlusNoise, tone.thdPlusNoiseUncertainty))
      let fundamental = tone.fundamental.amplitude
      for (component, index) in zip(tone.harmonics, curves.indices.dropFirst(2)) {
        curves[index].points.append(point(component.amplitude / fundamental, component.uncertainty / fundamental))
      }
    }
  }
}
