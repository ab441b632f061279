// AudioFormat's and a converter's properties about encoding: the rates, channels and layouts of the formats that can be
// written here, and facts about a packet or a tag. Any thread; nothing is kept.

import AudioCore
import CAudioToolbox
import SoundFile

enum EncodingFacts {
  /// The formats that a converter reads and writes; it reads those of ``PacketStream`` too.
  static let formats = [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]

  /// Hertz that these formats take: any.
  static let sampleRates = AudioValueRange(mMinimum: 1, mMaximum: StreamFormat.sampleRateRange.upperBound)

  /// The number of channels that means any number.
  private static let anyNumber: UInt32 = 0xFFFF_FFFF

  /// Tags of so many channels; all where there are 0.
  static func layoutTags(channelCount: UInt32) -> [AudioChannelLayoutTag] {
    channelCount > 0 ? ChannelLayouts.tags(channelCount: channelCount) : ChannelLayouts.allTags
  }

  /// A format with the layout that goes without saying for its number of channels.
  static func listItem(_ format: AudioStreamBasicDescription) -> AudioFormatListItem {
    let channels = format.mChannelsPerFrame
    let tag = ChannelLayouts.tags(channelCount: channels).first { $0 <= kAudioChannelLayoutTag_Stereo }
    return AudioFormatListItem(mASBD: format, mChannelLayoutTag: tag ?? ChannelNumbers.discreteInOrder | channels)
  }

  /// For a known format without an encoder here the lists are empty.
  /// - Throws: 'prop' for a property that is none of these; '!spc'; '!fmt' for an unknown format; 'fmt?' for what tells
  ///   of a codec that is not here; 'what' for what is no packet and no tag.
  static func value(_ id: UInt32, about specifier: FormatSpecifier) throws(AudioStatus) -> CValue {
    switch AudioCore.FourCharCode(rawValue: id) {
    // Samples have the bit rate that follows from them: there is none to choose.
    case "aebr":
      _ = try isEncoded(try specifier.formatID())
      return CValue(array: [AudioValueRange]())
    case "aesr": return CValue(array: try isEncoded(try specifier.formatID()) ? [sampleRates] : [])
    case "aecl":
      let format = try specifier.description()
      return .numbers(
        try isEncoded(format.mFormatID) ? layoutTags(channelCount: format.mChannelsPerFrame) : [])
    case "avnc", "adnc": return .numbers(try isEncoded(try specifier.description().mFormatID) ? [anyNumber] : [])
    case "fdep":
      let format = try specifier.description().mFormatID
      _ = try isEncoded(format)
      return .number(format == kAudioFormatMPEGD_USAC ? 1 : 0)
    case "admp": return CValue(try packetFormat(specifier))
    // Descriptors of MPEG-4 streams, whose codecs are not here.
    case "essd", "escl":
      _ = try specifier.bytes(atLeast: 1)
      throw FormatError.unsupportedDataFormat
    case "id3s": return .number(try tagSize(specifier))
    case "id3d":
      let bytes = UnsafeRawBufferPointer(start: try specifier.bytes(atLeast: 10), count: specifier.size)
      guard let texts = ID3Texts(Array(bytes)) else { throw FormatError.unspecified }
      return .object(.table(texts.entries.map { ($0.key, .text($0.text)) }))
    default: throw FormatError.unsupportedProperty
    }
  }

  /// True where a converter writes a format.
  /// - Throws: '!fmt' where its id is not known.
  private static func isEncoded(_ id: AudioFormatID) throws(AudioStatus) -> Bool {
    guard FormatFacts(id: id) != nil else { throw FormatError.unknownFormat }
    return formats.contains(id)
  }

  /// The format of the MPEG packet that the specifier begins with (ISO 11172-3, 2.4.1.3).
  private static func packetFormat(_ specifier: FormatSpecifier) throws(AudioStatus) -> AudioStreamBasicDescription {
    let start = try specifier.bytes(atLeast: 4)
    let word = (0..<4).map { start.load(fromByteOffset: $0, as: UInt8.self) }
    guard let header = MPEGFrameHeader(word) else { throw FormatError.unspecified }
    var format = AudioStreamBasicDescription()
    format.mFormatID = [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][header.layer - 1]
    format.mSampleRate = Double(header.sampleRate)
    format.mFramesPerPacket = UInt32(header.frames)
    // The mode 3 is a single channel.
    format.mChannelsPerFrame = word[3] >> 6 == 3 ? 1 : 2
    return format
  }

  /// Bytes of the ID3 tag of version 2 that the specifier begins with, its header and footer included.
  private static func tagSize(_ specifier: FormatSpecifier) throws(AudioStatus) -> UInt32 {
    let start = try specifier.bytes(atLeast: 10)
    let head = (0..<10).map { start.load(fromByteOffset: $0, as: UInt8.self) }
    guard head.starts(with: "ID3".utf8) else { throw FormatError.unspecified }
    // Four times seven bits.
    let body = head[6...].reduce(UInt32(0)) { $0 << 7 | UInt32($1 & 0x7F) }
    // Tags of version 2.4 alone can have a footer.
    return body + (head[3] == 4 && head[5] & 0x10 != 0 ? 20 : 10)
  }
}

extension FormatSpecifier {
  /// A format by its id: alone, or in a description.
  fileprivate func formatID() throws(AudioStatus) -> AudioFormatID {
    size >= MemoryLayout<AudioStreamBasicDescription>.size ? try description().mFormatID : try word()
  }
}
