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
          + "\(channelCount) channels, \(seconds) s")
    }
    guard toneHertz > 20 / seconds, toneHertz < 0.45 * sampleRate, toneDecibels <= 0 else {
      throw BenchError(
        .usage, at: "noise", "the tone of \(toneHertz) Hz at \(toneDecibels) dBFS does not fit \(sampleRate) Hz")
    }
    var findings = try findings(of: device)
    var alone = self
    alone.channelCount = 1
    let reference = try alone.findings(of: FunctionDevice.identity(device.precision))
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

  private var frames: Int { RealFFT.fastLength(atLeast: Int(clamping: seconds * sampleRate)) }

  private func findings(of device: some Device) throws(BenchError) -> Findings {
    // Half a second stands before and behind: a delay up to that, beside what the device reports, moves nothing that
    // counts.
    let delay = Int(clamping: max(0, device.reportedLatencyFrames ?? 0).rounded())
    let lead = Int(clamping: (settleSeconds + 0.5) * sampleRate)
    let behind = Int(clamping: sampleRate / 2) + delay
    let tone = Tone(toneHertz, amplitude: Decibels.amplitude(toneDecibels))
    try AudioSignal.checkMemory(
      frames: lead + frames + behind, channels: device.inputChannelCount ?? channelCount, at: "stimulus")
    let sound = Tone.samples([tone], frames: -lead..<frames + behind, sampleRate: sampleRate)
    let idle = try run(device, Stimulus.silence(frames: sound.count), needed: lead + delay + frames)
    let played = try run(device, sound, needed: lead + delay + frames)
    let range = lead + delay..<lead + delay + frames
    let transform = WindowedSpectrum.Transform(length: frames)
    var findings = Findings()
    for channel in 0..<idle.channelCount {
      findings.add(idleFindings(Array(idle.channels[channel][range]), transform).of(channel: channel))
    }
    for channel in 0..<played.channelCount {
      findings.add(toneFindings(played.channels[channel][range], transform, channel: channel).of(channel: channel))
    }
    return findings
  }

  private func run(_ device: some Device, _ samples: [Double], needed: Int) throws(BenchError) -> AudioSignal {
    let input = AudioSignal(
      sampleRate: sampleRate, channelCount: device.inputChannelCount ?? channelCount, samples)
    let output = try device.process(input)
    try output.check(device, rate: sampleRate)
    guard output.frameCount >= needed else {
      throw BenchError(
        .render, at: device.name, "the output has \(output.frameCount) frames of \(samples.count) that went in")
    }
    return output
  }

  /// The rms of a spectrum's band, weighted, dBFS.
  func level(_ spectrum: WindowedSpectrum, _ weighting: FrequencyWeighting) -> Double {
    10 * log10(2 * spectrum.meanSquare(in: bandHertz, weight: weighting.power))
  }

  /// The uncertainty of ``level(_:_:)``, decibels, which falls with the seconds of noise that were measured.
  private func levelUncertainty(
    _ spectrum: WindowedSpectrum, lines: SpectrumLines, _ weighting: FrequencyWeighting
  ) -> Double {
    Uncertainty.decibels(
      meanSquare: spectrum.meanSquare(in: bandHertz, weight: weighting.power),
      deviation: spectrum.meanSquareDeviation(in: bandHertz, lines, weight: weighting.power))
  }

  private func idleFindings(_ samples: [Double], _ transform: WindowedSpectrum.Transform) -> Findings {
    let mean = samples.mean
    let spectrum = transform.spectrum(samples.map { $0 - mean }, sampleRate: sampleRate)
    let lines = spectrum.lines(standing: idleToneDecibels)
    // Constant samples but for the rounding of their mean.
    let isSilent = samples.allSatisfy { $0 == samples[0] }
    let remark = isSilent ? "digital silence" : nil
    func reading(
      _ id: String, _ name: String, _ value: Double, _ uncertainty: Double, _ ownRemark: String? = nil
    ) -> Reading {
      Reading(
        id, name, isSilent ? -.infinity : value, .decibelsFullScale, uncertainty: isSilent ? nil : uncertainty,
        remark: remark ?? ownRemark)
    }
    func reading(_ id: String, _ name: String, _ weighting: FrequencyWeighting, _ remark: String? = nil) -> Reading {
      reading(id, name, level(spectrum, weighting), levelUncertainty(spectrum, lines: lines, weighting), remark)
    }
    let band =
      "\(Int(clamping: bandHertz.lowerBound)) Hz to \(Int(clamping: min(bandHertz.upperBound, sampleRate / 2))) Hz"
    var findings = Findings(readings: [
      reading("noise", "Noise, \(band)", .flat),
      reading("noiseA", "Noise, A-weighted", .a, "rms, IEC 61672-1"),
      reading("noise468", "Noise, ITU-R 468 weighted, rms", .itu468, "rms, 0 dB at 1 kHz"),
      reading("noiseCCIR", "Noise, CCIR-RMS", .ccirRMS, "AES17: rms, 468 curve, 0 dB at 2 kHz"),
      reading(
        "noise468QuasiPeak", "Noise, ITU-R 468 weighted, quasi-peak", isSilent ? -.infinity : quasiPeak(samples, mean),
        // The needle follows a third of a second: of noise it moves as the rms of so little does.
        levelUncertainty(spectrum, lines: lines, .itu468) * (seconds / 0.35).squareRoot(),
        "highest reading of a BS.468-4 meter"),
      Reading(
        "idleDC", "DC at rest", mean, .amplitude,
        // The mean of samples whose spectrum at 0 Hz is what it is nearby.
        uncertainty: Uncertainty.coverageFactor
          * (spectrum.noiseMeanSquarePerBin(at: 0, excluding: spectrum.lobes(of: [0])) / 2).squareRoot()),
    ])
    if !isSilent {
      findings.readings += idleTones(spectrum, lines: lines)
      findings.curves.append(thirdOctaves(spectrum))
    }
    return findings
  }

  private func quasiPeak(_ samples: [Double], _ mean: Double) -> Double {
    let weighted = FrequencyWeighting.itu468.apply(
      to: samples.map { $0 - mean }, sampleRate: sampleRate, bandHertz: bandHertz)
    var meter = QuasiPeakDetector(sampleRate: sampleRate)
    _ = meter.process(weighted.prefix(weighted.count / 2))
    return 20 * log10(meter.process(weighted.suffix(weighted.count / 2)) * 2.0.squareRoot())
  }

  /// Noise beside the tone: the tone is taken out, what is left is distortion and noise.
  private func toneFindings(
    _ samples: ArraySlice<Double>, _ transform: WindowedSpectrum.Transform, channel: Int
  ) -> Findings {
    var options = ToneAnalysis.Options()
    options.bandHertz = bandHertz
    let tone = ToneAnalysis(
      samples, frequencyHertz: toneHertz, sampleRate: sampleRate, options: options, transform: transform)
    guard tone.fundamental.amplitude > 0 else {
      return Findings(remarks: ["channel \(channel) is silent while the tone at \(toneDecibels) dBFS is played"])
    }
    let rest = tone.residualSpectrum
    let lines = rest.lines(standing: idleToneDecibels)
    let weightings: [(String, String, FrequencyWeighting)] = [
      ("", "flat", .flat), ("A", "A-weighted", .a), ("CCIR", "CCIR-RMS", .ccirRMS),
    ]
    let levels = weightings.map { id, name, weighting in
      (
        id: id, name: name, level: level(rest, weighting),
        uncertainty: tone.burstiness * levelUncertainty(rest, lines: lines, weighting)
      )
    }
    var readings = levels.map { entry in
      Reading(
        "noiseWithTone\(entry.id)", "Noise and distortion beside \(Int(clamping: toneDecibels)) dBFS, \(entry.name)",
        entry.level,
        .decibelsFullScale, uncertainty: entry.uncertainty)
    }
    let tonePart = Uncertainty.decibels(tone.fundamental.uncertainty, of: tone.fundamental.amplitude)
    // Full scale is where the tone would be, so many decibels higher: a gain after the noise changes nothing.
    readings += levels.map { entry in
      Reading(
        "dynamicRange\(entry.id)", "Dynamic range, \(entry.name)", tone.levelDecibels - toneDecibels - entry.level,
        .decibels, uncertainty: hypot(tonePart, entry.uncertainty))
    }
    return Findings(readings: readings)
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
