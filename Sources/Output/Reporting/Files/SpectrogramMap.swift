import AudioCore
import Glibc
import Plotting
import Spectrum

/// The spectrogram of a stream as a map. On a logarithmic axis low frequencies, which short segments resolve poorly,
/// come from segments four times as long, and rows are as even as the axis.
final class SpectrogramMap {
  static let columns = 1024
  private static let rows = 512
  /// Hertz: below the first the long segments alone, above the second the short ones, a mixture between.
  private static let crossover = 200.0...400.0

  private let short: Spectrogram
  /// Nil where one kind will do.
  private let long: Spectrogram?
  private let isLogarithmic: Bool

  /// - Parameter segmentFrames: the length of the short ones; a shorter stream is one segment.
  init(sampleRate: Double, channelCount: Int, frameCount: Int64, segmentFrames: Int, isLogarithmic: Bool) {
    func spectrogram(_ frames: Int) -> Spectrogram {
      let cut = SegmentSettings(segmentLength: frames).shortened(toFrames: frameCount)
      // Short streams get columns enough for a picture.
      let hop = max(1, min(cut.segmentLength / 2, Int(frameCount - Int64(cut.segmentLength)) / Self.columns))
      return Spectrogram(
        sampleRate: sampleRate, channelCount: channelCount,
        settings: SegmentSettings(segmentLength: cut.segmentLength, overlapFrames: cut.segmentLength - hop),
        maximumColumns: Self.columns)
    }
    self.isLogarithmic = isLogarithmic
    short = spectrogram(segmentFrames)
    long = isLogarithmic && frameCount >= 8 * Int64(segmentFrames) ? spectrogram(4 * segmentFrames) : nil
  }

  func add(_ planes: Planes<Double>, frames: Int) {
    short.add(planes, frames: frames)
    long?.add(planes, frames: frames)
  }

  /// Takes a whole signal of one channel.
  func add(_ samples: [Double]) {
    short.add(channels: [samples])
    long?.add(channels: [samples])
  }

  /// The settings of the spectrogram, for a subtitle.
  var remark: String {
    let frames = short.settings.segmentLength
    let lengths =
      long.map { "\(frames) frames, \($0.settings.segmentLength) below \(Int(clamping: Self.crossover.lowerBound)) Hz" }
      ?? "\(frames) frames"
    let share = short.segmentsPerColumn
    return "Hann window of \(lengths)" + (share > 1 ? "; each column the largest of \(share)" : "")
  }

  /// - Parameters:
  ///   - start: seconds of the stream's first frame.
  ///   - axis: the frequencies to show, whose range is set.
  func heatMap(channel: Int, from start: Double, _ axis: PlotAxis) -> HeatMap {
    let times = short.timesSeconds
    let nyquist = short.sampleRate / 2
    let count = short.columnCount
    let step = Double(short.segmentsPerColumn * short.settings.hopFrames) / short.sampleRate
    // Columns that hold several segments lie evenly; the last may hold fewer.
    let first = start + (times.first ?? 0)
    let x = HeatMap.Extent(first, first + step * Double(max(0, count - 1)))
    let colour = PlotAxis.decibels("level", unit: "dBFS")
    guard isLogarithmic, let range = axis.range, range.lowerBound > 0 else {
      let values = (0..<count).flatMap { short.decibels(channel: channel, column: $0) }
      return HeatMap(
        columnCount: count, rowCount: short.settings.binCount, x: x, y: .init(0, nyquist), values: values,
        colour: colour)
    }
    // Edges of the rows are the edges of the axis.
    let ratio = pow(range.upperBound / range.lowerBound, 1 / Double(Self.rows))
    let low = range.lowerBound * ratio.squareRoot()
    let hertz = (0..<Self.rows).map { low * pow(ratio, Double($0)) }
    return HeatMap(
      columnCount: count, rowCount: Self.rows, x: x,
      y: .init(hertz[0], hertz[Self.rows - 1], isLogarithmic: true),
      values: SpectrogramRows(short, long, crossover: Self.crossover).decibels(channel: channel, hertz, ratio: ratio),
      colour: colour)
  }
}
