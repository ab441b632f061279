// Bytes of a file by their place, and numbers in them. Every access is checked: a place outside gives nil.

import AudioCore

/// A file's bytes, as far as the parsers of this target need them. One thread at a time.
package protocol PacketBytes: AnyObject {
  /// Bytes there are now.
  var length: Int64 { get }
  /// Exactly `count` bytes from `offset` on; nil where the end comes first, or they cannot be read.
  func bytes(at offset: Int64, count: Int) -> [UInt8]?
}

extension PacketBytes {
  /// A number without sign of up to eight bytes; of eight the sign bit is one. Nil outside the file.
  func integer(at offset: Int64, _ count: Int, isBigEndian: Bool = true) -> Int64? {
    guard let field = bytes(at: offset, count: count) else { return nil }
    return field.number(0, count, isBigEndian: isBigEndian)
  }

  /// Four characters.
  func code(at offset: Int64) -> UInt32? { integer(at: offset, 4).map { UInt32(truncatingIfNeeded: $0) } }

  /// The bytes of a range, at most `most` of them; nil where they cannot be read.
  func bytes(in range: Range<Int64>, most: Int) -> [UInt8]? {
    bytes(at: range.lowerBound, count: Int(min(Int64(most), range.upperBound - range.lowerBound)))
  }
}

extension [UInt8] {
  /// The number in `count` (1 to 8) bytes; nil where they are not all there.
  func number(_ at: Int, _ count: Int, isBigEndian: Bool = true) -> Int64? {
    guard at >= 0, count > 0, count <= 8, at <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in 0..<count { value = value << 8 | UInt64(self[isBigEndian ? at + index : at + count - 1 - index]) }
    return Int64(bitPattern: value)
  }

  /// As ``number(_:_:isBigEndian:)``, for fields of up to four bytes.
  func word(_ at: Int, _ count: Int = 4, isBigEndian: Bool = true) -> UInt32? {
    count > 4 ? nil : number(at, count, isBigEndian: isBigEndian).map { UInt32(truncatingIfNeeded: $0) }
  }
}

/// A window on a file that goes forward: what walks from header to header reads blocks, not single headers.
struct ByteWindow {
  private let storage: any PacketBytes
  private let length: Int64
  private var start: Int64 = 0
  private var block: [UInt8] = []

  init(_ storage: any PacketBytes) {
    self.storage = storage
    length = storage.length
  }

  /// `count` bytes, 64 KiB at most; nil at the end of the file.
  mutating func bytes(at offset: Int64, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count > 0, count <= 65_536, offset <= length - Int64(count) else { return nil }
    if offset < start || offset + Int64(count) > start + Int64(block.count) {
      // A stream may have no more yet than is asked for.
      let most = Int(min(65_536, length - offset))
      guard let fresh = storage.bytes(at: offset, count: most) ?? storage.bytes(at: offset, count: count) else {
        return nil
      }
      (start, block) = (offset, fresh)
    }
    let first = Int(offset - start)
    return block[first..<first + count]
  }
}

/// Bits of a few bytes, the highest first. Beyond the end they are 0, and `isOver` says so.
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes)[...] }

  var isOver: Bool { position > bytes.count * 8 }
  var bitsLeft: Int { bytes.count * 8 - position }

  /// Up to 32 bits.
  mutating func read(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      let byte = position / 8
      let bit = byte < bytes.count ? bytes[bytes.startIndex + byte] >> UInt8(7 - position % 8) & 1 : 0
      value = value << 1 | UInt32(bit)
      position += 1
    }
    return value
  }
}

extension Int64 {
  /// The product over `divisor`, rounded to the nearest, half up; nil for a divisor below 1, a negative number, or a
  /// result that is too large.
  func scaled(by factor: Int64, over divisor: Int64) -> Int64? {
    guard self >= 0, factor >= 0, divisor > 0 else { return nil }
    if factor == divisor { return self }
    let (high, low) = magnitude.multipliedFullWidth(by: factor.magnitude)
    let (sum, carries) = low.addingReportingOverflow(divisor.magnitude / 2)
    let top = high + (carries ? 1 : 0)
    guard top < divisor.magnitude else { return nil }
    return Int64(exactly: divisor.magnitude.dividingFullWidth((top, sum)).quotient)
  }

  /// The sum, or the largest number where that is too large for one.
  func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
