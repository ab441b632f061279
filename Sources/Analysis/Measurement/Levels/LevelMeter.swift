import AudioCore
import Loudness
import Spectrum

/// Reads the levels of a stream of any length, fed in blocks. One caller at a time.
public final class LevelMeter {
  /// Hertz, above 0.
  public let sampleRate: Double
  /// 1 or more.
  public let channelCount: Int
  /// As given: loudspeakers that were nil are nil here too.
  public let settings: LevelSettings
  var tallies: [ChannelTally]
  /// Σ x·y of each pair.
  var products: [Double]
  let pairs: [(first: Int, second: Int)]
  /// Nil where loudness cannot be measured of such a stream, and why.
  let loudness: LoudnessMeter?
  let loudnessRefusal: String?
  private let block: DoubleBuffer
  private let ceiling: Double

  /// - Parameters:
  ///   - sampleRate: Hertz, above 0.
  ///   - channelCount: 1 or more.
  ///   - sourceBits: the bits of the integers that the samples come from; nil for floats.
  ///   - settings: the level of full scale, and the length of a clipped run.
  /// - Throws: `.usage` where the settings name loudspeakers for another number of channels.
  public init(
    sampleRate: Double, channelCount: Int, sourceBits: Int? = nil, settings: LevelSettings = LevelSettings()
  ) throws(BenchError) {
    precondition(sampleRate > 0 && channelCount > 0 && settings.clippedRunLength > 0)
    let loudspeakers = settings.loudspeakers ?? LoudnessChannel.usual(count: channelCount)
    guard loudspeakers.count == channelCount else {
      throw BenchError(
        .usage,
        "\(NumberText.count(loudspeakers.count, "loudspeaker", "is", "are")) named for \(NumberText.count(channelCount, "channel"))",
        advice: "name one for each"
      )
    }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.settings = settings
    ceiling = settings.clippingAmplitude ?? sourceBits.map { 1 - 1 / Double(Int64(1) << ($0 - 1)) } ?? 1
    do {
      loudness = try LoudnessMeter(sampleRate: sampleRate, channels: loudspeakers)
      loudnessRefusal = nil
    } catch {
      loudness = nil
      loudnessRefusal = error.message
    }
    tallies = Array(repeating: ChannelTally(), count: channelCount)
    // Every pair of few channels; of many only the first with each other, and neighbours.
    pairs = (0..<channelCount).flatMap { first in
      (first + 1..<channelCount).filter { channelCount <= 8 || first == 0 || $0 == first + 1 }.map { (first, $0) }
    }
    products = Array(repeating: 0, count: pairs.count)
    block = DoubleBuffer(channelCount: channelCount, frameCapacity: Self.blockFrames(channelCount))
  }

  static func blockFrames(_ channelCount: Int) -> Int { max(64, min(4_096, 65_536 / channelCount)) }

  /// Takes the next block: `frames` samples of each channel.
  public func add(_ planes: Planes<Float>, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(block.frameCapacity, frames - done)
      for channel in 0..<channelCount {
        let (source, target) = (planes[channel] + done, block.planes[channel])
        for frame in 0..<count { target[frame] = Double(source[frame]) }
      }
      add(block.planes, frames: count)
      done += count
    }
  }

  /// As the one for Float: `frames` samples of each channel.
  public func add(_ planes: Planes<Double>, frames: Int) {
    for channel in 0..<channelCount {
      tallies[channel].add(
        planes[channel], frames: frames, ceiling: ceiling, runLength: settings.clippedRunLength)
    }
    for (index, pair) in pairs.enumerated() {
      let (x, y) = (planes[pair.first], planes[pair.second])
      var sum = products[index]
      for frame in 0..<frames { sum += x[frame] * y[frame] }
      products[index] = sum
    }
    loudness?.add(planes, frames: frames)
  }
}
