import AudioCore

/// The options of a writer beyond format, rate and channels.
public struct SoundFileWriterOptions: Hashable, Sendable {
  /// Dither for integers of up to 24 bits: the seed of its noise. Nil is none. Lossy codecs and floats get none, nor do
  /// integers of a file that are converted into as many bits or more, otherwise unchanged.
  public var ditherSeed: UInt64?
  /// Texts to carry; none are written unless given.
  public var metadata: SoundFileMetadata
  /// True when a file that is there already may be replaced.
  public var overwrites: Bool
  /// For codecs with a choice (Vorbis, Opus, MP3, FLAC): 0 is smallest, 1 is best. For FLAC only the effort changes.
  /// Nil is the codec's default.
  public var quality: Double?
  /// For MP3, where it is constant, and Opus and AAC, where it is the mean: kilobits per second. Nil is the codec's default.
  /// Not beside a ``quality``. See ``SoundFileFormat/bitRates(sampleRate:channelCount:)``.
  public var bitRate: Int?
  /// True when the file must be on the disk before ``SoundFileWriter/finish()`` returns (`fsync`). Off by default: the
  /// file is whole or absent for every program either way; only after a power cut may it be missing or short.
  public var synchronizes: Bool
  /// The loudspeakers of the channels, in the order in which they are written; nil: not known. The channels lie in the
  /// file in the order that its container has for them.
  public var layout: ChannelLayout?
  /// The outputs of a run, which give complete files their names together; nil: each gets it at once.
  package var outputs: OutputFiles?
  /// The folder in which the file may lie; nil: anywhere, and a link is followed.
  package var confinement: Confinement?
  /// The size past which WAV becomes RF64, in bytes: for tests.
  package var riffLimit: Int64 = 0xFFFF_FFFF
  /// Bytes after which the disk counts as full: for tests.
  package var space: Int64 = .max
  /// Writes under a hidden name, as on file systems without unnamed files: for tests.
  package var avoidsUnnamedFile = false

  /// By default: no dither, no texts, a file that is there is replaced, the codec's own quality and bit rate, no
  /// `fsync`.
  public init(
    ditherSeed: UInt64? = nil, metadata: SoundFileMetadata = SoundFileMetadata(), overwrites: Bool = true,
    quality: Double? = nil, bitRate: Int? = nil, synchronizes: Bool = false, layout: ChannelLayout? = nil
  ) {
    self.ditherSeed = ditherSeed
    self.metadata = metadata
    self.overwrites = overwrites
    self.quality = quality
    self.bitRate = bitRate
    self.synchronizes = synchronizes
    self.layout = layout
  }
}

/// The report of a written file.
public struct SoundFileWriteReport: Hashable, Sendable {
  /// The path of the file, as the writer got it.
  public let path: String
  /// Frames in the file, each with a sample of every channel.
  public let frames: Int64
  /// Samples (not frames) beyond the range of the encoding, or not a number.
  public let clippedSamples: Int64
  /// Bytes of the file.
  public package(set) var bytes: Int64
  /// The container in the end: RF64 if WAV would have been too large.
  public let container: SoundFileContainer
  /// As asked for.
  public let encoding: SoundFileEncoding
  /// Texts that the container does not keep, or not letter by letter.
  public package(set) var droppedMetadata: [SoundFileMetadata.Field]
  /// Other tags that it does not keep, by property name.
  public package(set) var droppedTags: [String] = []
  /// Pictures that it does not keep: `front cover` and the like.
  public package(set) var droppedPictures: [String] = []
  /// Markers, instruments and chunks that it does not keep: `markers`, `bext`, `iXML` and the like.
  public package(set) var droppedChunks: [String] = []
  /// Names of all that the input has besides sound and the file does not keep.
  package var allDropped: [String] { droppedMetadata.map(\.rawValue) + droppedTags + droppedPictures + droppedChunks }
  /// The loudspeakers of the channels, in the order of the file, as it says them; nil: it does not say.
  public package(set) var layout: ChannelLayout?
  /// The words about a layout that the container cannot say; nil: it says it as it was asked for.
  public package(set) var layoutRemark: String?
  /// The written channel that has become number n of the file; nil: all are in their places.
  package var channelOrder: [Int]?
}
