// Whole signals at once, through the same path as streams.

import AudioCore

extension RateConverter {
  /// Converts a whole signal.
  ///
  /// - Parameters:
  ///   - channels: 1 to 128 arrays of equal length.
  ///   - inputRate: hertz, above 0.
  ///   - outputRate: hertz, from 1/256 to 256 times `inputRate`.
  ///   - quality: the filter.
  ///   - method: the implementation of the filter.
  /// - Returns: as many arrays, each of `FrameCount.converted(frames, from: inputRate, to: outputRate)` frames.
  /// - Throws: `usage` where the arrays' lengths differ, and as `init` does.
  public static func convert(
    _ channels: [[Float]], from inputRate: Double, to outputRate: Double, quality: RateConversionQuality = .standard,
    method: RateConversionMethod = .standard
  ) throws(BenchError) -> [[Float]] {
    let length = channels.first?.count ?? 0
    for (index, channel) in channels.enumerated() where channel.count != length {
      throw BenchError(
        .usage, at: "rate conversion", "channel \(index) has \(channel.count) frames, channel 0 has \(length)")
    }
    let slice = 4096
    let converter = try RateConverter(
      from: inputRate, to: outputRate, channelCount: channels.count, quality: quality, method: method,
      maximumOutputFrames: slice)
    let total = Int(FrameCount.converted(Int64(length), from: inputRate, to: outputRate))
    let input = PlanarBuffer(channelCount: channels.count, frameCapacity: length)
    for (index, channel) in channels.enumerated() { input[index].update(from: channel) }
    let output = PlanarBuffer(channelCount: channels.count, frameCapacity: total)

    var read = 0
    var written = 0
    while written < total {
      let frames = min(slice, total - written)
      let needed = converter.inputFramesNeeded(toProduce: frames)
      let present = min(needed, length - read)
      converter.push(input.planes, offset: read, frames: present)
      converter.pushSilence(frames: needed - present)
      read += present
      converter.pop(into: output.planes, offset: written, frames: frames)
      written += frames
    }
    return (0..<channels.count).map { Array(output[$0].elements) }
  }
}
