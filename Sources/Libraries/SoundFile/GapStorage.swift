// Room for a longer header in a file that libsndfile writes: of Wave64 it knows the plain header alone, which has no
// place for a mask of loudspeakers.

import AudioCore

/// A storage without the bytes of a gap in it. The gap is filled when the rest is complete.
final class GapStorage: ByteStorage {
  private let base: any ByteStorage
  private let place: Int64
  private let count: Int64

  /// - Parameters:
  ///   - place: the first byte of the gap.
  ///   - count: its size.
  init(_ base: any ByteStorage, at place: Int64, count: Int64) {
    (self.base, self.place, self.count) = (base, place, count)
  }

  var length: Int64 { base.length <= place ? base.length : max(place, base.length - count) }

  func read(_ bytes: UnsafeMutableRawPointer, count wanted: Int, at offset: Int64) throws(StorageError) -> Int {
    let first = Int(max(0, min(Int64(wanted), place - offset)))
    var done = 0
    if first > 0 {
      done = try base.read(bytes, count: first, at: offset)
      guard done == first else { return done }
    }
    guard first < wanted else { return done }
    return done + (try base.read(bytes + first, count: wanted - first, at: offset + Int64(first) + count))
  }

  func write(_ bytes: UnsafeRawPointer, count given: Int, at offset: Int64) throws(StorageError) {
    let first = Int(max(0, min(Int64(given), place - offset)))
    if first > 0 { try base.write(bytes, count: first, at: offset) }
    if first < given { try base.write(bytes + first, count: given - first, at: offset + Int64(first) + count) }
  }

  func setLength(_ length: Int64) throws(StorageError) {
    try base.setLength(length > place ? length + count : length)
  }
}

/// The extensible header of a Wave64 file: the fields of WAVEFORMATEXTENSIBLE behind those of the plain one.
enum Wave64Header {
  /// The end of the plain header's format, and the bytes that the other has more.
  private static let (plainEnd, growth): (Int64, Int64) = (80, 24)

  /// A file with room for it.
  static func withRoom(_ storage: any ByteStorage) -> GapStorage {
    GapStorage(storage, at: plainEnd, count: growth)
  }

  /// Makes the header of a complete file an extensible one.
  static func write(_ mask: UInt32, to storage: any ByteStorage) throws(StorageError) {
    // The format's code, channels, rates and bits: 16 bytes behind a name of 16 and a size of 8.
    guard let format = storage.bytes(at: plainEnd - 16, count: 16),
      let size = storage.bytes(at: 16, count: 8)?.reversed().bigEndianValue
    else { throw .system(5) }
    try storage.write((size + growth).littleEndianBytes, at: 16)
    try storage.write((40 + growth).littleEndianBytes, at: plainEnd - 24)
    try storage.write([0xFE, 0xFF], at: plainEnd - 16)
    let bits = Array(format[14..<16])
    try storage.write(
      [22, 0] + bits + mask.littleEndianBytes + Array(format[..<2]) + ContainerLayout.formatTail, at: plainEnd)
  }
}

extension ContainerLayout {
  /// The bytes behind the code of a format in the long name that an extensible header gives it.
  static let formatTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
}
