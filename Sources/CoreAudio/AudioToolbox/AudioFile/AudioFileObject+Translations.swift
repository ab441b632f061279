// Properties that answer a question in the caller's memory: which packet holds a frame, where a packet lies.

import AudioCore
import CAudioToolbox

extension AudioFileObject {
  /// Bytes of the structure that a translation works on; nil for every other property.
  static func translationSize(_ id: AudioFilePropertyID) -> Int? {
    switch id {
    case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
      MemoryLayout<AudioFramePacketTranslation>.size
    case kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket: MemoryLayout<AudioBytePacketTranslation>.size
    case kAudioFilePropertyPacketToRollDistance: MemoryLayout<AudioPacketRollDistanceTranslation>.size
    case kAudioFilePropertyPreviousIndependentPacket, kAudioFilePropertyNextIndependentPacket:
      MemoryLayout<AudioIndependentPacketTranslation>.size
    case kAudioFilePropertyPacketToDependencyInfo: MemoryLayout<AudioPacketDependencyInfoTranslation>.size
    case kAudioFilePropertyPacketRangeByteCountUpperBound: MemoryLayout<AudioPacketRangeByteCountTranslation>.size
    default: nil
    }
  }

  /// Answers in place. Packets and frames need not exist; they must not be negative.
  /// - Throws: 'pck?' for what lies before the beginning, 'op??' where packets are not to be found.
  func translate(_ id: AudioFilePropertyID, _ data: UnsafeMutableRawPointer) throws(AudioStatus) {
    switch id {
    case kAudioFilePropertyPacketToFrame:
      try edit(data, AudioFramePacketTranslation.self) { (it) throws(AudioStatus) in
        if let track, dataFormat.mFramesPerPacket == 0 {
          guard let frame = track.durations.firstFrame(of: try checked(it.mPacket)) else { throw .filePacketOffset }
          it.mFrame = frame
          return
        }
        let (frame, overflow) = try checked(it.mPacket).multipliedReportingOverflow(by: try framesPerPacket())
        if overflow { throw .filePacketOffset }
        it.mFrame = frame
      }
    case kAudioFilePropertyFrameToPacket:
      try edit(data, AudioFramePacketTranslation.self) { (it) throws(AudioStatus) in
        if let track, dataFormat.mFramesPerPacket == 0 {
          let frame = try checked(it.mFrame)
          guard let packet = track.durations.packet(holding: frame), let first = track.durations.firstFrame(of: packet)
          else { throw .filePacketOffset }
          (it.mPacket, it.mFrameOffsetInPacket) = (packet, UInt32(clamping: frame - first))
          return
        }
        let (frame, length) = (try checked(it.mFrame), try framesPerPacket())
        it.mPacket = frame / length
        it.mFrameOffsetInPacket = UInt32(frame % length)
      }
    case kAudioFilePropertyPacketToByte:
      try edit(data, AudioBytePacketTranslation.self) { (it) throws(AudioStatus) in
        it.mByte = try byteOffset(try checked(it.mPacket))
        it.mByteOffsetInPacket = 0
        it.mFlags = []
      }
    case kAudioFilePropertyByteToPacket:
      try edit(data, AudioBytePacketTranslation.self) { (it) throws(AudioStatus) in
        (it.mPacket, it.mByteOffsetInPacket) = try packet(at: try checked(it.mByte))
        it.mFlags = []
      }
    case kAudioFilePropertyPacketToRollDistance:
      try edit(data, AudioPacketRollDistanceTranslation.self) { (it) throws(AudioStatus) in
        _ = try checked(it.mPacket)
        it.mRollDistance = rollDistance
      }
    case kAudioFilePropertyPreviousIndependentPacket:
      try edit(data, AudioIndependentPacketTranslation.self) { (it) throws(AudioStatus) in
        it.mIndependentlyDecodablePacket = max(0, try checked(it.mPacket) - 1)
      }
    case kAudioFilePropertyNextIndependentPacket:
      try edit(data, AudioIndependentPacketTranslation.self) { (it) throws(AudioStatus) in
        it.mIndependentlyDecodablePacket = try checked(it.mPacket).addingReportingOverflow(1).partialValue
      }
    case kAudioFilePropertyPacketToDependencyInfo:
      try edit(data, AudioPacketDependencyInfoTranslation.self) { (it) throws(AudioStatus) in
        _ = try checked(it.mPacket)
        it.mIsIndependentlyDecodable = 1
        it.mNumberPrerollPackets = UInt32(rollDistance)
      }
    case kAudioFilePropertyPacketRangeByteCountUpperBound:
      try edit(data, AudioPacketRangeByteCountTranslation.self) { (it) throws(AudioStatus) in
        _ = try checked(it.mPacket)
        let largest = Int64(largestPacket(scans: false))
        it.mByteCountUpperBound = try checked(it.mPacketCount).multipliedReportingOverflow(by: largest).partialValue
      }
    default: throw .filePropertyUnsupported
    }
  }

  /// Packets in front of one that its decoder wants to have seen, so that it sounds as in sequence.
  private var rollDistance: Int64 {
    switch AudioCore.FourCharCode(rawValue: dataFormat.mFormatID) {
    case "aac ", "aach", "aacp", ".mp3": 1
    // 80 ms (RFC 7845).
    case "opus":
      dataFormat.mFramesPerPacket > 0
        ? Int64((3_840 + dataFormat.mFramesPerPacket - 1) / dataFormat.mFramesPerPacket) : 4
    default: 0
    }
  }

  private func edit<T: BitwiseCopyable>(
    _ data: UnsafeMutableRawPointer, _ type: T.Type, _ body: (inout T) throws(AudioStatus) -> Void
  ) throws(AudioStatus) {
    var value = data.loadUnaligned(as: type)
    try body(&value)
    withUnsafeBytes(of: value) { bytes in
      if let start = bytes.baseAddress { data.copyMemory(from: start, byteCount: bytes.count) }
    }
  }

  private func checked(_ number: Int64) throws(AudioStatus) -> Int64 {
    guard number >= 0 else { throw .filePacketOffset }
    return number
  }

  private func framesPerPacket() throws(AudioStatus) -> Int64 {
    guard dataFormat.mFramesPerPacket > 0 else { throw .fileOperationUnsupported }
    return Int64(dataFormat.mFramesPerPacket)
  }

  /// The offset of a packet, counted from the first one.
  private func byteOffset(_ packet: Int64) throws(AudioStatus) -> Int64 {
    switch scannedPackets() {
    case .fixed(let bytes, _):
      let (offset, overflow) = packet.multipliedReportingOverflow(by: bytes)
      if overflow { throw .filePacketOffset }
      return offset
    case .table(let table):
      guard packet < table.count else { throw .filePacketOffset }
      return table.offsets[Int(packet)] - dataOffset
    case .places(let places):
      guard let start = places.byteStart(of: packet) else { throw .filePacketOffset }
      return start
    case .unscanned, .unknown: throw .fileOperationUnsupported
    }
  }

  private func packet(at byte: Int64) throws(AudioStatus) -> (packet: Int64, offset: UInt32) {
    switch scannedPackets() {
    case .fixed(let bytes, _): return (byte / bytes, UInt32(byte % bytes))
    case .table(let table):
      let place = dataOffset.addingReportingOverflow(byte).partialValue
      guard let index = table.lastPacket(notAfter: place) else { throw .filePacketOffset }
      return (Int64(index), UInt32(clamping: place - table.offsets[index]))
    case .places(let places):
      guard let packet = places.packet(holding: byte), let start = places.byteStart(of: packet) else {
        throw .filePacketOffset
      }
      return (packet, UInt32(clamping: byte - start))
    case .unscanned, .unknown: throw .fileOperationUnsupported
    }
  }
}
