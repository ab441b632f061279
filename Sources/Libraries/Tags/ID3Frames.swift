// An ID3 tag of version 2, cut down to what tags of sound files are made of: https://id3.org/id3v2.4.0-structure.
// TagLib unpacks what is compressed, however much that makes, and goes into frames within frames as deep as they lie;
// so neither of the two comes to it.

import AudioCore
import SoundFile

/// The frames of an ID3 tag that hold texts, addresses or pictures.
struct ID3Frames {
  /// A whole tag of the same version with these frames and nothing else.
  private(set) var tag: [UInt8]
  /// Bytes that the tag takes in the file.
  let byteCount: Int64
  /// The names of frames that are left out.
  private(set) var leftOut: [String] = []

  private let version: UInt8
  private var textBytes = 0
  private var pictureCount = 0

  /// Nil where there is no tag at `offset`.
  init?(_ storage: any ByteStorage, at offset: Int64) {
    guard let header = storage.bytes(at: offset, count: 10), header.starts(with: "ID3".utf8),
      (2...4).contains(header[3])
    else { return nil }
    version = header[3]
    let flags = header[5]
    let size = Self.synchsafe(header[6..<10])
    byteCount = 10 + Int64(size) + (version == 4 && flags & 0x10 != 0 ? 10 : 0)
    tag = []
    let left = Int(clamping: storage.length - offset - 10)
    guard var body = storage.bytes(at: offset + 10, count: min(size, left, Self.byteLimit)) else { return nil }
    // In the older versions the tag as a whole was changed so that it looks like no sound; in 2.4 each frame is.
    if flags & 0x80 != 0 && version < 4 { body = Self.withoutStuffing(body) }
    var start = 0
    if flags & 0x40 != 0 && version > 2 {
      guard body.count >= 4 else { return nil }
      start = version == 3 ? 4 + Int(body[..<4].bigEndianValue) : Self.synchsafe(body[..<4])
    }
    tag = Array("ID3".utf8) + [version, 0, version == 4 ? flags & 0x80 : 0, 0, 0, 0, 0]
    for _ in 0..<TagList.textCountLimit {
      guard let next = keepFrame(of: body, at: start) else { break }
      start = next
    }
    tag.replaceSubrange(6..<10, with: Self.synchsafe(tag.count - 10))
  }

  /// Takes a frame over where it may be; answers where the next one begins, nil at the end.
  private mutating func keepFrame(of body: [UInt8], at start: Int) -> Int? {
    let headerBytes = version == 2 ? 6 : 10
    guard start >= 0, start <= body.count - headerBytes, isName(body, at: start) else { return nil }
    let count = frameBytes(body, at: start)
    let content = start + headerBytes
    guard count > 0, count <= body.count - content else { return nil }
    let name = String(decoding: body[start..<start + nameBytes], as: UTF8.self)
    let flags = version == 2 ? 0 : body[start + 9]
    let isPacked = flags & (version == 4 ? 0x0C : 0xC0) != 0
    if isPacked || !mayKeep(name, count) {
      if !leftOut.contains(name) { leftOut.append(name) }
    } else {
      tag += body[start..<start + nameBytes]
      tag += version == 4 ? Self.synchsafe(count) : Array(UInt32(count).bigEndianBytes.suffix(nameBytes))
      tag += body[start + 2 * nameBytes..<content + count]
    }
    return content + count
  }

  private mutating func mayKeep(_ name: String, _ count: Int) -> Bool {
    if name == "APIC" || name == "PIC" {
      pictureCount += 1
      return pictureCount <= TagList.pictureCountLimit && count <= TagPicture.byteLimit + 1_024
    }
    let isText = ["T", "W"].contains(name.first) || ["COMM", "COM", "USLT", "ULT", "UFID", "UFI"].contains(name)
    // A text may be many, of a letter each, and each would take memory.
    guard isText, textBytes + count <= Self.textLimit else { return false }
    textBytes += count
    return true
  }

  private var nameBytes: Int { version == 2 ? 3 : 4 }

  private func isName(_ body: [UInt8], at start: Int) -> Bool {
    guard start >= 0, start <= body.count - nameBytes else { return false }
    return body[start..<start + nameBytes].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// Seven bits of each byte in 2.4, but for programs that write eight there: then a frame follows by that.
  private func frameBytes(_ body: [UInt8], at start: Int) -> Int {
    let size = body[start + nameBytes..<start + 2 * nameBytes]
    let plain = Int(size.bigEndianValue)
    guard version == 4 else { return plain }
    let safe = Self.synchsafe(size)
    return safe != plain && !isName(body, at: start + 10 + safe) && isName(body, at: start + 10 + plain) ? plain : safe
  }

  private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }

  private static func synchsafe(_ count: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: count >> $0 & 0x7F) }
  }

  /// A zero behind each byte of ones is not part of the tag.
  private static func withoutStuffing(_ bytes: [UInt8]) -> [UInt8] {
    var answer: [UInt8] = []
    answer.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      if last != 0xFF || byte != 0 { answer.append(byte) }
      last = byte
    }
    return answer
  }

  /// A picture of the largest size, and texts.
  private static let byteLimit = 96 << 20
  private static let textLimit = 1 << 20
}
