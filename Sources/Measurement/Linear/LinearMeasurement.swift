import AudioCore
import Glibc
import Spectrum

/// What a device does to sound as far as it is linear and the same at all times: magnitude, phase, group delay, impulse
/// and step response, latency and tail, for each input channel to its output channel.
///
/// Two stimuli at least are played and must agree within what their figures are worth; where they do not, the findings
/// say "not linear" or "varies in time". What figures are worth is found by the same measurement of ``KnownFilter`` with
/// the same settings, and by the noise that the device makes in silence.
public struct LinearMeasurement {
  public let settings: LinearSettings
  private let worth: [LinearSettings.Method: Worth]
  private let precision: SamplePrecision

  /// Tries each method on a known filter.
  /// - Parameter precision: of the devices to be measured.
  /// - Throws: `.usage` where a stimulus would take more memory than it may.
  public init(_ settings: LinearSettings, precision: SamplePrecision) throws(BenchError) {
    // Of all channels, before the known filter is measured on one.
    for method in settings.methods { try TransferEstimator(settings: settings).checkMemory(of: method) }
    self.settings = settings
    self.precision = precision
    var worth: [LinearSettings.Method: Worth] = [:]
    for method in settings.methods {
      worth[method] = try Worth(of: method, settings: settings, precision: precision)
    }
    self.worth = worth
  }

  /// Measures a device, channel by channel.
  /// - Throws: what the device throws; `.render` for a device that gives another rate, or samples that are no numbers.
  public func findings(of device: any Device) throws(BenchError) -> Findings {
    var findings = Findings()
    var first: ImpulseResponse?
    for channel in 0..<settings.channelCount {
      var byMethod: [(method: LinearSettings.Method, estimates: [TransferEstimate])] = []
      for method in settings.methods {
        byMethod.append(
          (method, try TransferEstimator(settings: settings).estimates(of: device, by: method, input: channel)))
      }
      let main = byMethod[0]
      guard channel < main.estimates.count else {
        findings.remarks.append("input channel \(channel) has no output channel of its own")
        continue
      }
      let estimate = main.estimates[channel]
      guard let worth = worth[main.method] else { preconditionFailure("each method was tried") }
      let shape = ResponseShape(estimate, worth: worth, settings: settings)
      findings.add(leaks(from: channel, main.estimates, top: shape.top))
      findings.remarks += try agreement(of: device, channel: channel, byMethod)
      if let response = estimate.response, response == first {
        findings.remarks.append("channel \(channel) does the same as channel 0, bit for bit")
        findings.channelsLikeFirst.insert(channel)
        continue
      }
      if channel == 0 { first = estimate.response }
      findings.readings += shape.readings(channel: channel, device: device)
      findings.curves += shape.curves(channel: channel)
      if let sweep = byMethod.first(where: { $0.method == .sweep })?.estimates[channel] {
        let harmonics = HarmonicShape(sweep, floor: self.worth[.sweep]?.harmonics ?? [], settings: settings)
        findings.curves += harmonics.curves(channel: channel)
        findings.remarks += harmonics.remarks(channel: channel)
      }
    }
    return findings
  }

  /// What goes from one input channel to the outputs of others, where that is anything: −140 dB of the straight way at least.
  private func leaks(from input: Int, _ estimates: [TransferEstimate], top: Double) -> Findings {
    var findings = Findings()
    for (output, estimate) in estimates.enumerated() where output != input {
      let points =
        estimate.response.map { response in
          zip(settings.frequencies, response.transfers(atHertz: settings.frequencies)).map { ($0, $1.value) }
        } ?? estimate.points.map { ($0.hertz, $0.value) }
      let trusted = points.filter { settings.trustedHertz.contains($0.0) }
      guard let worst = trusted.max(by: { $0.1.magnitude < $1.1.magnitude }), worst.1.magnitude > top * 1e-7 else {
        continue
      }
      findings.readings.append(
        Reading(
          "leak", "largest gain from input channel \(input)", Decibels.of(amplitude: worst.1.magnitude), .decibels,
          channel: output, at: ["input": Double(input)], remark: "at \(ResponseShape.hertz(worst.0))"))
      findings.curves.append(
        Curve(
          "leak", "magnitude from input channel \(input)", x: .frequency, y: Curve.Axis("magnitude", .decibels),
          points: points.map { Curve.Point($0.0, Decibels.of(amplitude: max($0.1.magnitude, 1e-15))) },
          channel: output, inputChannel: input))
    }
    return findings
  }

  // MARK: Agreement

  /// What is to be said where two stimuli do not agree.
  private func agreement(
    of device: any Device, channel: Int, _ results: [(method: LinearSettings.Method, estimates: [TransferEstimate])]
  ) throws(BenchError) -> [String] {
    let main = results[0]
    for other in results.dropFirst() {
      guard channel < other.estimates.count,
        let apart = disagreement(
          main.estimates[channel], other.estimates[channel], allowed: allowance(main.method, other.method))
      else { continue }
      var estimator = TransferEstimator(settings: settings)
      estimator.shiftFrames = 1009
      let again = try estimator.estimates(of: device, by: main.method, input: channel)[channel]
      let moved = disagreement(main.estimates[channel], again, allowed: allowance(main.method, main.method))
      let what = "\(main.method.rawValue) and \(other.method.rawValue) differ by \(apart.text)"
      guard let moved else { return ["channel \(channel) is not linear: \(what)"] }
      return [
        "channel \(channel) varies in time: the \(main.method.rawValue) played \(estimator.shiftFrames) frames later "
          + "differs by \(moved.text)"
      ]
    }
    return []
  }

  private func allowance(_ a: LinearSettings.Method, _ b: LinearSettings.Method) -> Double {
    (worth[a]?.relativeError ?? 0) + (worth[b]?.relativeError ?? 0)
  }

  private struct Disagreement {
    let hertz: Double
    let decibels: Double
    var text: String {
      "\((decibels * 1000).rounded() / 1000) dB at \((hertz * 10).rounded() / 10) Hz, more than their error"
    }
  }

  /// The frequency at which two estimates differ most beyond what they are worth.
  private func disagreement(
    _ a: TransferEstimate, _ b: TransferEstimate, allowed: Double
  ) -> Disagreement? {
    guard let response = a.response else { return nil }
    let range = settings.trustedHertz
    let trusted = settings.frequencies.filter { range.contains($0) }
    let others =
      b.response.map { other in zip(trusted, other.transfers(atHertz: trusted)).map { ($0, $1.value) } }
      ?? b.points.filter { range.contains($0.hertz) }.map { ($0.hertz, $0.value) }
    let pairs = zip(others, response.transfers(atHertz: others.map(\.0))).map { ($0.0, $1.value, $0.1) }
    let top = pairs.reduce(0) { max($0, $1.1.magnitude) }
    var worst: (excess: Double, Disagreement)?
    for (hertz, one, two) in pairs where one.magnitude > top * 1e-3 {
      let difference = (one - two).magnitude
      // Three times what is expected: an estimate of an error is no better than that.
      // A known filter does not know every filter: half a thousandth of a dB is agreement.
      let limit = 3 * (allowed * one.magnitude + a.noise(hertz) + b.noise(hertz)) + 6e-5 * one.magnitude + 4e-6 * top
      let excess = difference / limit
      if excess > 1, excess > worst?.excess ?? 1 {
        let decibels = abs(Decibels.of(amplitude: two.magnitude / one.magnitude))
        worst = (
          excess,
          Disagreement(
            hertz: hertz, decibels: max(decibels, Decibels.of(amplitude: 1 + difference / one.magnitude) * 0.5))
        )
      }
    }
    return worst?.1
  }
}

/// What a method's figures are worth: the largest error on a known filter.
struct Worth {
  /// Of the complex response, as a part of its magnitude.
  var relativeError = 0.0
  var magnitudeDecibels = 0.0
  var groupDelayFrames = 0.0
  var latencyFrames = 0.0
  var pureDelayFrames = 0.0
  /// What is read of harmonics that are not there, as a part of the linear response; by order from 2 on.
  var harmonics: [Double] = []

  init(of method: LinearSettings.Method, settings: LinearSettings, precision: SamplePrecision) throws(BenchError) {
    var settings = settings
    settings.channelCount = 1
    let filter = KnownFilter(sampleRate: settings.sampleRate)
    let estimator = TransferEstimator(settings: settings)
    let estimate = try estimator.estimates(of: filter.device(precision), by: method, input: 0)[0]
    let range = settings.trustedHertz
    let truths = settings.frequencies.filter { range.contains($0) }.map { ($0, filter.transfer(atHertz: $0)) }
    if let response = estimate.response {
      for ((_, truth), found) in zip(truths, response.transfers(atHertz: truths.map(\.0))) {
        take(found.value, truth.value)
        groupDelayFrames = max(
          groupDelayFrames,
          abs(ImpulseResponse.groupDelayFrames(found) - ImpulseResponse.groupDelayFrames(truth)))
      }
      pureDelayFrames = abs((response.pureDelayFrames ?? .infinity) - Double(KnownFilter.delayFrames))
    }
    for point in estimate.points where range.contains(point.hertz) {
      take(point.value, filter.transfer(atHertz: point.hertz).value)
    }
    for (index, harmonic) in estimate.harmonics.enumerated() {
      let order = Double(index + 2)
      let heard = truths.filter { $0.0 * order < settings.sampleRate * 0.45 }
      let levels = harmonic.transfers(atHertz: heard.map { $0.0 * order }).map(\.value.magnitude)
      harmonics.append(zip(levels, heard).reduce(0) { max($0, $1.0 / $1.1.1.value.magnitude) })
    }
    let nothing = try estimator.estimates(of: FunctionDevice.identity(precision), by: method, input: 0)[0]
    latencyFrames = abs(nothing.response?.arrivalFrames ?? 0)
  }

  private mutating func take(_ found: Complex, _ truth: Complex) {
    relativeError = max(relativeError, (found - truth).magnitude / truth.magnitude)
    magnitudeDecibels = max(magnitudeDecibels, abs(Decibels.of(amplitude: found.magnitude / truth.magnitude)))
  }
}
