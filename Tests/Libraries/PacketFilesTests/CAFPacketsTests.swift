import PacketFiles
import Testing

/// CAF files made by hand, after Apple's specification of the format.
@Suite struct CAFPacketsTests {
  /// IMA4 as Apple's tools write it: packets of one size, and a table that holds numbers alone.
  private static func ima4(dataSize: Int?, tableFirst: Bool) -> [UInt8] {
    let table = cafChunk("pakt", be(0, 8) + be(250, 8) + be(0, 4) + be(6, 4))
    let sound = cafChunk("data", [0, 0, 0, 0] + [UInt8](repeating: 7, count: 4 * 68), size: dataSize)
    let description = cafDescription("ima4", bytes: 68, frames: 64, channels: 2)
    return cafHead + description + (tableFirst ? table + sound : sound + table)
  }

  @Test(arguments: [true, false], [nil, -1])
  func packetsOfOneSizeNeedNoTable(_ tableFirst: Bool, _ dataSize: Int?) throws {
    // A chunk without a size is the last one.
    guard tableFirst || dataSize == nil else { return }
    let file = try #require(PacketFile(Bytes(Self.ima4(dataSize: dataSize, tableFirst: tableFirst))))
    let track = try #require(file.tracks.first)
    #expect(file.container == .caf)
    #expect(track.format.code == "ima4")
    #expect(track.packetCount == 4)
    #expect(track.codedFrames == 256)
    #expect(track.trim == PacketTrack.Trim(priming: 0, valid: 250, remainder: 6))
    let start: Int64 = 8 + 44 + (tableFirst ? 36 : 0) + 16
    #expect(places(track) == (0..<4).map { [start + 68 * $0, 68] })
  }

  @Test func aTableGivesSizesAndFrames() throws {
    // 300 is 0x82 0x2C in groups of seven bits.
    let table = cafChunk(
      "pakt", be(3, 8) + be(2_000, 8) + be(100, 4) + be(84, 4) + [5, 0x87, 0x68, 0x82, 0x2C, 0x87, 0x68, 0, 0x81, 0x08])
    let file = try #require(
      PacketFile(
        Bytes(
          cafHead + cafDescription("zzzz", rate: 48_000, bytes: 0, frames: 0) + cafChunk("free", [1, 2, 3])
            + cafChunk("kuki", [9, 8]) + cafChunk("data", [0, 0, 0, 0] + [UInt8](repeating: 1, count: 305)) + table
            + cafChunk("info", be(1, 4) + text("title\0A song\0")))))
    let track = try #require(file.tracks.first)
    #expect(places(track) == [[8 + 44 + 15 + 14 + 16, 5], [102, 300], [97, 0]])
    #expect((0..<3).map { track.durations.frames(of: $0) } == [1_000, 1_000, 136])
    #expect(track.durations.packet(holding: 1_999) == 1)
    #expect(track.cookie == [9, 8])
    #expect(track.frameCount == 2_000)
    #expect(file.texts.map(\.key) == ["title"] && file.texts.map(\.value) == ["A song"])
    #expect(file.chunks.map(\.id).count == 6)
  }

  @Test func aTableThatSaysMoreThanThereIsEndsWithTheSound() throws {
    let table = cafChunk("pakt", be(1 << 40, 8) + be(-1, 8) + be(0, 8) + [4, 4, 4, 4, 4])
    let file = try #require(
      PacketFile(
        Bytes(
          cafHead + cafDescription("aac ", bytes: 0, frames: 1_024) + table
            + cafChunk("data", [0, 0, 0, 0] + [UInt8](repeating: 1, count: 10)))))
    let track = try #require(file.tracks.first)
    #expect(track.packetCount == 2)
    #expect(track.trim == nil)
    #expect(track.remarks == ["its packet table says 1099511627776 packets, and 2 are there"])
  }

  @Test func plainSamplesHaveTheFlagsOfADescription() throws {
    let float = cafHead + cafDescription("lpcm", flags: 3, bytes: 8, frames: 1, channels: 2, bits: 32)
    let format = try #require(PacketFile(Bytes(float + cafChunk("data", be(0, 12))))?.tracks.first?.format)
    // Float, packed.
    #expect(format.flags == 9)
    #expect(format.bytesPerFrame == 8)
    let integer = cafHead + cafDescription("lpcm", flags: 0, bytes: 3, frames: 1, bits: 24)
    // Big-endian, signed, packed.
    #expect(PacketFile(Bytes(integer + cafChunk("data", be(0, 7))))?.tracks.first?.format.flags == 14)
  }

  @Test(arguments: [0, 1_025, 1 << 31]) func noSoundHasThatManyChannels(_ channels: Int) {
    let bytes =
      cafHead + cafDescription("ima4", bytes: 34, frames: 64, channels: channels) + cafChunk("data", be(0, 38))
    #expect(PacketFile(Bytes(bytes)) == nil)
  }
}
