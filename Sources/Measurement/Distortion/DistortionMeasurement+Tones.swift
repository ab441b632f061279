import AudioCore

extension DistortionMeasurement {
  /// Readings of the one tone.
  func toneReadings(_ tone: ToneAnalysis, channel: Int) -> [Reading] {
    let band = "\(hertzText(frequencyHertz)), to \(hertzText(min(bandHertz.upperBound, sampleRate / 2)))"
    var readings = [
      Reading("fundamental", "Fundamental", tone.levelDecibels, .decibelsFullScale, channel: channel),
      Reading("thd", "THD, \(band)", tone.thdDecibels, .decibels, channel: channel),
      Reading("thdPercent", "THD, \(band)", 100 * tone.thd, .percent, channel: channel),
      Reading(
        "thdPlusNoise", "THD+N, \(band)", tone.thdPlusNoiseDecibels, .decibels, channel: channel,
        remark: "AES17: rms of all but the tone over rms of all"),
      Reading("thdPlusNoisePercent", "THD+N, \(band)", 100 * tone.thdPlusNoise, .percent, channel: channel),
      Reading("sinad", "SINAD, \(band)", tone.sinadDecibels, .decibels, channel: channel),
      Reading("toneDC", "DC beside the tone", tone.dc, .amplitude, channel: channel),
    ]
    if tone.harmonics.isEmpty {
      for index in 1...2 { readings[index].remark = "no harmonic lies in the band" }
    }
    for order in stride(from: 2, through: highestHarmonic, by: 1) {
      guard let level = tone.harmonicDecibels(order) else { break }
      readings.append(
        Reading(
          "harmonic", "Harmonic \(order)", level, .decibels, channel: channel, at: ["harmonic": Double(order)]))
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
      if !tone.harmonics.isEmpty { curves[0].points.append(Curve.Point(x, tone.thdDecibels)) }
      curves[1].points.append(Curve.Point(x, tone.thdPlusNoiseDecibels))
      for index in curves.indices.dropFirst(2) {
        guard let level = tone.harmonicDecibels(index) else { break }
        curves[index].points.append(Curve.Point(x, level))
      }
    }
  }
}
