// The frames of a FLAC file, found by their headers (RFC 9639, section 9.1). Reads the whole file and decodes nothing.

import AudioCore
extension PacketTable {
  /// Nil where the file has no frame behind its metadata, or something between two frames.
  package init?(flac storage: any ByteStorage) {
    let start = MPEGFrameHeader.start(of: storage)
    guard let soundOffset = FLACHeader.soundOffset(storage, from: start) else { return nil }
    self.init(framesPerPacket: Int64(FLACHeader.framesPerPacket(storage, from: start) ?? 0))
    let length = storage.length
    var current: (offset: Int64, header: FLACFrameHeader)?
    var offset = soundOffset
    while offset < length {
      // Headers that begin in a block may end in the next.
      let overlap = Int64(FLACFrameHeader.largest)
      guard let block = storage.bytes(at: offset, count: Int(min(65_536 + overlap, length - offset))) else {
        return nil
      }
      let end = Int(min(65_536, length - offset))
      for index in 0..<end where block[index] == 0xFF {
        guard let header = FLACFrameHeader(block[index..<min(block.count, index + FLACFrameHeader.largest)]) else {
          continue
        }
        let place = offset + Int64(index)
        if let current {
          guard header.follows(current.header) else { continue }
          append(offset: current.offset, size: UInt32(clamping: place - current.offset))
        } else if place != soundOffset {
          return nil
        }
        current = (place, header)
      }
      offset += Int64(end)
    }
    guard let current else { return nil }
    append(offset: current.offset, size: UInt32(clamping: length - current.offset))
  }
}

/// The header of a frame. Other bytes are rarely taken for it: it has a checksum, and its number follows the one
/// before.
package struct FLACFrameHeader: Sendable {
  /// Frames of sound in it.
  package let frames: Int64
  /// The number of its first sample, or of the frame.
  package let number: UInt64
  /// True where all frames but the last are of one size, and have numbers.
  package let countsFrames: Bool

  /// Bytes of the longest header.
  package static let largest = 16

  package init?(_ bytes: ArraySlice<UInt8>) {
    let first = bytes.startIndex
    // Sync code, a zero, and whether all blocks are of one size.
    guard bytes.count >= 6, bytes[first] == 0xFF, bytes[first + 1] & 0xFE == 0xF8 else { return nil }
    countsFrames = bytes[first + 1] & 1 == 0
    let (blockCode, rateCode) = (bytes[first + 2] >> 4, bytes[first + 2] & 15)
    guard blockCode != 0, rateCode != 15, bytes[first + 3] >> 4 < 11, bytes[first + 3] & 1 == 0 else { return nil }
    // A number as UTF-8 writes it, of up to seven bytes.
    let lead = bytes[first + 4]
    let ones = (~lead).leadingZeroBitCount
    guard ones != 1, ones < 8 else { return nil }
    let more = max(0, ones - 1)
    var at = first + 5
    guard at + more < bytes.endIndex else { return nil }
    var number = UInt64(ones == 0 ? lead : lead & (0x7F >> UInt8(ones)))
    for byte in bytes[at..<at + more] {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | UInt64(byte & 0x3F)
    }
    at += more
    self.number = number
    // Sizes and rates that have no code of their own follow in one or two bytes.
    let blockBytes = blockCode == 6 ? 1 : blockCode == 7 ? 2 : 0
    let rateBytes = rateCode == 12 ? 1 : rateCode == 13 || rateCode == 14 ? 2 : 0
    guard at + blockBytes + rateBytes < bytes.endIndex else { return nil }
    switch blockCode {
    case 1: frames = 192
    case 2...5: frames = 576 << Int64(blockCode - 2)
    case 6, 7: frames = bytes[at..<at + blockBytes].bigEndianValue + 1
    default: frames = 256 << Int64(blockCode - 8)
    }
    at += blockBytes + rateBytes
    guard Self.checksum(bytes[first..<at]) == bytes[at] else { return nil }
  }

  package func follows(_ other: FLACFrameHeader) -> Bool {
    countsFrames == other.countsFrames && number == other.number &+ (countsFrames ? 1 : UInt64(other.frames))
  }

  /// CRC-8 with the polynomial x^8 + x^2 + x + 1.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { word, _ in word & 0x80 != 0 ? word << 1 ^ 7 : word << 1 }
    }
  }
}
