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

  /// Five scenes of each kind at 16 kHz.
  public init() {}

  private static let farDecibels = -23.0
  private static let seconds = 9.0
  private static let window = 3.0...8.0
  /// The largest loss that is reported: the remainder is below 16 bits then. Digital silence has no finite loss.
  private static let mostDecibels = 80.0

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
    try addPaths(&findings, runner)
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

  private enum Far: String, CaseIterable { case speech, noise, music }

  private func far(_ kind: Far, _ scene: Int, seconds: Double) -> [Double] {
    let frames = Int(clamping: seconds * sampleRate)
    var signals = VoiceSignals(sampleRate: sampleRate, seed: UInt64(scene))
    switch kind {
    case .speech:
      return farSpeech.map { part(of: $0, scene, frames) }
        ?? signals.speech(frames: frames, activeDecibels: Self.farDecibels)
    case .noise: return signals.noise(frames: frames, rmsDecibels: Self.farDecibels)
    case .music: return signals.music(frames: frames, rmsDecibels: Self.farDecibels)
    }
  }

  /// The near-end speech, with the level of an echo where it speaks.
  private func near(_ scene: Int, seconds: Double, from start: Double, asLoudAs echo: [Double]) -> [Double] {
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
  private func part(of speech: [Double], _ scene: Int, _ frames: Int) -> [Double] {
    let start = scene * speech.count / max(1, sceneCount)
    let part = (0..<frames).map { speech[(start + $0) % speech.count] }
    let scale =
      Decibels.amplitude(Self.farDecibels) / max(1e-9, VoiceFigures.activeRMS(part, sampleRate: sampleRate))
    return part.map { min(0.98, max(-0.98, $0 * scale)) }
  }

  private func scene(_ kind: Far, _ scene: Int, _ path: EchoScene.Path, seconds: Double = seconds) -> EchoScene {
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
  private func reading(
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

  private func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  private func echoReturnLoss(_ echo: [Double], _ output: [Double]) -> Double {
    min(
      Self.mostDecibels,
      VoiceFigures.echoReturnLoss(echo: echo, output: output, sampleRate: sampleRate, seconds: Self.window))
  }

  private func addEcho(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
    for kind in Far.allCases {
      var losses: [Double] = []
      var times: [Double] = []
      var courses: [[Double]] = []
      for number in 0..<sceneCount {
        let scene = scene(kind, number, EchoScene.Path())
        let output = try runner.run(scene)
        losses.append(echoReturnLoss(scene.echo, output))
        times.append(
          VoiceFigures.convergenceSeconds(echo: scene.echo, output: output, sampleRate: sampleRate) ?? .infinity)
        courses.append(
          VoiceFigures.echoReturnLossOverTime(echo: scene.echo, output: output, sampleRate: sampleRate)
            .map { min($0.decibels, Self.mostDecibels) })
      }
      let name = kind.rawValue
      findings.readings.append(
        reading("echoReturnLoss\(name.capitalizedFirst)", "echo return loss, \(name), 100 ms path", losses))
      findings.readings.append(
        reading(
          "convergence\(name.capitalizedFirst)", "echo 20 dB down after, \(name)", times, .seconds, worst: { $0.max() })
      )
      // At the end the sounds are cut off: the output there is no echo any more.
      let points = (courses.first ?? []).indices.dropLast(5).map { place in
        Curve.Point((Double(place) + 0.5) / 10, median(courses.map { $0[place] }.filter(\.isFinite)))
      }
      findings.curves.append(
        Curve(
          "echoReturnLossOverTime\(name.capitalizedFirst)", name, x: .time,
          y: Curve.Axis("echo return loss", .decibels),
          points: points))
    }
  }

  private func addPaths(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
    var points: [Curve.Point] = []
    @discardableResult func add(
      _ id: String, _ label: String, at conditions: [String: Double], noiseDecibels: Double? = nil,
      _ change: (inout EchoScene.Path) -> Void = { _ in }
    ) throws(BenchError) -> Reading {
      var path = EchoScene.Path()
      change(&path)
      let found = reading(id, label, try echoReturnLosses(path, noiseDecibels, runner), at: conditions)
      findings.readings.append(found)
      return found
    }
    for milliseconds in [50.0, 200, 400] {
      let found = try add(
        "echoReturnLossPath", "echo return loss, \(NumberText.short(milliseconds)) ms path",
        at: ["path_ms": milliseconds]
      ) { $0.seconds = milliseconds / 1000 }
      points.append(Curve.Point(milliseconds / 1000, found.value))
    }
    for milliseconds in [40.0, 80] {
      try add(
        "echoReturnLossDelay", "echo return loss, echo from \(NumberText.short(milliseconds)) ms on",
        at: ["delay_ms": milliseconds]
      ) { $0.delaySeconds = milliseconds / 1000 }
    }
    for percent in [1.0, 5] {
      try add(
        "echoReturnLossDistortion", "echo return loss, loudspeaker with \(NumberText.short(percent)) % THD",
        at: ["thd_percent": percent]
      ) { $0.distortion = percent / 100 }
    }
    for decibels in [-40.0, -20] {
      try add(
        "echoReturnLossRoomNoise", "echo over what is left, with noise at \(NumberText.short(decibels)) dB of it",
        at: ["noise_dB": decibels], noiseDecibels: decibels)
    }
    for drift in [10.0, 100] {
      try add(
        "echoReturnLossDrift", "echo return loss, clocks \(NumberText.short(drift)) ppm apart",
        at: ["drift_ppm": drift]
      ) { $0.driftPartsPerMillion = drift }
    }
    // The window of the standard path, 100 ms, stands among its own readings.
    if let standard = findings.reading("echoReturnLossSpeech") { points.append(Curve.Point(0.1, standard.value)) }
    findings.curves.append(
      Curve(
        "echoReturnLossByPath", "speech", x: Curve.Axis("length of the echo path", .seconds),
        y: Curve.Axis("echo return loss", .decibels), points: points.sorted { $0.x < $1.x }))
    try addChangedPath(&findings, runner)
  }

  /// The echo return loss of each scene of speech over a path, with the room's noise at a level below the echo's.
  private func echoReturnLosses(
    _ path: EchoScene.Path, _ noiseDecibels: Double?, _ runner: SceneRunner
  ) throws(BenchError) -> [Double] {
    var losses: [Double] = []
    for number in 0..<sceneCount {
      var scene = scene(.speech, number, path)
      if let noiseDecibels {
        var signals = VoiceSignals(sampleRate: sampleRate, seed: UInt64(number) &+ 5)
        let level = Decibels.of(amplitude: VoiceFigures.rms(scene.echo)) + noiseDecibels
        scene.noise = signals.noise(frames: scene.far.count, rmsDecibels: level)
      }
      losses.append(echoReturnLoss(scene.echo, try runner.run(scene)))
    }
    return losses
  }

  /// The path is another from second 6 on, as where somebody moves the device.
  private func addChangedPath(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
    var times: [Double] = []
    for number in 0..<sceneCount {
      var scene = scene(.speech, number, EchoScene.Path(), seconds: 14)
      let other = EchoScene(far: scene.far, path: EchoScene.Path(), sampleRate: sampleRate, seed: UInt64(number) &+ 500)
      let change = Int(clamping: 6 * sampleRate)
      scene.echo = Array(scene.echo[..<change] + other.echo[change...])
      let output = try runner.run(scene)
      times.append(
        VoiceFigures.convergenceSeconds(echo: scene.echo, output: output, sampleRate: sampleRate, from: 6) ?? .infinity)
    }
    findings.readings.append(
      reading("reconvergence", "echo 20 dB down after another path", times, .seconds, worst: { $0.max() }))
  }

  private func addDoubleTalk(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
    var together: [(absolute: Double, signed: Double)] = []
    var alone: [Double] = []
    let seconds = 6.0...12.0
    for number in 0..<sceneCount {
      var scene = scene(.speech, number, EchoScene.Path(), seconds: 12.5)
      scene.near = near(number, seconds: 12.5, from: 6, asLoudAs: scene.echo)
      together.append(
        VoiceFigures.damage(near: scene.near, output: try runner.run(scene), sampleRate: sampleRate, seconds: seconds))
      let silent = [Double](repeating: 0, count: scene.far.count)
      let output = try runner.run(microphone: scene.near, far: silent, sampleRate: sampleRate)
      alone.append(
        VoiceFigures.damage(near: scene.near, output: output, sampleRate: sampleRate, seconds: seconds).absolute)
    }
    findings.readings += [
      reading(
        "doubleTalkDamage", "level error of speech in double talk", together.map(\.absolute), worst: { $0.max() }),
      reading("doubleTalkBias", "level of speech in double talk", together.map(\.signed), worst: { $0.min() }),
      reading("speechDamage", "level error of speech without echo", alone, worst: { $0.max() }),
    ]
  }

  /// Speech at two levels, each long enough for the gain to arrive: 12 s at −40 dBFS, 12 s at −16, 12 s at −40.
  private func addGainControl(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
    let (hold, low, high) = (12.0, -40.0, -16.0)
    var signals = VoiceSignals(sampleRate: sampleRate, seed: 9)
    let frames = Int(clamping: hold * sampleRate)
    var speech: [Double] = []
    for level in [low, high, low] { speech += signals.speech(frames: frames, activeDecibels: level) }
    let silent = [Double](repeating: 0, count: speech.count)
    let output = try runner.run(microphone: speech, far: silent, sampleRate: sampleRate)
    // The level of half a second of speech varies: the gain is output over input.
    let half = Int(clamping: sampleRate / 2)
    let points = (0..<speech.count / half).compactMap { place -> Curve.Point? in
      let range = place * half..<(place + 1) * half
      let seconds = (Double(place) + 0.5) / 2
      let nominal = seconds > hold && seconds < 2 * hold ? high : low
      let said = VoiceFigures.rms(speech[range])
      guard said > Decibels.amplitude(nominal - 30) else { return nil }
      let gain = Decibels.of(amplitude: max(VoiceFigures.rms(output[range]), 1e-9) / said)
      return Curve.Point(seconds, nominal + gain)
    }
    let ends = (1...3).map { part in
      median(points.filter { ((Double(part) - 0.33) * hold...Double(part) * hold).contains($0.x) }.map(\.y))
    }
    findings.readings += [
      Reading("gainControlLow", "gain control, speech at -40 dBFS", ends[2], .decibelsFullScale),
      Reading("gainControlHigh", "gain control, speech at -16 dBFS", ends[1], .decibelsFullScale),
      Reading(
        "gainControlFall", "gain control, after the step up within 3 dB in",
        arrival(points, from: hold, to: ends[1], until: 2 * hold), .seconds),
      Reading(
        "gainControlRise", "gain control, after the step down within 3 dB in",
        arrival(points, from: 2 * hold, to: ends[2], until: 3 * hold), .seconds),
    ]
    findings.curves.append(
      Curve(
        "gainControlOverTime", "level out", x: .time, y: Curve.Axis("level of speech", .decibelsFullScale),
        points: points))
    findings.curves.append(
      Curve(
        "gainControlInput", "level in", x: .time, y: Curve.Axis("level of speech", .decibelsFullScale),
        points: points.map { Curve.Point($0.x, $0.x > hold && $0.x < 2 * hold ? high : low) }))
  }

  /// Seconds after which a level stays within 3 dB of where it ends: to half a second.
  private func arrival(_ points: [Curve.Point], from start: Double, to level: Double, until end: Double) -> Double {
    let part = points.filter { $0.x > start && $0.x < end }
    let last = part.last { abs($0.y - level) > 3 }
    return last.map { $0.x + 0.25 - start } ?? 0
  }
}

/// Runs scenes through a device.
private struct SceneRunner {
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

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
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
    return try voice.measure(device)
  }
}
