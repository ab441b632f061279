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
    let stimulus = try CrosstalkStimulus(settings: settings, inputCount: device.inputChannelCount)
    var findings = Findings()
    let floors = try stimulus.floors(precision: device.precision)
    var loudest: [Int] = []
    var directLevels: [[Double]] = []
    var directUncertainties: [[Double]] = []
    for input in 0..<stimulus.inputCount {
      let output = try device.process(stimulus.tones(on: input))
      try output.checkFinite(device)
      let tones = try stimulus.tones(in: output, from: device.name, precision: device.precision)
      let levels = tones.map { $0.map { Decibels.of(amplitude: $0.amplitude / stimulus.toneAmplitude) } }
      let powers = tones.map { $0.map(\.amplitude).sumOfSquares }
      let main = powers.indices.max { powers[$0] < powers[$1] } ?? 0
      loudest.append(main)
      directLevels.append(levels[main])
      directUncertainties.append(
        tones[main].map { Uncertainty.decibels($0.uncertainty, of: $0.amplitude) })
      for (channel, channelLevels) in levels.enumerated() {
        for (index, level) in channelLevels.enumerated() {
          let hertz = settings.frequenciesHertz[index]
          let at = ["input": Double(input), "frequency": hertz]
          let name = "input \(input) to output \(channel), \(NumberText.decimal(hertz, digits: 3)) Hz"
          let tone = tones[channel][index]
          let floor = max(floors[index], Decibels.of(amplitude: tone.floor / stimulus.toneAmplitude))
          let uncertainty = Uncertainty.decibels(tone.uncertainty, of: tone.amplitude)
          findings.readings.append(
            Reading(
              "level", "Level, \(name)", level, .decibels, floor: floor, uncertainty: uncertainty, channel: channel,
              at: at))
          guard channel != main else { continue }
          findings.readings.append(
            Reading(
              "crosstalk", "Crosstalk, \(name)", level - levels[main][index], .decibels,
              floor: floor - levels[main][index], uncertainty: hypot(uncertainty, directUncertainties[input][index]),
              channel: channel, at: at))
        }
      }
      try addNoise(through: device, input: input, output: main, tones, stimulus, to: &findings)
    }
    addBalance(directLevels, directUncertainties, loudest, settings, to: &findings)
    addRoutes(loudest, directLevels, to: &findings)
    return findings
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
    let match = CrosstalkStimulus.match(noise.channels[input], response.channels[output])
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
    _ levels: [[Double]], _ uncertainties: [[Double]], _ loudest: [Int], _ settings: CrosstalkSettings,
    to findings: inout Findings
  ) {
    for input in levels.indices.dropFirst() {
      for (index, hertz) in settings.frequenciesHertz.enumerated() {
        findings.readings.append(
          Reading(
            "balance", "Input \(input) against input 0, \(NumberText.decimal(hertz, digits: 3)) Hz",
            levels[input][index] - levels[0][index],
            .decibels, uncertainty: hypot(uncertainties[input][index], uncertainties[0][index]),
            channel: loudest[input], at: ["input": Double(input), "frequency": hertz]))
      }
    }
  }

  private static func addRoutes(_ loudest: [Int], _ levels: [[Double]], to findings: inout Findings) {
    for (input, output) in loudest.enumerated() {
      if levels[input].allSatisfy({ $0 == -.infinity }) {
        findings.remarks.append("nothing comes out of input \(input)")
      } else if output > input, loudest.indices.contains(output), loudest[output] == input {
        findings.remarks.append("channels \(input) and \(output) are swapped")
      } else if output != input, !(loudest.indices.contains(output) && loudest[output] == input) {
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
