import AudioCore
import LibraryReference

/// A rate conversion by libsamplerate's or libsoxr's own functions, called directly: what the engine's conversions are
/// held to. See `LibraryConversion` for how it is aligned.
public struct LibraryConversionDevice: Device {
  /// The library and the filter: `libsoxr mastering`.
  public let name: String
  /// Channels that it is to be given; nil: any number. Each is converted by itself.
  public var inputChannelCount: Int?
  /// Nil: it declares none; the output is aligned with the input.
  public let reportedLatencyFrames: Double? = nil
  /// Nil: it declares none; the output ends with the input.
  public let reportedTailFrames: Int64? = nil
  /// Float32: what the libraries are given and give.
  public let precision = SamplePrecision.float32
  /// The library, and which of its filters.
  public let filter: LibraryConversion.Filter
  /// Hertz.
  public let outputRate: Double

  /// - Parameters:
  ///   - filter: the filter of libsamplerate or libsoxr.
  ///   - outputRate: hertz, above 0.
  public init(_ filter: LibraryConversion.Filter, to outputRate: Double) {
    precondition(outputRate > 0)
    (self.filter, self.outputRate) = (filter, outputRate)
    name = "\(filter.library) \(filter.rawValue)"
  }

  /// Converts each channel; frames × output rate ÷ input rate frames come out, rounded half up.
  ///
  /// - Throws: `.suite` where the output would take too much memory, `.render` with what the library says.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    let frames = input.frameCount(atRate: outputRate)
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
