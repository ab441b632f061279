import AudioCore

/// Short-time spectra of a stream of any length, in no more than a given number of columns.
///
/// If the stream has more segments than columns, neighbours share one, which has the largest power of each bin, so that
/// a click of one segment is seen in a file of an hour: when the columns run out they are joined in pairs. One caller
/// at a time. Scaled as ``WelchSpectrum/powers(channel:)``.
public final class Spectrogram {
  /// Hertz, above 0.
  public let sampleRate: Double
  /// 1 or more.
  public let channelCount: Int
  /// The window, its length and the overlap, as given.
  public let settings: SegmentSettings
  /// An even number: the one given, less 1 if that is odd.
  public let maximumColumns: Int
  /// Segments that share a column: 1, 2, 4, 8 …
  public private(set) var segmentsPerColumn = 1
  private let cutter: SegmentCutter
  private let fft: RealFFT
  private let window: FlatMemory<Double>
  private let scale: Double
  /// Powers: channel, column, bin.
  private let storage: FlatMemory<Float>

  /// - Parameter maximumColumns: 2 or more, made even; a stream longer than that has between half as many and as many.
  public init(
    sampleRate: Double, channelCount: Int, settings: SegmentSettings = SegmentSettings(), maximumColumns: Int = 1_024
  ) {
    precondition(sampleRate > 0 && channelCount > 0 && maximumColumns >= 2)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.settings = settings
    self.maximumColumns = maximumColumns / 2 * 2
    cutter = SegmentCutter(channelCount: channelCount, settings: settings)
    fft = RealFFT(length: settings.segmentLength)
    window = FlatMemory(settings.window.samples(settings.segmentLength))
    let sum = settings.windowSums.sum
    scale = 1 / (sum * sum)
    let count = channelCount * self.maximumColumns * settings.binCount
    storage = FlatMemory(repeating: 0, count: count)
  }

  /// Takes the next block: `frames` samples of each channel.
  public func add(_ planes: Planes<Float>, frames: Int) {
    cutter.add(planes, frames: frames, to: self)
  }

  /// As the one for Float: `frames` samples of each channel.
  public func add(_ planes: Planes<Double>, frames: Int) {
    cutter.add(planes, frames: frames, to: self)
  }

  /// Takes a whole signal: channels of one length.
  public func add(channels: [[Double]]) {
    precondition(channels.count == channelCount)
    withPlanes(of: channels) { add($0, frames: $1) }
  }

  /// Whole segments so far.
  public var segmentCount: Int { cutter.segmentCount }
  /// Columns that hold something so far: 0 ... ``maximumColumns``. The last may hold fewer segments than the others.
  public var columnCount: Int { (segmentCount + segmentsPerColumn - 1) / segmentsPerColumn }
  /// Hertz of each bin, 0 ... rate/2.
  public var frequenciesHertz: [Double] { settings.frequenciesHertz(sampleRate: sampleRate) }

  /// Seconds of the middle of each column: of the middle of its segments' middles.
  public var timesSeconds: [Double] {
    (0..<columnCount).map { column in
      let first = column * segmentsPerColumn
      let last = min(segmentCount, first + segmentsPerColumn) - 1
      let middle = Double((first + last) * settings.hopFrames + settings.segmentLength) / 2
      return middle / sampleRate
    }
  }

  /// dBFS of one column, bin by bin; −∞ where there is nothing.
  public func decibels(channel: Int, column: Int, fullScale: FullScale = .sine) -> [Float] {
    precondition((0..<columnCount).contains(column))
    let powers = self.powers(channel, column)
    return (0..<settings.binCount).map { Float(fullScale.decibels(power: Double(powers[$0]))) }
  }

  /// dBFS of one column in bands: the largest bin of each band from `edgesHertz[i]` up to below `edgesHertz[i + 1]`. A
  /// band without a bin of its own has that of the bin nearest to its middle.
  ///
  /// - Parameter edgesHertz: rising; two or more.
  public func decibels(
    channel: Int, column: Int, edgesHertz: [Double], fullScale: FullScale = .sine
  ) -> [Float] {
    precondition((0..<columnCount).contains(column) && edgesHertz.count >= 2)
    let powers = self.powers(channel, column)
    let width = sampleRate / Double(settings.segmentLength)
    return (0..<edgesHertz.count - 1).map { band in
      let (low, high) = (edgesHertz[band] / width, edgesHertz[band + 1] / width)
      let last = settings.binCount - 1
      var (first, end) = (
        Int(clamping: max(0, low.rounded(.up))), Int(clamping: min(high.rounded(.up), Double(last + 1)))
      )
      if first >= end {
        first = min(last, max(0, Int(clamping: ((low + high) / 2).rounded())))
        end = first + 1
      }
      var largest = powers[first]
      for bin in first..<end { largest = max(largest, powers[bin]) }
      return Float(fullScale.decibels(power: Double(largest)))
    }
  }

  private func powers(_ channel: Int, _ column: Int) -> Plane<Float> {
    precondition((0..<channelCount).contains(channel) && (0..<maximumColumns).contains(column))
    return storage.all + (channel * maximumColumns + column) * settings.binCount
  }
}

extension Spectrogram: SegmentConsumer {
  func consume<Sample: StreamSample>(
    _ planes: Planes<Sample>, offset: Int, count: Int, first: Int
  ) {
    for segment in first..<first + count {
      if segment == maximumColumns * segmentsPerColumn { joinColumns() }
      let frame = offset + (segment - first) * settings.hopFrames
      for channel in 0..<channelCount {
        hold(planes[channel] + frame, in: powers(channel, segment / segmentsPerColumn))
      }
    }
  }

  /// Holds a segment's power in a column. A value that is not a number stays there.
  private func hold<Sample: StreamSample>(
    _ segment: Plane<Sample>, in column: Plane<Float>
  ) {
    fft.forward(segment, window: window.all)
    let bins = fft.bins
    for bin in bins.indices {
      let power = Float(bins[bin].squaredMagnitude * scale * settings.sides(ofBin: bin))
      if power > column[bin] || power.isNaN { column[bin] = power }
    }
  }

  private func joinColumns() {
    segmentsPerColumn *= 2
    let bins = settings.binCount
    for channel in 0..<channelCount {
      for column in 0..<maximumColumns / 2 {
        let (target, a, b) = (powers(channel, column), powers(channel, 2 * column), powers(channel, 2 * column + 1))
        for bin in 0..<bins { target[bin] = a[bin] >= b[bin] || a[bin].isNaN ? a[bin] : b[bin] }
      }
      powers(channel, maximumColumns / 2).update(repeating: 0, count: maximumColumns / 2 * bins)
    }
  }
}
