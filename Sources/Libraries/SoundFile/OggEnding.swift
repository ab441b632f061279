// Checks the end of an Ogg file: libsndfile takes one that was cut off for a shorter one, without an error. Pages: RFC
// 3533, section 6.

import AudioCore

/// Finds out whether an Ogg file is whole: its last page is complete, and is marked as the end of its stream.
struct OggEnding {
  /// The missing part, behind "the file ends"; nil for a whole file.
  let clause: String?
  /// The position in the header of the last page of a whole file: frames of sound up to there.
  let lastPosition: Int64?

  /// Two of the longest pages: one of them at least is complete in the last bytes of a longer file.
  private static let window: Int64 = 2 * 65_307

  /// Nil for a file of another kind, and one that cannot be read.
  init?(_ storage: any ByteStorage) {
    let length = storage.length
    guard storage.bytes(at: 0, count: 4)?.elementsEqual("OggS".utf8) ?? false,
      let bytes = storage.bytes(at: max(0, length - Self.window), count: Int(min(length, Self.window)))
    else { return nil }
    let (clause, position) = bytes.withUnsafeBytes(Self.look)
    (self.clause, lastPosition) = (clause, clause == nil ? position : nil)
  }

  private static func look(_ bytes: UnsafeRawBufferPointer) -> (clause: String?, position: Int64?) {
    // From a page whose checksum is right, the following ones are found by their sizes.
    var offset = 0
    while offset < bytes.count, !isWhole(bytes, at: offset) { offset += 1 }
    guard offset < bytes.count else { return ("within its first page", nil) }
    var (isLast, position) = (false, Int64?.none)
    while let size = pageSize(bytes, at: offset), offset + size <= bytes.count {
      isLast = bytes[offset + 5] & 4 != 0
      position = bytes[offset + 6..<offset + 14].reversed().bigEndianValue
      offset += size
    }
    let rest = bytes.count - offset
    // Something else behind the sound, as a tag, is none of Ogg's business.
    let begins = zip(bytes[offset...], "OggS".utf8).allSatisfy { $0 == $1 }
    if rest > 0, begins {
      guard let size = pageSize(bytes, at: offset) else { return ("within the header of a page", nil) }
      return ("\(size - rest) bytes before the end of its last page", nil)
    }
    return (isLast ? nil : "without the page that ends its stream", position)
  }

  /// Bytes of the page that begins at `offset`, which need not all be there; nil where its header is not.
  private static func pageSize(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    guard offset + 27 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("OggS".utf8) else { return nil }
    let segments = Int(bytes[offset + 26])
    guard offset + 27 + segments <= bytes.count else { return nil }
    return 27 + segments + bytes[offset + 27..<offset + 27 + segments].reduce(0) { $0 + Int($1) }
  }

  /// True for a complete page with the right checksum.
  private static func isWhole(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard bytes[offset] == UInt8(ascii: "O"), let size = pageSize(bytes, at: offset), offset + size <= bytes.count
    else {
      return false
    }
    var page = Array(bytes[offset..<offset + size])
    let stated = page[22..<26].reversed().reduce(0) { (sum: UInt32, byte: UInt8) in sum << 8 | UInt32(byte) }
    for index in 22..<26 { page[index] = 0 }
    return page.withUnsafeBytes(OggSerial.checksum) == stated
  }
}
