import AudioCore
import Glibc
import Spectrum

/// What a device does to sound as far as it is linear and the same at all times: magnitude, phase, group delay, impulse
/// and step response, latency and tail, for each input channel to its output channel.
///
/// It is listened to until it has rung out. The stimulus whose figures are reported is played several times, at other times
/// and levels: their scatter is what noise and rounding do to this device's response. Quieter by 20 dB, and with a second
/// stimulus, the response must be the same within that; where it is not, the device is not linear or varies in time, which is
/// a reading, and the figures are worth only as much.
public struct LinearMeasurement {
  public let settings: LinearSettings
  private let precision: SamplePrecision

  /// - Parameter precision: of the devices to be measured.
  /// - Throws: `.usage` where a stimulus would take more memory than it may.
  public init(_ settings: LinearSettings, precision: SamplePrecision) throws(BenchError) {
    for method in settings.methods { try TransferEstimator(settings: settings).checkMemory(of: method) }
    self.settings = settings
    self.precision = precision
  }

  /// Measures a device, channel by channel.
  /// - Throws: what the device throws; `.render` for a device that gives another rate, or samples that are no numbers.
  public func findings(of device: any Device) throws(BenchError) -> Findings {
    var settings = settings
    settings.responseFrames = try Listening.responseFrames(of: device, settings)
    var findings = Findings()
    var first: ImpulseResponse?
    for channel in 0..<settings.channelCount {
      var plays = try Plays(of: device, channel: channel, by: settings.methods[0], settings)
      guard channel < plays.outputCount else {
        findings.remarks.append("input channel \(channel) has no output channel of its own")
        continue
      }
      // What is not over when listening ends is listened to for longer, as far as that is wanted.
      while plays.scattered(channel)?.isCutOff == true, settings.responseFrames < settings.longestResponseFrames {
        settings.responseFrames = min(2 * settings.responseFrames, settings.longestResponseFrames)
        plays = try Plays(of: device, channel: channel, by: settings.methods[0], settings)
      }
      if settings.choosesMethod, settings.methods[0] == .impulse, plays.isNoisy(channel) {
        // Against noise a sweep has more energy at each frequency.
        settings.methods = [.sweep, .impulse]
        plays = try Plays(of: device, channel: channel, by: .sweep, settings)
      }
      let report = try ChannelReport(plays, of: device, channel: channel, settings: settings)
      findings.remarks += report.agreement.remarks(channel: channel)
      if report.agreement.disagrees { findings.disagreements += report.agreement.remarks(channel: channel) }
      let stability = report.agreement.readings(channel: channel, harmonic: report.harmonics?.strongest)
      findings.curves += report.leaks.curves
      if let response = report.response {
        findings.responses[channel] = response
        if response.response == first {
          findings.readings += stability + report.leaks.readings
          findings.remarks.append("channel \(channel) does the same as channel 0, bit for bit")
          findings.channelsLikeFirst.insert(channel)
          continue
        }
        if channel == 0 { first = response.response }
      }
      findings.readings += report.shape.readings(channel: channel, device: device) + stability + report.leaks.readings
      findings.curves += report.shape.curves(channel: channel)
      if let harmonics = report.harmonics {
        findings.curves += harmonics.curves(channel: channel)
        findings.remarks += harmonics.remarks(channel: channel)
      }
    }
    return findings
  }
}

/// Several plays of one stimulus, at other times and levels.
private struct Plays {
  let method: LinearSettings.Method
  /// The first play, by output channel.
  private let estimates: [TransferEstimate]
  /// The same, only later.
  private let laterEstimates: [TransferEstimate]
  private let scatters: [ScatteredResponse?]
  /// Frames later, decibels louder. Levels that differ a little are rounded in other places.
  private static let variations = [(0, 0.0), (1009, -0.7), (2027, -1.3), (353, -2.1)]
  static let laterFrames = 1009
  /// The deviation of H, relative to its largest value, from which on a device counts as noisy: −110 dB.
  private static let noisyPart = 3e-6

  init(
    of device: any Device, channel: Int, by method: LinearSettings.Method, _ settings: LinearSettings
  ) throws(BenchError) {
    self.method = method
    func play(_ shift: Int, _ gain: Double) throws(BenchError) -> [TransferEstimate] {
      var estimator = TransferEstimator(settings: settings)
      (estimator.shiftFrames, estimator.gainDecibels) = (shift, gain)
      return try estimator.estimates(of: device, by: method, input: channel)
    }
    var plays: [[TransferEstimate]] = []
    // What gives no whole response says of its scatter itself.
    let hasResponse = method == .impulse || method == .sweep
    for (shift, gain) in Self.variations.prefix(hasResponse ? Self.variations.count : 1) {
      plays.append(try play(shift, gain))
    }
    estimates = plays[0]
    laterEstimates = try play(Self.laterFrames, 0)
    let outputs = plays.reduce(laterEstimates.count) { min($0, $1.count) }
    let height = settings.amplitude
    scatters = (0..<outputs).map { output in
      let responses = plays.compactMap { $0[output].response }
      guard responses.count > 1 else { return nil }
      // A sweep has so many samples that their scatter says it all.
      return ScatteredResponse(responses) {
        method == .impulse ? device.precision.roundingDeviation(peak: $0 * height) / height : 0
      }
    }
  }

  var outputCount: Int { scatters.count }
  func scattered(_ output: Int) -> ScatteredResponse? { scatters[output] }
  /// The first.
  func estimate(_ output: Int) -> TransferEstimate { estimates[output] }
  func later(_ output: Int) -> TransferEstimate { laterEstimates[output] }

  func isNoisy(_ output: Int) -> Bool {
    guard let scatter = scatters[output] else { return false }
    let rate = scatter.mean.sampleRate
    let frequencies = (1...16).map { rate * 0.45 * Double($0) / 16 }
    let top = scatter.mean.values(atHertz: frequencies).reduce(0) { max($0, $1.magnitude) }
    return estimates[output].silence > Self.noisyPart * top
  }
}

/// All that is found of one input channel.
private struct ChannelReport {
  let shape: ResponseShape
  let response: MeasuredResponse?
  private(set) var agreement = StimulusAgreement()
  private(set) var harmonics: HarmonicShape?
  let leaks: Findings

  init(
    _ plays: Plays, of device: any Device, channel: Int, settings: LinearSettings
  ) throws(BenchError) {
    let estimate = plays.estimate(channel)
    let mean = plays.scattered(channel)?.mean
    func makeBias(of method: LinearSettings.Method) throws(BenchError) -> BiasByFrequency {
      guard method != .impulse else { return .none }
      guard let mean else { return try BiasByFrequency(of: method, settings) }
      return try BiasByFrequency(of: method, on: mean, settings)
    }
    let bias = try makeBias(of: plays.method)
    var measured = plays.scattered(channel).map { MeasuredResponse($0, bias: bias) }
    let comparer = Comparer(
      settings: settings, window: plays.scattered(channel)?.window, isNoisy: plays.isNoisy(channel), main: estimate)
    // The same again, later.
    agreement.constancy.append(
      comparer.compare("\(plays.method.rawValue) and the same \(Plays.laterFrames) frames later", plays.later(channel))
      { _ in 0 })
    // The same at another level.
    var estimator = TransferEstimator(settings: settings)
    estimator.gainDecibels = Self.otherLevel(settings, device.precision)
    let level = Int((settings.levelDecibels + estimator.gainDecibels).rounded())
    let quiet = try estimator.estimates(of: device, by: plays.method, input: channel)
    if channel < quiet.count {
      agreement.linearity.append(
        comparer.compare(
          "\(plays.method.rawValue) at \(Int(settings.levelDecibels.rounded())) and at \(level) dBFS", quiet[channel]
        ) { _ in 0 })
    }
    // Other stimuli.
    var sweep = plays.method == .sweep ? (estimate, bias) : nil
    for method in settings.methods where method != plays.method {
      let other = try TransferEstimator(settings: settings).estimates(of: device, by: method, input: channel)
      guard channel < other.count else { continue }
      let otherBias = try makeBias(of: method)
      if method == .sweep { sweep = (other[channel], otherBias) }
      let comparison = comparer.compare("\(plays.method.rawValue) and \(method.rawValue)", other[channel]) {
        bias.error(atHertz: $0) + otherBias.error(atHertz: $0)
      }
      agreement.linearity.append(comparison)
      guard comparison.disagrees else { continue }
      // What varies slowly, or now and then, shows where the stimulus lasts for longer.
      var later = TransferEstimator(settings: settings)
      later.shiftFrames = Plays.laterFrames
      let again = try later.estimates(of: device, by: method, input: channel)
      let lasting = Comparer(
        settings: settings, window: comparer.window, isNoisy: comparer.isNoisy, main: other[channel])
      agreement.constancy.append(
        lasting.compare("\(method.rawValue) and the same \(Plays.laterFrames) frames later", again[channel]) {
          2 * otherBias.error(atHertz: $0)
        })
    }
    if let (estimate, bias) = sweep {
      harmonics = HarmonicShape(estimate, floor: bias.harmonics, settings: settings)
    }
    measured?.disagree(agreement.parts)
    response = measured
    shape = ResponseShape(estimate, measured: measured, bias: bias, settings: settings)
    leaks = Self.leaks(from: channel, plays, top: shape.top, bias: bias, settings)
  }

  /// 20 dB less; where a sample format has too few steps for that, 6 dB more.
  private static func otherLevel(_ settings: LinearSettings, _ precision: SamplePrecision) -> Double {
    guard case .integer(let bits) = precision else { return -20 }
    return settings.amplitude * Decibels.amplitude(-20) * exp2(Double(bits - 1)) < 64
      ? min(6, -settings.levelDecibels) : -20
  }

  /// What goes from one input channel to the outputs of others, where that is anything: −140 dB of the straight way at least.
  private static func leaks(
    from input: Int, _ plays: Plays, top: Double, bias: BiasByFrequency, _ settings: LinearSettings
  ) -> Findings {
    var findings = Findings()
    for output in 0..<plays.outputCount where output != input {
      guard let scatter = plays.scattered(output) else { continue }
      let measured = MeasuredResponse(scatter, bias: bias)
      let search = ResponseSearch(measured)
      guard let worst = search.maximum(in: settings.trustedHertz, of: { _, value, _ in value.magnitude }),
        worst.height > top * 1e-7
      else { continue }
      let uncertainty = measured.uncertainties(
        of: [(worst.hertz, worst.value)], candidates: search.candidates(near: worst.height, in: settings.trustedHertz))[
          0]
      // Noise alone has a largest value too.
      let isNoise = worst.height < 2 * uncertainty
      findings.readings.append(
        Reading(
          "leak", "largest gain from input channel \(input)", Decibels.of(amplitude: worst.height), .decibels,
          floor: isNoise ? Decibels.of(amplitude: worst.height + uncertainty) : nil,
          uncertainty: Uncertainty.decibels(uncertainty, of: worst.height), channel: output,
          at: ["input": Double(input)], remark: isNoise ? nil : "at \(ResponseShape.hertz(worst.hertz))"))
      guard !isNoise else { continue }
      let values = measured.transfers(atHertz: settings.frequencies).map(\.value)
      findings.curves.append(
        Curve(
          "leak", "magnitude from input channel \(input)", x: .frequency, y: Curve.Axis("magnitude", .decibels),
          points: zip(settings.frequencies, values).map {
            Curve.Point($0, Decibels.of(amplitude: max($1.magnitude, 1e-15)))
          },
          channel: output, inputChannel: input))
    }
    return findings
  }
}

/// Puts other plays beside the first.
private struct Comparer {
  let settings: LinearSettings
  /// The frames of a response in which it stands out; nil: it has none.
  let window: Range<Int>?
  /// Whether what lies outside of those frames is noise.
  let isNoisy: Bool
  let main: TransferEstimate

  /// - Parameter bias: of both methods, by frequency, of H.
  func compare(
    _ what: String, _ other: TransferEstimate, bias: (Double) -> Double
  ) -> StimulusAgreement.Comparison {
    let trusted = settings.frequencies.filter { settings.trustedHertz.contains($0) }
    let frequencies = points(main) ?? points(other) ?? trusted
    let range = range(beside: other)
    // Of points at frequencies of their own, those of whichever has a response are read there.
    let (one, two) = (values(main, at: frequencies, range), values(other, at: frequencies, range))
    var pairs: [(hertz: Double, one: Complex, two: Complex)] = []
    for (index, hertz) in frequencies.enumerated() {
      guard let a = one[index], let b = two[index] else { continue }
      pairs.append((hertz, a, b))
    }
    let top = pairs.reduce(0) { max($0, $1.one.magnitude) }
    let (a, b) = (part(of: main, range), part(of: other, range))
    return StimulusAgreement.Comparison(
      what, pairs, top: top, deviation: { hypot(main.noise($0) * a, other.noise($0) * b) }, bias: bias)
  }

  private func points(_ estimate: TransferEstimate) -> [Double]? {
    estimate.response == nil ? estimate.points.map(\.hertz).filter { settings.trustedHertz.contains($0) } : nil
  }

  /// The frames that are compared: where the first stands out, and all where the other has more outside than noise and
  /// rounding; nil: all.
  private func range(beside other: TransferEstimate) -> Range<Int>? {
    guard let window, let response = other.response else { return nil }
    if isNoisy { return window }
    let limit = 1e-6 * response.peak.magnitude
    let outside = [response.samples[..<window.lowerBound], response.samples[window.upperBound...]]
    return outside.contains { $0.contains { abs($0) > limit } } ? nil : window
  }

  private func values(_ estimate: TransferEstimate, at frequencies: [Double], _ range: Range<Int>?) -> [Complex?] {
    guard let response = estimate.response else {
      let known = Dictionary(estimate.points.map { ($0.hertz, $0.value) }, uniquingKeysWith: { $1 })
      return frequencies.map { known[$0] }
    }
    guard let range else { return response.values(atHertz: frequencies) }
    return ImpulseResponse(
      Array(response.samples[range]), leadFrames: response.leadFrames - range.lowerBound,
      sampleRate: response.sampleRate
    ).values(atHertz: frequencies)
  }

  /// What is left of the noise in a part of the response.
  private func part(of estimate: TransferEstimate, _ range: Range<Int>?) -> Double {
    guard let range, let response = estimate.response else { return 1 }
    return (Double(range.count) / Double(response.samples.count)).squareRoot()
  }
}
