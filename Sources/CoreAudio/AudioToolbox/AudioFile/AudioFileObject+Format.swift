// The format of a file's own packets: DataFormat, and the places of the packets.

import AudioCore
import CAudioToolbox
import SoundFile

extension AudioFileObject {
  /// The type and shape of an opened file's sound.
  struct Shape {
    var type: AudioFileTypeID
    var format: AudioStreamBasicDescription
    var dataOffset: Int64 = 0
    var dataBytes: Int64 = 0
    var packets = PacketMap.unknown
    var sourceBitDepth: Int32?
  }

  /// - Throws: 'typ?' for containers that the interface has no code for, 'fmt?' for codecs.
  static func shape(
    _ reader: SoundFileReader, storage: any ByteStorage, layout: ContainerLayout?
  ) throws(AudioStatus) -> Shape {
    let info = reader.info
    guard let container = info.container, let encoding = info.encoding else { throw .fileTypeUnsupported }
    var format = AudioStreamBasicDescription()
    format.mSampleRate = info.sampleRate
    format.mChannelsPerFrame = UInt32(info.channelCount)
    var shape = Shape(type: try type(container, encoding: encoding, layout: layout), format: format)
    shape.sourceBitDepth = info.sourceBits.map { Int32(info.isFloat ? -$0 : $0) }
    if let layout {
      shape.dataOffset = layout.dataOffset
      shape.dataBytes = reader.dataBytes
    }
    if var plain = reader.plainEncoding, layout != nil {
      // Single bytes have no order.
      if plain.containerBytes == 1 { plain = SampleEncoding(kind: plain.kind, bits: 8) }
      let stream = StreamFormat(
        sampleRate: info.sampleRate, channelCount: info.channelCount, encoding: plain, isInterleaved: true)
      shape.format = stream.audioStreamBasicDescription
      shape.packets = .fixed(bytes: Int64(stream.bytesPerFrame), frames: 1)
      shape.dataBytes = info.frameCount * Int64(stream.bytesPerFrame)
      return shape
    }
    switch encoding {
    case .ulaw, .alaw:
      shape.setFixed(
        encoding == .ulaw ? kAudioFormatULaw : kAudioFormatALaw, bytes: UInt32(info.channelCount), frames: 1)
      shape.format.mBytesPerFrame = UInt32(info.channelCount)
      shape.format.mBitsPerChannel = 8
    case .imaADPCM where container == .aiff || container == .caf:
      shape.setFixed(kAudioFormatAppleIMA4, bytes: 34 * UInt32(info.channelCount), frames: 64)
    case .gsm610 where layout?.isAIFF != true:
      shape.setFixed(AudioFormatCode.microsoftGSM, bytes: 65, frames: 320)
    case .imaADPCM, .msADPCM:
      guard let block = blockSizes(storage, layout: layout) else { throw .fileFormatUnsupported }
      let id = encoding == .msADPCM ? AudioFormatCode.microsoftADPCM : AudioFormatCode.intelIMA
      shape.setFixed(id, bytes: block.bytes, frames: block.frames)
    case .alac16, .alac20, .alac24, .alac32: shape.setLossless(storage, layout: layout, encoding: encoding)
    case .mp1, .mp2, .mp3: shape.setMPEG(storage, encoding: encoding)
    case .vorbis, .opus:
      shape.format.mFormatID = encoding == .opus ? kAudioFormatOpus : AudioFormatCode.vorbis
      shape.dataBytes = storage.length
    default:
      guard container == .flac else { throw .fileFormatUnsupported }
      shape.setFLAC(storage, bits: info.sourceBits ?? 24)
    }
    return shape
  }

  private static func type(
    _ container: SoundFileContainer, encoding: SoundFileEncoding, layout: ContainerLayout?
  ) throws(AudioStatus) -> AudioFileTypeID {
    switch (container, layout?.kind) {
    case (_, .wave): return kAudioFileWAVEType
    case (_, .rf64): return kAudioFileRF64Type
    case (_, .bw64): return kAudioFileBW64Type
    case (_, .aiff): return kAudioFileAIFFType
    case (_, .aifc): return kAudioFileAIFCType
    case (_, .caf): return kAudioFileCAFType
    case (_, .wave64): return kAudioFileWave64Type
    case (_, .au): return kAudioFileNextType
    case (.flac, _): return kAudioFileFLACType
    case (.ogg, _), (.opus, _): return AudioFormatCode.oggFile
    case (.mp3, _):
      return encoding == .mp1 ? kAudioFileMP1Type : encoding == .mp2 ? kAudioFileMP2Type : kAudioFileMP3Type
    default: throw .fileTypeUnsupported
    }
  }

  /// The size of a block of ADPCM from the header of a WAV or Wave64 file.
  private static func blockSizes(
    _ storage: any ByteStorage, layout: ContainerLayout?
  ) -> (bytes: UInt32, frames: UInt32)? {
    guard let layout, let header = layout.chunks(ChunkID.format).first,
      let bytes = storage.bytes(at: header.contentOffset, count: 20)
    else { return nil }
    func short(_ at: Int) -> UInt32 {
      let field = bytes[at...at + 1]
      return UInt32(layout.isBigEndian ? field.bigEndianValue : field.reversed().bigEndianValue)
    }
    return short(12) > 0 && short(18) > 0 ? (short(12), short(18)) : nil
  }
}

/// Names of chunks that are read here.
enum ChunkID {
  static let format: UInt32 = 0x666D_7420
  static let common: UInt32 = 0x434F_4D4D
  static let cookie: UInt32 = 0x6B75_6B69
  static let packetTable: UInt32 = 0x7061_6B74
  static let description: UInt32 = 0x6465_7363
  static let coreAudioLayout: UInt32 = 0x6368_616E
  static let aiffLayout: UInt32 = 0x4348_414E
  static let filler: UInt32 = 0x6672_6565
  static let junk: UInt32 = 0x4A55_4E4B
}

extension AudioFileObject.Shape {
  fileprivate mutating func setFixed(_ id: AudioFormatID, bytes: UInt32, frames: UInt32) {
    format.mFormatID = id
    format.mBytesPerPacket = bytes
    format.mFramesPerPacket = frames
    packets = .fixed(bytes: Int64(bytes), frames: Int64(frames))
    // A last block may be cut short.
    dataBytes -= dataBytes % Int64(max(1, bytes))
  }

  fileprivate mutating func setLossless(
    _ storage: any ByteStorage, layout: ContainerLayout?, encoding: SoundFileEncoding
  ) {
    format.mFormatID = kAudioFormatAppleLossless
    format.mFormatFlags = .depth(encoding.bits ?? 16)
    format.mFramesPerPacket = 4_096
    guard let layout, let header = layout.chunks(ChunkID.description).first,
      let bytes = storage.bytes(at: header.contentOffset, count: 32)
    else { return }
    let frames = UInt32(bytes[20..<24].bigEndianValue)
    if frames > 0 { format.mFramesPerPacket = frames }
    if let table = PacketTable(
      coreAudioFile: storage, layout: layout, dataBytes: dataBytes, framesPerPacket: Int64(format.mFramesPerPacket))
    {
      packets = .table(table)
    }
  }

  fileprivate mutating func setMPEG(_ storage: any ByteStorage, encoding: SoundFileEncoding) {
    format.mFormatID =
      encoding == .mp1 ? kAudioFormatMPEGLayer1 : encoding == .mp2 ? kAudioFormatMPEGLayer2 : kAudioFormatMPEGLayer3
    var offset = MPEGFrameHeader.start(of: storage)
    guard let first = MPEGFrameHeader.find(in: storage, from: &offset) else { return }
    format.mFramesPerPacket = UInt32(first.frames)
    dataOffset = offset
    let hasTrailer = MPEGFrameHeader.isTrailer(storage, at: storage.length - 128)
    dataBytes = max(0, storage.length - offset - (hasTrailer ? 128 : 0))
    packets = .unscanned(framesPerPacket: Int64(first.frames))
  }

  fileprivate mutating func setFLAC(_ storage: any ByteStorage, bits: Int) {
    format.mFormatID = kAudioFormatFLAC
    format.mFormatFlags = .depth(bits)
    let start = MPEGFrameHeader.start(of: storage)
    dataOffset = FLACHeader.soundOffset(storage, from: start) ?? 0
    dataBytes = max(0, storage.length - dataOffset)
    if let frames = FLACHeader.framesPerPacket(storage, from: start) {
      format.mFramesPerPacket = UInt32(frames)
    }
    packets = .unscanned(framesPerPacket: Int64(format.mFramesPerPacket))
  }
}
