import AudioCore
import Glibc

extension DynamicsMeasurement {
  /// Attack and release, from the jump's segment of the output.
  /// - Parameter stretch: frames of the output for each of the input, by the device's clock.
  func timeFindings(
    _ samples: ArraySlice<Double>, _ stimulus: DynamicsStimulus, stretch: Double, _ rounding: RoundingLines,
    channel: Int
  ) -> Findings {
    let attackFrame = Int(clamping: (Double(stimulus.attackFrame) * stretch).rounded())
    let releaseFrame = Int(clamping: (Double(stimulus.releaseFrame) * stretch).rounded())
    let envelope = ToneEnvelope(samples, periodFrames: stimulus.periodFrames)
    // From half a period before a jump to half a period behind it, the envelope is of both levels.
    let half = stimulus.periodFrames
    let attack = JumpGain(
      envelope, from: attackFrame + half, to: releaseFrame - half, origin: attackFrame,
      input: highDecibels, rounding)
    let release = JumpGain(
      envelope, from: releaseFrame + half,
      to: min(samples.count, Int(clamping: Double(samples.count) * stretch)) - half, origin: releaseFrame,
      input: lowDecibels, rounding)
    let before = JumpGain(
      envelope, from: half, to: attackFrame - half, origin: 0, input: lowDecibels, rounding)
    var findings = Findings(curves: [
      attack.curve("attack", "Gain after the jump up", rate: sampleRate),
      release.curve("release", "Gain after the jump back", rate: sampleRate),
    ])
    let jumps = [
      ("attack", "Attack time", before.final, attack, lowDecibels, highDecibels),
      ("release", "Release time", attack.final, release, highDecibels, lowDecibels),
    ]
    for (id, name, start, course, from, to) in jumps {
      let change = course.final - start
      var least = 0.01
      if case .withinDecibels(let decibels) = arrival { least = decibels }
      guard change.isFinite, abs(change) > least else {
        findings.remarks.append(
          "channel \(channel) has no \(id) time: the gain changes by "
            + "\(NumberText.decimal(change, digits: 3)) dB between \(lowDecibels) and \(highDecibels) dBFS")
        continue
      }
      guard course.restlessness < 0.1 * min(1, abs(change)), let arrived = course.arrival(arrival, from: start) else {
        findings.remarks.append(
          "channel \(channel): the \(id) is not over when the level ends; it must hold for longer")
        continue
      }
      findings.readings.append(
        Reading(
          "\(id)Time", name, arrived.frames / sampleRate, .seconds,
          // Nobody knows by which of both clocks the device takes its time.
          uncertainty: hypot(arrived.uncertainty, abs(stretch - 1) * arrived.frames) / sampleRate,
          remark: "\(describe(arrival)), \(from) to \(to) dBFS"))
      findings.readings.append(
        Reading(
          "\(id)Gain", "Gain after the \(id)", course.final, .decibels,
          uncertainty: course.finalUncertainty))
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
struct JumpGain {
  private let gains: [Double]
  /// Frames from the jump to the first gain.
  private let offset: Double
  /// The end of the gain: the mean of its last tenth.
  let final: Double
  /// The distance of ``final`` from the mean of the tenth before, decibels.
  let restlessness: Double
  /// The deviation of the gain by noise: its scatter in the last tenth, decibels.
  private let deviation: Double
  private let rounding: Double
  private let periodFrames: Int

  /// - Parameters:
  ///   - origin: the jump's frame.
  ///   - input: the level behind the jump, dBFS.
  init(_ envelope: ToneEnvelope, from start: Int, to end: Int, origin: Int, input: Double, _ rounding: RoundingLines) {
    let amplitudes = start < end ? envelope.amplitudes[start..<end] : []
    gains = amplitudes.map { Decibels.of(amplitude: $0) - input }
    // The average over an even period is of the time half a frame before.
    offset = Double(start - origin) - (envelope.periodFrames % 2 == 0 ? 0.5 : 0)
    let tenth = max(1, gains.count / 10)
    final = gains.suffix(tenth).mean
    restlessness = abs(gains.dropLast(tenth).suffix(tenth).mean - final)
    periodFrames = envelope.periodFrames
    // Rounding falls alike in each period; a gain that follows the level turns what it does to that into as much again.
    let last = amplitudes.last ?? 0
    self.rounding = Uncertainty.decibels(2.0.squareRoot() * rounding.amplitude(of: [last]), of: last)
    let end = final
    deviation = gains.suffix(tenth).map { ($0 - end) * ($0 - end) }.mean.squareRoot()
  }

  /// The uncertainty of ``final``, decibels.
  var finalUncertainty: Double {
    var whole = Uncertainty()
    // Each period is read anew.
    let ofMean = deviation * (Double(periodFrames) / Double(max(1, gains.count / 10))).squareRoot()
    whole.add(standard: ofMean)
    // Noise as large as the rounding of what comes out makes noise of that; what goes in was rounded before.
    whole.add(standard: deviation > rounding ? rounding / 2.0.squareRoot() : rounding)
    // The part of the difference of two means that noise explains is no movement.
    whole.add(halfWidth: max(0, restlessness - 2 * 2.0.squareRoot() * ofMean))
    return whole.expanded
  }

  /// Frames from the jump until the gain has arrived; 0 where it has when it can first be seen; nil where it never
  /// does.
  func arrival(
    _ definition: DynamicsMeasurement.Arrival, from initial: Double
  ) -> (frames: Double, uncertainty: Double)? {
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
    guard let last, last >= 0 else {
      // It was there before the first whole period had passed.
      return last == nil && definition.isFirst ? nil : (0, Double(periodFrames))
    }
    guard last + 1 < gains.count * 9 / 10 else { return nil }
    // In a straight line between the last frame outside and the first inside.
    func place(_ gains: [Double], behind last: Int) -> Double {
      let (outside, inside) = (abs(gains[last] - final), abs(gains[last + 1] - final))
      return Double(last) + (outside.isFinite && outside > inside ? (outside - limit) / (outside - inside) : 1)
    }
    let first = place(gains, behind: last)
    let found = crossing(near: first, limit)
    var whole = Uncertainty()
    whole.add(standard: found.uncertainty / Uncertainty.coverageFactor)
    // A gain that bends within a period, as at the end of a hold, is read amiss by the mean over the period: by about as
    // much as a mean over a second one moves it.
    if let smooth = smoothed(around: last, limit) {
      let moved = abs(place(smooth.gains, behind: smooth.last) + smooth.start - first)
      let byNoise = deviation / max(slope(around: first, half: Double(periodFrames)), 1e-300)
      whole.add(halfWidth: max(0, 2 * moved - 3 * byNoise))
    }
    // A hold begins with a peak of the wave, of which there are two in a period.
    if isHeld { whole.add(halfWidth: Double(periodFrames) / 2) }
    return (found.frames, whole.expanded)
  }

  /// True when the gain stands still behind the jump, and goes later.
  private var isHeld: Bool {
    let step = 2 * periodFrames
    guard gains.count > 2 * step else { return false }
    func move(_ frame: Int) -> Double { abs(gains[frame + step] - gains[frame]) }
    let most = stride(from: 0, to: gains.count - step, by: periodFrames).reduce(0) { max($0, move($1)) }
    return most > 8 * deviation && move(0) < 0.1 * most
  }

  /// The gains around a frame, each the mean of one more period, the place of the first, and the last of them outside the
  /// limit; nil where it does not pass there.
  private func smoothed(around frame: Int, _ limit: Double) -> (gains: [Double], start: Double, last: Int)? {
    let half = periodFrames / 2
    let start = max(half, frame - 2 * periodFrames)
    let end = min(gains.count - half - 1, frame + 2 * periodFrames)
    guard start < end else { return nil }
    let amplitudes = gains[start - half..<end + half].map { Decibels.amplitude($0) }
    let means = (0..<end - start).map { place in
      Decibels.of(amplitude: amplitudes[place..<place + 2 * half].mean)
    }
    guard let last = means.lastIndex(where: { !(abs($0 - final) <= limit) }), last + 1 < means.count else { return nil }
    // The middle of an even number of frames lies half a frame before the next.
    return (means, Double(start) - 0.5, last)
  }

  /// The frame at which the gain passes a distance from its end. With noise, a gain that moves slowly passes the limit
  /// many times: so a straight line is fitted around it, as wide as noise can move the place, to the decibels or, as
  /// gains mostly move, to their logarithms.
  private func crossing(near first: Double, _ limit: Double) -> (frames: Double, uncertainty: Double) {
    var half = Double(periodFrames)
    // As far as it takes to see it move in spite of the noise.
    while slope(around: first, half: half) * half < 3 * deviation, half < Double(gains.count) { half *= 2 }
    var (place, slope) = (first, slope(around: first, half: half))
    // A gain may count from the frame of the jump or from the next, and the delay is known to a frame.
    var whole = Uncertainty()
    whole.add(halfWidth: 2)
    guard slope > 0 else { return (offset + place, Double(periodFrames)) }
    for _ in 0..<4 where deviation > 0.5 * slope {
      half = max(Double(periodFrames), 6 * deviation / slope)
      guard let line = line(around: place, half: half, limit), line.slope > 0 else { break }
      (place, slope) = line
    }
    // The gains of one period are of the same samples.
    let periods = deviation > 0.5 * slope ? max(1, 2 * half / Double(periodFrames)) : 1
    whole.add(standard: hypot(deviation / periods.squareRoot(), finalUncertainty / Uncertainty.coverageFactor) / slope)
    if periods > 1, let narrow = line(around: place, half: half / 2, limit) {
      whole.add(halfWidth: abs(narrow.place - place))
    }
    return (offset + place, whole.expanded)
  }

  /// Decibels per frame that the distance from the end falls.
  private func slope(around place: Double, half: Double) -> Double {
    let (before, behind) = (max(0, Int(clamping: place - half)), min(gains.count - 1, Int(clamping: place + half) + 1))
    return (abs(gains[before] - final) - abs(gains[behind] - final)) / Double(max(1, behind - before))
  }

  /// The place at which the straight line through the distances from the end passes a limit, and its fall in decibels
  /// per frame; nil if it does not pass.
  private func line(around place: Double, half: Double, _ limit: Double) -> (place: Double, slope: Double)? {
    let (first, last) = (max(0, Int(clamping: place - half)), min(gains.count * 9 / 10, Int(clamping: place + half)))
    guard last - first > 2 else { return nil }
    let sign: Double = gains[first] < final ? -1 : 1
    let distances = gains[first...last].map { sign * ($0 - final) }
    let isExponential = distances.allSatisfy { $0 > 0.1 * limit && $0.isFinite } && limit > 8 * deviation
    let values = isExponential ? distances.map { log($0 / limit) } : distances.map { $0 - limit }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let middle = (count - 1) / 2
    let moment = values.enumerated().reduce(0) { $0 + (Double($1.offset) - middle) * $1.element }
    let slope = -moment / (count * (count * count - 1) / 12)
    guard slope > 0, mean.isFinite else { return nil }
    let found = Double(first) + middle + mean / slope
    guard abs(found - place) < 2 * half else { return nil }
    return (found, isExponential ? slope * limit : slope)
  }

  /// The gain over time, thinned to about a thousand points, denser at the start.
  func curve(_ id: String, _ name: String, rate: Double) -> Curve {
    var points: [Curve.Point] = []
    var frame = 0
    while frame < gains.count {
      points.append(Curve.Point((offset + Double(frame)) / rate, gains[frame]))
      frame += max(1, frame / 100)
    }
    return Curve(id, name, x: .time, y: Curve.Axis("gain", .decibels), points: points)
  }
}

extension DynamicsMeasurement.Arrival {
  /// True when the first crossing counts, not the last; without one there is no time.
  fileprivate var isFirst: Bool {
    if case .fractionOfChange = self { return true }
    return false
  }
}
