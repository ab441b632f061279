import AudioCore
import Glibc
import Spectrum

/// Echo reduction of a voice processor, its convergence time, the effect on near-end speech, and its gain control.
///
/// A device gets two channels, the microphone's and what the loudspeaker plays, and gives one. Each figure is the
/// median of several scenes with other talkers and other rooms; the worst stands beside it.
///
/// Echo return loss is echo power in over out, seconds 3 to 8, without near-end speech. The far end speaks at −23 dBFS,
/// and its echo is 6 dB lower, unless set otherwise. In double talk both are equally loud at the microphone.
///
/// ```swift
/// // It passes the microphone and drops the loudspeaker: no echo is reduced.
/// var nothing = try FormulaDevice([Formula("in(0)")])
/// nothing.outputChannelCount = 1
/// var measurement = VoiceMeasurement()
/// measurement.sampleRate = 8000
/// measurement.sceneCount = 1
/// let reduction = try #require(try measurement.measure(nothing).reading("echoReturnLossSpeech"))
/// #expect(abs(reduction.value) < 0.1)
/// ```
public struct VoiceMeasurement: Sendable {
  /// Hertz.
  public var sampleRate = 16_000.0
  /// Scenes of each kind, 1 to 100.
  public var sceneCount = 5
  /// Speech that is played and spoken in place of the artificial talkers': of the sample rate, 10 s or more; nil:
  /// those.
  public var farSpeech: [Double]?
  /// The near-end speech at the microphone.
  public var nearSpeech: [Double]?
  /// As ``MeasurementSettings/neededReadings``.
  var neededReadings: Set<String>?

  /// Five scenes of each kind at 16 kHz.
  public init() {}

  private static let farDecibels = -23.0
  static let seconds = 9.0
  static let window = 3.0...8.0
  /// The largest loss that is reported: the remainder is below 16 bits then. Digital silence has no finite loss.
  static let mostDecibels = 80.0

  /// Runs the device some dozens of times over scenes of about ten seconds.
  /// - Throws: `.usage` for a device that takes another number of channels, or settings that cannot be; what the device
  ///   throws.
  public func measure(_ device: any Device) throws(BenchError) -> Findings {
    try check(device)
    let voice = device as? any VoiceDevice
    let still: any Device = voice?.controllingGain(false) ?? device
    var findings = Findings()
    let setting = (still as? any VoiceDevice)?.setting ?? "as it was set"
    findings.remarks.append(
      "\(NumberText.short(sampleRate)) Hz; \(setting); \(sceneCount) scenes, "
        + (farSpeech == nil ? "artificial talkers" : "speech as given"))
    let latency = try latencyFrames(of: still)
    findings.readings.append(Reading("voiceLatency", "latency", Double(latency), .frames))
    let runner = SceneRunner(device: still, latency: latency)
    try addEcho(&findings, runner)
    // More than half of all scenes are for these.
    let ofOtherPaths = ReadingKind.voiceOfOtherPaths.map(\.id)
    if neededReadings.map({ !$0.isDisjoint(with: ofOtherPaths) }) ?? true {
      try addPaths(&findings, runner)
    }
    try addDoubleTalk(&findings, runner)
    if let controlled = voice?.controllingGain(true) {
      try addGainControl(&findings, SceneRunner(device: controlled, latency: latency))
    }
    return findings
  }

  private func check(_ device: any Device) throws(BenchError) {
    if let count = device.inputChannelCount, count != 2 {
      throw BenchError(
        .usage, at: device.name, "takes \(NumberText.count(count, "channel")), and a voice processor two",
        advice: "the first is what the microphone hears, the second what the loudspeaker plays")
    }
    guard (1...100).contains(sceneCount) else {
      throw BenchError(.usage, at: "voice", "1 to 100 scenes can be measured, not \(sceneCount)")
    }
    guard (8000...96_000).contains(sampleRate) else {
      throw BenchError(
        .usage, at: "voice", "voice is measured at 8000 to 96000 Hz, not \(NumberText.short(sampleRate))")
    }
    for speech in [farSpeech, nearSpeech].compactMap(\.self) where speech.count < Int(clamping: 10 * sampleRate) {
      throw BenchError(
        .usage, at: "voice",
        "10 s of speech are needed, and there are \(NumberText.short(Double(speech.count) / sampleRate))")
    }
  }

  // MARK: Sounds

  enum Far: String, CaseIterable { case speech, noise, music }

  func far(_ kind: Far, _ scene: Int, seconds: Double) -> [Double] {
    let frames = Int(clamping: seconds * sampleRate)
    var signals = VoiceSignals(sampleRate: sampleRate, seed: UInt64(scene))
    return switch kind {
    case .speech:
      farSpeech.map { part(of: $0, scene, frames) }
        ?? signals.speech(frames: frames, activeDecibels: Self.farDecibels)
    case .noise: signals.noise(frames: frames, rmsDecibels: Self.farDecibels)
    case .music: signals.music(frames: frames, rmsDecibels: Self.farDecibels)
    }
  }

  /// The near-end speech, with the level of an echo where it speaks.
  func near(_ scene: Int, seconds: Double, from start: Double, asLoudAs echo: [Double]) -> [Double] {
    let frames = Int(clamping: seconds * sampleRate)
    var signals = VoiceSignals(sampleRate: sampleRate, seed: UInt64(scene) &+ 77_000)
    let level = Decibels.of(amplitude: max(1e-6, VoiceFigures.activeRMS(echo, sampleRate: sampleRate)))
    var speech =
      nearSpeech.map { part(of: $0, scene + 3, frames) } ?? signals.speech(frames: frames, activeDecibels: level)
    let scale = Decibels.amplitude(level) / max(1e-9, VoiceFigures.activeRMS(speech, sampleRate: sampleRate))
    for frame in speech.indices { speech[frame] *= Double(frame) < start * sampleRate ? 0 : scale }
    return speech
  }

  /// A part of a recording, with the level that a far end has; where it ends it begins again.
  func part(of speech: [Double], _ scene: Int, _ frames: Int) -> [Double] {
    let start = scene * speech.count / max(1, sceneCount)
    let part = (0..<frames).map { speech[(start + $0) % speech.count] }
    let scale =
      Decibels.amplitude(Self.farDecibels) / max(1e-9, VoiceFigures.activeRMS(part, sampleRate: sampleRate))
    return part.map { min(0.98, max(-0.98, $0 * scale)) }
  }

  func scene(_ kind: Far, _ scene: Int, _ path: EchoScene.Path, seconds: Double = seconds) -> EchoScene {
    EchoScene(far: far(kind, scene, seconds: seconds), path: path, sampleRate: sampleRate, seed: UInt64(scene))
  }

  /// The latency of the device: the lag at which its output is most like near-end speech, in a room without echo.
  private func latencyFrames(of device: any Device) throws(BenchError) -> Int {
    var signals = VoiceSignals(sampleRate: sampleRate, seed: 1)
    let speech = signals.speech(frames: Int(clamping: 6 * sampleRate), activeDecibels: Self.farDecibels)
    let silent = [Double](repeating: 0, count: speech.count)
    let output = try SceneRunner(device: device, latency: 0).run(
      microphone: speech, far: silent, sampleRate: sampleRate)
    let transform = RealFFT(length: RealFFT.fastLength(atLeast: 2 * speech.count))
    transform.correlate(output, with: speech)
    let most = min(speech.count, Int(clamping: sampleRate))
    var best = 0
    for lag in 0..<most where abs(transform.samples[lag]) > abs(transform.samples[best]) { best = lag }
    guard abs(transform.samples[best]) > 0 else {
      throw BenchError(
        .render, at: device.name, "gives nothing of who speaks at the microphone, in a room without echo")
    }
    return best
  }

  // MARK: Measurements

  /// Median and worst of the scenes.
  func reading(
    _ id: String, _ name: String, _ values: [Double], _ unit: Reading.Unit = .decibels,
    worst: ([Double]) -> Double? = { $0.min() },
    at: [String: Double] = [:]
  ) -> Reading {
    // To a thousandth: what is below that is the rounding of samples.
    func told(_ value: Double) -> Double { value.isFinite ? (value * 1000).rounded() / 1000 : value }
    let known = values.filter(\.isFinite).map(told)
    let worstText = worst(known).map { "worst of \(values.count): \(Reading(id, name, $0, unit).valueText)" }
    let missing = values.count - known.count
    let remark = [worstText, missing > 0 ? "not in \(missing)" : nil].compactMap(\.self).joined(separator: "; ")
    // If half or more of the values are missing there is no median.
    let value = 2 * missing < max(1, values.count) ? median(known) : .nan
    return Reading(
      id, name, told(value), unit, uncertainty: scatter(known).map(told), at: at, remark: remark.isEmpty ? nil : remark)
  }

  /// The uncertainty of the median of scenes like these, 95 %: Student's, with the 1.253 by which a median of Gaussian
  /// numbers scatters more than their mean.
  private func scatter(_ values: [Double]) -> Double? {
    guard values.count > 1 else { return nil }
    let (count, mean) = (Double(values.count), values.reduce(0, +) / Double(values.count))
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return 1.253 * Uncertainty.student(count - 1) * (variance / count).squareRoot()
  }

  func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  func echoReturnLoss(_ echo: [Double], _ output: [Double]) -> Double {
    min(
      Self.mostDecibels,
      VoiceFigures.echoReturnLoss(echo: echo, output: output, sampleRate: sampleRate, seconds: Self.window))
  }
}

/// Runs scenes through a device.
struct SceneRunner {
  let device: any Device
  let latency: Int

  func run(_ scene: EchoScene) throws(BenchError) -> [Double] {
    try run(microphone: scene.microphone, far: scene.far, sampleRate: scene.sampleRate)
  }

  /// Runs the device; the output is without the latency, as long as the input.
  /// - Throws: `.render` where it is not all there: a figure of half a sound would be that of a silence.
  func run(microphone: [Double], far: [Double], sampleRate: Double) throws(BenchError) -> [Double] {
    // As much more silence as it is late, and as it may keep back at the end.
    let rest = [Double](repeating: 0, count: latency + Int(clamping: sampleRate / 2))
    let output = try device.process(
      AudioSignal(sampleRate: sampleRate, channels: [microphone + rest, far + rest]).roundedToFloat())
    guard let channel = output.channels.first, output.channelCount == 1, output.sampleRate == sampleRate else {
      throw BenchError(
        .render, at: device.name,
        "gives \(NumberText.count(output.channelCount, "channel")) at \(NumberText.short(output.sampleRate)) Hz, and one at \(NumberText.short(sampleRate)) is expected"
      )
    }
    guard channel.count >= latency + microphone.count else {
      throw BenchError(
        .render, at: device.name,
        "gives \(NumberText.count(channel.count, "frame")) of \(microphone.count + rest.count), and at least \(latency + microphone.count) are needed",
        advice: "what comes out has to be as long as what goes in")
    }
    try output.checkFinite(device)
    return Array(channel[latency..<latency + microphone.count])
  }
}

extension MeasurementKind {
  /// ``VoiceMeasurement`` at the rate of the settings; their channels and level are not used.
  public static let voice = MeasurementKind(
    "voice",
    "echo return loss, convergence, double talk and gain control of a voice processor: {in} has the microphone and the loudspeaker as two channels; of voiceProcessingIO at 16000 Hz unless --rate says otherwise"
  ) { (device, settings) throws(BenchError) in
    var voice = VoiceMeasurement()
    voice.sampleRate = settings.sampleRate ?? device.preferredSampleRate ?? 16_000
    (voice.farSpeech, voice.nearSpeech) = (settings.farSpeech, settings.nearSpeech)
    voice.neededReadings = settings.neededReadings
    return try voice.measure(device)
  }
}
