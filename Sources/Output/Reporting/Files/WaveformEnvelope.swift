import AudioCore
import Glibc
import Plotting

/// The lowest and the highest sample of each of some columns of a stream whose length is known.
final class WaveformEnvelope {
  let channelCount: Int
  /// 1 where every sample has a column of its own.
  let framesPerColumn: Int64
  private let columns: Int
  private var low: [Double]
  private var high: [Double]
  /// Samples of each channel at full scale or over it.
  private var fullCounts: [Int]
  private var position: Int64 = 0
  /// The largest sample of 16-bit integers: who writes those cannot reach 1.
  static let fullScale = 1 - 0x1p-15

  /// - Parameter columns: no more than so many.
  init(channelCount: Int, frameCount: Int64, columns: Int) {
    self.channelCount = channelCount
    framesPerColumn = max(1, (frameCount + Int64(columns) - 1) / Int64(columns))
    self.columns = Int((frameCount + framesPerColumn - 1) / framesPerColumn)
    low = Array(repeating: .infinity, count: channelCount * self.columns)
    high = Array(repeating: -.infinity, count: channelCount * self.columns)
    fullCounts = Array(repeating: 0, count: channelCount)
  }

  /// Takes the next block. Samples that are NaN or infinite are passed over.
  func add(_ planes: Planes<Double>, frames: Int) {
    low.withUnsafeMutableBufferPointer { low in
      high.withUnsafeMutableBufferPointer { high in
        for channel in 0..<channelCount {
          let plane = planes[channel]
          var frame = 0
          while frame < frames {
            let column = Int((position + Int64(frame)) / framesPerColumn)
            guard column < columns else { break }
            let end = min(frames, Int(Int64(column + 1) * framesPerColumn - position))
            var (least, most) = (low[channel * columns + column], high[channel * columns + column])
            for index in frame..<end {
              let sample = plane[index]
              guard abs(sample) < .infinity else { continue }
              if sample < least { least = sample }
              if sample > most { most = sample }
              if abs(sample) >= Self.fullScale { fullCounts[channel] += 1 }
            }
            low[channel * columns + column] = least
            high[channel * columns + column] = most
            frame = end
          }
        }
      }
    }
    position += Int64(frames)
  }

  /// Takes a whole channel, of an envelope that has one.
  func add(_ samples: [Double]) {
    let buffer = DoubleBuffer(channelCount: 1, frameCapacity: samples.count)
    buffer[0].update(from: samples)
    add(buffer.planes, frames: samples.count)
  }

  /// The largest sample of a channel, without its sign.
  func peak(_ channel: Int) -> Double {
    (columns * channel..<columns * (channel + 1)).reduce(0) { low[$1] <= high[$1] ? max($0, -low[$1], high[$1]) : $0 }
  }

  /// A channel over its time, with crosses where samples are at full scale.
  func panel(
    _ title: String, channel: Int, sampleRate: Double, from start: Double = 0, name: String = "",
    role: PlotRole = .actual
  ) -> Panel {
    let cells = columns * channel..<columns * (channel + 1)
    let x = (0..<columns).map { start + Double(Int64($0) * framesPerColumn) / sampleRate }
    // Not a number where a column has no number in it.
    let lower = cells.map { low[$0] <= high[$0] ? low[$0] : .nan }
    let upper = cells.map { low[$0] <= high[$0] ? high[$0] : .nan }
    var panel = Panel(title, x: .time(), y: .amplitude(peak: peak(channel)))
    if framesPerColumn == 1 {
      panel.series = [PlotSeries(name, x: x, y: lower, role: role)]
    } else {
      panel.bands = [PlotBand(name, x: x, lower: lower, upper: upper, role: role, isSolid: true)]
    }
    let tops = zip(x, upper).filter { $0.1 >= Self.fullScale }
    let feet = zip(x, lower).filter { $0.1 <= -Self.fullScale }
    if !tops.isEmpty || !feet.isEmpty {
      let marks = tops + feet
      panel.title += (title.isEmpty ? "" : ", ") + "\(NumberText.count(fullCounts[channel], "sample")) at full scale"
      panel.series.append(
        PlotSeries(
          "at full scale", x: marks.map(\.0), y: marks.map(\.1),
          role: .notice, mark: .crosses))
    }
    return panel
  }
}

extension PlotAxis {
  /// Samples, with their levels on the right.
  /// - Parameter peak: the largest; quiet signals fill the panel too.
  static func amplitude(peak: Double) -> PlotAxis {
    let top = peak > 0.5 && peak <= 1 ? 1.05 : peak > 0 && peak.isFinite ? peak * 1.1 : 1
    var axis = PlotAxis("amplitude", range: -top...top)
    axis.right = RightTicks(
      title: "dBFS",
      ticks: stride(from: (20 * log10(top) / 6).rounded(.down) * 6, to: 20 * log10(top) - 28, by: -6).flatMap {
        let amplitude = pow(10, $0 / 20)
        return [(amplitude, "\(Int(clamping: $0))"), (-amplitude, "\(Int(clamping: $0))")].map(RightTicks.Tick.init)
      })
    return axis
  }
}
