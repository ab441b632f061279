/// The lowest and the highest sample of each of some columns of a stream whose length is known.
final class WaveformEnvelope {
  let channelCount: Int
  /// 1 where every sample has a column of its own.
  let framesPerColumn: Int64
  private let columns: Int
  private var low: [Double]
  private var high: [Double]
  private var position: Int64 = 0

  /// - Parameter columns: no more than so many.
  init(channelCount: Int, frameCount: Int64, columns: Int) {
    self.channelCount = channelCount
    framesPerColumn = max(1, (frameCount + Int64(columns) - 1) / Int64(columns))
    self.columns = Int((frameCount + framesPerColumn - 1) / framesPerColumn)
    low = Array(repeating: .infinity, count: channelCount * self.columns)
    high = Array(repeating: -.infinity, count: channelCount * self.columns)
  }

  /// Takes the next block. What is not a number is passed over.
  func add(_ planes: UnsafePointer<UnsafeMutablePointer<Double>>, frames: Int) {
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
              if sample < least { least = sample }
              if sample > most { most = sample }
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

  /// Seconds of the first sample of each column.
  func times(sampleRate: Double, from start: Double) -> [Double] {
    (0..<columns).map { start + Double(Int64($0) * framesPerColumn) / sampleRate }
  }

  /// Not a number where a column has no number in it.
  func lowest(_ channel: Int) -> [Double] { values(low, channel) }
  func highest(_ channel: Int) -> [Double] { values(high, channel) }

  private func values(_ all: [Double], _ channel: Int) -> [Double] {
    zip(low, high).enumerated()
      .filter { $0.offset / columns == channel }
      .map { index, bounds in bounds.0 <= bounds.1 ? all[index] : .nan }
  }
}
