// Vorbis comments and pictures, where FLAC and Ogg keep them: RFC 9639, section 8; RFC 3533, section 6.

import AudioCore
import SoundFile

/// The metadata blocks of a FLAC file that hold texts and pictures.
struct FLACBlocks {
  private(set) var comments: [[UInt8]] = []
  private(set) var pictures: [[UInt8]] = []

  init(_ storage: any ByteStorage, from start: Int64) {
    var offset = start + 4
    var left = OggComments.byteLimit
    // No file has as many blocks; one that is made to waste time may.
    for _ in 0..<10_000 {
      guard let header = storage.bytes(at: offset, count: 4) else { return }
      let count = Int(header[1...].bigEndianValue)
      let kind = header[0] & 0x7F
      if kind == 4 || kind == 6 {
        left -= count
        guard left >= 0, let block = storage.bytes(at: offset + 4, count: count) else { return }
        if kind == 6 {
          if pictures.count < TagList.pictureCountLimit { pictures.append(block) }
        } else if isCommentBlock(block) {
          comments.append(block)
        }
      }
      if header[0] & 0x80 != 0 { return }
      offset += 4 + Int64(count)
    }
  }
}

/// The comment packet of an Ogg file, the second of its first stream.
struct OggComments {
  /// Without the letters in front that say what it is.
  let comments: [UInt8]

  /// Nil where it is neither Vorbis nor Opus, or the packet does not end within bounds.
  init?(_ storage: any ByteStorage) {
    var packet: [UInt8] = []
    var isInside = false
    var serial: [UInt8]?
    var offset: Int64 = 0
    // The pages of other streams lie between.
    for _ in 0..<100_000 {
      guard let head = storage.bytes(at: offset, count: 27), head.starts(with: "OggS".utf8),
        let lengths = storage.bytes(at: offset + 27, count: Int(head[26]))
      else { return nil }
      let contentOffset = offset + 27 + Int64(lengths.count)
      let contentBytes = lengths.reduce(0) { $0 + Int($1) }
      offset = contentOffset + Int64(contentBytes)
      guard serial ?? Array(head[14..<18]) == Array(head[14..<18]) else { continue }
      guard serial != nil else {
        serial = Array(head[14..<18])
        // The first packet has a page of its own.
        isInside = true
        continue
      }
      guard isInside, let content = storage.bytes(at: contentOffset, count: contentBytes) else { return nil }
      let lacing = lengths.firstIndex { $0 < 255 }
      packet += content.prefix(lengths.prefix(lacing.map { $0 + 1 } ?? lengths.count).reduce(0) { $0 + Int($1) })
      guard packet.count <= Self.byteLimit else { return nil }
      if lacing != nil { break }
    }
    for lead in [[3] + Array("vorbis".utf8), Array("OpusTags".utf8)] where packet.starts(with: lead) {
      comments = Array(packet.dropFirst(lead.count))
      guard isCommentBlock(comments) else { return nil }
      return
    }
    return nil
  }

  /// A picture of 64 MiB, written in letters, and all texts.
  static let byteLimit = 96 << 20
}

/// True when a block of comments has no more of them than a file may have: each would take memory, however short.
private func isCommentBlock(_ block: [UInt8]) -> Bool {
  func number(at offset: Int) -> Int? {
    guard offset >= 0, offset <= block.count - 4 else { return nil }
    return Int(block[offset..<offset + 4].reversed().bigEndianValue)
  }
  guard let vendor = number(at: 0), let count = number(at: 4 + vendor) else { return false }
  return count <= TagList.textCountLimit
}
