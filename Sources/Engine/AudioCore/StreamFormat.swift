/// A stream of linear PCM: rate, channels, how a sample lies in memory, and whether channels share a buffer.
public struct StreamFormat: Hashable, Sendable {
  /// Hertz.
  public var sampleRate: Double
  /// 1 to 1024 in a valid format.
  public var channelCount: Int
  /// The layout of a channel's samples in memory.
  public var encoding: SampleEncoding
  /// True: one buffer holds all channels, frame by frame. False: one buffer per channel.
  public var isInterleaved: Bool

  /// By default as the units compute: Float32, a buffer per channel. Nothing is checked here: see ``isValid``.
  public init(
    sampleRate: Double, channelCount: Int, encoding: SampleEncoding = .float32, isInterleaved: Bool = false
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.encoding = encoding
    self.isInterleaved = isInterleaved
  }

  /// The format of a new unit on every bus: 44100 Hz, two channels, Float32, one buffer per channel.
  public static let initial = StreamFormat(sampleRate: 44_100, channelCount: 2)

  /// Limits that any format must keep: rate above 0 and at most 3 MHz, 1 to 1024 channels, a sane encoding.
  public static let sampleRateRange = 0.0...3_000_000.0
  /// True when a rate, in hertz, is within its limits.
  package static func isSampleRate(_ hertz: Double) -> Bool { hertz > 0 && sampleRateRange.contains(hertz) }
  /// Numbers of channels that a format may have.
  public static let channelCountRange = 1...1024

  /// True when rate, number of channels and encoding are within these limits.
  public var isValid: Bool {
    Self.isSampleRate(sampleRate) && Self.channelCountRange.contains(channelCount) && encoding.isValid
  }

  /// The format the units compute in: Float32, native order, a buffer per channel (or a single channel).
  public var isFloatPlanar: Bool { encoding == .float32 && (!isInterleaved || channelCount == 1) }

  /// Buffers that one slice of this stream takes.
  public var bufferCount: Int { isInterleaved ? 1 : channelCount }
  /// Bytes of one frame in one buffer.
  public var bytesPerFrame: Int { encoding.containerBytes * (isInterleaved ? channelCount : 1) }

  /// The same stream at another rate.
  public func at(sampleRate: Double) -> StreamFormat {
    var copy = self
    copy.sampleRate = sampleRate
    return copy
  }

  /// Rate and channels of this stream as the units compute: Float32, a buffer per channel.
  public var floatPlanar: StreamFormat { StreamFormat(sampleRate: sampleRate, channelCount: channelCount) }
}

extension StreamFormat: CustomStringConvertible {
  /// `48000 Hz, 2 ch, float32, planar`; for messages.
  public var description: String {
    let layout = channelCount == 1 ? "" : isInterleaved ? ", interleaved" : ", planar"
    return "\(NumberText.short(sampleRate)) Hz, \(channelCount) ch, \(encoding)\(layout)"
  }
}
