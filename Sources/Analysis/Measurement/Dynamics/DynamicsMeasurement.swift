import AudioCore
import Glibc

/// The static curve of a compressor, limiter, expander or gate, and its attack and release times, from one run of it.
///
/// The static curve: a tone that rises in steps without a break, its level read at the end of each step. Attack: the
/// tone jumps from a low to a high level; release: it jumps back. The gain is then the level out less the level in.
///
/// ```swift
/// var measurement = DynamicsMeasurement()
/// measurement.levels = stride(from: -60.0, through: 0, by: 4).map { $0 }
/// measurement.settleSeconds = 0.1
/// let limiter = try PeakLimiter().device(sampleRate: 48_000)
/// let curve = try #require(try measurement.measure(limiter).curve("staticCurve", channel: 0))
/// #expect(curve.points.count == 16)
/// ```
public struct DynamicsMeasurement: Sendable {
  /// When a gain that moves counts as having arrived.
  public enum Arrival: Hashable, Sendable {
    /// From when on it stays within so many decibels of where it ends: 1 dB here, 2 dB in IEC 60118-2, 3 dB for attack
    /// and 4 dB for release in ANSI S3.22.
    case withinDecibels(Double)
    /// When it has first gone so much of its way in decibels: 0.632 gives the time constant of one pole, 0.9 is common
    /// too.
    case fractionOfChange(Double)
  }

  /// Hertz.
  public var sampleRate = MeasurementSettings.defaultSampleRate
  /// The channels of the stimulus, if the device takes any number.
  public var channelCount = 1
  /// The frequency of the static curve's tone.
  public var frequencyHertz = 997.0
  /// The steps' levels, dBFS; they are played in rising order.
  public var levels = stride(from: -80.0, through: 0, by: 2).map { $0 }
  /// Seconds of a step before its level is read: longer than the slowest attack.
  public var settleSeconds = 0.4
  /// Levels of the jump, dBFS: on either side of the threshold.
  public var lowDecibels = -30.0
  /// The level that it jumps to, and back from, dBFS.
  public var highDecibels = -6.0
  /// The frequency of the jumping tone, hertz; moved to the nearest with whole frames in its period. Times are known to
  /// about one period.
  public var jumpFrequencyHertz = 2000.0
  /// Seconds that the low level holds before, the high level, and the low level behind.
  public var leadSeconds = 1.0
  /// Seconds of the high level: longer than the attack.
  public var attackHoldSeconds = 1.0
  /// Seconds of the low level behind: longer than the release.
  public var releaseHoldSeconds = 3.0
  /// When the gain counts as having arrived, after both jumps.
  public var arrival = Arrival.withinDecibels(1)
  /// The device's delay in frames; nil: found.
  public var latencyFrames: Double?

  /// One channel at 48 kHz.
  public init() {}

  /// Runs the device, and the devices by which errors are known.
  /// - Throws: `.usage` for settings that cannot be, and what the device throws.
  public func measure(_ device: some Device) throws(BenchError) -> Findings {
    try check()
    let stimulus = try DynamicsStimulus(self)
    var findings = try findings(of: device, stimulus)
    var alone = self
    alone.channelCount = 1
    alone.latencyFrames = 0
    try addErrors(&findings, of: alone, stimulus)
    // On the identity, output less input is the error of a level.
    let identity = try alone.findings(of: FunctionDevice.identity(device.precision), stimulus)
    let errors = identity.curve("staticGain")?.points.map { abs($0.y) } ?? []
    for index in findings.curves.indices where ["staticCurve", "staticGain"].contains(findings.curves[index].id) {
      for (place, point) in findings.curves[index].points.enumerated() where place < errors.count {
        findings.curves[index].points[place].uncertainty = hypot(point.uncertainty ?? 0, errors[place])
      }
    }
    return findings
  }

  /// Adds what the measurement reads amiss of a compressor that does exactly what was found, channel by channel.
  private func addErrors(
    _ findings: inout Findings, of alone: DynamicsMeasurement, _ stimulus: DynamicsStimulus
  ) throws(BenchError) {
    for channel in Set(findings.readings.compactMap(\.channel)).sorted() {
      let own = findings.readings.filter { $0.channel == channel }
      let points = findings.curve("staticCurve", channel: channel)?.points ?? []
      guard let fit = GainCurveFit(points.filter { $0.y > Self.silenceDecibels }.map { (x: $0.x, y: $0.y) }) else {
        continue
      }
      let known = KnownCompressor(self, stimulus, fit: fit, findings: own)
      var single = Findings(readings: own)
      Calibration.addErrors(&single, known: try alone.findings(of: known.device, stimulus)) { known.answer(to: $0) }
      var place = 0
      for index in findings.readings.indices where findings.readings[index].channel == channel {
        findings.readings[index] = single.readings[place]
        place += 1
      }
    }
  }

  private func check() throws(BenchError) {
    func require(_ condition: Bool, _ message: String) throws(BenchError) {
      if !condition { throw BenchError(.usage, at: "dynamics", message) }
    }
    try require(sampleRate >= 8000 && channelCount > 0, "a rate of at least 8000 Hz and a channel are needed")
    try require(levels.count >= 6, "a static curve needs at least 6 levels; there are \(levels.count)")
    try require(
      (levels + [lowDecibels, highDecibels]).allSatisfy { (-140...20).contains($0) },
      "levels must lie between -140 and 20 dBFS")
    try require(lowDecibels < highDecibels, "the jump must go up: from \(lowDecibels) to \(highDecibels) dBFS")
    try require(
      [frequencyHertz, jumpFrequencyHertz].allSatisfy { $0 >= 100 && $0 <= 0.4 * sampleRate },
      "the tones must lie between 100 Hz and \(0.4 * sampleRate) Hz")
    try require(
      settleSeconds >= 0 && leadSeconds >= 0.05 && attackHoldSeconds >= 0.05 && releaseHoldSeconds >= 0.05,
      "the levels of the jump must hold for 0.05 s at least")
  }

  private func findings(of device: some Device, _ stimulus: DynamicsStimulus) throws(BenchError) -> Findings {
    var response = try stimulus.stimulus.run(
      through: device, channelCount: device.inputChannelCount ?? channelCount, latencyFrames: latencyFrames,
      segments: stimulus.segments)
    let transforms = StaticTransforms(frames: stimulus.stepFrames)
    if latencyFrames == nil,
      let stretch = StepClock.stretch(
        of: response, stimulus, frequencyHertz: frequencyHertz, sampleRate: sampleRate, transforms)
    {
      response = try response.clocked(stretch, of: device, segments: stimulus.segments)
    }
    // A device with a clock of its own gives another frequency.
    let heardHertz = frequencyHertz / response.timing.stretch
    var findings = Findings(remarks: response.remarks)
    let (stepRounding, jumpRounding) = (
      RoundingLines(device.precision, of: [frequencyHertz], sampleRate: sampleRate, frames: stimulus.stepFrames),
      RoundingLines(
        device.precision, of: [sampleRate / Double(stimulus.periodFrames)], sampleRate: sampleRate,
        frames: stimulus.periodFrames)
    )
    for channel in 0..<response.output.channelCount {
      func point(_ level: Double, _ segment: SegmentedStimulus.Segment) -> StaticPoint {
        StaticPoint(
          input: level, response.samples(of: segment, channel: channel), frequencyHertz: heardHertz,
          sampleRate: sampleRate, rounding: stepRounding, transforms)
      }
      let stepped = levels.sorted()
      let steps = zip(stepped, stimulus.steps).map(point)
      let isLate = response.timing.latencies.indices.contains(channel) && response.timing.latencies[channel] == nil
      guard !isLate || steps.contains(where: { $0.isKnown && $0.output > Self.silenceDecibels }) else {
        findings.remarks.append("channel \(channel) has no dynamics: nothing is heard of it")
        continue
      }
      let again = stimulus.repeats.map { (step: $0.step, point: point(stepped[$0.step], $0.segment)) }
      let change = DynamicsChange(steps, again: again)
      let jump = response.samples(of: stimulus.jump, channel: channel)
      var own = staticFindings(
        steps, change: change, small: DynamicsChange.small(steps, again: again), channel: channel)
      if isLate {
        own.remarks.append("channel \(channel) has no attack and release: its delay is not known")
      } else {
        var times = timeFindings(jump, stimulus, stretch: response.timing.stretch, jumpRounding, channel: channel)
        if let change, abs(change.decibels) > 0.1 {
          times.readings = []
          times.remarks.append("channel \(channel) has no attack and release: its gain is not steady")
        }
        own.add(times)
      }
      findings.add(own.of(channel: channel))
    }
    return findings
  }
}

/// The staircase and the jump, behind one another.
struct DynamicsStimulus: Sendable {
  private(set) var stimulus: SegmentedStimulus
  private(set) var steps: [SegmentedStimulus.Segment] = []
  let jump: SegmentedStimulus.Segment
  /// Some of the steps once more at the end: the steps' numbers, and where they are.
  private(set) var repeats: [(step: Int, segment: SegmentedStimulus.Segment)] = []
  /// Frames of a step that are read.
  let stepFrames: Int
  /// The period of the jumping tone.
  let periodFrames: Int
  /// The frames of the jump up and the jump back in the jump's segment.
  let attackFrame: Int
  let releaseFrame: Int
  /// All that is read.
  var segments: [SegmentedStimulus.Segment] { steps + [jump] + repeats.map(\.segment) }
  /// The stimulus's level in each frame of its two sounds, dBFS; nil elsewhere. For devices whose gain is known.
  let levels: [Double?]

  /// The first steps tell of a device that has not settled when it starts, the others of one that drifts.
  private static let repeatedSteps = [0, 2, 5, 10, 16, 22, 28, 34]

  init(_ settings: DynamicsMeasurement) throws(BenchError) {
    let rate = settings.sampleRate
    var stimulus = SegmentedStimulus(sampleRate: rate, chirpDecibels: min(-12, settings.lowDecibels))
    var levels = [Double?](repeating: nil, count: stimulus.samples.count)
    var stepFrames = 1 << 12
    while Double(stepFrames) < 0.1 * rate { stepFrames *= 2 }
    self.stepFrames = stepFrames
    let settle = Int(clamping: settings.settleSeconds * rate)
    let stepped = settings.levels.sorted()
    let step = settle + stepFrames
    let whole = step * stepped.count
    var sound = Tone.samples([Tone(settings.frequencyHertz, amplitude: 1)], frames: 0..<whole, sampleRate: rate)
    for (number, level) in stepped.enumerated() {
      let amplitude = Decibels.amplitude(level)
      for frame in number * step..<(number + 1) * step { sound[frame] *= amplitude }
      levels += [Double?](repeating: level, count: step)
    }
    let gap = 0.5
    let all = try stimulus.append(sound, measuredFrom: 0, frames: whole, gapSeconds: gap)
    steps = stepped.indices.map { number in
      SegmentedStimulus.Segment(start: all.start + number * step + settle, frames: stepFrames)
    }
    levels += [Double?](repeating: nil, count: stimulus.samples.count - levels.count)

    let period = Int(clamping: (rate / settings.jumpFrequencyHertz).rounded())
    periodFrames = period
    // Whole periods, so that the tone jumps where it passes through 0.
    func frames(_ seconds: Double) -> Int { Int(clamping: seconds * rate) / period * period }
    attackFrame = frames(settings.leadSeconds)
    releaseFrame = attackFrame + frames(settings.attackHoldSeconds)
    let end = releaseFrame + frames(settings.releaseHoldSeconds)
    var tone = Tone.samples([Tone(rate / Double(period), amplitude: 1)], frames: 0..<end, sampleRate: rate)
    for frame in 0..<end {
      let level = (attackFrame..<releaseFrame).contains(frame) ? settings.highDecibels : settings.lowDecibels
      levels.append(level)
      tone[frame] *= Decibels.amplitude(level)
    }
    jump = try stimulus.append(tone, measuredFrom: 0, frames: end, gapSeconds: gap)
    levels += [Double?](repeating: nil, count: stimulus.samples.count - levels.count)

    let again = Self.repeatedSteps.filter { $0 < stepped.count }
    sound = Array(sound.prefix(step * again.count))
    for (place, number) in again.enumerated() {
      let change = Decibels.amplitude(stepped[number] - stepped[place])
      for frame in place * step..<(place + 1) * step { sound[frame] *= change }
      levels += [Double?](repeating: stepped[number], count: step)
    }
    let second = try stimulus.append(sound, measuredFrom: 0, frames: sound.count, gapSeconds: gap)
    repeats = again.enumerated().map { place, number in
      (number, SegmentedStimulus.Segment(start: second.start + place * step + settle, frames: stepFrames))
    }
    self.levels = levels
    self.stimulus = stimulus
  }
}

extension MeasurementKind {
  /// ``DynamicsMeasurement`` at the rate and with the channels of the settings; their level is not used.
  public static let dynamics = MeasurementKind(
    "dynamics", "static curve with threshold and ratio, attack and release"
  ) { (device, settings) throws(BenchError) in
    var dynamics = DynamicsMeasurement()
    dynamics.sampleRate = settings.sampleRate(for: device)
    dynamics.channelCount = settings.channelCount(for: device)
    return try dynamics.measure(device)
  }
}
