import AudioCore
import Glibc
import Loudness

extension LevelMeter {
  /// The bounds that the signals of EBU Tech 3341 and 3342 as synthesized in the tests keep.
  static let loudnessError = 0.1
  static let loudnessRangeError = 1.0
  /// Ends the measurement and returns the readings. Nothing can be added afterwards.
  public func finish() -> Findings {
    var findings = Findings()
    let loudnessReadings = loudness?.finish()
    for channel in 0..<channelCount { addChannel(channel, loudnessReadings, to: &findings) }
    if let loudnessReadings { addLoudness(loudnessReadings, to: &findings) }
    if let loudnessRefusal { findings.remarks.append("no loudness: \(loudnessRefusal)") }
    addPairs(to: &findings)
    return findings
  }

  private func addChannel(_ channel: Int, _ loudness: LoudnessReadings?, to findings: inout Findings) {
    let tally = tallies[channel]
    func add(_ id: String, _ name: String, _ value: Double, _ unit: Reading.Unit, uncertainty: Double? = nil) {
      findings.readings.append(Reading(id, name, value, unit, uncertainty: uncertainty, channel: channel))
    }
    let rms = settings.rmsFullScale.decibels(power: tally.meanSquare)
    add("peak", "Sample peak", Decibels.of(amplitude: tally.peakAmplitude), .decibelsFullScale, uncertainty: 0)
    if let loudness {
      let peak = loudness.truePeaks[channel]
      add(
        "truePeak", "True peak", loudness.truePeakDecibels(channel: channel), .decibelsTruePeak,
        uncertainty: peak > 0 ? 20 * log10(1 + loudness.truePeakUncertainties[channel] / peak) : nil)
    }
    add(
      "rms", settings.rmsFullScale == .sine ? "RMS, full-scale sine 0" : "RMS, full-scale sine −3.01", rms,
      .decibelsFullScale)
    // Peak over RMS, whatever 0 dBFS is: of a sine 3.01 dB, of silence not a number.
    add("crest", "Crest factor", 10 * log10(tally.peakAmplitude * tally.peakAmplitude / tally.meanSquare), .decibels)
    add("dc", "DC offset", tally.mean, .amplitude)
    add(
      "clippedRuns", "Runs of \(settings.clippedRunLength) or more samples at full scale", Double(tally.clippedRuns),
      .count)
    add("clippedSamples", "Samples in clipped runs", Double(tally.clippedSamples), .count)
    add("notNumbers", "Samples that are not a number", Double(tally.notNumbers), .count)
    add("infinities", "Infinite samples", Double(tally.infinities), .count)
    add("subnormals", "Subnormal samples", Double(tally.subnormals), .count)
    if !tally.isFinite {
      let found = NonFiniteSamples(
        notNumbers: Int64(tally.notNumbers), infinities: Int64(tally.infinities),
        firstFrame: Int64(tally.firstNonFinite ?? 0), firstChannel: channel)
      findings.remarks.append("\(found): that channel has no levels, and the whole no loudness")
    }
    if tally.clippedRuns > 0 {
      findings.remarks.append("channel \(channel): clipped in \(NumberText.count(tally.clippedRuns, "place"))")
    }
  }

  private func addLoudness(_ loudness: LoudnessReadings, to findings: inout Findings) {
    func add(_ id: String, _ name: String, _ value: Double?, _ unit: Reading.Unit, _ error: Double, _ missing: String) {
      findings.readings.append(
        Reading(id, name, value ?? .nan, unit, uncertainty: error, remark: value == nil ? missing : nil))
    }
    let lufs = Reading.Unit.loudnessUnitsFullScale
    add(
      "loudnessIntegrated", "Integrated loudness", loudness.integratedLUFS, lufs, Self.loudnessError,
      "nothing above −70 LUFS for 400 ms")
    add(
      "loudnessMomentaryMax", "Greatest momentary loudness", loudness.momentaryMaximumLUFS, lufs, Self.loudnessError,
      "shorter than 400 ms")
    add(
      "loudnessShortTermMax", "Greatest short-term loudness", loudness.shortTermMaximumLUFS, lufs, Self.loudnessError,
      "shorter than 3 s")
    add(
      "loudnessRange", "Loudness range", loudness.rangeLU, .loudnessUnits, Self.loudnessRangeError,
      "nothing above −70 LUFS for 3 s")
  }

  /// Balance and correlation of the pairs.
  private func addPairs(to findings: inout Findings) {
    for (index, pair) in pairs.enumerated() {
      let (first, second) = (tallies[pair.first], tallies[pair.second])
      let isFinite = first.isFinite && second.isFinite && first.frameCount > 0
      let balance = isFinite ? 10 * log10(second.squares / first.squares) : .nan
      let correlation = isFinite ? products[index] / (first.squares * second.squares).squareRoot() : .nan
      let at = ["first": Double(pair.first), "second": Double(pair.second)]
      let names = "channel \(pair.second) against channel \(pair.first)"
      findings.readings += [
        Reading("balance", "Level of \(names)", balance, .decibels, channel: pair.second, at: at),
        Reading("correlation", "Correlation of \(names)", correlation, .amplitude, channel: pair.second, at: at),
      ]
      if correlation < -0.9 {
        findings.remarks.append("channels \(pair.first) and \(pair.second) are of opposite polarity")
      }
    }
  }
}
