import AudioCore
import Glibc
import Spectrum

/// One channel's response as readings and curves.
struct ResponseShape {
  private let estimate: TransferEstimate
  private let worth: Worth
  private let settings: LinearSettings
  /// By frequency of the settings, or of the stimulus.
  private let transfers: [(hertz: Double, value: Complex, slope: Complex?)]
  /// The largest magnitude.
  let top: Double

  init(_ estimate: TransferEstimate, worth: Worth, settings: LinearSettings) {
    self.estimate = estimate
    self.worth = worth
    self.settings = settings
    if let response = estimate.response {
      transfers = zip(settings.frequencies, response.transfers(atHertz: settings.frequencies)).map {
        ($0, $1.value, $1.slope)
      }
    } else {
      transfers = estimate.points.map { ($0.hertz, $0.value, nil) }
    }
    top = transfers.reduce(0) { max($0, $1.value.magnitude) }
  }

  // MARK: Readings

  func readings(channel: Int, device: any Device) -> [Reading] {
    var readings: [Reading] = []
    func add(_ id: String, _ name: String, _ value: Double, _ unit: Reading.Unit, error: Double?, remark: String? = nil)
    {
      readings.append(Reading(id, name, value, unit, error: error, channel: channel, remark: remark))
    }
    guard top > 0 else {
      add("gain", "largest gain", -.infinity, .decibels, error: nil, remark: "nothing comes out")
      return readings
    }
    let trusted = transfers.filter { settings.trustedHertz.contains($0.hertz) }
    if let most = trusted.max(by: { $0.value.magnitude < $1.value.magnitude }),
      let least = trusted.min(by: { $0.value.magnitude < $1.value.magnitude })
    {
      for (id, name, point) in [("gainMaximum", "largest gain", most), ("gainMinimum", "smallest gain", least)] {
        add(
          id, name, Decibels.of(amplitude: point.value.magnitude), .decibels, error: errorDecibels(point),
          remark: "at \(Self.hertz(point.hertz))")
      }
    }
    guard let response = estimate.response else { return readings }
    let reported = device.reportedLatencyFrames
    let arrival = response.arrivalFrames
    let pure = response.pureDelayFrames
    if let arrival {
      var remark: String?
      if let reported {
        let agrees = [arrival, pure ?? .infinity].contains { abs($0 - reported) <= 0.5 }
        remark = "it reports \(Self.frames(reported))" + (agrees ? "" : ", which is neither this nor the delay")
      }
      add("latency", "latency, by the largest peak", arrival, .frames, error: worth.latencyFrames, remark: remark)
    }
    if let pure {
      add(
        "delay", "delay beyond its minimum phase", pure, .frames, error: worth.pureDelayFrames,
        remark: reported.map { "it reports \(Self.frames($0))" })
    }
    let tail = Double(response.lengthFrames())
    let reportedTail = device.reportedTailFrames.map { Double($0) + (reported ?? 0) }
    add(
      "tail", "ringing, to −120 dB of the impulse", tail, .frames, error: nil,
      remark: reportedTail.map { "it reports \(Self.frames($0))" + (tail > $0 + 1 ? ", which is too short" : "") })
    add(
      "polarity", "polarity of its largest peak",
      (response.samples[response.peak.frame + response.leadFrames] < 0) ? -1 : 1, .amplitude, error: nil)
    return readings
  }

  // MARK: Curves

  func curves(channel: Int) -> [Curve] {
    var magnitude = Curve("magnitude", "magnitude", x: .frequency, y: Curve.Axis("magnitude", .decibels))
    var phase = Curve("phase", "phase", x: .frequency, y: Curve.Axis("phase", .degrees))
    var delay = Curve("groupDelay", "group delay", x: .frequency, y: Curve.Axis("group delay", .frames))
    for transfer in transfers {
      let level = transfer.value.magnitude
      magnitude.points.append(
        Curve.Point(transfer.hertz, Decibels.of(amplitude: level), error: errorDecibels(transfer)))
      let means = level > top * 1e-5
      phase.points.append(
        Curve.Point(transfer.hertz, means ? transfer.value.phase * 180 / .pi : .nan))
      if let slope = transfer.slope {
        // Noise moves the delay by about its part of H times the length that it is gathered over.
        let doubt = estimate.noise(transfer.hertz) / max(level, 1e-300) * Double(settings.responseFrames) / 4
        delay.points.append(
          Curve.Point(
            transfer.hertz, means ? ImpulseResponse.groupDelayFrames((transfer.value, slope)) : .nan,
            error: worth.groupDelayFrames + doubt))
      }
    }
    var curves = [magnitude, phase]
    if !estimate.coherence.isEmpty {
      var coherence = Curve("coherence", "coherence", x: .frequency, y: Curve.Axis("coherence", .amplitude))
      coherence.points = estimate.coherence.map { Curve.Point($0.hertz, $0.value) }
      curves.append(coherence)
    }
    if !delay.points.isEmpty { curves.append(delay) }
    if let response = estimate.response {
      curves.append(
        timeCurve("impulseResponse", "impulse response", response.samples, of: response))
      curves.append(timeCurve("stepResponse", "step response", response.step, of: response))
    }
    return curves.map { curve in
      var curve = curve
      curve.channel = channel
      curve.inputChannel = channel
      return curve
    }
  }

  /// From a little before the beginning until it has rung out to −80 dB, at most 4096 points.
  private func timeCurve(_ id: String, _ name: String, _ samples: [Double], of response: ImpulseResponse) -> Curve {
    let threshold = response.peak.magnitude * 1e-4
    let first = response.samples.firstIndex { abs($0) > threshold } ?? response.leadFrames
    let start = max(0, min(first, response.leadFrames) - 8)
    let end = min(samples.count, max(response.lengthFrames(floorDecibels: -80) + response.leadFrames, start + 64))
    var curve = Curve(id, name, x: .time, y: Curve.Axis("amplitude", .amplitude))
    let stride = max(1, (end - start) / 4096)
    for index in Swift.stride(from: start, to: end, by: stride) {
      curve.points.append(Curve.Point(Double(index - response.leadFrames) / settings.sampleRate, samples[index]))
    }
    return curve
  }

  /// What the magnitude of a point may be wrong by.
  private func errorDecibels(_ point: (hertz: Double, value: Complex, slope: Complex?)) -> Double {
    // The known filter tells the error near the top; below, rounding stays while the level falls.
    let fixed = worth.relativeError * top
    let part = (fixed + 3 * estimate.noise(point.hertz)) / max(point.value.magnitude, 1e-300)
    return max(worth.magnitudeDecibels, Decibels.of(amplitude: 1 + part))
  }

  static func frames(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\((value * 1000).rounded() / 1000)"
  }

  static func hertz(_ value: Double) -> String { "\((value * 10).rounded() / 10) Hz" }
}

/// The harmonics that a sweep leaves behind, over the frequency that made them.
struct HarmonicShape {
  private struct Level {
    let hertz: Double
    /// Of the linear response there.
    let fundamental: Double
    let harmonic: Double
    let noise: Double
  }

  /// By order from 2 on.
  private let levels: [[Level]]
  /// Where harmonics are told apart: from where the sweep is quick enough that one does not reach into the other's window, to
  /// where the 25th does not yet fold back from half the rate and look like another.
  private let tellingHertz: Range<Double>
  /// What is read where there are none.
  private let floor: [Double]

  init(_ estimate: TransferEstimate, floor: [Double], settings: LinearSettings) {
    self.floor = floor
    tellingHertz = settings.sampleRate / 480..<settings.sampleRate / 50
    guard let response = estimate.response else {
      levels = []
      return
    }
    let range = settings.trustedHertz
    let frequencies = settings.frequencies.filter { range.contains($0) }
    let fundamentals = response.transfers(atHertz: frequencies).map(\.value.magnitude)
    levels = estimate.harmonics.enumerated().map { index, harmonic in
      let order = Double(index + 2)
      let count = frequencies.prefix { $0 * order <= range.upperBound }.count
      let found = harmonic.transfers(atHertz: frequencies.prefix(count).map { $0 * order })
      return (0..<count).map {
        Level(
          hertz: frequencies[$0], fundamental: fundamentals[$0], harmonic: found[$0].value.magnitude,
          noise: estimate.noise(frequencies[$0] * order))
      }
    }
  }

  /// Levels relative to the fundamental, in dB.
  func curves(channel: Int) -> [Curve] {
    levels.enumerated().map { index, levels in
      let order = index + 2
      return Curve(
        "harmonic\(order)", "harmonic \(order)", x: .frequency, y: Curve.Axis("relative level", .decibels),
        points: levels.map {
          Curve.Point($0.hertz, Decibels.of(amplitude: max($0.harmonic / max($0.fundamental, 1e-300), 1e-15)))
        },
        channel: channel, inputChannel: channel)
    }
  }

  /// Which harmonics stand above what the measurement itself shows, and above −120 dB of the largest gain: where a filter
  /// lets little through, little is left to compare them with.
  func remarks(channel: Int) -> [String] {
    let top = levels.joined().reduce(0) { max($0, $1.fundamental) }
    var found: [(level: Double, text: String)] = []
    for (index, levels) in levels.enumerated() where index < floor.count && top > 0 {
      let above = levels.filter {
        tellingHertz.contains($0.hertz) && $0.harmonic > top * (10 * floor[index] + 1e-6) + 10 * $0.noise
      }
      guard let worst = above.max(by: { $0.harmonic < $1.harmonic }) else { continue }
      let decibels = Decibels.of(amplitude: worst.harmonic / top)
      found.append(
        (decibels, "harmonic \(index + 2): \((decibels * 10).rounded() / 10) dB at \(ResponseShape.hertz(worst.hertz))")
      )
    }
    // What folds back more than once looks like any harmonic, weakly.
    guard let strongest = found.map(\.level).max() else { return [] }
    let named = found.filter { $0.level > strongest - 40 }.map(\.text)
    return ["channel \(channel) is not linear: " + named.joined(separator: ", ")]
  }
}
