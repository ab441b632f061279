import PacketFiles
import Testing

/// MPEG-4 files made box by box, after ISO 14496-12 and -14.
@Suite struct MPEG4PacketsTests {
  /// A track of AAC whose five packets lie in two chunks, with other bytes between them.
  struct Parts {
    var edits: [UInt8] = []
    var comment: [UInt8] = []
    var movieScale = 1_000
    var config: [UInt8] = [0x12, 0x10]  // AAC LC, 44100 Hz, two channels
    var rate = 44_100
    var mediaScale = 44_100
    var sizes = full("stsz", be(0, 4) + be(5, 4) + [10, 20, 30, 40, 50].flatMap { be($0, 4) })
    var times = full("stts", be(2, 4) + be(4, 4) + be(1_024, 4) + be(1, 4) + be(500, 4))
    var longOffsets = false

    static let first = 16 + 8
    static let second = first + 60 + 7

    var file: [UInt8] {
      let sound = [UInt8](repeating: 1, count: 60) + [UInt8](repeating: 0, count: 7) + [UInt8](repeating: 2, count: 90)
      let head = box("ftyp", text("M4A ") + be(0, 4)) + box("mdat", sound)
      let offsets = [Self.first, Self.second].flatMap { be($0, longOffsets ? 8 : 4) }
      let descriptor: [UInt8] =
        [3, 0x19, 0, 0, 0, 4, 0x11, 0x40, 0x15, 0, 0, 0] + be(0, 8) + [5, UInt8(config.count)] + config + [6, 1, 2]
      let entry = box(
        "mp4a",
        be(0, 6) + be(1, 2) + be(0, 8) + be(2, 2) + be(16, 2) + be(0, 4) + be(rate << 16, 4)
          + full("esds", descriptor))
      let table = box(
        "stbl",
        full("stsd", be(1, 4) + entry) + times + full("stsc", be(2, 4) + [1, 3, 1, 2, 2, 1].flatMap { be($0, 4) })
          + sizes
          + full(longOffsets ? "co64" : "stco", be(2, 4) + offsets))
      let media = box(
        "mdia",
        full("mdhd", be(0, 8) + be(mediaScale, 4) + be(4_596, 4) + be(0, 4))
          + full("hdlr", be(0, 4) + text("soun") + be(0, 13)) + box("minf", table))
      let movie = full("mvhd", be(0, 8) + be(movieScale, 4) + be(0, 4) + be(0, 80))
      let track = box("trak", full("tkhd", be(0, 8) + be(7, 4) + be(0, 68)) + edits + media)
      return head + box("moov", movie + track + comment)
    }
  }

  static func edits(_ entries: [(duration: Int, time: Int)]) -> [UInt8] {
    box(
      "edts",
      full("elst", be(entries.count, 4) + entries.flatMap { be($0.duration, 4) + be($0.time, 4) + be(0x1_0000, 4) }))
  }

  static func comment(_ numbers: String) -> [UInt8] {
    let item = box(
      "----",
      full("mean", text("com.apple.iTunes")) + full("name", text("iTunSMPB"))
        + box("data", be(1, 4) + be(0, 4) + text(numbers)))
    let title = box([0xA9] + text("nam"), box("data", be(1, 4) + be(0, 4) + text("Song")))
    let list = box("ilst", item + title)
    return box("udta", full("meta", full("hdlr", be(0, 4) + text("mdir") + be(0, 13)) + list))
  }

  private static func track(_ parts: Parts) throws -> PacketTrack {
    try #require(PacketFile(Bytes(parts.file))?.tracks.first)
  }

  @Test(arguments: [false, true]) func packetsLieInTheirChunks(_ long: Bool) throws {
    let track = try Self.track(Parts(longOffsets: long))
    let (first, second) = (Int64(Parts.first), Int64(Parts.second))
    #expect(places(track) == [[first, 10], [first + 10, 20], [first + 30, 30], [second, 40], [second + 40, 50]])
    #expect(track.format.code == "aac " && track.format.sampleRate == 44_100 && track.format.channelCount == 2)
    #expect(track.format.framesPerPacket == 1_024)
    #expect(track.number == 7)
    #expect((0..<5).map { track.durations.frames(of: $0) } == [1_024, 1_024, 1_024, 1_024, 500])
    // Counted without what lies between the chunks.
    #expect(track.places?.packet(holding: 99) == 3)
    #expect(track.places?.byteStart(of: 4) == 100)
    #expect(track.dataBytes == 150)
    // The cookie is the descriptor.
    #expect(track.cookie.first == 3 && track.cookie.count == 27)
    // The last packet is shorter than a packet is.
    #expect(track.trim == PacketTrack.Trim(priming: 0, valid: 4_596, remainder: 524))
  }

  @Test func sizesMayTakeFourOrEightBits() throws {
    var parts = Parts()
    parts.sizes = full("stz2", be(8, 4) + be(5, 4) + [10, 20, 30, 40, 50])
    #expect(places(try Self.track(parts)).map { $0[1] } == [10, 20, 30, 40, 50])
    parts.sizes = full("stz2", be(4, 4) + be(5, 4) + [0x12, 0x34, 0x50])
    #expect(places(try Self.track(parts)).map { $0[1] } == [1, 2, 3, 4, 5])
    parts.sizes = full("stsz", be(3, 4) + be(5, 4))
    #expect(places(try Self.track(parts)).map { $0[1] } == [3, 3, 3, 3, 3])
  }

  /// 2 112 frames of 4 596 in front; 2 484 are left, 56.33 ms.
  @Test(arguments: [
    (56, 2_484), (57, 2_484),  // rounded down and up: to the end
    (50, 2_205), (0, 2_484),  // cut; to the end
  ])
  func anEditListSaysWhatIsHeard(_ milliseconds: Int, _ valid: Int64) throws {
    let track = try Self.track(Parts(edits: Self.edits([(milliseconds, 2_112)])))
    #expect(track.trim == PacketTrack.Trim(priming: 2_112, valid: valid, remainder: 5_120 - 2_112 - valid))
    #expect(track.frameCount == valid)
  }

  @Test func anEditInFramesIsExact() throws {
    let track = try Self.track(Parts(edits: Self.edits([(2_480, 2_112)]), movieScale: 44_100))
    #expect(track.trim == PacketTrack.Trim(priming: 2_112, valid: 2_480, remainder: 528))
  }

  @Test func silenceInFrontIsLeftOutAndEditsThatFollowAreOne() throws {
    let parts = Parts(edits: Self.edits([(900, -1), (1_000, 100), (500, 1_100)]), movieScale: 44_100)
    #expect(try Self.track(parts).trim == PacketTrack.Trim(priming: 100, valid: 1_500, remainder: 3_520))
  }

  @Test func editsThatJumpAreReadAsTheSoundLies() throws {
    let track = try Self.track(Parts(edits: Self.edits([(1_000, 3_000), (1_000, 0)]), movieScale: 44_100))
    #expect(track.trim == PacketTrack.Trim(priming: 0, valid: 4_596, remainder: 524))
    #expect(track.remarks.count == 1)
  }

  @Test func theCommentOfITunesCountsWithoutAnEditList() throws {
    // 0x840 = 2112 in front, 0x13C = 316 behind, 0xA84 = 2692... of which 2484 are there: not a part of this file.
    let wrong = try Self.track(Parts(comment: Self.comment(" 00000000 00000840 0000013C 0000000000000A84")))
    #expect(wrong.trim == PacketTrack.Trim(priming: 0, valid: 4_596, remainder: 524))
    let right = Parts(comment: Self.comment(" 00000000 00000840 000002B4 0000000000000910 00000000"))
    #expect(try Self.track(right).trim == PacketTrack.Trim(priming: 2_112, valid: 2_320, remainder: 688))
    #expect(try #require(PacketFile(Bytes(right.file))).texts.map(\.value) == ["Song"])
    // It says exactly what an edit in milliseconds rounds: 2 320 frames are 52.6 ms.
    var both = right
    both.edits = Self.edits([(53, 2_112)])
    #expect(try Self.track(both).trim?.valid == 2_320)
    // The edit list is right where they differ.
    both.edits = Self.edits([(30, 2_112)])
    #expect(try Self.track(both).trim?.valid == 1_323)
  }

  @Test func layersAreFormatsOfTheirOwn() throws {
    // 22050 Hz with replication to 44100 Hz, told in front: object type 5, index 7, two channels, index 4, object type 2.
    let bits: [(Int, Int)] = [(5, 5), (7, 4), (2, 4), (4, 4), (2, 5), (0, 3)]
    var value = 0
    for (number, count) in bits { value = value << count | number }
    let parts = Parts(config: be(value << 7, 4), rate: 44_100)
    let track = try Self.track(parts)
    #expect(track.format.sampleRate == 22_050)
    #expect(track.format.framesPerPacket == 1_024)
    #expect(track.richerFormats.map(\.code) == ["aach"])
    #expect(track.richerFormats.first?.sampleRate == 44_100)
    #expect(track.richerFormats.first?.framesPerPacket == 2_048)
    // Times are in units of 1/44100 s.
    #expect(track.durations.frames(of: 0) == 512)
  }

  /// A movie without samples, and two fragments.
  @Test(arguments: [true, false]) func fragmentsAddPackets(_ baseIsFragment: Bool) throws {
    let parts = Parts(
      sizes: full("stsz", be(0, 8)), times: full("stts", be(0, 4)))
    var movie = parts.file
    // The defaults of the track go into the movie.
    let start = 16 + 8 + 157
    let extends = box("mvex", full("trex", [7, 1, 1_024, 6, 0].flatMap { be($0, 4) }))
    let size = movie.count - start + extends.count
    movie = Array(movie[..<start]) + be(size, 4) + Array(movie[(start + 4)...]) + extends
    var file = movie
    var expected: [[Int64]] = []
    for (number, sizes) in [[11, 12], [13]].enumerated() {
      // Sizes alone, each of which takes four bytes, or the default.
      let runLength = 8 + 12 + 4 * sizes.count
      let header = full(
        "tfhd", be(7, 4) + (baseIsFragment ? [] : be(file.count, 8)), flags: baseIsFragment ? 0x2_0000 : 1)
      let length = 8 + 16 + 8 + header.count + runLength
      let run = full("trun", be(sizes.count, 4) + be(length + 8, 4) + sizes.flatMap { be($0, 4) }, flags: 0x201)
      let fragment = box("moof", full("mfhd", be(number, 4)) + box("traf", header + run))
      var place = Int64(file.count + length + 8)
      for size in sizes {
        expected.append([place, Int64(size)])
        place += Int64(size)
      }
      file += fragment + box("mdat", [UInt8](repeating: 5, count: sizes.reduce(0, +)))
    }
    let track = try #require(PacketFile(Bytes(file))?.tracks.first)
    #expect(places(track) == expected)
    #expect(track.durations.frameCount == 3 * 1_024)
  }

  @Test func aFileThatEndsEarlyHasThePacketsThatAreThere() throws {
    var parts = Parts()
    parts.sizes = full("stsz", be(0, 4) + be(5, 4) + [10, 20, 30, 40, 90_000].flatMap { be($0, 4) })
    let track = try Self.track(parts)
    #expect(track.packetCount == 4)
    #expect(track.remarks == ["the file ends before its sound does"])
  }
}
