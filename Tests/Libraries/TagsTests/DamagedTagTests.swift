import AudioCore
import SoundFile
import Tags
import TestSupport
import Testing

@Suite("Tags of damaged and made-up files")
struct DamagedTagTests {
  /// None may take memory or time beyond what the file itself is, and none may end the process.
  @Test("Files that end anywhere are read as far as they go", arguments: TagFixtures.names)
  func truncated(name: String) {
    let whole = TagFixtures.bytes(name)
    for length in 0..<min(whole.count, 3000) { _ = FileTags(MemoryStorage(Array(whole[..<length]))) }
    #expect(!FileTags(MemoryStorage(whole)).isEmpty)
  }

  @Test("Bytes that are others: of the beginning, one by one and many at a time", arguments: TagFixtures.names)
  func changed(name: String) {
    let whole = TagFixtures.bytes(name)
    // The places of the tags: behind the sound in WAV and AIFF.
    let places =
      name.hasPrefix("tagged") ? Array(0..<60) + Array(4800..<whole.count) : Array(0..<min(whole.count, 1600))
    var generator = SeededGenerator(seed: 5)
    for place in places {
      for value: UInt8 in [0, 0xFF, whole[place] ^ 0x80, whole[place] &+ 1] {
        var bytes = whole
        bytes[place] = value
        _ = FileTags(MemoryStorage(bytes))
      }
    }
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<8 {
        bytes[places.randomElement(using: &generator) ?? 0] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = FileTags(MemoryStorage(bytes))
    }
  }

  private func id3(_ frames: [UInt8], version: UInt8 = 4, size: Int? = nil) -> [UInt8] {
    let count = size ?? frames.count
    return Array("ID3".utf8) + [version, 0, 0] + [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } + frames
  }

  private func frame(_ name: String, _ content: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    Array(name.utf8) + [21, 14, 7, 0].map { UInt8(content.count >> $0 & 0x7F) } + [0, flags] + content
  }

  @Test("Compressed frames and frames within frames are left out; what stands behind them is read")
  func frames() {
    let isrc = frame("TSRC", [3] + Array("GBAYE0000351".utf8))
    // TagLib 1.13 goes as deep as chapters lie within one another.
    var chapters: [UInt8] = []
    for _ in 0..<60_000 {
      chapters = Array("CHAP".utf8) + [0, 0, 0, 0, 0, 0] + Array("a\0".utf8) + chapters.prefix(20)
    }
    let packed = frame("TIT2", [0, 0, 0, 9, 0x78, 0x9C] + [UInt8](repeating: 1, count: 200), flags: 0x08)
    let tags = FileTags(MemoryStorage(id3(packed + frame("CHAP", chapters) + frame("CTOC", chapters) + isrc)))
    #expect(tags == FileTags(texts: ["ISRC": ["GBAYE0000351"]]))
  }

  @Test("A size beyond the file, texts of nothing but ends, thousands of frames")
  func sizes() {
    let isrc = frame("TSRC", [3] + Array("x".utf8))
    #expect(FileTags(MemoryStorage(id3(isrc, size: 0xFFF_FFFF))).texts == ["ISRC": ["x"]])
    #expect(
      FileTags(MemoryStorage(id3(frame("TIT2", [UInt8](repeating: 0, count: 900_000)) + isrc))).texts == ["ISRC": ["x"]]
    )
    let many = (0..<50_000).flatMap { _ in isrc }
    #expect((FileTags(MemoryStorage(id3(many))).texts["ISRC"]?.count ?? 0) <= 10_000)
    let pictures = (0..<50_000).flatMap { _ in frame("APIC", [0] + Array("image/png".utf8) + [0, 3, 0, 7]) }
    #expect(FileTags(MemoryStorage(id3(pictures))).pictures.count == 256)
    // More comments than a file may have; lengths that are more than there is.
    for count: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0x11, 0x27, 0, 0], [2, 0, 0, 0]] {
      let comments = [0, 0, 0, 0] + count + [0xFF, 0xFF, 0xFF, 0x7F] + Array("A=1".utf8)
      let flac = Array("fLaC".utf8) + [0x84, 0, 0, UInt8(comments.count)] + comments
      #expect(FileTags(MemoryStorage(flac)).texts.isEmpty)
    }
  }

  @Test("A tag of version 2.3 that was changed to look like no sound, and sizes of eight bits in 2.4")
  func otherWriters() {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x01, 0xFF, 0x00, 0x02] + [UInt8](repeating: 5, count: 200)
    let content = [0] + Array("image/jpeg\0".utf8) + [3, 0] + picture
    let header = Array("APIC".utf8) + UInt32(content.count).bigEndianBytes + [0, 0]
    var stuffed: [UInt8] = []
    for byte in header + content {
      if stuffed.last == 0xFF, byte == 0 || byte >= 0xE0 { stuffed.append(0) }
      stuffed.append(byte)
    }
    var tag = id3(stuffed, version: 3)
    tag[5] = 0x80
    #expect(FileTags(MemoryStorage(tag)).pictures.map(\.bytes) == [picture])
    let plain = id3(header + content + frame("TSRC", [3] + Array("x".utf8)))
    #expect(FileTags(MemoryStorage(plain)).pictures.map(\.bytes) == [picture])
    #expect(FileTags(MemoryStorage(plain)).texts == ["ISRC": ["x"]])
  }
}
