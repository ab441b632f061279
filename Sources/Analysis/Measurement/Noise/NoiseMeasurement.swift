import AudioCore
import Glibc
import Spectrum

/// The output of a device for silence, and beside a tone at −60 dBFS: noise, hum, DC, dynamic range.
///
/// Levels are AES17's dBFS: rms relative to that of a sine that reaches full scale, 3.01 dB above rms relative to 1.
///
/// ```swift
/// let humming = try FormulaDevice([Formula("in(c) + 0.0001 * sin(2 * pi * 50 * t)")])
/// var measurement = NoiseMeasurement()
/// measurement.seconds = 1
/// let findings = try measurement.measure(humming)
/// #expect(abs(try #require(findings.reading("noise", channel: 0)).value + 80) < 1)
/// ```
public struct NoiseMeasurement: Sendable {
  /// Hertz.
  public var sampleRate = MeasurementSettings.defaultSampleRate
  /// The channels of the stimulus, if the device takes any number.
  public var channelCount = 1
  /// Seconds that are analysed; noise of a band of B hertz is then known to about ±25 ÷ √(B·seconds) dB (3 σ).
  public var seconds = 4.0
  /// Seconds that pass before: the quasi-peak meter's needle rises in the analysed part's first half.
  public var settleSeconds = 0.5
  /// The band of the noise, hertz.
  public var bandHertz = 20.0...20_000
  /// The level of the tone with which dynamic range is measured.
  public var toneDecibels = -60.0
  /// Hertz of that tone: above 20 ÷ ``seconds``, below 0.45 × rate.
  public var toneHertz = 997.0
  /// The least level of an idle tone above the median of its surroundings, decibels. White noise has none at 20 dB.
  public var idleToneDecibels = 20.0
  /// The number of idle tones that are listed.
  public var idleToneCount = 8

  /// One channel at 48 kHz.
  public init() {}

  /// Runs the device on silence and on the tone, and the devices by which floors and errors are known.
  /// - Throws: `.usage` for settings that cannot be, and what the device throws.
  public func measure(_ device: some Device) throws(BenchError) -> Findings {
    guard sampleRate >= 8000, channelCount > 0, seconds >= 0.5, settleSeconds >= 0 else {
      throw BenchError(
        .usage, at: "noise",
        "a rate of at least 8000 Hz, a channel, and half a second are needed; there are \(sampleRate) Hz, "
          + "\(NumberText.count(channelCount, "channel")), \(seconds) s")
    }
    guard toneHertz > 20 / seconds, toneHertz < 0.45 * sampleRate, toneDecibels <= 0 else {
      throw BenchError(
        .usage, at: "noise", "the tone of \(toneHertz) Hz at \(toneDecibels) dBFS does not fit \(sampleRate) Hz")
    }
    var findings = try findings(of: device)
    var alone = self
    alone.channelCount = 1
    let reference = try alone.findings(of: FunctionDevice.identity(device.precision), knownDelay: 0)
    // Silence through a device that does nothing is silence: idle levels have no floor.
    let floored: Set = ["noiseWithTone", "noiseWithToneA", "noiseWithToneCCIR"]
    Calibration.setFloors(&findings, from: reference, ids: floored)
    for index in findings.readings.indices where findings.readings[index].id.hasPrefix("dynamicRange") {
      guard let most = reference.reading(findings.readings[index].id) else { continue }
      findings.readings[index].remark =
        "AES17, \(Int(clamping: toneDecibels)) dBFS; at most \(Int(clamping: most.value.rounded())) dB can be seen in this sample format"
    }
    return findings
  }

  /// Seconds that a device is given to settle if it has not after the usual ones.
  private static let longSettleSeconds = 6.0
  /// By these it is listened to for longer, if it comes and goes.
  private static let longerFactors = [4.0, 12]
  /// Decibels of ± above which noise that comes and goes is listened to for longer still.
  private static let wideDecibels = 0.5

  var frames: Int { RealFFT.fastLength(atLeast: Int(clamping: seconds * sampleRate)) }

  private func findings(of device: some Device, knownDelay: Int? = nil) throws(BenchError) -> Findings {
    let channels = device.inputChannelCount ?? channelCount
    let timing =
      if let knownDelay {
        DeviceTiming(latency: knownDelay, channelCount: channels)
      } else {
        try DeviceTiming(of: device, sampleRate: sampleRate, channelCount: channels)
      }
    var settings = self
    var sounds = try Sounds(of: device, timing, settings)
    if sounds.settle, settleSeconds < Self.longSettleSeconds {
      settings.settleSeconds = Self.longSettleSeconds
      sounds = try Sounds(of: device, timing, settings)
    }
    for factor in Self.longerFactors where sounds.widestDecibels > Self.wideDecibels {
      // A few bursts say little of how many there are.
      settings.seconds = factor * seconds
      sounds = try Sounds(of: device, timing, settings)
    }
    var findings = Findings()
    if timing.isUnsteady { findings.remarks.append(DeviceTiming.unsteadyText) }
    for (channel, idle) in sounds.idle.enumerated() {
      findings.add(idleFindings(idle, channel, device.precision).of(channel: channel))
    }
    for (channel, played) in sounds.played.enumerated() {
      findings.add(toneFindings(played, channel).of(channel: channel))
    }
    return findings
  }

  /// The uncertainty of a level of noise, decibels, which falls with the seconds of noise that were measured.
  private func levelUncertainty(
    _ spectrum: WindowedSpectrum, lines: SpectrumLines, _ weighting: FrequencyWeighting
  ) -> Double {
    Uncertainty.decibels(
      meanSquare: spectrum.meanSquare(in: bandHertz, weight: weighting.power),
      deviation: spectrum.meanSquareDeviation(in: bandHertz, lines, weight: weighting.power))
  }

  /// The level of noise and its ±: by the spectrum of the whole, or, if it comes and goes, as the mean of its pieces.
  private func level(
    of samples: [Double], _ spectrum: WindowedSpectrum, lines: SpectrumLines, comesAndGoes: Bool,
    beside close: CloseLines?,
    _ weighting: FrequencyWeighting
  ) -> (level: Double, uncertainty: Double) {
    let beside = close?.meanSquare(in: bandHertz, weight: weighting.power) ?? 0
    guard comesAndGoes else {
      let square = spectrum.meanSquare(in: bandHertz, weight: weighting.power) + beside
      return (10 * log10(2 * square), levelUncertainty(spectrum, lines: lines, weighting))
    }
    let course = NoiseCourse(
      weighting.apply(to: samples, sampleRate: sampleRate, bandHertz: bandHertz), sampleRate: sampleRate)
    return (10 * log10(2 * (course.meanSquare + beside)), course.uncertaintyDecibels)
  }

  private func idleFindings(_ idle: Sounds.Idle, _ channel: Int, _ precision: SamplePrecision) -> Findings {
    let (samples, mean, spectrum) = (idle.samples, idle.mean, idle.spectrum)
    let lines = spectrum.lines(standing: idleToneDecibels)
    let rounding = rounding(samples[...], spectrum, lines: lines, precision)
    // Constant samples but for the rounding of their mean.
    let isSilent = samples.allSatisfy { $0 == samples[0] } && !samples.isEmpty
    guard !isSilent || idle.isHeard else {
      return Findings(remarks: ["channel \(channel) was not heard: its silence is no reading of noise"])
    }
    let remark = isSilent ? "digital silence" : nil
    let centred = samples.map { $0 - mean }
    func reading(
      _ id: String, _ name: String, _ value: Double, _ uncertainty: Double, _ ownRemark: String? = nil
    ) -> Reading {
      Reading(
        id, name, isSilent ? -.infinity : value, .decibelsFullScale, uncertainty: isSilent ? nil : uncertainty,
        remark: remark ?? ownRemark)
    }
    // A tone is as uncertain as its line, with any weighting.
    let square = spectrum.meanSquare(in: bandHertz)
    let roundingDecibels = Uncertainty.decibels(
      Uncertainty.coverageFactor * rounding, of: (2 * square).squareRoot())
    func reading(_ id: String, _ name: String, _ weighting: FrequencyWeighting, _ remark: String? = nil) -> Reading {
      guard !isSilent else { return reading(id, name, -.infinity, 0, remark) }
      let found = level(
        of: centred, spectrum, lines: lines, comesAndGoes: idle.comesAndGoes, beside: nil, weighting)
      return reading(id, name, found.level, hypot(found.uncertainty, roundingDecibels), remark)
    }
    let band =
      "\(Int(clamping: bandHertz.lowerBound)) Hz to \(Int(clamping: min(bandHertz.upperBound, sampleRate / 2))) Hz"
    let weighted = reading("noise468", "Noise, ITU-R 468 weighted, rms", .itu468, "rms, 0 dB at 1 kHz")
    let needle = isSilent ? (-.infinity, 0) : quasiPeak(centred)
    var findings = Findings(readings: [
      reading("noise", "Noise, \(band)", .flat),
      reading("noiseA", "Noise, A-weighted", .a, "rms, IEC 61672-1"),
      weighted,
      reading("noiseCCIR", "Noise, CCIR-RMS", .ccirRMS, "AES17: rms, 468 curve, 0 dB at 2 kHz"),
      reading(
        "noise468QuasiPeak", "Noise, ITU-R 468 weighted, quasi-peak", needle.0,
        // The needle follows a third of a second: of noise it moves as the rms of so little does.
        idle.comesAndGoes
          ? hypot(weighted.uncertainty ?? 0, needle.1)
          : levelUncertainty(spectrum, lines: lines, .itu468) * (seconds / 0.35).squareRoot(),
        "highest reading of a BS.468-4 meter"),
      Reading(
        "idleDC", "DC at rest", mean, .amplitude,
        // The mean of samples whose spectrum at 0 Hz is what it is nearby.
        uncertainty: Uncertainty.coverageFactor
          * (spectrum.noiseMeanSquarePerBin(at: 0, excluding: spectrum.lobes(of: [0])) / 2).squareRoot()),
    ])
    if !isSilent {
      let largest = 10 * log10(idle.course.largest)
      findings.readings.append(
        Reading(
          "noiseVariation", "Loudest tenth of a second of the noise, over all of it", largest, .decibels,
          remark: idle.comesAndGoes ? "the noise comes and goes" : nil))
      if idle.comesAndGoes {
        findings.remarks.append(
          "channel \(channel): the noise varies in time: in a tenth of a second it is up to "
            + "\(NumberText.decimal(largest, digits: 1)) dB louder than in all of \(NumberText.decimal(Double(samples.count) / sampleRate, digits: 0)) s"
        )
      }
      findings.readings += idleTones(spectrum, lines: lines, rounding: rounding)
      findings.curves.append(thirdOctaves(spectrum))
    }
    return findings
  }

  /// The highest reading of the latter half, and by how much the former half's is another, decibels.
  private func quasiPeak(_ samples: [Double]) -> (level: Double, change: Double) {
    let weighted = FrequencyWeighting.itu468.apply(to: samples, sampleRate: sampleRate, bandHertz: bandHertz)
    var meter = QuasiPeakDetector(sampleRate: sampleRate)
    let first = meter.process(weighted.prefix(weighted.count / 2))
    let second = meter.process(weighted.suffix(weighted.count / 2))
    return (20 * log10(second * 2.0.squareRoot()), first > 0 && second > 0 ? abs(20 * log10(first / second)) : 0)
  }

  /// Noise beside the tone: the tone is taken out, what is left is distortion and noise.
  private func toneFindings(_ played: Sounds.Played, _ channel: Int) -> Findings {
    let tone = played.tone
    guard tone.fundamental.amplitude > 0 else {
      return Findings(remarks: ["channel \(channel) is silent while the tone at \(toneDecibels) dBFS is played"])
    }
    guard played.isHeard || tone.fundamental.amplitude > tone.fundamental.floor else {
      return Findings(
        remarks: ["channel \(channel) was not heard: the tone at \(toneDecibels) dBFS does not stand out of its noise"])
    }
    let rest = tone.residualSpectrum
    let lines = rest.lines(standing: idleToneDecibels)
    let weightings: [(String, String, FrequencyWeighting)] = [
      ("", "flat", .flat), ("A", "A-weighted", .a), ("CCIR", "CCIR-RMS", .ccirRMS),
    ]
    let levels = weightings.map { id, name, weighting in
      let found = level(
        of: tone.residual, rest, lines: lines, comesAndGoes: played.comesAndGoes, beside: tone.close, weighting)
      return (
        id: id, name: name, level: found.level,
        uncertainty: played.comesAndGoes ? found.uncertainty : tone.burstiness * found.uncertainty
      )
    }
    // A tone that moves leaves what is no noise: the device is no noisier than that.
    let moves = tone.thdPlusNoiseFloor > 0
    let moving = moves ? Decibels.of(amplitude: tone.movingAmplitude) : -.infinity
    let remark = moves ? "the tone's level moves: nothing is known of what is quieter" : nil
    var readings = levels.map { entry in
      Reading(
        "noiseWithTone\(entry.id)", "Noise and distortion beside \(Int(clamping: toneDecibels)) dBFS, \(entry.name)",
        entry.level, .decibelsFullScale, floor: moves ? max(moving, entry.level + 0.1) : nil,
        uncertainty: entry.uncertainty,
        remark: remark)
    }
    let tonePart = Uncertainty.decibels(tone.fundamental.uncertainty, of: tone.fundamental.amplitude)
    // Full scale is where the tone would be, so many decibels higher: a gain after the noise changes nothing.
    readings += levels.map { entry in
      Reading(
        "dynamicRange\(entry.id)", "Dynamic range, \(entry.name)",
        tone.levelDecibels - toneDecibels - max(moving, entry.level),
        .decibels, uncertainty: hypot(tonePart, entry.uncertainty), bound: moves ? .atLeast : nil)
    }
    let constancy = ToneConstancy(played.course, tone, later: nil)
    readings.append(constancy.reading)
    return Findings(
      readings: readings,
      remarks: constancy.text.map { ["channel \(channel) varies in time: at \(toneDecibels) dBFS, \($0)"] } ?? [])
  }
}

extension MeasurementKind {
  /// ``NoiseMeasurement`` at the rate and with the channels of the settings; their level is not used.
  public static let noise = MeasurementKind(
    "noise", "noise floor flat, A-weighted and by ITU-R 468, dynamic range at −60 dBFS, idle tones, DC"
  ) { (device, settings) throws(BenchError) in
    var noise = NoiseMeasurement()
    noise.sampleRate = settings.sampleRate(for: device)
    noise.channelCount = settings.channelCount(for: device)
    return try noise.measure(device)
  }
}
