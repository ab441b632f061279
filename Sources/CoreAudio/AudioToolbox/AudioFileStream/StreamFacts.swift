// The properties of a stream: those that its header says, in the order in which the client is told of them, and those
// that follow from the packets so far.

import AudioCore
import CAudioToolbox

struct StreamFacts {
  let shape: StreamShape
  /// Properties in order; the last one says that packets follow.
  private(set) var order: [AudioFileStreamPropertyID] = []
  private var values: [AudioFileStreamPropertyID: CValue] = [:]

  init(_ shape: StreamShape) {
    self.shape = shape
    let file = shape.file
    add(kAudioFileStreamProperty_FileFormat, try? file.property(kAudioFilePropertyFileFormat))
    add(kAudioFileStreamProperty_DataFormat, try? file.property(kAudioFilePropertyDataFormat))
    add(kAudioFileStreamProperty_FormatList, try? file.property(kAudioFilePropertyFormatList))
    add(kAudioFileStreamProperty_MagicCookieData, try? file.property(kAudioFilePropertyMagicCookieData))
    add(kAudioFileStreamProperty_ChannelLayout, try? file.property(kAudioFilePropertyChannelLayout))
    add(kAudioFileStreamProperty_AudioDataByteCount, shape.byteCount.map { CValue(UInt64(clamping: $0)) })
    add(kAudioFileStreamProperty_AudioDataPacketCount, shape.packetCount.map { CValue(UInt64(clamping: $0)) })
    add(kAudioFileStreamProperty_PacketTableInfo, shape.trim.map { CValue($0) })
    add(kAudioFileStreamProperty_MaximumPacketSize, shape.largestPacket.map { CValue($0) })
    add(kAudioFileStreamProperty_PacketSizeUpperBound, CValue(shape.packetBound))
    add(kAudioFileStreamProperty_BitRate, shape.bitRate.map { CValue($0) })
    if shape.duration != nil || !file.metadata.isEmpty {
      add(kAudioFileStreamProperty_InfoDictionary, file.information(seconds: shape.duration))
    }
    add(kAudioFileStreamProperty_DataOffset, CValue(shape.dataOffset))
    order.append(kAudioFileStreamProperty_ReadyToProducePackets)
  }

  private mutating func add(_ id: AudioFileStreamPropertyID, _ value: CValue?) {
    guard let value else { return }
    values[id] = value
    order.append(id)
  }

  subscript(_ id: AudioFileStreamPropertyID) -> CValue? { values[id] }
}

extension StreamParser {
  /// Properties there are.
  private static let known: Set<AudioFileStreamPropertyID> = [
    kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat, kAudioFileStreamProperty_FormatList,
    kAudioFileStreamProperty_MagicCookieData, kAudioFileStreamProperty_ChannelLayout,
    kAudioFileStreamProperty_AudioDataByteCount, kAudioFileStreamProperty_AudioDataPacketCount,
    kAudioFileStreamProperty_PacketTableInfo, kAudioFileStreamProperty_MaximumPacketSize,
    kAudioFileStreamProperty_PacketSizeUpperBound, kAudioFileStreamProperty_BitRate,
    kAudioFileStreamProperty_InfoDictionary, kAudioFileStreamProperty_DataOffset,
    kAudioFileStreamProperty_AverageBytesPerPacket, kAudioFileStreamProperty_ReadyToProducePackets,
  ]

  /// Bytes of the structure that a translation works on; nil for every other property.
  static func translationSize(_ id: AudioFileStreamPropertyID) -> Int? {
    switch id {
    case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket:
      MemoryLayout<AudioFramePacketTranslation>.size
    case kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket:
      MemoryLayout<AudioBytePacketTranslation>.size
    default: nil
    }
  }

  /// True for properties that some stream has.
  static func isKnown(_ id: AudioFileStreamPropertyID) -> Bool { known.contains(id) || translationSize(id) != nil }

  /// The value of a property.
  /// - Throws: 'pty?' for what no stream has, 'more' while it may still come, 'unk?' where this stream does not say it.
  func property(_ id: AudioFileStreamPropertyID) throws(AudioStatus) -> CValue {
    guard Self.known.contains(id) else { throw .filePropertyUnsupported }
    if id == kAudioFileStreamProperty_ReadyToProducePackets { return CValue(UInt32(isReady ? 1 : 0)) }
    guard let facts else { throw .streamNeedsMore }
    if let value = facts[id] { return value }
    switch id {
    case kAudioFileStreamProperty_AverageBytesPerPacket:
      guard let mean = meanBytes else { throw .streamNeedsMore }
      return CValue(mean)
    case kAudioFileStreamProperty_BitRate:
      let format = facts.shape.file.dataFormat
      guard format.mFramesPerPacket > 0 else { throw .streamValueUnknown }
      guard let mean = meanBytes else { throw .streamNeedsMore }
      let rate = (mean * 8 * format.mSampleRate / Double(format.mFramesPerPacket)).rounded()
      return CValue(UInt32(clamping: Int64(clamping: rate)))
    default: throw .streamValueUnknown
    }
  }

  /// Bytes a packet: of all where they are known, else of those so far.
  private var meanBytes: Double? {
    if let shape = facts?.shape {
      if shape.file.dataFormat.mBytesPerPacket > 0 { return Double(shape.file.dataFormat.mBytesPerPacket) }
      if let mean = shape.meanPacketBytes { return mean }
      if let bytes = shape.byteCount, let packets = shape.packetCount, packets > 0 {
        return Double(bytes) / Double(packets)
      }
    }
    return packetsDone > 0 ? Double(bytesDone) / Double(packetsDone) : nil
  }

  /// Answers in place. Bytes are counted from the first of the sound; they are estimated where no table has them.
  /// - Throws: 'more' while nothing is known yet, 'pck?' for what there is not.
  func translate(_ id: AudioFileStreamPropertyID, _ data: UnsafeMutableRawPointer) throws(AudioStatus) {
    guard let shape = facts?.shape else { throw .streamNeedsMore }
    switch shape.file.packets {
    case .unscanned, .unknown: break
    default: return try shape.file.translate(id, data)
    }
    switch id {
    case kAudioFileStreamProperty_PacketToByte:
      var value = data.loadUnaligned(as: AudioBytePacketTranslation.self)
      guard value.mPacket >= 0 else { throw .filePacketOffset }
      guard let mean = meanBytes else { throw .streamNeedsMore }
      value.mByte = Int64(clamping: (mean * Double(value.mPacket)).rounded(.down))
      value.mByteOffsetInPacket = 0
      value.mFlags = .bytePacketTranslationFlag_IsEstimate
      data.storeBytes(of: value, as: AudioBytePacketTranslation.self)
    case kAudioFileStreamProperty_ByteToPacket:
      var value = data.loadUnaligned(as: AudioBytePacketTranslation.self)
      guard value.mByte >= 0 else { throw .filePacketOffset }
      guard let mean = meanBytes, mean > 0 else { throw .streamNeedsMore }
      value.mPacket = Int64(clamping: (Double(value.mByte) / mean).rounded(.down))
      value.mByteOffsetInPacket = UInt32(clamping: Int64(clamping: Double(value.mByte) - mean * Double(value.mPacket)))
      value.mFlags = .bytePacketTranslationFlag_IsEstimate
      data.storeBytes(of: value, as: AudioBytePacketTranslation.self)
    default: try shape.file.translate(id, data)
    }
  }
}
