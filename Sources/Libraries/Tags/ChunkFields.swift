import AudioCore
import SoundFile

/// Fields of a chunk by their place; nil past its end, whatever its counts say.
struct ChunkFields {
  let bytes: [UInt8]
  let isBigEndian: Bool

  /// A number of up to eight bytes without a sign; with eight the sign is the highest bit.
  func number(_ place: Int, _ count: Int) -> Int64? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    let field = bytes[place..<place + count]
    return isBigEndian ? field.bigEndianValue : field.reversed().bigEndianValue
  }

  func signedByte(_ place: Int) -> Int? { number(place, 1).map { Int(Int8(truncatingIfNeeded: $0)) } }

  func name(_ place: Int) -> String? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  /// Text up to a zero or to the end of the range; what is not UTF-8 is taken for Latin-1.
  func text(_ range: Range<Int>) -> String {
    let inside = range.clamped(to: 0..<bytes.count)
    return SoundFileMetadata.utf8(ByteText.string(bytes[inside].prefix { $0 != 0 }))
  }
}

/// Makes the contents of a chunk.
package struct ChunkMaker {
  package private(set) var bytes: [UInt8] = []
  let isBigEndian: Bool

  package init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  package mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    bytes += isBigEndian ? number.bigEndianBytes : number.littleEndianBytes
  }
  package mutating func add(_ more: some Sequence<UInt8>) { bytes += more }
  package mutating func add(name: String) { bytes += name.utf8 }

  /// A chunk within, with the byte that makes it even.
  package mutating func add(_ name: String, _ content: [UInt8]) {
    add(name: name)
    add(UInt32(clamping: content.count))
    bytes += content
    if content.count & 1 == 1 { bytes.append(0) }
  }
}
