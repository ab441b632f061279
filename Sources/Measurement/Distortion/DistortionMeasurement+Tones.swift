import AudioCore

extension DistortionMeasurement {
  /// Readings of the one tone.
  func toneReadings(_ tone: ToneAnalysis, channel: Int) -> [Reading] {
    let band = "\(hertzText(frequencyHertz)), to \(hertzText(min(bandHertz.upperBound, sampleRate / 2)))"
    let (thd, noisy) = (tone.thd, tone.thdPlusNoise)
    let thdDecibels = Uncertainty.decibels(tone.thdUncertainty, of: thd)
    let noisyDecibels = Uncertainty.decibels(tone.thdPlusNoiseUncertainty, of: noisy)
    var readings = [
      Reading(
        "fundamental", "Fundamental", tone.levelDecibels, .decibelsFullScale,
        uncertainty: Uncertainty.decibels(tone.fundamental.uncertainty, of: tone.fundamental.amplitude),
        channel: channel),
      Reading(
        "thd", "THD, \(band)", tone.thdDecibels, .decibels, floor: Decibels.of(amplitude: tone.thdFloor),
        uncertainty: thdDecibels, channel: channel),
      Reading(
        "thdPercent", "THD, \(band)", 100 * thd, .percent, floor: 100 * tone.thdFloor,
        uncertainty: 100 * tone.thdUncertainty, channel: channel),
      Reading(
        "thdPlusNoise", "THD+N, \(band)", tone.thdPlusNoiseDecibels, .decibels, uncertainty: noisyDecibels,
        channel: channel, remark: "AES17: rms of all but the tone over rms of all"),
      Reading(
        "thdPlusNoisePercent", "THD+N, \(band)", 100 * noisy, .percent,
        uncertainty: 100 * tone.thdPlusNoiseUncertainty, channel: channel),
      Reading(
        "sinad", "SINAD, \(band)", tone.sinadDecibels, .decibels, uncertainty: noisyDecibels, channel: channel),
      Reading(
        "toneDC", "DC beside the tone", tone.dc, .amplitude, uncertainty: Uncertainty.coverageFactor * tone.dcNoise,
        channel: channel),
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
          uncertainty: Uncertainty.decibels(component.uncertainty, of: component.amplitude), channel: channel,
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

  /// Curves of THD, THD+N and harmonics over level and over frequency.
  struct ToneSweeps {
    private let channel: Int
    private let highestHarmonic: Int
    private var byLevel: [Curve] = []
    private var byFrequency: [Curve] = []

    init(settings: DistortionMeasurement, channel: Int) {
      self.channel = channel
      highestHarmonic = settings.highestHarmonic
    }

    mutating func add(_ tone: ToneAnalysis, level: Double) {
      if byLevel.isEmpty { byLevel = empty("Level", x: Curve.Axis("level", .decibelsFullScale)) }
      append(tone, x: level, to: &byLevel)
    }

    mutating func add(_ tone: ToneAnalysis, frequency: Double) {
      if byFrequency.isEmpty { byFrequency = empty("Frequency", x: .frequency) }
      append(tone, x: frequency, to: &byFrequency)
    }

    /// Those that have points.
    var curves: [Curve] { (byLevel + byFrequency).filter { !$0.points.isEmpty } }

    private func empty(_ way: String, x: Curve.Axis) -> [Curve] {
      let y = Curve.Axis("relative to the fundamental", .decibels)
      let by = way == "Level" ? "by level" : "by frequency"
      let totals = [
        Curve("thdBy\(way)", "THD \(by)", x: x, y: y, channel: channel),
        Curve("thdPlusNoiseBy\(way)", "THD+N \(by)", x: x, y: y, channel: channel),
      ]
      return totals
        + stride(from: 2, through: highestHarmonic, by: 1).map {
          Curve("harmonic\($0)By\(way)", "Harmonic \($0) \(by)", x: x, y: y, channel: channel)
        }
    }

    private func append(_ tone: ToneAnalysis, x: Double, to curves: inout [Curve]) {
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
