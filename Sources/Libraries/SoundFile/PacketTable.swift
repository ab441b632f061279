// The packets of coded files whose packets differ in size: where each lies.
// Apple Lossless in CAF has a table; MPEG audio is walked from header to header, and so is FLAC. Nothing is decoded.

import AudioCore
/// The packets of a file.
package struct PacketTable: Sendable {
  /// The offset of each packet, bytes from the beginning of the file.
  package private(set) var offsets: [Int64] = []
  package private(set) var sizes: [UInt32] = []
  package let framesPerPacket: Int64
  /// Frames of sound where the file states them, and what comes before and after them.
  package private(set) var validFrames: Int64?
  package private(set) var primingFrames: Int32 = 0
  package private(set) var remainderFrames: Int32 = 0

  init(framesPerPacket: Int64) { self.framesPerPacket = framesPerPacket }

  package var count: Int { sizes.count }
  package var largest: UInt32 { sizes.max() ?? 0 }

  /// The 'pakt' chunk of a CAF file with packets of `framesPerPacket` frames; nil where it contradicts the data.
  package init?(
    coreAudioFile storage: any ByteStorage, layout: ContainerLayout, dataBytes: Int64, framesPerPacket: Int64
  ) {
    self.framesPerPacket = framesPerPacket
    guard let chunk = layout.first(0x7061_6B74), chunk.contentBytes >= 24, chunk.contentBytes < 1 << 30,
      let bytes = storage.bytes(
        at: chunk.contentOffset, count: Int(min(chunk.contentBytes, storage.length - chunk.contentOffset))),
      // There may be less now than there was when the chunk was found.
      bytes.count >= 24
    else { return nil }
    func integer(_ at: Int, _ count: Int) -> Int64 { bytes[at..<at + count].bigEndianValue }
    let packets = integer(0, 8)
    guard packets >= 0, packets <= bytes.count - 24 else { return nil }
    validFrames = integer(8, 8)
    primingFrames = Int32(truncatingIfNeeded: integer(16, 4))
    remainderFrames = Int32(truncatingIfNeeded: integer(20, 4))
    var at = 24
    var offset = layout.dataOffset
    for _ in 0..<packets {
      var size: UInt64 = 0
      var isWhole = false
      while at < bytes.count, !isWhole, size < 1 << 30 {
        let byte = bytes[at]
        at += 1
        size = size << 7 | UInt64(byte & 0x7F)
        isWhole = byte & 0x80 == 0
      }
      guard isWhole, size < 1 << 30, offset + Int64(size) <= layout.dataOffset + dataBytes else { return nil }
      append(offset: offset, size: UInt32(size))
      offset += Int64(size)
    }
  }

  /// The frames of an MPEG file; the frame that only carries the length is none of them. Nil where there are none.
  package init?(mpeg storage: any ByteStorage) {
    var offset = MPEGFrameHeader.start(of: storage)
    guard let first = MPEGFrameHeader.find(in: storage, from: &offset) else { return nil }
    framesPerPacket = Int64(first.frames)
    if let content = storage.bytes(at: offset, count: first.bytes), MPEGFrameHeader.isTag(content) {
      offset += Int64(first.bytes)
    }
    let length = storage.length
    while offset + 4 <= length {
      guard let word = storage.bytes(at: offset, count: 4), let header = MPEGFrameHeader(word),
        header.sounds(like: first)
      else {
        // Rubbish between frames is stepped over; a tag at the end has no frame behind it.
        offset += 1
        guard MPEGFrameHeader.find(in: storage, from: &offset) != nil else { return }
        continue
      }
      guard offset + Int64(header.bytes) <= length else { return }
      append(offset: offset, size: UInt32(header.bytes))
      offset += Int64(header.bytes)
    }
  }

  /// The packet that holds the byte at `place`, by its index; nil before the first.
  package func lastPacket(notAfter place: Int64) -> Int? {
    let end = offsets.indices.endOfPrefix { offsets[$0] <= place }
    return end > 0 ? end - 1 : nil
  }

  mutating func append(offset: Int64, size: UInt32) {
    offsets.append(offset)
    sizes.append(size)
  }
}
