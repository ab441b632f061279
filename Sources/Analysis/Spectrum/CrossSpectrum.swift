import AudioCore
/// Averaged spectra between a reference channel and others, by Welch's method: what a system does to noise.
///
/// Sxy = mean of X*·Y over windowed, overlapping segments: the definition and scale of
/// `scipy.signal.csd(x, y, detrend=False)`. H1 = Sxy/Sxx is right where noise is added at the output; the coherence
/// |Sxy|²/(Sxx·Syy) says how much of y is a linear, time-invariant image of x: 1 is all. With one segment it is 1 for
/// any system. Memory and threads as ``WelchSpectrum``.
public final class CrossSpectrum {
  /// Hertz, above 0.
  public let sampleRate: Double
  /// Channels that are compared with the reference; 1 or more.
  public let responseCount: Int
  /// As given; of whole signals shorter than a segment, with one segment of their length.
  public let settings: SegmentSettings
  private let sum: SegmentSum
  private let densityScale: Double

  /// - Parameter responseCount: channels that are compared with the reference.
  public init(
    sampleRate: Double, responseCount: Int = 1, settings: SegmentSettings = SegmentSettings(), threads: Int? = nil
  ) {
    precondition(sampleRate > 0 && responseCount > 0)
    self.sampleRate = sampleRate
    self.responseCount = responseCount
    self.settings = settings
    sum = SegmentSum(
      channelCount: responseCount + 1, rows: (1...responseCount).map { .cross(reference: 0, response: $0) },
      settings: settings, threads: threads)
    densityScale = 1 / (sampleRate * settings.windowSums.squares)
  }

  /// Computes the spectra of whole signals of one length. Signals shorter than a segment are one segment.
  public convenience init(
    sampleRate: Double, reference: [Double], responses: [[Double]], settings: SegmentSettings = SegmentSettings(),
    threads: Int? = nil
  ) {
    self.init(
      sampleRate: sampleRate, responseCount: responses.count,
      settings: settings.shortened(toFrames: Int64(reference.count)), threads: threads)
    withPlanes(of: [reference] + responses) { add($0, frames: $1) }
  }

  /// Takes the next block: `frames` samples of each channel; plane 0 is the reference, the responses follow.
  public func add(_ planes: Planes<Float>, frames: Int) {
    sum.add(planes, frames: frames)
  }

  /// As the one for Float: plane 0 is the reference, the responses follow.
  public func add(_ planes: Planes<Double>, frames: Int) {
    sum.add(planes, frames: frames)
  }

  /// Whole segments so far. While it is 0 every value is not a number.
  public var segmentCount: Int { sum.segmentCount }

  /// Hertz of each bin, 0 ... rate/2.
  public var frequenciesHertz: [Double] { settings.frequenciesHertz(sampleRate: sampleRate) }

  /// H1 = Sxy/Sxx in each bin; not a number where the reference has no power.
  public func transferFunction(response: Int = 0) -> [Complex] {
    let parts = parts(of: response)
    return (0..<settings.binCount).map { parts.cross($0) / parts.reference($0) }
  }

  /// |Sxy|²/(Sxx·Syy) in each bin, 0 ... 1; not a number where one of both has no power.
  public func coherence(response: Int = 0) -> [Double] {
    let parts = parts(of: response)
    return (0..<settings.binCount).map { bin in
      parts.cross(bin).squaredMagnitude / parts.reference(bin) / parts.response(bin)
    }
  }

  /// Syy in each bin, one-sided, full scale squared per Hertz, as ``WelchSpectrum/densities(channel:)``.
  public func densities(response: Int = 0) -> [Double] {
    let squares = sum.total(row: row(response))[(2 * settings.binCount)...]
    return oneSided(squares: squares, settings: settings, scale: densityScale / Double(segmentCount))
  }

  /// Sxx in each bin, as ``densities(response:)``.
  public func referenceDensities() -> [Double] {
    oneSided(squares: sum.total(row: 0)[...], settings: settings, scale: densityScale / Double(segmentCount))
  }

  private func parts(of response: Int) -> Parts {
    Parts(sums: sum.total(row: row(response)), binCount: settings.binCount)
  }

  private func row(_ response: Int) -> Int {
    precondition((0..<responseCount).contains(response))
    return response
  }

  /// The three sums of a row.
  private struct Parts {
    let sums: [Double]
    let binCount: Int
    func reference(_ bin: Int) -> Double { sums[2 * bin] + sums[2 * bin + 1] }
    func response(_ bin: Int) -> Double { sums[2 * (binCount + bin)] + sums[2 * (binCount + bin) + 1] }
    func cross(_ bin: Int) -> Complex { Complex(sums[4 * binCount + 2 * bin], sums[4 * binCount + 2 * bin + 1]) }
  }
}
