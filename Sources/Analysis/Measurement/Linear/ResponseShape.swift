import AudioCore
import Glibc
import Spectrum

/// One channel's response as readings and curves.
struct ResponseShape {
  private let estimate: TransferEstimate
  /// Nil for stimuli that tell H at some frequencies only.
  private let measured: MeasuredResponse?
  private let bias: BiasByFrequency
  /// The sentence on a device that may go on behind the end of the measurement; nil: it is over.
  private let openEnd: String?
  private let settings: LinearSettings
  /// By frequency of the settings, or of the stimulus.
  private let transfers: [(hertz: Double, value: Complex, slope: Complex?)]
  /// The uncertainty of |H| there.
  private let uncertainties: [Double]
  /// The largest magnitude.
  let top: Double

  init(
    _ estimate: TransferEstimate, measured: MeasuredResponse?, bias: BiasByFrequency, openEnd: String?,
    settings: LinearSettings
  ) {
    self.estimate = estimate
    self.measured = measured
    self.bias = bias
    self.openEnd = openEnd
    self.settings = settings
    if let measured {
      transfers = zip(settings.frequencies, measured.transfers(atHertz: settings.frequencies)).map {
        ($0, $1.value, $1.slope)
      }
      uncertainties = measured.uncertainties(of: transfers.map { ($0.hertz, $0.value) })
    } else {
      transfers = estimate.points.map { ($0.hertz, $0.value, nil) }
      let loudest = transfers.reduce(0) { max($0, $1.value.magnitude) }
      uncertainties = transfers.map { point in
        Uncertainty(
          standard: estimate.noise(point.hertz) / 2.0.squareRoot(),
          // Tried on a filter with gains around 1.
          halfWidth: bias.error(atHertz: point.hertz) * loudest
        ).expanded
      }
    }
    top = transfers.reduce(0) { max($0, $1.value.magnitude) }
  }

  // MARK: Readings

  func readings(of device: any Device) -> [Reading] {
    guard top > 0 else {
      return [Reading("gain", "largest gain", -.infinity, .decibels, remark: "nothing comes out")]
    }
    guard let measured else { return gainsOfPoints() }
    return gains(measured) + times(measured, device: device)
  }

  /// The largest and the smallest gain, wherever they are between points.
  private func gains(_ measured: MeasuredResponse) -> [Reading] {
    let search = ResponseSearch(measured)
    let range = settings.trustedHertz
    var readings: [Reading] = []
    let extremes: [(id: String, name: String, sign: Double)] = [
      ("gainMaximum", "largest gain", 1), ("gainMinimum", "smallest gain", -1),
    ]
    for (id, name, sign) in extremes {
      guard let found = search.maximum(in: range, of: { _, value, _ in sign * value.magnitude }) else { continue }
      let gain = found.value.magnitude
      let uncertainty = measured.uncertainties(
        of: [(found.hertz, found.value)], candidates: search.candidates(near: gain, in: range))[0]
      readings.append(
        Reading(
          id, name, amplitude: max(gain, 1e-300),
          // A gain that could be none at all is known to be no larger.
          floor: uncertainty > gain / 2 ? gain + uncertainty : nil, uncertainty: uncertainty,
          bound: measured.isCutOff && sign > 0 ? .atLeast : nil, remark: "at \(Self.hertz(found.hertz))"))
    }
    return readings
  }

  /// The largest and the smallest gain where it is known at points only: between two it may be as much further off as
  /// the neighbours are.
  private func gainsOfPoints() -> [Reading] {
    let trusted = transfers.indices.filter { settings.trustedHertz.contains(transfers[$0].hertz) }
    func gain(_ index: Int) -> Double { transfers[index].value.magnitude }
    guard let most = trusted.max(by: { gain($0) < gain($1) }), let least = trusted.min(by: { gain($0) < gain($1) })
    else { return [] }
    return [("gainMaximum", "largest gain", most), ("gainMinimum", "smallest gain", least)].map { id, name, index in
      let neighbours = [index - 1, index + 1].filter { transfers.indices.contains($0) }
      let uncertainty = Uncertainty(
        standard: uncertainties[index] / Uncertainty.coverageFactor,
        halfWidth: neighbours.reduce(0) { max($0, abs(gain($1) - gain(index))) } / 2)
      return Reading(
        id, name, amplitude: gain(index), uncertainty: uncertainty.expanded,
        remark: "at \(Self.hertz(transfers[index].hertz)), of \(NumberText.count(transfers.count, "point"))")
    }
  }

  /// Latency, delay, ringing and polarity.
  private func times(_ measured: MeasuredResponse, device: any Device) -> [Reading] {
    let response = measured.response
    let reported = device.reportedLatencyFrames
    let deviation = measured.sampleDeviation
    var readings: [Reading] = []
    let arrival = response.arrival
    let pure = measured.pureDelay(arrival)
    if let arrival {
      var remark: String?
      if let reported {
        let agrees = [arrival.frames, pure?.frames ?? .infinity].contains { abs($0 - reported) <= 0.5 }
        remark = "it reports \(Self.frames(reported))" + (agrees ? "" : ", which is neither this nor the delay")
      }
      readings.append(
        Reading(
          "latency", "latency, by the largest peak", arrival.frames, .frames,
          uncertainty: measured.arrivalUncertainty(arrival), remark: remark))
    }
    if let pure {
      readings.append(
        Reading(
          "delay", "delay beyond its minimum phase", pure.frames, .frames, uncertainty: pure.uncertainty,
          remark: reported.map { "it reports \(Self.frames($0))" }))
    }
    readings.append(tail(measured, deviation: deviation, device: device))
    readings.append(
      Reading(
        "polarity", "polarity of its largest peak",
        (response.samples[response.peak.frame + response.leadFrames] < 0) ? -1 : 1, .amplitude))
    return readings
  }

  /// The number of deviations that none of a hundred thousand samples of noise exceeds.
  private static let tailDeviations = 5.5

  /// The last frame above a level is the last of the hundreds around it that noise lifts over it: 3.5 deviations, and
  /// the rounding of integers falls alike in every play.
  private static let lastFrameDeviations = 4.0

  private func tail(_ measured: MeasuredResponse, deviation: Double, device: any Device) -> Reading {
    let response = measured.response
    let limit = 1e-6
    let tail = Double(response.lengthFrames())
    // If the level is near the limit, noise decides which frame is the last one.
    func length(_ level: Double) -> Double {
      Double(response.lengthFrames(floorDecibels: Decibels.of(amplitude: level)))
    }
    let spread = Self.lastFrameDeviations * deviation
    let (early, late) = (length(limit + spread), length(max(limit - spread, limit / 2)))
    let reported = device.reportedTailFrames.map { Double($0) + (device.reportedLatencyFrames ?? 0) }
    // Below the noise it may ring on.
    let isHidden = measured.isCutOff || openEnd != nil || Self.tailDeviations * deviation > limit
    var remark = reported.map { "it reports \(Self.frames($0))" + (tail > $0 + 1 ? ", which is too short" : "") }
    if measured.isCutOff {
      remark = "it still rings after the \(NumberText.count(settings.responseFrames, "frame")) that it was listened to"
    } else if let openEnd {
      remark = openEnd
    } else if isHidden {
      remark = "what follows lies in its noise"
    }
    // Noise above the limit is not ringing.
    let seen =
      isHidden && !measured.isCutOff && openEnd == nil
      ? min(tail, length(limit + Self.tailDeviations * deviation)) : tail
    return Reading(
      "tail", "ringing, to −120 dB of the impulse", seen, .frames,
      uncertainty: isHidden ? nil : max(0, late - early) / 2,
      bound: isHidden ? .atLeast : nil, remark: remark)
  }

  // MARK: Curves

  var curves: [Curve] {
    var magnitude = Curve("magnitude", "magnitude", x: .frequency, y: Curve.Axis("magnitude", .decibels))
    var phase = Curve("phase", "phase", x: .frequency, y: Curve.Axis("phase", .degrees))
    var delay = Curve("groupDelay", "group delay", x: .frequency, y: Curve.Axis("group delay", .frames))
    for (transfer, uncertainty) in zip(transfers, uncertainties) {
      let level = transfer.value.magnitude
      magnitude.points.append(
        Curve.Point(transfer.hertz, amplitude: level, uncertainty: uncertainty))
      let means = level > top * 1e-5
      phase.points.append(
        Curve.Point(
          transfer.hertz, means ? transfer.value.phase * 180 / .pi : .nan,
          uncertainty: means ? asin(min(1, uncertainty / level)) * 180 / .pi : nil))
      if let slope = transfer.slope, let measured {
        let frames = ImpulseResponse.groupDelayFrames((transfer.value, slope))
        delay.points.append(
          Curve.Point(
            transfer.hertz, means ? frames : .nan,
            uncertainty: means
              ? measured.groupDelayUncertainty(atHertz: transfer.hertz, transfer.value, delayFrames: frames) : nil))
      }
    }
    var curves = [magnitude, phase]
    if !estimate.coherence.isEmpty {
      curves.append(
        Curve(
          "coherence", "coherence", x: .frequency, y: Curve.Axis("coherence", .amplitude),
          points: estimate.coherence.map { Curve.Point($0.hertz, $0.value) }))
    }
    if !delay.points.isEmpty { curves.append(delay) }
    if let response = measured?.response {
      curves.append(
        timeCurve("impulseResponse", "impulse response", response.samples, of: response))
      curves.append(timeCurve("stepResponse", "step response", response.step, of: response))
    }
    return curves
  }

  /// From a little before the beginning until it has rung out to −80 dB, at most 4096 points.
  private func timeCurve(_ id: String, _ name: String, _ samples: [Double], of response: ImpulseResponse) -> Curve {
    let threshold = response.peak.magnitude * 1e-4
    let first = response.samples.firstIndex { abs($0) > threshold } ?? response.leadFrames
    let start = max(0, min(first, response.leadFrames) - 8)
    let end = min(samples.count, max(response.lengthFrames(floorDecibels: -80) + response.leadFrames, start + 64))
    return Curve(
      id, name, x: .time, y: Curve.Axis("amplitude", .amplitude),
      points: stride(from: start, to: end, by: max(1, (end - start) / 4096)).map {
        Curve.Point(Double($0 - response.leadFrames) / settings.sampleRate, samples[$0])
      })
  }

  static func frames(_ value: Double) -> String {
    NumberText.decimal(value, digits: 3)
  }

  static func hertz(_ value: Double) -> String { "\((value * 10).rounded() / 10) Hz" }
}
