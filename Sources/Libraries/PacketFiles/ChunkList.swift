// The chunks of CAF, AIFF, WAVE and Wave64, in any order and of any size that a header may say.

import AudioCore

/// The chunks of a file, each ended by the end of the file at the latest.
struct ChunkList {
  struct Chunk {
    let id: FourCharCode
    let content: Range<Int64>
    /// True where the file ends before the chunk should.
    let isCut: Bool
  }

  /// The form of the headers of chunks.
  struct Grammar {
    var first: Int64
    var idBytes = 4
    var sizeBytes = 4
    var alignment: Int64 = 2
    var isBigEndian = true
    /// The size of a chunk counts its header (Wave64).
    var countsHeader = false
    /// The size of the chunk 'data' by another chunk (RF64); nil: its own.
    var dataBytes: Int64?
  }

  private(set) var chunks: [Chunk] = []

  init(_ storage: any PacketBytes, _ grammar: Grammar) {
    let length = storage.length
    let header = Int64(grammar.idBytes + grammar.sizeBytes)
    var offset = grammar.first
    // Headers that go on for longer lead nowhere.
    while chunks.count < 10_000, offset <= length - header,
      let head = storage.bytes(at: offset, count: Int(header)), let id = head.word(0),
      let stated = head.number(grammar.idBytes, grammar.sizeBytes, isBigEndian: grammar.isBigEndian)
    {
      let start = offset + header
      var size = grammar.countsHeader ? stated.subtractingReportingOverflow(header).partialValue : stated
      let code = FourCharCode(rawValue: id)
      let isSound = code == "data" || code == "SSND"
      if isSound, let long = grammar.dataBytes, stated == 0xFFFF_FFFF { size = long }
      // Sizes that no file has: −1, and what programs write that do not know the length.
      let isOpen = size < 0 || size >= 1 << 61 || grammar.sizeBytes == 4 && isSound && Self.isOpen(stated, size)
      let end = isOpen ? length : min(length, start.plus(size))
      chunks.append(Chunk(id: code, content: start..<max(start, end), isCut: !isOpen && start.plus(size) > length))
      offset = (max(start, end).plus(grammar.alignment - 1)) / grammar.alignment * grammar.alignment
    }
  }

  private static func isOpen(_ stated: Int64, _ size: Int64) -> Bool {
    size == stated
      && (size >= 0xFFFF_F000 || (0x7FFF_F000...0x7FFF_FFFF).contains(size)
        || (0x7F00_0000...0x7F00_0100).contains(size))
  }

  func first(_ id: FourCharCode) -> Chunk? { chunks.first { $0.id == id } }

  var asUserData: [PacketFile.Chunk] {
    chunks.map {
      PacketFile.Chunk(
        id: $0.id.rawValue, offset: $0.content.lowerBound, length: $0.content.upperBound - $0.content.lowerBound)
    }
  }
}
