// The length of an MPEG file: that of the tag in its first frame (Xing, Info or VBRI), beside the frames that are there.
// Nothing is decoded.

import AudioCore

/// The number of frames in an MPEG file's tag, and where it stands.
struct MPEGLength {
  /// Frames of the stream as the tag has them, that of the tag not counted.
  let stated: Int64
  /// Frames of the stream that are there, each whole.
  let found: Int64
  /// Frames of sound in each.
  let framesPerPacket: Int64
  private let field: Int64
  /// The tag's own frame, where it is one that libmpg123 does not know.
  private var foreign: (offset: Int64, bytes: [UInt8])?
  /// Bytes behind the last whole frame.
  private let rest: Int64

  /// Nil where the file has no tag with a number of frames.
  init?(_ body: SoundBody) {
    let storage = body.storage
    guard let start = storage.bytes(at: 0, count: 3), start.starts(with: "ID3".utf8) || start[0] == 0xFF else {
      return nil
    }
    var offset = MPEGFrameHeader.start(of: storage)
    guard let first = MPEGFrameHeader.find(in: storage, from: &offset),
      let tag = storage.bytes(at: offset, count: min(first.bytes, 256)), let place = Self.frameField(tag)
    else { return nil }
    field = offset + Int64(place)
    stated = tag[place..<place + 4].bigEndianValue
    guard stated > 0 else { return nil }
    framesPerPacket = Int64(first.frames)
    let isVBRI = tag[max(0, place - 14)...].starts(with: "VBRI".utf8)
    if isVBRI { foreign = (offset, Array(tag[..<4]) + Array(repeating: 0, count: first.bytes - 4)) }
    (found, rest) = Self.count(storage, from: offset + Int64(first.bytes), end: body.end, like: first)
  }

  /// The place of the number in the first frame.
  private static func frameField(_ tag: [UInt8]) -> Int? {
    for index in 4..<max(4, min(40, tag.count - 20)) {
      switch String(decoding: tag[index..<index + 4], as: UTF8.self) {
      case "Xing", "Info": return tag[index + 7] & 1 != 0 ? index + 8 : nil
      case "VBRI": return index + 14
      default: continue
      }
    }
    return nil
  }

  /// Goes from header to header, in blocks of the file.
  private static func count(
    _ storage: any ByteStorage, from start: Int64, end: Int64, like first: MPEGFrameHeader
  ) -> (frames: Int64, rest: Int64) {
    var (offset, count) = (start, Int64(0))
    var block = (start: Int64(0), bytes: [UInt8]())
    while offset + 4 <= end {
      if offset < block.start || offset + 4 > block.start + Int64(block.bytes.count) {
        guard let bytes = storage.bytes(at: offset, count: Int(min(65_536, end - offset))) else {
          return (count, end - offset)
        }
        block = (offset, bytes)
      }
      let index = Int(offset - block.start)
      guard let header = MPEGFrameHeader(Array(block.bytes[index..<index + 4])), header.sounds(like: first) else {
        // Rubbish between frames is stepped over, as libmpg123 does.
        offset += 1
        guard MPEGFrameHeader.find(in: storage, from: &offset) != nil, offset < end else {
          return (count, 0)
        }
        continue
      }
      guard offset + Int64(header.bytes) <= end else { return (count, end - offset) }
      count += 1
      offset += Int64(header.bytes)
    }
    return (count, 0)
  }

  /// True where the file was cut off. Some programs count the frame of the tag with the others.
  var isCut: Bool { found < stated && (rest > 0 || found + 1 < stated) }

  /// The file with the number of frames that are there in its tag: libmpg123 goes by the tag's.
  func mended(_ storage: any ByteStorage) -> any ByteStorage {
    guard found != stated || foreign != nil else { return storage }
    let mended = StoragePart(storage, from: 0)
    if let foreign {
      var frame = foreign.bytes
      // Behind the side information, which is 0: 32 bytes, 17 or 9 by version and channels.
      let (isFirst, isMono) = (frame[1] & 8 != 0, frame[3] >> 6 == 3)
      let place = 4 + (isFirst ? isMono ? 17 : 32 : isMono ? 9 : 17)
      let tag = Array("Xing".utf8) + [0, 0, 0, 1] + UInt32(clamping: found).bigEndianBytes
      guard place + tag.count <= frame.count else { return storage }
      frame.replaceSubrange(place..<place + tag.count, with: tag)
      try? mended.write(frame, at: foreign.offset)
      return mended
    }
    try? mended.write(UInt32(clamping: found).bigEndianBytes, at: field)
    return mended
  }

  /// The difference in words; nil where there is none.
  var remark: String? {
    guard found != stated else { return nil }
    let words = "\(NumberText.count(stated, "MPEG frame")) of \(framesPerPacket) samples"
    return isCut
      ? "the file ends after \(found) of the \(words) that its header promises"
      : "its header says \(words), and \(found) are there: all of them are read"
  }
}
