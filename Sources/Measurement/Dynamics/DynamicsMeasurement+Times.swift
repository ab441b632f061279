import AudioCore
import Glibc

extension DynamicsMeasurement {
  /// Attack and release, from the jump's stretch of the output.
  func timeFindings(_ samples: ArraySlice<Double>, _ stimulus: DynamicsStimulus, channel: Int) -> Findings {
    let envelope = ToneEnvelope(samples, periodFrames: stimulus.periodFrames)
    // From half a period before a jump to half a period behind it, the envelope is of both levels.
    let half = stimulus.periodFrames
    let attack = GainCourse(
      envelope, from: stimulus.attackFrame + half, to: stimulus.releaseFrame - half, origin: stimulus.attackFrame,
      input: highDecibels)
    let release = GainCourse(
      envelope, from: stimulus.releaseFrame + half, to: samples.count - half, origin: stimulus.releaseFrame,
      input: lowDecibels)
    let before = GainCourse(
      envelope, from: half, to: stimulus.attackFrame - half, origin: 0, input: lowDecibels)
    var findings = Findings(curves: [
      attack.curve("attack", "Gain after the jump up", rate: sampleRate, channel: channel),
      release.curve("release", "Gain after the jump back", rate: sampleRate, channel: channel),
    ])
    for (id, name, start, course) in [
      ("attackTime", "Attack", before.final, attack), ("releaseTime", "Release", attack.final, release),
    ] {
      let change = course.final - start
      var least = 0.01
      if case .withinDecibels(let decibels) = arrival { least = decibels }
      guard change.isFinite, abs(change) > least else {
        findings.remarks.append(
          "channel \(channel) has no \(name.lowercased()) time: the gain changes by "
            + "\((change * 1000).rounded() / 1000) dB between \(lowDecibels) and \(highDecibels) dBFS")
        continue
      }
      guard course.restlessness < 0.1 * min(1, abs(change)), let frames = course.arrival(arrival, from: start) else {
        findings.remarks.append(
          "channel \(channel): the \(name.lowercased()) is not over when the level ends; it must hold for longer")
        continue
      }
      findings.readings.append(
        Reading(
          id, "\(name) time", frames / sampleRate, .seconds, channel: channel,
          remark: "\(describe(arrival)), \(id == "attackTime" ? lowDecibels : highDecibels) to "
            + "\(id == "attackTime" ? highDecibels : lowDecibels) dBFS"))
      findings.readings.append(
        Reading(
          "\(id.dropLast(4))Gain", "Gain after the \(name.lowercased())", course.final, .decibels, channel: channel))
    }
    return findings
  }

  private func describe(_ arrival: Arrival) -> String {
    switch arrival {
    case .withinDecibels(let decibels): "until it stays within \(decibels) dB of its end"
    case .fractionOfChange(let fraction): "until it has gone \(100 * fraction) % of its way in dB"
    }
  }
}

/// The gain behind a jump, decibels per frame.
struct GainCourse {
  private let gains: [Double]
  /// Frames from the jump to the first gain.
  private let offset: Double
  /// Where it ends: the mean of its last tenth.
  let final: Double
  /// How far that lies from the mean of the tenth before, decibels.
  let restlessness: Double

  /// - Parameters:
  ///   - origin: the jump's frame.
  ///   - input: the level behind the jump, dBFS.
  init(_ envelope: ToneEnvelope, from start: Int, to end: Int, origin: Int, input: Double) {
    gains = start < end ? envelope.amplitudes[start..<end].map { Decibels.of(amplitude: $0) - input } : []
    // The average over an even period is of the time half a frame before.
    offset = Double(start - origin) - (envelope.periodFrames % 2 == 0 ? 0.5 : 0)
    func mean(_ part: ArraySlice<Double>) -> Double { part.reduce(0, +) / Double(part.count) }
    let tenth = max(1, gains.count / 10)
    final = mean(gains.suffix(tenth))
    restlessness = abs(mean(gains.dropLast(tenth).suffix(tenth)) - final)
  }

  /// Frames from the jump until the gain has arrived; 0 where it has when it can first be seen; nil where it never
  /// does.
  func arrival(_ definition: DynamicsMeasurement.Arrival, from initial: Double) -> Double? {
    let limit: Double
    let last: Int?
    switch definition {
    case .withinDecibels(let decibels):
      limit = decibels
      last = gains.lastIndex { !(abs($0 - final) <= decibels) }
    case .fractionOfChange(let fraction):
      limit = (1 - fraction) * abs(final - initial)
      last = gains.firstIndex { abs($0 - final) <= limit }.map { $0 - 1 }
    }
    guard let last, last >= 0 else { return last == nil && definition.isFirst ? nil : 0 }
    guard last + 1 < gains.count * 9 / 10 else { return nil }
    // In a straight line between the last frame outside and the first inside.
    let (outside, inside) = (abs(gains[last] - final), abs(gains[last + 1] - final))
    let part = outside.isFinite && outside > inside ? (outside - limit) / (outside - inside) : 1
    return offset + Double(last) + part
  }

  /// The gain over time, thinned to about a thousand points, denser at the start.
  func curve(_ id: String, _ name: String, rate: Double, channel: Int) -> Curve {
    var points: [Curve.Point] = []
    var frame = 0
    while frame < gains.count {
      points.append(Curve.Point((offset + Double(frame)) / rate, gains[frame]))
      frame += max(1, frame / 100)
    }
    return Curve(id, name, x: .time, y: Curve.Axis("gain", .decibels), points: points, channel: channel)
  }
}

extension DynamicsMeasurement.Arrival {
  /// Whether the first time counts, not the last: without one there is none.
  fileprivate var isFirst: Bool {
    if case .fractionOfChange = self { return true }
    return false
  }
}
