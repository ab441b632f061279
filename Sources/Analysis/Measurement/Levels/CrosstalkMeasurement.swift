import AudioCore
import Glibc

/// The outputs of all channels while one input channel at a time is excited: by tones for the levels, and by noise for
/// polarity.
///
/// Readings, `channel` the output and `at["input"]` the input channel: `level` (dB of the output tone over the input
/// tone) for each pair and `at["frequency"]`; `crosstalk` (dB over the loudest output of that input) for every other
/// output; `balance` (dB of an input's loudest output over that of input 0); for each input `loudestOutput` (a channel)
/// and `polarity` (+1, −1; 0 where the noise says neither). The floor of `level` and `crosstalk` is what the same
/// analysis reads in the rounding error of a signal in the device's sample format, at the tones' frequency, or what the
/// device's own noise beside the tone could read as.
///
/// Curves: `levelByFrequency` of each pair, dB of the noise in a third of an octave that comes out over what goes in.
///
/// ```swift
/// // A hundredth of the other channel: −40 dB.
/// let leaking = try FormulaDevice(["in(0) + 0.01 * in(1)", "in(1)"].map { try Formula($0) })
/// let findings = try CrosstalkMeasurement.findings(of: leaking)
/// let leak = try #require(findings.readings.first { $0.id == "crosstalk" && $0.channel == 0 })
/// #expect(abs(leak.value + 40) < 0.01)
/// ```
public enum CrosstalkMeasurement {
  /// - Throws: `.usage` for settings that cannot be; what the device throws; `.render` where its output is too short.
  public static func findings(
    of device: some Device, settings: CrosstalkSettings = CrosstalkSettings()
  ) throws(BenchError) -> Findings {
    var stimulus = try CrosstalkStimulus(settings: settings, inputCount: device.inputChannelCount)
    var findings = Findings()
    let floors = try stimulus.floors(precision: device.precision)
    let timing = try DeviceTiming(
      of: device, sampleRate: settings.sampleRate, takesAnyRate: true, channelCount: stimulus.inputCount)
    if timing.isUnsteady { findings.remarks.append(DeviceTiming.unsteadyText) }
    func timed(settling seconds: Double) throws(BenchError) -> CrosstalkStimulus {
      var settings = settings
      settings.settlingSeconds = seconds
      return try CrosstalkStimulus(
        settings: settings, inputCount: device.inputChannelCount,
        latencySeconds: Double(timing.longestLatency) / (timing.outputRate ?? settings.sampleRate),
        clockRatio: 1 / timing.stretch)
    }
    stimulus = try timed(settling: settings.settlingSeconds)
    func found(_ stimulus: CrosstalkStimulus, _ input: Int) throws(BenchError) -> [[CrosstalkStimulus.Found]] {
      let output = try device.process(stimulus.tones(on: input))
      try output.checkFinite(device)
      return try stimulus.tones(in: output, from: device.name, precision: device.precision)
    }
    var loudest: [Int?] = []
    var direct: [[CrosstalkStimulus.Found]] = []
    for input in 0..<stimulus.inputCount {
      var tones = try found(stimulus, input)
      if tones.joined().contains(where: { $0.change > 0 }) {
        // It may not have settled.
        tones = try found(timed(settling: max(settings.settlingSeconds, longSettlingSeconds)), input)
      }
      let powers = tones.map { $0.map(\.amplitude).sumOfSquares }
      let main = powers.indices.max { powers[$0] < powers[$1] } ?? 0
      guard tones.indices.contains(main), tones[main].contains(where: \.isHeard) else {
        loudest.append(nil)
        direct.append([])
        findings.remarks.append("nothing comes out of input \(input)")
        continue
      }
      loudest.append(main)
      direct.append(tones[main])
      addLevels(of: tones, input: input, main: main, floors, stimulus, to: &findings)
      addChanges(of: tones, input: input, main: main, to: &findings)
      try addNoise(through: device, input: input, output: main, tones, stimulus, to: &findings)
    }
    addBalance(direct, loudest, stimulus, to: &findings)
    addRoutes(loudest, to: &findings)
    return findings
  }

  /// Seconds that a device is given to settle if its level moves after the usual ones.
  private static let longSettlingSeconds = 6.0

  /// Adds the level of each tone in each output, and the crosstalk of all but the loudest one.
  private static func addLevels(
    of tones: [[CrosstalkStimulus.Found]], input: Int, main: Int, _ floors: [Double], _ stimulus: CrosstalkStimulus,
    to findings: inout Findings
  ) {
    for (channel, own) in tones.enumerated() {
      for (index, tone) in own.enumerated() {
        let hertz = stimulus.settings.frequenciesHertz[index]
        let at = ["input": Double(input), "frequency": hertz]
        let name = "input \(input) to output \(channel), \(NumberText.decimal(hertz, digits: 3)) Hz"
        let level = Decibels.of(amplitude: tone.amplitude / stimulus.toneAmplitude)
        let floor = max(floors[index], Decibels.of(amplitude: tone.floor / stimulus.toneAmplitude))
        let uncertainty = tone.amplitude > 0 ? Uncertainty.decibels(tone.uncertainty, of: tone.amplitude) : nil
        findings.readings.append(
          Reading(
            "level", "Level, \(name)", level, .decibels, floor: floor, uncertainty: uncertainty, channel: channel,
            at: at))
        guard channel != main else { continue }
        let loud = tones[main][index]
        let loudLevel = Decibels.of(amplitude: loud.amplitude / stimulus.toneAmplitude)
        findings.readings.append(
          Reading(
            "crosstalk", "Crosstalk, \(name)", level - loudLevel, .decibels, floor: floor - loudLevel,
            uncertainty: uncertainty.map { hypot($0, Uncertainty.decibels(loud.uncertainty, of: loud.amplitude)) },
            channel: channel, at: at))
      }
    }
  }

  /// Adds how much the tones change within their window and from level to level, and what that means.
  private static func addChanges(
    of tones: [[CrosstalkStimulus.Found]], input: Int, main: Int, to findings: inout Findings
  ) {
    let at = ["input": Double(input)]
    if let worst = tones[main].max(by: { $0.course.change - $0.course.floor < $1.course.change - $1.course.floor }) {
      findings.readings.append(
        Reading(
          "timeVariance", "Largest change of the tones of input \(input) with time",
          amplitude: max(worst.course.change, 1e-15), floor: max(worst.course.floor, 1e-15), channel: main, at: at,
          remark: worst.changeText))
      if let text = worst.changeText {
        findings.remarks.append("input \(input) to output \(main) varies in time: within the stretch \(text)")
      }
    }
    if let bent = tones[main].max(by: { $0.bend < $1.bend }), bent.bend > 0, bent.change == 0 {
      let change = NumberText.significant(100 * bent.bend, digits: 2)
      findings.remarks.append(
        "input \(input) to output \(main) is not linear: \(Int(clamping: CrosstalkStimulus.quieterDecibels)) dB quieter its gain is other by \(change) %"
      )
    }
  }

  /// Adds the polarity of an input, and levels over frequency, measured with noise.
  private static func addNoise(
    through device: some Device, input: Int, output: Int, _ tones: [[CrosstalkStimulus.Found]],
    _ stimulus: CrosstalkStimulus, to findings: inout Findings
  ) throws(BenchError) {
    let noise = stimulus.noise(on: input)
    let response = try device.process(noise)
    try response.checkFinite(device)
    let at = ["input": Double(input)]
    findings.readings.append(
      Reading("loudestOutput", "Loudest output of input \(input)", Double(output), .count, channel: output, at: at))
    guard response.sampleRate == noise.sampleRate else {
      findings.remarks.append("no polarity: the device changes the rate")
      return
    }
    for (channel, samples) in response.channels.enumerated() where channel < tones.count {
      findings.curves.append(
        Curve(
          "levelByFrequency", "input \(input) to output \(channel)", x: .frequency, y: Curve.Axis("level", .decibels),
          points: stimulus.levels(of: samples, over: noise.channels[input], tones[channel]),
          channel: channel, inputChannel: input))
    }
    let match = stimulus.match(noise.channels[input], response.channels[output])
    // A filter with a long ring, or another sound, is like its input in neither polarity.
    let isClear = abs(match) > 0.2
    findings.readings.append(
      Reading(
        "polarity", "Polarity of input \(input) at output \(output)", isClear ? (match > 0 ? 1 : -1) : 0, .amplitude,
        channel: output, at: at,
        remark: isClear ? nil : "not clear: largest cross-correlation \(NumberText.decimal(match, digits: 3))"))
    if isClear, match < 0 { findings.remarks.append("input \(input) comes out inverted") }
  }

  private static func addBalance(
    _ direct: [[CrosstalkStimulus.Found]], _ loudest: [Int?], _ stimulus: CrosstalkStimulus, to findings: inout Findings
  ) {
    guard let first = direct.first, !first.isEmpty else { return }
    for input in direct.indices.dropFirst() where !direct[input].isEmpty {
      for (index, hertz) in stimulus.settings.frequenciesHertz.enumerated() {
        let (own, other) = (direct[input][index], first[index])
        findings.readings.append(
          Reading(
            "balance", "Input \(input) against input 0, \(NumberText.decimal(hertz, digits: 3)) Hz",
            Decibels.of(amplitude: own.amplitude / other.amplitude), .decibels,
            uncertainty: hypot(
              Uncertainty.decibels(own.uncertainty, of: own.amplitude),
              Uncertainty.decibels(other.uncertainty, of: other.amplitude)),
            channel: loudest[input], at: ["input": Double(input), "frequency": hertz]))
      }
    }
  }

  private static func addRoutes(_ loudest: [Int?], to findings: inout Findings) {
    for (input, output) in loudest.enumerated() {
      guard let output else { continue }
      let back = loudest.indices.contains(output) ? loudest[output] : nil
      if output > input, back == input {
        findings.remarks.append("channels \(input) and \(output) are swapped")
      } else if output != input, back != input {
        findings.remarks.append("input \(input) is loudest at output \(output)")
      }
    }
  }
}

extension MeasurementKind {
  /// ``CrosstalkMeasurement`` at the rate and with the channels of the settings; their level is not used.
  public static let crosstalk = MeasurementKind(
    "crosstalk", "from each input channel to each output channel; swapped and inverted channels"
  ) { (device, settings) throws(BenchError) in
    var crosstalk = CrosstalkSettings()
    crosstalk.sampleRate = settings.sampleRate(for: device)
    crosstalk.channelCount = settings.channelCount(for: device)
    return try CrosstalkMeasurement.findings(of: device, settings: crosstalk)
  }
}
