// libsndfile draws the serial numbers of Ogg streams from the clock; a render must be the same file every time.
// Format and checksum: RFC 3533, section 6.

import AudioCore
import Glibc

/// Renumbers the logical streams of an Ogg file 1, 2 … in the order in which they begin.
package enum OggSerial {
  /// - Returns: 0, the errno of a read or write that failed, or `EILSEQ` where the file is not a run of whole pages.
  package static func renumber(_ descriptor: Int32, length: Int64) -> Int32 {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 27 + 255 + 255 * 255, alignment: 16)
    defer { page.deallocate() }
    guard let base = page.baseAddress else { return ENOMEM }
    var serials: [UInt32: UInt32] = [:]
    var offset: Int64 = 0
    while offset < length {
      let available = pread(descriptor, base, page.count, off_t(offset))
      guard available >= 27 else { return available < 0 ? errno : EILSEQ }
      guard page[0..<4].elementsEqual("OggS".utf8) else { return EILSEQ }
      let segments = Int(page[26])
      guard available >= 27 + segments else { return EILSEQ }
      let size = 27 + segments + page[27..<27 + segments].reduce(0) { $0 + Int($1) }
      guard available >= size else { return EILSEQ }

      let old = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: 14, as: UInt32.self))
      let new = serials[old] ?? UInt32(serials.count + 1)
      serials[old] = new
      base.storeBytes(of: new.littleEndian, toByteOffset: 14, as: UInt32.self)
      base.storeBytes(of: 0, toByteOffset: 22, as: UInt32.self)
      let sum = checksum(UnsafeRawBufferPointer(rebasing: page[0..<size]))
      base.storeBytes(of: sum.littleEndian, toByteOffset: 22, as: UInt32.self)
      // Serial, page number (as it was) and checksum lie side by side.
      guard pwrite(descriptor, base + 14, 12, off_t(offset) + 14) == 12 else { return errno == 0 ? EIO : errno }
      offset += Int64(size)
    }
    return 0
  }

  /// CRC-32 with the polynomial 0x04C11DB7, high bit first, from 0, not inverted.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      var sum: UInt32 = 0
      for byte in bytes { sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(byte))] }
      return sum
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
  }
}
