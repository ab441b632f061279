import AudioCore
import Glibc
import Spectrum

/// All that is found of one input channel.
struct ChannelReport {
  let shape: ResponseShape
  let response: MeasuredResponse?
  let agreement: StimulusAgreement
  let harmonics: HarmonicShape?
  let leaks: Findings

  init(
    _ plays: Plays, _ listening: Listening, of device: any Device, channel: Int, settings: LinearSettings
  ) throws(BenchError) {
    var comparisons = try Comparisons(plays, of: device, channel: channel, settings: settings)
    let bias = comparisons.bias
    comparisons.compareLater(listening)
    try comparisons.compareLevels()
    try comparisons.compareMethods()
    agreement = comparisons.agreement
    var measured = plays.scattered(channel).map { MeasuredResponse($0, bias: bias) }
    harmonics = comparisons.sweep.map { estimate, bias in
      HarmonicShape(estimate, bias: bias, other: measured?.response, settings: settings)
    }
    measured?.disagree(agreement.parts)
    response = measured
    shape = ResponseShape(
      plays.estimate(channel), measured: measured, bias: bias, openEnd: listening.openEnd, settings: settings)
    leaks = Self.leaks(from: channel, plays, top: shape.top, bias: bias, settings)
  }

  /// Comparisons of the first play with later ones, with another level and with other stimuli.
  private struct Comparisons {
    let plays: Plays
    let device: any Device
    let channel: Int
    let settings: LinearSettings
    let bias: BiasByFrequency
    private let comparer: Comparer
    private(set) var agreement = StimulusAgreement()
    /// The play of a sweep; nil: none.
    private(set) var sweep: (TransferEstimate, BiasByFrequency)?

    init(_ plays: Plays, of device: any Device, channel: Int, settings: LinearSettings) throws(BenchError) {
      (self.plays, self.device, self.channel, self.settings) = (plays, device, channel, settings)
      bias = try Self.bias(of: plays.method, on: plays.scattered(channel)?.mean, settings)
      comparer = Comparer(
        settings: settings, window: plays.scattered(channel)?.window, isNoisy: plays.isNoisy(channel),
        main: plays.estimate(channel))
      if plays.method == .sweep { sweep = (plays.estimate(channel), bias) }
    }

    private static func bias(
      of method: LinearSettings.Method, on mean: ImpulseResponse?, _ settings: LinearSettings
    ) throws(BenchError) -> BiasByFrequency {
      guard method != .impulse else { return .none }
      guard let mean else { return try BiasByFrequency(of: method, settings) }
      return try BiasByFrequency(of: method, on: mean, settings)
    }

    /// Compares with the same stimulus later and much later.
    mutating func compareLater(_ listening: Listening) {
      agreement.constancy.append(
        comparer.compare(
          "\(plays.method.rawValue) and the same \(Plays.laterFrames) frames later", plays.later(channel)
        ) { _ in 0 })
      let impulses = plays.method == .impulse ? plays.scattered(channel) : nil
      if let comparison = listening.constancy(channel, scatter: impulses) { agreement.constancy.append(comparison) }
    }

    mutating func compareLevels() throws(BenchError) {
      let gain = ChannelReport.otherLevel(settings, device.precision)
      let level = NumberText.decimal(settings.levelDecibels + gain, digits: 0)
      let quiet = try TransferEstimator(settings: settings, gainDecibels: gain)
        .estimates(of: device, by: plays.method, input: channel)
      guard channel < quiet.count else { return }
      agreement.linearity.append(
        comparer.compare(
          "\(plays.method.rawValue) at \(NumberText.decimal(settings.levelDecibels, digits: 0)) and at \(level) dBFS",
          quiet[channel]
        ) { _ in 0 })
    }

    mutating func compareMethods() throws(BenchError) {
      for method in settings.methods where method != plays.method {
        let other = try TransferEstimator(settings: settings).estimates(of: device, by: method, input: channel)
        guard channel < other.count else { continue }
        let otherBias = try Self.bias(of: method, on: plays.scattered(channel)?.mean, settings)
        if method == .sweep { sweep = (other[channel], otherBias) }
        let comparison = comparer.compare("\(plays.method.rawValue) and \(method.rawValue)", other[channel]) {
          bias.error(atHertz: $0) + otherBias.error(atHertz: $0)
        }
        agreement.linearity.append(comparison)
        guard comparison.disagrees else { continue }
        // A longer stimulus shows changes that are slow or rare.
        let again = try TransferEstimator(settings: settings, shiftFrames: Plays.laterFrames)
          .estimates(of: device, by: method, input: channel)
        let lasting = Comparer(
          settings: settings, window: comparer.window, isNoisy: comparer.isNoisy, main: other[channel])
        agreement.constancy.append(
          lasting.compare("\(method.rawValue) and the same \(Plays.laterFrames) frames later", again[channel]) {
            2 * otherBias.error(atHertz: $0)
          })
      }
    }
  }

  /// 20 dB less; where a sample format has too few steps for that, 6 dB more.
  private static func otherLevel(_ settings: LinearSettings, _ precision: SamplePrecision) -> Double {
    guard case .integer(let bits) = precision else { return -20 }
    return settings.amplitude * Decibels.amplitude(-20) * exp2(Double(bits - 1)) < 64
      ? min(6, -settings.levelDecibels) : -20
  }

  /// The response from one input channel to the outputs of others, if it is at least −140 dB of the straight way.
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
          "leak", "largest gain from input channel \(input)", amplitude: worst.height,
          floor: isNoise ? worst.height + uncertainty : nil, uncertainty: uncertainty, channel: output,
          at: ["input": Double(input)], remark: isNoise ? nil : "at \(ResponseShape.hertz(worst.hertz))"))
      guard !isNoise else { continue }
      let values = measured.transfers(atHertz: settings.frequencies).map(\.value)
      let uncertainties = measured.uncertainties(of: zip(settings.frequencies, values).map { ($0, $1) })
      findings.curves.append(
        Curve(
          "leak", "magnitude from input channel \(input)", x: .frequency, y: Curve.Axis("magnitude", .decibels),
          points: zip(settings.frequencies, zip(values, uncertainties)).map {
            Curve.Point($0, amplitude: max($1.0.magnitude, 1e-15), uncertainty: $1.1)
          },
          channel: output, inputChannel: input))
    }
    return findings
  }
}
