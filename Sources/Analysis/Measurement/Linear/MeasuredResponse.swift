import Glibc
import Spectrum

/// The response of a device from one channel to another, at every frequency, with its uncertainty.
///
/// It is the mean of several plays of one stimulus, cut to where it stands out from their scatter. The transfer
/// function is known at every frequency from it: ``ResponseSearch`` looks between points.
public struct MeasuredResponse: Hashable, Sendable {
  private let scatter: ScatteredResponse
  /// Systematic errors of the stimulus.
  private let bias: BiasByFrequency
  /// The disagreement of stimuli, as a part of |H|, at some frequencies.
  private var disagreement: [(hertz: Double, part: Double)] = []
  /// The mean of all plays, of an impulse of height 1; cut to where it stands out from their scatter.
  public var response: ImpulseResponse { scatter.mean }
  /// True when the device still rang when listening ended.
  public var isCutOff: Bool { scatter.isCutOff }
  /// The deviation of one sample of the response, by noise and rounding.
  var sampleDeviation: Double { scatter.sampleVariance.squareRoot() }

  public static func == (a: MeasuredResponse, b: MeasuredResponse) -> Bool { a.response == b.response }
  public func hash(into hasher: inout Hasher) { hasher.combine(response) }

  init(_ scatter: ScatteredResponse, bias: BiasByFrequency) {
    self.scatter = scatter
    self.bias = bias
  }

  mutating func disagree(_ parts: [(hertz: Double, part: Double)]) {
    disagreement = parts.sorted { $0.hertz < $1.hertz }
  }

  /// The uncertainty of the time of the largest peak by noise, rounding and the stimulus, in frames.
  func arrivalUncertainty(_ arrival: ImpulseResponse.Arrival) -> Double {
    var uncertainty = Uncertainty()
    // The slope's deviation over the curvature is the time's.
    uncertainty.add(standard: scatter.slopeVariance.squareRoot() / max(abs(arrival.curvature), 1e-300))
    if let apart = response.rivalDistance(within: 4 * sampleDeviation) { uncertainty.add(halfWidth: apart) }
    uncertainty.add(halfWidth: 1e-9)
    uncertainty.add(halfWidth: bias.arrivalFrames)
    return uncertainty.expanded
  }

  // MARK: At a frequency

  /// H and Σ n·h·e^(−iωn).
  public func transfers(atHertz frequencies: [Double]) -> [(value: Complex, slope: Complex)] {
    response.transfers(atHertz: frequencies)
  }

  /// The standard deviation of |H| by scatter alone.
  func deviation(atHertz hertz: Double) -> Double { scatter.noise.magnitudeVariance(atHertz: hertz).squareRoot() }

  /// The most that the part of the response that was not measured, or lies in the noise, could add to H.
  private func missing(atHertz frequencies: [Double]) -> [Double] {
    guard scatter.decay > 0 else { return frequencies.map { _ in 0 } }
    return scatter.lastPiece.values(atHertz: frequencies).map { $0.magnitude * scatter.decay / (1 - scatter.decay) }
  }

  /// The uncertainties of |H| at some frequencies, as amplitudes.
  /// - Parameters:
  ///   - transfers: frequencies in hertz, with H there.
  ///   - candidates: the number of independent values of |H| from which the largest or the smallest was picked
  ///     at each: the more there are, the further off the picked one is by noise alone, √(2·ln n) deviations.
  public func uncertainties(of transfers: [(hertz: Double, value: Complex)], candidates: Int = 1) -> [Double] {
    let missing = missing(atHertz: transfers.map(\.hertz))
    let numerical = 1e-15 * response.peak.magnitude * Double(response.samples.count).squareRoot()
    return zip(transfers, missing).map { transfer, missing in
      let size = transfer.value.magnitude
      var uncertainty = Uncertainty()
      let deviation = deviation(atHertz: transfer.hertz)
      uncertainty.add(standard: deviation, degreesOfFreedom: scatter.noise.degreesOfFreedom)
      uncertainty.add(pickedFrom: candidates, deviation: deviation)
      uncertainty.add(halfWidth: missing)
      uncertainty.add(halfWidth: bias.error(atHertz: transfer.hertz))
      // Neither stimulus is known to be nearer to the truth.
      uncertainty.add(standard: disagreement(atHertz: transfer.hertz) * size)
      uncertainty.add(halfWidth: numerical)
      return uncertainty.expanded
    }
  }

  private func disagreement(atHertz hertz: Double) -> Double {
    guard !disagreement.isEmpty else { return 0 }
    let near = disagreement.min { abs(log($0.hertz / hertz)) < abs(log($1.hertz / hertz)) }
    return near?.part ?? 0
  }

  /// The uncertainty of a group delay in frames: noise moves Σ n·h·e^(−iωn) by its deviation times the spread of n.
  func groupDelayUncertainty(atHertz hertz: Double, _ value: Complex, delayFrames: Double) -> Double {
    let size = max(value.magnitude, 1e-300)
    let (first, last) = (Double(-response.leadFrames), Double(response.samples.count - response.leadFrames))
    let (a, b) = (first - delayFrames, last - delayFrames)
    let spread = ((b * b * b - a * a * a) / (3 * max(b - a, 1))).squareRoot()
    var uncertainty = Uncertainty()
    uncertainty.add(
      standard: deviation(atHertz: hertz) / size * spread, degreesOfFreedom: scatter.noise.degreesOfFreedom)
    uncertainty.add(halfWidth: missing(atHertz: [hertz])[0] / size * abs(b))
    uncertainty.add(halfWidth: bias.groupDelayFrames)
    uncertainty.add(halfWidth: 1e-13 * max(abs(a), abs(b)))
    return uncertainty.expanded
  }

  /// The delay beyond the minimum phase, and its uncertainty: what folds back in the cepstrum, seen by half the
  /// padding; what noise hides of the magnitude where little passes, seen by taking it for a thousand times as much;
  /// and what noise does to the time of a peak.
  func pureDelay(_ arrival: ImpulseResponse.Arrival?) -> (frames: Double, uncertainty: Double)? {
    func frames(padding: Int, timesNoise factor: Double) -> Double? {
      response.pureDelayFrames(padding: padding) { factor * scatter.noise.variance(atHertz: $0) }
    }
    guard let delay = frames(padding: 4, timesNoise: 1) else { return nil }
    var uncertainty = Uncertainty()
    uncertainty.add(halfWidth: abs(delay - (frames(padding: 2, timesNoise: 1) ?? .infinity)))
    if scatter.sampleVariance > 0 {
      uncertainty.add(halfWidth: abs(delay - (frames(padding: 4, timesNoise: 1e6) ?? .infinity)))
    }
    if let arrival {
      uncertainty.add(
        standard: scatter.slopeVariance.squareRoot() / max(abs(arrival.curvature), 1e-300))
    }
    uncertainty.add(halfWidth: bias.arrivalFrames)
    uncertainty.add(halfWidth: 1e-9)
    return (delay, uncertainty.expanded)
  }
}
