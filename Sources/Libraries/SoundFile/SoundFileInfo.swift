import AudioCore
import CSndfile

/// The facts about a sound file once it is open.
public struct SoundFileInfo: Hashable, Sendable {
  /// As the reader was given it.
  public let path: String
  /// Frames that can be read. For a file that was cut off and opened all the same: what is left.
  public let frameCount: Int64
  /// Hertz; libsndfile knows whole numbers only.
  public let sampleRate: Double
  /// 1 or more.
  public let channelCount: Int
  /// Nil for the few kinds that are only ever read.
  public let container: SoundFileContainer?
  /// Nil for the few that are only ever read, and named by ``encodingName``.
  public let encoding: SoundFileEncoding?
  /// The names that libsndfile gives: "WAV (Microsoft)", "Signed 24 bit PCM".
  public let containerName: String
  /// As ``containerName``, of the encoding.
  public let encodingName: String
  /// Bits of a sample in the file; nil for codecs that have none (Vorbis, Opus, MP3).
  public var sourceBits: Int? { exactBits ?? encoding?.bits }
  /// True when the file holds 32-bit or 64-bit floats; false for codecs too.
  public var isFloat: Bool { encoding?.isFloat ?? false }
  /// True when libsndfile can jump in the file. ``SoundFileReader/seek(toFrame:)`` goes to any frame even where it
  /// cannot.
  public let isSeekable: Bool
  /// Title, artist and the like; empty where the file has none.
  public let metadata: SoundFileMetadata
  /// Frames that the header promises, where the file ends before them; nil for a whole file.
  public let promisedFrames: Int64?
  /// The differences between what the header says and what is there, with both figures and what is read; empty where
  /// there are none.
  public let remarks: [String]
  /// Bits of a sample where they are fewer than those of ``encoding``: of FLAC with 12 or 20.
  var exactBits: Int?
  /// The loudspeakers of the channels, in the order of the file; nil: the file does not say. One channel is mono, and
  /// two are stereo, where a file says nothing else.
  public package(set) var layout: ChannelLayout?

  /// ``remarks`` as warnings, each with the name of the file.
  package var warnings: [String] { remarks.map { "\(path): \($0)" } }
}

extension SoundFileInfo {
  /// The info of the sum of this file and others of its rate and channels: as long as the longest.
  package func summed(with others: [SoundFileInfo]) -> SoundFileInfo {
    SoundFileInfo(
      path: path, frameCount: others.reduce(frameCount) { max($0, $1.frameCount) }, sampleRate: sampleRate,
      channelCount: channelCount, container: container, encoding: encoding, containerName: containerName,
      encodingName: encodingName, isSeekable: isSeekable,
      metadata: metadata, promisedFrames: promisedFrames,
      remarks: remarks + others.flatMap { other in other.remarks.map { "\(other.path): \($0)" } },
      layout: others.allSatisfy { $0.layout == layout } ? layout : nil)
  }
}

extension SoundFileInfo: CustomStringConvertible {
  /// `a.wav: WAV (Microsoft), Signed 24 bit PCM, 48000 Hz, 2 ch, 96000 frames`.
  public var description: String {
    "\(path): \(containerName), \(encodingName), \(NumberText.short(sampleRate)) Hz, \(channelCount) ch, \(NumberText.count(frameCount, "frame"))"
  }
}

/// libsndfile's name of a major format or a subtype.
func sndfileName(of format: Int32) -> String {
  var info = SF_FORMAT_INFO()
  info.format = format
  let status = sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
  guard status == 0, let name = info.name else { return "format 0x" + String(format, radix: 16) }
  return String(cString: name)
}
