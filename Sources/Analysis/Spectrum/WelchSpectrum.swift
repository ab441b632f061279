import AudioCore

/// The averaged power spectrum of a stream of any length, by Welch's method: windowed, overlapping segments, their
/// squared transforms averaged (P. D. Welch, IEEE Trans. Audio Electroacoust. 15, 1967).
///
/// The same definition and scale as `scipy.signal.welch(detrend=False)`, one-sided. Double throughout. Memory does not
/// grow with the stream; the result depends neither on the blocks nor on the threads. One caller at a time. A sample
/// that is not finite makes every bin of its channel not a number.
public final class WelchSpectrum {
  /// Hertz, above 0.
  public let sampleRate: Double
  /// 1 or more.
  public let channelCount: Int
  /// As given; of a whole signal shorter than a segment, with one segment of its length.
  public let settings: SegmentSettings
  private let sum: SegmentSum
  private let window: (sum: Double, squares: Double)

  /// - Parameter threads: that work on long blocks (of 32 segments and more); nil: as many as there are processors.
  public init(
    sampleRate: Double, channelCount: Int, settings: SegmentSettings = SegmentSettings(), threads: Int? = nil
  ) {
    precondition(sampleRate > 0 && channelCount > 0)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.settings = settings
    sum = SegmentSum(
      channelCount: channelCount, rows: (0..<channelCount).map { .power(channel: $0) }, settings: settings,
      threads: threads)
    window = settings.windowSums
  }

  /// Computes the spectrum of a whole signal: channels of one length. A signal shorter than a segment is one segment.
  public convenience init(
    sampleRate: Double, channels: [[Double]], settings: SegmentSettings = SegmentSettings(), threads: Int? = nil
  ) {
    let fitting = settings.shortened(toFrames: Int64(channels.first?.count ?? 0))
    self.init(sampleRate: sampleRate, channelCount: channels.count, settings: fitting, threads: threads)
    withPlanes(of: channels) { add($0, frames: $1) }
  }

  /// Takes the next block: `frames` samples of each channel. Threads help where it is long.
  public func add(_ planes: Planes<Float>, frames: Int) {
    sum.add(planes, frames: frames)
  }

  /// As the one for Float: `frames` samples of each channel.
  public func add(_ planes: Planes<Double>, frames: Int) {
    sum.add(planes, frames: frames)
  }

  /// Whole segments so far. While it is 0 there is no spectrum: every value is not a number.
  public var segmentCount: Int { sum.segmentCount }

  /// Hertz of each bin, 0 ... rate/2.
  public var frequenciesHertz: [Double] { settings.frequenciesHertz(sampleRate: sampleRate) }

  /// Mean power in each bin, full scale squared: a sine of amplitude A in the middle of a bin reads A²/2 there
  /// (`scaling="spectrum"`).
  public func powers(channel: Int) -> [Double] { scaled(channel, by: 1 / (window.sum * window.sum)) }

  /// Power density in each bin, full scale squared per Hertz: for noise (`scaling="density"`).
  public func densities(channel: Int) -> [Double] { scaled(channel, by: 1 / (sampleRate * window.squares)) }

  /// ``powers(channel:)`` in dBFS per bin.
  public func decibels(channel: Int, fullScale: FullScale = .sine) -> [Double] {
    powers(channel: channel).map { fullScale.decibels(power: $0) }
  }

  /// The width in Hertz of a rectangle that lets through as much noise as a bin does: density × it = power.
  public var noiseBandwidthHertz: Double { sampleRate * window.squares / (window.sum * window.sum) }

  private func scaled(_ channel: Int, by scale: Double) -> [Double] {
    precondition((0..<channelCount).contains(channel))
    return oneSided(squares: sum.total(row: channel)[...], settings: settings, scale: scale / Double(segmentCount))
  }
}

extension SegmentSettings {
  /// Σw and Σw².
  var windowSums: (sum: Double, squares: Double) {
    let values = window.samples(segmentLength)
    return (values.reduce(0, +), values.reduce(0) { $0 + $1 * $1 })
  }

  /// The number of frequencies that share the power of a bin: 2 but for 0 Hz and half the rate, the negative one being
  /// added.
  func sides(ofBin bin: Int) -> Double { bin == 0 || 2 * bin == segmentLength ? 1 : 2 }
}

/// From summed squares of real and imaginary parts, in turn: powers, those of negative frequencies added.
func oneSided(squares: ArraySlice<Double>, settings: SegmentSettings, scale: Double) -> [Double] {
  let start = squares.startIndex
  return (0..<settings.binCount).map { bin in
    (squares[start + 2 * bin] + squares[start + 2 * bin + 1]) * scale * settings.sides(ofBin: bin)
  }
}

/// Runs `body` with pointers to the samples of some channels of one length, and that length.
func withPlanes(
  of channels: [[Double]], _ body: (Planes<Double>, Int) -> Void
) {
  let frames = channels.first?.count ?? 0
  precondition(channels.allSatisfy { $0.count == frames })
  let buffer = DoubleBuffer(channelCount: channels.count, frameCapacity: frames)
  for (channel, samples) in channels.enumerated() { buffer[channel].update(from: samples) }
  withExtendedLifetime(buffer) { body(buffer.planes, frames) }
}
