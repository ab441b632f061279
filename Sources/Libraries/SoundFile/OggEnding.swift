// Checks the pages of an Ogg file: libsndfile takes one that was cut off, or has a damaged page, for a shorter one,
// without an error. Pages: RFC 3533, section 6.

import AudioCore

/// Finds out whether an Ogg file is whole: its last page is complete, and is marked as the end of its stream, and the
/// checksums of all pages are right.
struct OggEnding {
  /// The missing part, as a sentence; nil for a whole file.
  let remark: String?
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
    remark =
      clause.map { "the file ends \($0)" }
      ?? Self.damagedPage(storage).map { "page \($0) is damaged: its checksum is wrong" }
    lastPosition = remark == nil ? position : nil
  }

  /// The number, from 1 on, of the first page whose checksum is wrong; nil where all are right. What lies between pages
  /// is passed over, as decoders do.
  private static func damagedPage(_ storage: any ByteStorage) -> Int? {
    let length = storage.length
    var (offset, number) = (Int64(0), 0)
    while offset < length, let bytes = storage.bytes(at: offset, count: Int(min(length - offset, window))) {
      let (end, isDamaged) = bytes.withUnsafeBytes { wholePages($0, &number) }
      if isDamaged { return number }
      // A page is shorter than the window: none that begins it reaches beyond, but at the end of the file.
      guard end > 0 else { return nil }
      offset += Int64(end)
    }
    return nil
  }

  /// Counts the pages up to one that is not all there.
  private static func wholePages(
    _ bytes: UnsafeRawBufferPointer, _ number: inout Int
  ) -> (end: Int, isDamaged: Bool) {
    var offset = 0
    while offset < bytes.count {
      guard zip(bytes[offset...], "OggS".utf8).allSatisfy({ $0 == $1 }) else {
        offset += 1
        continue
      }
      guard let size = pageSize(bytes, at: offset), offset + size <= bytes.count else { break }
      number += 1
      guard isWhole(bytes, at: offset) else { return (offset, true) }
      offset += size
    }
    return (offset, false)
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
