import AudioCore
import Glibc

/// Harmonics, THD, THD+N, intermodulation and aliasing of a device, from one run of it.
///
/// All sounds stand one behind the other in one stimulus, the same on every input channel; every output channel is
/// analysed. Levels are of peaks, as sines have them: 0 dBFS is a sine that reaches full scale (AES17). The device
/// must keep the rate.
///
/// ```swift
/// // A square of 0.01: the second harmonic of a sine a is a/2 · 0.01 as loud as it.
/// let device = try FormulaDevice([Formula("in(c) + 0.01 * in(c)^2")])
/// var measurement = DistortionMeasurement()
/// measurement.parts = [.tone]
/// measurement.levelDecibels = -6
/// let thd = try #require(try measurement.measure(device).reading("thd", channel: 0))
/// #expect(abs(thd.value + 52.02) < 0.1)
/// ```
public struct DistortionMeasurement: Sendable {
  /// The parts of the measurement that can be left out.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// THD, THD+N, harmonics of one tone.
    case tone
    /// Harmonics by level.
    case levels
    /// Harmonics by frequency.
    case frequencies
    /// SMPTE and difference-frequency intermodulation.
    case intermodulation
    /// All that is neither harmonic nor DC, of tones up to 0.45 × rate.
    case aliasing
  }

  /// The parts to measure: everything, unless set.
  public var parts = Set(Part.allCases)
  /// Hertz.
  public var sampleRate = MeasurementSettings.defaultSampleRate
  /// The channels of the stimulus, if the device takes any number.
  public var channelCount = 1
  /// The level of the tone, of the sweep by frequency, of the sum of two tones for intermodulation, and of the tones
  /// for aliasing.
  public var levelDecibels = -1.0
  /// The frequency of the tone and of the sweep by level: AES17's by default.
  public var frequencyHertz = 997.0
  /// dBFS.
  public var sweepLevels = stride(from: -60.0, through: 0, by: 5).map { $0 }
  /// Hertz; moved to the nearest bin of the transform. Third octaves from 20 Hz to 20 kHz; those above 0.45 × rate are
  /// left out.
  public var sweepFrequencies = (13...43).map { pow(10, Double($0) / 10) }
  /// The number of tones that look for aliases, evenly spread up to 0.45 × rate.
  public var aliasToneCount = 24
  /// The band of the residual, and of the harmonics, hertz.
  public var bandHertz = 20.0...20_000
  /// The highest harmonic that has a reading and curves of its own.
  public var highestHarmonic = 10
  /// Frames that are analysed of each sound; nil: 65536 at up to 48 kHz, twice as many at up to 96 kHz, and so on.
  public var measuredFrames: Int?
  /// Seconds of each sound before its segment, and of silence behind it.
  public var settleSeconds = 0.25
  /// Seconds of silence behind each sound, for the device to ring out.
  public var gapSeconds = 0.1
  /// The device's delay in frames; nil: found.
  public var latencyFrames: Double?

  /// Everything, of one channel at 48 kHz.
  public init() {}

  /// Runs the device, and the devices by which floors and errors are known.
  /// - Throws: `.usage` for settings that cannot be, and what the device throws.
  public func measure(_ device: some Device) throws(BenchError) -> Findings {
    try check()
    var (findings, state) = try findings(of: device)
    if state.settles, settleSeconds < Self.longSettling.settle {
      // A sound that still rings, or settles, is given more time; a device that cannot be played to for so long keeps what it has.
      var longer = self
      (longer.settleSeconds, longer.gapSeconds) = Self.longSettling
      if let later = try? longer.findings(of: device) {
        state = later.state
        findings = Self.settled(later.findings, from: findings)
      }
    }
    if state.comesAndGoes {
      // Some seconds say little of what comes now and then.
      var longer = self
      (longer.parts, longer.measuredFrames) = ([.tone], Self.longerFactor * frames)
      if let later = try? longer.findings(of: device).findings {
        for (place, reading) in findings.readings.enumerated()
        where ["thdPlusNoise", "thdPlusNoisePercent", "sinad"].contains(reading.id) {
          findings.readings[place] = later.reading(reading.id, channel: reading.channel) ?? reading
        }
      }
    }
    var alone = self
    alone.channelCount = 1
    alone.latencyFrames = 0
    let reference = try alone.findings(of: FunctionDevice.identity(device.precision)).findings
    Calibration.setFloors(&findings, from: reference, ids: floored)
    let known = KnownPolynomial(precision: .float64)
    // Only these have readings whose answers are known.
    alone.parts.formIntersection([.tone, .intermodulation])
    Calibration.addErrors(&findings, known: try alone.findings(of: known.device).findings) { reading in
      known.answer(to: reading, settings: self)
    }
    return findings
  }

  /// The times for a device that has not settled after the usual ones.
  private static let longSettling = (settle: 2.0, gap: 1.0)

  /// By so many times a tone is played longer if what is beside it comes and goes.
  private static let longerFactor = 12

  /// The needs of a device that was played to.
  struct State {
    /// It rings or settles within what is read: it needs more time before.
    var settles = false
    /// Noise beside the tone comes and goes: it must be heard for longer.
    var comesAndGoes = false
  }

  /// Findings behind a longer wait, with what was heard of the device's settling before.
  private static func settled(_ later: Findings, from first: Findings) -> Findings {
    func tellsOfChange(_ remark: String) -> Bool { remark.contains("varies in time") }
    var findings = later
    for (place, reading) in later.readings.enumerated() where reading.id == "timeVariance" {
      findings.readings[place] = first.reading(reading.id, channel: reading.channel) ?? reading
    }
    let seconds = NumberText.short(longSettling.settle)
    findings.remarks =
      first.remarks.filter(tellsOfChange)
      + ["it settles or rings: other figures are of sounds that had played for \(seconds) s"]
      + later.remarks.filter { !tellsOfChange($0) }
    return findings
  }

  /// Ids of readings and curves that are the lower the better.
  private var floored: Set<String> {
    let ids: Set = [
      "thd", "thdPercent", "thdPlusNoise", "thdPlusNoisePercent", "harmonic", "imdSMPTE", "imdSMPTEPercent",
      "imdSMPTEOrder", "imdDifference", "imdDifferencePercent", "imdDifferenceOrder", "aliasing", "nonHarmonic",
      "aliasingByFrequency", "nonHarmonicByFrequency",
    ]
    return ids.union((emptySweeps.byLevel.curves + emptySweeps.byFrequency.curves).map(\.id))
  }

  private func check() throws(BenchError) {
    func require(_ condition: Bool, _ message: String) throws(BenchError) {
      if !condition { throw BenchError(.usage, at: "distortion", message) }
    }
    try require(sampleRate >= 8000, "the rate is \(sampleRate) Hz; at least 8000 Hz is needed")
    try require(channelCount > 0, "there must be a channel")
    try require(
      frequencyHertz >= 10 * sampleRate / Double(frames) && frequencyHertz <= 0.45 * sampleRate,
      "the tone is at \(frequencyHertz) Hz; it must lie between \(10 * sampleRate / Double(frames)) Hz and "
        + "\(0.45 * sampleRate) Hz")
    try require(frames >= 1 << 14, "\(frames) frames are too short a stretch; at least \(1 << 14) are needed")
    try require(settleSeconds >= 0 && gapSeconds >= 0, "times cannot be below 0")
    try require(
      ([levelDecibels] + sweepLevels).allSatisfy { (-140...20).contains($0) },
      "levels must lie between -140 and 20 dBFS")
    try require(aliasToneCount >= 1, "there must be a tone that looks for aliases")
  }

  /// The length of each sound's segment.
  var frames: Int {
    if let measuredFrames { return measuredFrames }
    var frames = 1 << 16
    while Double(frames) < sampleRate / 48_000 * 65_536 { frames *= 2 }
    return frames
  }

  /// The purpose of one sound.
  enum Sound: Hashable {
    case tone
    /// The same tone, behind all others.
    case again
    case level(Double)
    case frequency(Double)
    case smpte
    case difference
    case alias(Double)
  }

  private var sounds: [Sound] {
    var sounds: [Sound] = []
    if parts.contains(.tone) { sounds.append(.tone) }
    if parts.contains(.levels) { sounds += sweepLevels.sorted().map { .level($0) } }
    if parts.contains(.frequencies) {
      let lowest = 10 * sampleRate / Double(frames)
      sounds += sweepFrequencies.sorted().filter { $0 >= lowest && $0 <= 0.45 * sampleRate }.map {
        .frequency(onBin($0))
      }
    }
    if parts.contains(.intermodulation) {
      if canSMPTE { sounds.append(.smpte) }
      if canDifference { sounds.append(.difference) }
    }
    if parts.contains(.aliasing) { sounds += aliasTones.map { .alias($0) } }
    if parts.contains(.tone) { sounds.append(.again) }
    return sounds
  }

  /// The nearest odd bin: its tone passes through every phase that there is, so that rounding is spread evenly.
  func onBin(_ hertz: Double) -> Double {
    let place = hertz * Double(frames) / sampleRate
    return (2 * ((place - 1) / 2).rounded() + 1) * sampleRate / Double(frames)
  }

  func tones(of sound: Sound) -> [Tone] {
    let full = Decibels.amplitude(levelDecibels)
    return switch sound {
    case .tone, .again: [Tone(frequencyHertz, amplitude: full)]
    case .level(let level): [Tone(frequencyHertz, amplitude: Decibels.amplitude(level))]
    case .frequency(let hertz), .alias(let hertz): [Tone(hertz, amplitude: full)]
    case .smpte: [Tone(60, amplitude: 0.8 * full), Tone(7000, amplitude: 0.2 * full)]
    case .difference: differenceTones.map { Tone($0, amplitude: full / 2) }
    }
  }

  private func findings(of device: some Device) throws(BenchError) -> (findings: Findings, state: State) {
    var stimulus = SegmentedStimulus(sampleRate: sampleRate, chirpDecibels: min(-12, levelDecibels))
    let plan = try sounds.map { (sound) throws(BenchError) in
      let segment = try stimulus.append(
        tones(of: sound), settleSeconds: settleSeconds, frames: frames, gapSeconds: gapSeconds)
      return (sound: sound, segment: segment)
    }
    let response = try stimulus.run(
      through: device, channelCount: device.inputChannelCount ?? channelCount, latencyFrames: latencyFrames,
      segments: plan.map(\.segment))
    let transform = WindowedSpectrum.Transform(length: frames)
    let half = WindowedSpectrum.Transform(length: frames / 2)
    let parts = ToneCourse.Parts(frames: frames)
    var state = State()
    let clockRatio = 1 / response.timing.stretch
    var findings = Findings()
    if response.timing.isUnsteady { findings.remarks.append(DeviceTiming.unsteadyText) }
    if self.parts.contains(.intermodulation), !canSMPTE {
      findings.remarks.append("no SMPTE intermodulation: 7 kHz and its sidebands do not fit \(sampleRate) Hz")
    }
    if self.parts.contains(.intermodulation), !canDifference {
      findings.remarks.append("no difference-frequency distortion: 19 kHz and 20 kHz do not fit \(sampleRate) Hz")
    }
    for channel in 0..<response.output.channelCount {
      var own = Findings()
      var (byLevel, byFrequency) = emptySweeps
      var aliases: [AliasFinding] = []
      var first: (tone: ToneAnalysis, course: ToneCourse, segment: SegmentedStimulus.Segment)?
      var last: (tone: ToneAnalysis, seconds: Double)?
      var silent: [Sound] = []
      for (sound, segment) in plan {
        let samples = response.samples(of: segment, channel: channel)
        let tones = tones(of: sound)
        // An output that did not answer to the chirp may still let a tone through.
        let answered = response.timing.latencies.indices.contains(channel) && response.timing.latencies[channel] != nil
        guard samples.contains(where: { $0 != 0 }), answered || isHeard(tones, in: samples, clockRatio, transform)
        else {
          silent.append(sound)
          continue
        }
        let frequencies = tones.map(\.frequencyHertz)
        let lines = RoundingLines(device.precision, of: frequencies, sampleRate: sampleRate, frames: frames)
        let rounding = lines.amplitude(of: samples)
        func analysis(_ hertz: Double) -> ToneAnalysis {
          var options = ToneAnalysis.Options()
          options.bandHertz = bandHertz
          options.roundingAmplitude = rounding
          options.clockRatio = clockRatio
          return ToneAnalysis(
            samples, frequencyHertz: hertz, sampleRate: sampleRate, options: options, transform: transform)
        }
        switch sound {
        case .tone:
          let tone = analysis(frequencyHertz)
          let partLines = RoundingLines(
            device.precision, of: frequencies, sampleRate: sampleRate, frames: frames / ToneCourse.partCount)
          let course = ToneCourse(
            samples, hertz: tone.fundamental.frequencyHertz, sampleRate: sampleRate, rounding: partLines.amplitude,
            parts)
          first = (tone, course, segment)
        case .again:
          guard let first else { continue }
          last = (analysis(frequencyHertz), Double(segment.start - first.segment.start) / sampleRate)
        case .level(let level): byLevel.add(analysis(frequencyHertz), at: level)
        case .frequency(let hertz): byFrequency.add(analysis(hertz), at: hertz)
        case .smpte: own.readings += smpteReadings(samples, rounding, clockRatio, transform)
        case .difference: own.readings += differenceReadings(samples, rounding, clockRatio, transform)
        case .alias(let hertz):
          let alias = AliasFinding(
            samples, hertz, clockRatio: clockRatio, sampleRate: sampleRate, transform, half: half)
          if alias.fading.amplitude > 0 { state.settles = true }
          aliases.append(alias)
        }
      }
      if let first {
        let constancy = ToneConstancy(first.course, first.tone, later: last)
        let fading = Fading(
          first.tone, sampleRate: sampleRate,
          excluding: [0, first.tone.fundamental.frequencyHertz] + first.tone.harmonics.map(\.frequencyHertz), half: half
        )
        if fading.amplitude > 0 || first.course.settles { state.settles = true }
        let (comesAndGoes, scatters, course) = NoiseCourse.found(
          in: first.tone.residual, first.tone.residualSpectrum, bandHertz)
        let isBursty = comesAndGoes && first.tone.movingAmplitude == 0 && fading.amplitude == 0
        if isBursty { state.comesAndGoes = true }
        own.readings.insert(
          contentsOf: toneReadings(
            first.tone, constancy, fading, bursts: isBursty ? course : nil,
            scattering: scatters && first.tone.movingAmplitude == 0 ? course : nil), at: 0)
        if let text = constancy.text { own.remarks.append("channel \(channel) varies in time: \(text)") }
      }
      own.remarks += silenceRemarks(silent, of: plan.count, response.timing, channel)
      own.curves += byLevel.measured + byFrequency.measured
      own.add(aliasFindings(aliases))
      findings.add(own.of(channel: channel))
    }
    return (findings, state)
  }

  /// True when one of the tones stands out of what is around it: nothing is told of a device that was not heard.
  private func isHeard(
    _ tones: [Tone], in samples: ArraySlice<Double>, _ clockRatio: Double, _ transform: WindowedSpectrum.Transform
  ) -> Bool {
    let spectrum = transform.spectrum(samples, sampleRate: sampleRate)
    return tones.contains { tone in
      let hertz = min(tone.frequencyHertz * clockRatio, 0.499 * sampleRate)
      let lobes = spectrum.lobes(of: (0...max(1, Int(clamping: sampleRate / 2 / hertz))).map { Double($0) * hertz })
      return spectrum.amplitude(at: hertz).magnitude > 4 * spectrum.noiseAmplitude(at: hertz, excluding: lobes)
    }
  }

  private func silenceRemarks(
    _ silent: [Sound], of count: Int, _ timing: DeviceTiming, _ channel: Int
  ) -> [String] {
    guard silent.count == count, count > 1, timing.latencies.indices.contains(channel), timing.latencies[channel] == nil
    else {
      return silent.map { "channel \(channel) is silent, or within its noise, while \(describe($0)) is played" }
    }
    return [timing.unheardText(channel)]
  }

  private func describe(_ sound: Sound) -> String {
    switch sound {
    case .tone, .again: "the tone"
    case .level(let level): "the tone at \(level) dBFS"
    case .frequency(let hertz), .alias(let hertz): "a tone at \(Int(clamping: hertz.rounded())) Hz"
    case .smpte: "60 Hz with 7 kHz"
    case .difference: "19 kHz with 20 kHz"
    }
  }
}

extension MeasurementKind {
  /// ``DistortionMeasurement`` at the rate, the level and with the channels of the settings.
  public static let distortion = MeasurementKind(
    "distortion", "THD, THD+N (AES17), harmonics by level and frequency, intermodulation (SMPTE, ITU-R), aliasing"
  ) { (device, settings) throws(BenchError) in
    var distortion = DistortionMeasurement()
    distortion.sampleRate = settings.sampleRate(for: device)
    distortion.channelCount = settings.channelCount(for: device)
    if let level = settings.levelDecibels { distortion.levelDecibels = level }
    return try distortion.measure(device)
  }
}
