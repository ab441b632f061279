// The length of a FLAC file by its last frame, without decoding it. RFC 9639, sections 9.1 and 9.3.

import AudioCore

enum FLACTail {
  /// A frame is rarely longer; where the last one is, the file is decoded to be counted.
  private static let window: Int64 = 131_072

  /// The number behind that of the last sample; nil where the file does not end with a whole frame.
  /// - Parameters:
  ///   - end: the end of the sound, in front of tags.
  ///   - blockFrames: frames of sound in the first frame.
  static func endFrame(_ storage: any ByteStorage, end: Int64, blockFrames: Int64) -> Int64? {
    let first = max(0, end - window)
    guard let bytes = storage.bytes(at: first, count: Int(end - first)), bytes.count > 8 else { return nil }
    for index in stride(from: bytes.count - 6, through: 0, by: -1) where bytes[index] == 0xFF {
      guard bytes[index + 1] & 0xFE == 0xF8,
        let header = FLACFrameHeader(bytes[index..<min(bytes.count, index + FLACFrameHeader.largest)]),
        checksum(bytes[index..<bytes.count - 2]) == UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1])
      else { continue }
      let (start, overflow) = Int64(clamping: header.number)
        .multipliedReportingOverflow(by: header.countsFrames ? blockFrames : 1)
      return overflow ? nil : start.addingOrMax(header.frames)
    }
    return nil
  }

  /// CRC-16 with the polynomial x^16 + x^15 + x^2 + 1, from 0 or behind other bytes.
  static func checksum(_ bytes: ArraySlice<UInt8>, after start: UInt16 = 0) -> UInt16 {
    bytes.withUnsafeBufferPointer { bytes in
      table.withUnsafeBufferPointer { table in
        bytes.reduce(start) { sum, byte in sum << 8 ^ table[Int(UInt8(sum >> 8) ^ byte)] }
      }
    }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
  }
}
