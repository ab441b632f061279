import AudioCore
import LibraryReference

/// A rate conversion by libsamplerate's or libsoxr's own functions, called directly: what the engine's conversions are held
/// to. See ``LibraryConversion`` for how it is aligned.
public struct LibraryConversionDevice: Device {
  public let name: String
  public var inputChannelCount: Int?
  public let reportedLatencyFrames: Double? = nil
  public let reportedTailFrames: Int64? = nil
  public let precision = SamplePrecision.float32
  public let filter: LibraryConversion.Filter
  /// Hertz.
  public let outputRate: Double

  /// - Parameter outputRate: hertz, above 0.
  public init(_ filter: LibraryConversion.Filter, to outputRate: Double) {
    precondition(outputRate > 0)
    (self.filter, self.outputRate) = (filter, outputRate)
    name = "\(filter.library) \(filter.rawValue)"
  }

  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    let frames = Int(FrameCount.converted(Int64(input.frameCount), from: input.sampleRate, to: outputRate))
    try AudioSignal.checkMemory(
      frames: max(frames, input.frameCount), channels: input.channelCount, at: name, kind: .suite)
    let conversion = LibraryConversion(filter, from: input.sampleRate, to: outputRate)
    var channels: [[Double]] = []
    for channel in input.channels {
      channels.append(try conversion.convert(channel.map(Float.init), frames: frames).map(Double.init))
    }
    return AudioSignal(sampleRate: outputRate, channels: channels)
  }
}
