import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Foundation

/// A stream's format: a description, and the loudspeakers of its channels. Immutable.
///
/// A format of more than two channels has a layout, or does not come into being.
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
  private let memory: UnsafeMutablePointer<AudioStreamBasicDescription>
  /// The engine's own form; nil for what is not PCM.
  package let stream: StreamFormat?
  /// The loudspeakers of the channels; nil where mono or stereo goes without saying.
  public let channelLayout: AVAudioChannelLayout?
  /// Data that a codec needs besides the description.
  public var magicCookie: Data?

  private init(known description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: description)
    stream = StreamFormat(description)
    channelLayout = layout
  }

  deinit { memory.deallocate() }

  /// The format of nothing: no rate, no channels and no encoding. What client programs write behind `??`.
  public override convenience init() { self.init(known: AudioStreamBasicDescription(), layout: nil) }

  /// A copy of a description; nil for more than two channels, which need a layout.
  public convenience init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
    self.init(streamDescription: streamDescription, channelLayout: nil)
  }

  /// A copy of a description with a layout; nil where a layout is missing (more than two channels) or has another number
  /// of channels.
  public convenience init?(
    streamDescription: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
  ) {
    let channels = streamDescription.pointee.mChannelsPerFrame
    guard channels > 0, layout.map({ $0.channelCount == channels }) ?? (channels <= 2) else { return nil }
    self.init(known: streamDescription.pointee, layout: layout)
  }

  /// Native 32-bit floats, a buffer for each channel; nil for more than two channels and for none.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// Native 32-bit floats, a buffer for each channel of the layout.
  public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
  }

  /// Nil for more than two channels, for none, and for ``AVAudioCommonFormat/otherFormat``.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
  ) {
    guard (1...2).contains(channels),
      let description = Self.description(format, sampleRate, Int(channels), interleaved: interleaved)
    else { return nil }
    self.init(known: description, layout: nil)
  }

  /// A common format with the channels of a layout. `otherFormat` describes nothing and ends the process.
  public convenience init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    guard let description = Self.description(format, sampleRate, Int(layout.channelCount), interleaved: interleaved)
    else { misuse("format != AVAudioOtherFormat") }
    self.init(known: description, layout: layout)
  }

  private static func description(
    _ format: AVAudioCommonFormat, _ sampleRate: Double, _ channels: Int, interleaved: Bool
  ) -> AudioStreamBasicDescription? {
    let encoding: SampleEncoding
    switch format {
    case .otherFormat: return nil
    case .pcmFormatFloat32: encoding = .float32
    case .pcmFormatFloat64: encoding = .float64
    case .pcmFormatInt16: encoding = .int16
    case .pcmFormatInt32: encoding = .int32
    }
    return StreamFormat(
      sampleRate: sampleRate, channelCount: channels, encoding: nativeOrder(encoding), isInterleaved: interleaved
    ).audioStreamBasicDescription
  }

  /// A format for planes of the engine's own.
  package convenience init(_ stream: StreamFormat, layout: AVAudioChannelLayout?) {
    self.init(known: stream.audioStreamBasicDescription, layout: layout)
  }

  /// A description from a file: more than two channels whose loudspeakers are not known are numbered.
  convenience init(description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
    let channels = description.mChannelsPerFrame
    let unnamed = channels > 2 ? ChannelLayoutData(tag: kAudioChannelLayoutTag_DiscreteInOrder | channels) : nil
    self.init(known: description, layout: layout ?? unnamed.map(AVAudioChannelLayout.init))
  }

  /// Reads a format from an archive; nil where it has none, or one that ``init(streamDescription:channelLayout:)`` refuses.
  public required convenience init?(coder: NSCoder) {
    guard let archive = FormatArchive(coder) else { return nil }
    let channels = archive.description.mChannelsPerFrame
    let layout = archive.layout.map(AVAudioChannelLayout.init)
    guard channels > 0, layout.map({ $0.channelCount == channels }) ?? (channels <= 2) else { return nil }
    self.init(known: archive.description, layout: layout)
    magicCookie = archive.magicCookie
  }

  /// Writes description, layout and magic cookie. Archives are this project's own: Apple's systems have others.
  public func encode(with coder: NSCoder) {
    FormatArchive(description: memory.pointee, magicCookie: magicCookie)
      .encode(with: coder, layoutBytes: channelLayout?.settingsData)
  }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// True where sound of one can stand for sound of the other: interleaving of one channel, and the alignment of what
  /// fills its container, make no difference; no layout is mono or stereo.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat else { return false }
    if self === other { return true }
    guard sampleRate == other.sampleRate, channelCount == other.channelCount else { return false }
    if let stream, let theirs = other.stream {
      guard stream.encoding == theirs.encoding, channelCount == 1 || isInterleaved == other.isInterleaved else {
        return false
      }
    } else {
      let (mine, theirs) = (memory.pointee, other.memory.pointee)
      guard mine.mFormatID == theirs.mFormatID, mine.mFormatFlags == theirs.mFormatFlags,
        mine.mBytesPerPacket == theirs.mBytesPerPacket, mine.mFramesPerPacket == theirs.mFramesPerPacket,
        mine.mBitsPerChannel == theirs.mBitsPerChannel, magicCookie == other.magicCookie
      else { return false }
    }
    if let mine = loudspeakers, let theirs = other.loudspeakers { return mine.isSame(as: theirs) }
    return channelLayout == other.channelLayout
  }

  /// Equal formats have one hash.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(sampleRate)
    hasher.combine(channelCount)
    hasher.combine(memory.pointee.mFormatID)
    return hasher.finalize()
  }

  /// For people: `2 ch, 44100 Hz, Float32, deinterleaved`.
  public override var description: String {
    let parts = [
      "\(channelCount) ch", "\(NumberText.short(sampleRate)) Hz", encodingText,
      stream == nil || channelCount == 1 ? nil : isInterleaved ? "interleaved" : "deinterleaved",
    ]
    return "<AVAudioFormat: " + parts.compactMap { $0 }.joined(separator: ", ") + ">"
  }

  private var encodingText: String {
    switch commonFormat {
    case .pcmFormatFloat32: "Float32"
    case .pcmFormatFloat64: "Float64"
    case .pcmFormatInt16: "Int16"
    case .pcmFormatInt32: "Int32"
    case .otherFormat:
      stream.map { "\($0.encoding)" } ?? "'\(AudioCore.FourCharCode(rawValue: memory.pointee.mFormatID))'"
    }
  }
}

extension AVAudioFormat {
  /// The description, valid as long as this object lives.
  public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(memory) }

  /// Hertz.
  public var sampleRate: Double { memory.pointee.mSampleRate }

  /// The number of channels.
  public var channelCount: AVAudioChannelCount { memory.pointee.mChannelsPerFrame }

  /// True where all channels are in one buffer; means something for PCM only.
  public var isInterleaved: Bool { memory.pointee.mFormatFlags & PCMFlags.isNonInterleaved == 0 }

  /// The common format that this is, with any layout of buffers.
  public var commonFormat: AVAudioCommonFormat {
    switch stream?.encoding {
    case nativeOrder(.float32): .pcmFormatFloat32
    case nativeOrder(.float64): .pcmFormatFloat64
    case nativeOrder(.int16): .pcmFormatInt16
    case nativeOrder(.int32): .pcmFormatInt32
    default: .otherFormat
    }
  }

  /// True for native 32-bit floats with a buffer for each channel.
  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// The loudspeakers: those of the layout, or mono and stereo.
  package var loudspeakers: ChannelLayout? {
    guard let channelLayout else { return channelCount == 1 ? .mono : .stereo }
    return channelLayout.loudspeakers
  }
}
