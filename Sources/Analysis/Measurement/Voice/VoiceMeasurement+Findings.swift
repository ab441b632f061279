import AudioCore
import Spectrum

/// The figures of each kind of scene.
extension VoiceMeasurement {
  func addEcho(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
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

  func addPaths(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
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

  func addDoubleTalk(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
    var together: [(absolute: Double, signed: Double)] = []
    var alone: [Double] = []
    let seconds = 6.0...12.0
    for number in 0..<sceneCount {
      var scene = scene(.speech, number, EchoScene.Path(), seconds: 12.5)
      scene.near = near(number, seconds: 12.5, from: 6, asLoudAs: scene.echo)
      // The near end once more with the other sign: half of the difference is what it becomes, without the rest of the
      // echo.
      let output = try runner.run(scene)
      var turned = scene
      turned.near = scene.near.map { -$0 }
      let spoken = zip(output, try runner.run(turned)).map { ($0 - $1) / 2 }
      together.append(
        VoiceFigures.damage(near: scene.near, output: spoken, sampleRate: sampleRate, seconds: seconds))
      let silent = [Double](repeating: 0, count: scene.far.count)
      let heard = try runner.run(microphone: scene.near, far: silent, sampleRate: sampleRate)
      alone.append(
        VoiceFigures.damage(near: scene.near, output: heard, sampleRate: sampleRate, seconds: seconds).absolute)
    }
    findings.readings += [
      reading(
        "doubleTalkDamage", "level error of speech in double talk", together.map(\.absolute), worst: { $0.max() }),
      reading("doubleTalkBias", "level of speech in double talk", together.map(\.signed), worst: { $0.min() }),
      reading("speechDamage", "level error of speech without echo", alone, worst: { $0.max() }),
    ]
  }

  /// Speech at two levels, each long enough for the gain to arrive: 12 s at −40 dBFS, 12 s at −16, 12 s at −40.
  func addGainControl(_ findings: inout Findings, _ runner: SceneRunner) throws(BenchError) {
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

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
