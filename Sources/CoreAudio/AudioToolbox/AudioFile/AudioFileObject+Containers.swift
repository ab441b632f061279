// Files that are read packet by packet: containers that libsndfile does not know, and codecs that it does not decode.
// They open all the same, for reading.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile

extension AudioFileObject {
  /// A file whose codec has no decoder here; nil for what is not known, or is damaged.
  static func openPackets(
    _ storage: any ByteStorage, path: String?, permissions: Int8
  ) throws(AudioStatus) -> AudioFileObject? {
    guard let file = PacketFile(storage), let track = file.tracks.first,
      ForeignCodec.isForeign(track, in: file.container)
    else { return nil }
    return try packets(of: file, storage, path: path, permissions: permissions, reader: nil)
  }

  /// - Throws: 'op??' where the file is to be written to.
  static func packets(
    of file: PacketFile, _ storage: any ByteStorage, path: String?, permissions: Int8, reader: SoundFileReader?
  ) throws(AudioStatus) -> AudioFileObject {
    guard permissions == 1 else { throw .fileOperationUnsupported }
    guard let track = file.tracks.first, let type = AudioFileType.find(typeID(of: file.container)) else {
      throw .fileTypeUnsupported
    }
    // One and two channels are mono and stereo wherever nothing else is said.
    let channels = Int(clamping: track.format.channelCount)
    return AudioFileObject(
      storage: storage, path: path, type: type, canRead: true, canWrite: false, shape: shape(track, type: type.id),
      layout: nil, reader: reader, packetFile: file,
      speakers: (1...2).contains(channels) ? ChannelLayout(channelCount: channels) : nil)
  }

  static func shape(_ track: PacketTrack, type: AudioFileTypeID) -> Shape {
    Shape(
      type: type, format: description(track.format), dataOffset: track.dataOffset, dataBytes: track.dataBytes,
      packets: track.places.map { .places($0) } ?? .unknown,
      sourceBitDepth: track.sourceBits.map { Int32($0) })
  }

  static func description(_ format: PacketFormat) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: format.sampleRate, mFormatID: format.id, mFormatFlags: format.flags,
      mBytesPerPacket: format.bytesPerPacket, mFramesPerPacket: format.framesPerPacket,
      mBytesPerFrame: format.bytesPerFrame, mChannelsPerFrame: format.channelCount,
      mBitsPerChannel: format.bitsPerChannel, mReserved: 0)
  }

  private static func typeID(of container: PacketFile.Container) -> AudioFileTypeID {
    switch container {
    case .caf: kAudioFileCAFType
    case .aiff: kAudioFileAIFFType
    case .aifc: kAudioFileAIFCType
    case .wave: kAudioFileWAVEType
    case .rf64: kAudioFileRF64Type
    case .bw64: kAudioFileBW64Type
    case .wave64: kAudioFileWave64Type
    case .adts: kAudioFileAAC_ADTSType
    case .loas: kAudioFileLATMInLOASType
    case .ac3: kAudioFileAC3Type
    case .amr: kAudioFileAMRType
    case .mpeg4(let brand): mpeg4Type(brand)
    }
  }

  /// By the brand that the file names first: 'M4A ' and 'M4B ' are Apple's, '3gp…' and '3g2…' those of mobile phones.
  private static func mpeg4Type(_ brand: UInt32) -> AudioFileTypeID {
    switch AudioCore.FourCharCode(rawValue: brand) {
    case "M4A ", "M4P ": kAudioFileM4AType
    case "M4B ": kAudioFileM4BType
    case let code where code.rawValue >> 8 == 0x33_6732: kAudioFile3GP2Type
    case let code where code.rawValue >> 8 == 0x33_6770: kAudioFile3GPType
    default: kAudioFileMPEG4Type
    }
  }
}
