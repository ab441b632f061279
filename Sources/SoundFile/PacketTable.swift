// The packets of coded files whose packets differ in size: where each lies.
// Apple Lossless in CAF has a table; MPEG audio is walked from header to header, and so is FLAC. Nothing is decoded.

/// Where packets lie in a file.
package struct PacketTable: Sendable {
  /// Of each packet, bytes from the beginning of the file.
  package private(set) var offsets: [Int64] = []
  package private(set) var sizes: [UInt32] = []
  package let framesPerPacket: Int64
  /// Frames of sound where the file says so, and what comes before and after them.
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
    guard let chunk = layout.chunks(0x7061_6B74).first, chunk.contentBytes >= 24, chunk.contentBytes < 1 << 30,
      let bytes = storage.bytes(
        at: chunk.contentOffset, count: Int(min(chunk.contentBytes, storage.length - chunk.contentOffset)))
    else { return nil }
    func integer(_ at: Int, _ count: Int) -> Int64 { bytes[at..<at + count].reduce(0) { $0 << 8 | Int64($1) } }
    let packets = integer(0, 8)
    guard bytes.count >= 24, packets >= 0, packets <= bytes.count - 24 else { return nil }
    validFrames = integer(8, 8)
    primingFrames = Int32(truncatingIfNeeded: integer(16, 4))
    remainderFrames = Int32(truncatingIfNeeded: integer(20, 4))
    var at = 24
    var offset = layout.dataOffset
    for _ in 0..<packets {
      var size: UInt64 = 0
      while at < bytes.count {
        let byte = bytes[at]
        at += 1
        size = size << 7 | UInt64(byte & 0x7F)
        if byte & 0x80 == 0 || size > 1 << 30 { break }
      }
      guard size < 1 << 30, offset + Int64(size) <= layout.dataOffset + dataBytes else { return nil }
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
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  mutating func append(offset: Int64, size: UInt32) {
    offsets.append(offset)
    sizes.append(size)
  }
}

/// The four bytes that begin a frame of MPEG-1 or MPEG-2 audio (ISO 11172-3, 2.4.1.3).
package struct MPEGFrameHeader: Sendable {
  package let layer: Int
  package let sampleRate: Int
  /// Of the whole frame.
  package let bytes: Int
  /// Frames of sound in it.
  package let frames: Int
  private let version: Int

  package init?(_ word: [UInt8]) {
    guard word.count >= 4, word[0] == 0xFF, word[1] & 0xE0 == 0xE0 else { return nil }
    version = Int(word[1] >> 3 & 3)
    layer = 4 - Int(word[1] >> 1 & 3)
    let bitRateIndex = Int(word[2] >> 4)
    let rateIndex = Int(word[2] >> 2 & 3)
    guard version != 1, layer != 4, bitRateIndex != 0, bitRateIndex != 15, rateIndex != 3 else { return nil }
    let isFirst = version == 3
    sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let kilobits =
      switch (isFirst, layer) {
      case (true, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
      case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
      case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
      case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
      }
    let bits = kilobits[bitRateIndex - 1] * 1_000
    let padding = Int(word[2] >> 1 & 1)
    frames = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1_152
    bytes = layer == 1 ? (12 * bits / sampleRate + padding) * 4 : frames / 8 * bits / sampleRate + padding
  }

  func sounds(like other: MPEGFrameHeader) -> Bool {
    layer == other.layer && sampleRate == other.sampleRate && version == other.version
  }

  /// Where sound may begin: behind an ID3 tag of version 2.
  package static func start(of storage: any ByteStorage) -> Int64 {
    guard let start = storage.bytes(at: 0, count: 10), start.starts(with: "ID3".utf8) else { return 0 }
    // Four times seven bits, the header's ten bytes not counted.
    return 10 + start[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
  }

  /// Moves `offset` to the next frame that has another like it behind it, or the file's end; nil where there is none.
  package static func find(in storage: any ByteStorage, from offset: inout Int64) -> MPEGFrameHeader? {
    let length = storage.length
    // Half a megabyte of rubbish is as much as a player would look through.
    let limit = min(length - 4, offset + 524_288)
    while offset <= limit {
      guard let block = storage.bytes(at: offset, count: Int(min(65_536, length - offset))), block.count >= 4 else {
        return nil
      }
      for index in 0...block.count - 4 where block[index] == 0xFF {
        guard let header = MPEGFrameHeader(Array(block[index..<index + 4])) else { continue }
        let next = offset + Int64(index + header.bytes)
        let follower = storage.bytes(at: next, count: 4).flatMap(MPEGFrameHeader.init)
        if follower?.sounds(like: header) == true || next == length || isTrailer(storage.bytes(at: next, count: 3)) {
          offset += Int64(index)
          return header
        }
      }
      offset += Int64(block.count - 3)
    }
    return nil
  }

  private static func isTrailer(_ bytes: [UInt8]?) -> Bool { bytes.map { $0.elementsEqual("TAG".utf8) } ?? false }

  /// Whether a frame carries the length of the file instead of sound.
  static func isTag(_ frame: [UInt8]) -> Bool {
    let names = ["Xing", "Info", "VBRI"].map { Array($0.utf8) }
    return frame.count > 44 && (4...40).contains { names.contains(Array(frame[$0..<$0 + 4])) }
  }
}
