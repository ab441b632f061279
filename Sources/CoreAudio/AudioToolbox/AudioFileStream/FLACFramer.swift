// The packets of a FLAC stream: a frame ends where the next one begins, and the last one by its checksum.

import AudioCore
import SoundFile

/// Finds frames by their headers, whose numbers follow one another. RFC 9639, section 9.1.
struct FLACFramer: StreamFramer {
  private let start: Int64
  /// Frames of sound in every block but the last, and in all; 0: not said.
  private let blockFrames: UInt64
  private let totalFrames: UInt64
  private let streamInfo: [UInt8]
  /// The header of the frame at the front of the buffer.
  private var current: FLACFrameHeader?
  /// False while only one header was found since the bytes were cut.
  private var isSure = true
  /// Bytes of the buffer in which no header begins.
  private var examined = 0
  private var end: FLACFrameEnd?
  private var frameCount: Int64 = 0
  private var byteCount: Int64 = 0

  /// No frame of 65535 samples and eight channels is longer.
  private static let mostFrameBytes = 4 << 20

  init(start: Int64, streamInfo: [UInt8], totalFrames: UInt64, blockFrames: UInt64) {
    (self.start, self.streamInfo) = (start, streamInfo)
    (self.totalFrames, self.blockFrames) = (totalFrames, blockFrames)
  }

  var wanted: Int64 { start }

  mutating func take(_ buffer: inout ArrivedBytes, into packets: inout StreamPackets) throws(AudioStatus) {
    if buffer.start < start { buffer.drop(Int(min(Int64(buffer.count), start - buffer.start))) }
    guard buffer.start >= start else { return }
    while !packets.isFull {
      // A longer frame is none. The limit does not depend on how much has arrived.
      let bytes = buffer.all.prefix(Self.mostFrameBytes)
      let isLong = bytes.count == Self.mostFrameBytes
      let next = nextHeader(bytes)
      if current != nil, let count = end?.find(in: bytes.prefix(next?.index ?? bytes.count)) {
        emit(count, &buffer, &packets)
        begin(nil)
        continue
      }
      guard let next else {
        if current == nil || isLong {
          isSure = isSure && current == nil
          buffer.drop(examined)
          begin(nil)
        }
        if isLong { continue }
        return
      }
      if let current, isSure || next.header.follows(current) {
        emit(next.index, &buffer, &packets)
        isSure = true
      } else {
        buffer.drop(next.index)
      }
      begin(next.header)
    }
  }

  /// The next header that may begin a frame, with its place.
  private mutating func nextHeader(_ bytes: ArraySlice<UInt8>) -> (index: Int, header: FLACFrameHeader)? {
    while examined < bytes.count {
      let index = bytes.startIndex + examined
      if bytes[index] == 0xFF {
        let most = bytes[index..<min(bytes.endIndex, index + FLACFrameHeader.largest)]
        if let header = FLACFrameHeader(most) {
          if !isSure || current.map(header.follows) ?? true { return (examined, header) }
        } else if most.count < FLACFrameHeader.largest {
          return nil
        }
      }
      examined += 1
    }
    return nil
  }

  private mutating func begin(_ header: FLACFrameHeader?) {
    current = header
    end = nil
    examined = header == nil ? 0 : 1
    guard let header, totalFrames > 0 else { return }
    // The last one, by the number of its first sample.
    let (first, overflow) = header.number.multipliedReportingOverflow(by: header.countsFrames ? blockFrames : 1)
    if overflow || first >= totalFrames || UInt64(clamping: header.frames) >= totalFrames - first {
      end = FLACFrameEnd(streamInfo: streamInfo)
    }
  }

  private mutating func emit(_ bytes: Int, _ buffer: inout ArrivedBytes, _ packets: inout StreamPackets) {
    packets.add(buffer.all.prefix(bytes))
    buffer.drop(bytes)
    frameCount += 1
    byteCount += Int64(bytes)
  }

  func place(of packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool) {
    let frames =
      blockFrames > 0
      ? UInt64(clamping: packet).multipliedReportingOverflow(by: blockFrames)
      : (partialValue: 0, overflow: false)
    guard packet >= 0, packet < 1 << 40, totalFrames == 0 || !frames.overflow && frames.partialValue < totalFrames
    else {
      throw .filePacketOffset
    }
    if packet == 0 { return (start, false) }
    guard frameCount > 0 else { throw .streamNeedsMore }
    let mean = Double(byteCount) / Double(frameCount)
    return (start + Int64(clamping: (mean * Double(packet)).rounded(.down)), true)
  }

  mutating func seek(to packet: Int64, isEstimated: Bool) {
    begin(nil)
    isSure = !isEstimated
  }

  mutating func recover() { seek(to: 0, isEstimated: true) }
}
