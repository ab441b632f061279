import PacketFiles
import Testing

/// WAVE and AIFF-C files made by hand: codecs by number and by name.
@Suite struct WAVEPacketsTests {
  private static func chunk(_ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
    text(name) + le(size ?? content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func wave(_ tag: Int, block: Int, extra: [UInt8] = [], fact: Int? = nil, sound: Int, size: Int? = nil)
    -> [UInt8]
  {
    let format =
      le(tag, 2) + le(2, 2) + le(44_100, 4) + le(100_000, 4) + le(block, 2) + le(4, 2) + le(extra.count, 2) + extra
    return text("RIFF") + le(0, 4) + text("WAVE") + chunk("fmt ", format)
      + (fact.map { chunk("fact", le($0, 4)) } ?? [])
      + chunk("data", [UInt8](repeating: 0, count: sound), size: size) + chunk("LIST", text("INFO"))
  }

  @Test func blocksOfADPCMHaveFramesByTheHeader() throws {
    let extra = le(2_036, 2) + le(7, 2)
    let file = try #require(PacketFile(Bytes(Self.wave(2, block: 2_048, extra: extra, fact: 5_000, sound: 3 * 2_048))))
    let track = try #require(file.tracks.first)
    #expect(track.format.id == 0x6D73_0002)
    #expect(track.packetCount == 3)
    #expect(track.format.framesPerPacket == 2_036)
    #expect(track.trim == PacketTrack.Trim(priming: 0, valid: 5_000, remainder: 1_108))
    #expect(track.cookie == extra)
    #expect(file.chunks.count == 4)
  }

  @Test func anUnknownCodecHasItsNumber() throws {
    let track = try #require(PacketFile(Bytes(Self.wave(0x1234, block: 100, sound: 1_050)))?.tracks.first)
    #expect(track.format.id == 0x6D73_1234)
    #expect(track.packetCount == 10)
    #expect(track.format.framesPerPacket == 0)
  }

  @Test func aSizeThatIsLeftOpenGoesToTheEnd() throws {
    let bytes = Self.wave(0x1234, block: 100, sound: 1_000, size: 0xFFFF_FFFF)
    #expect(PacketFile(Bytes(bytes))?.tracks.first?.dataBytes == 1_012)
  }

  private static func aiff(_ code: String, bits: Int = 16, sound: Int) -> [UInt8] {
    // 44100 = 0xAC44 · 2^(15 − 15), as 80 bits.
    let common = be(2, 2) + be(10, 4) + be(bits, 2) + [0x40, 0x0E, 0xAC, 0x44] + be(0, 6) + text(code) + [0, 0]
    return text("FORM") + be(0, 4) + text("AIFC") + text("COMM") + be(common.count, 4) + common + text("SSND")
      + be(sound + 8, 4) + be(0, 8) + [UInt8](repeating: 0, count: sound)
  }

  @Test(arguments: [
    ("ima4", 68, 64), ("MAC3", 4, 6), ("MAC6", 2, 6), ("ulaw", 2, 1), ("sowt", 4, 1), ("fl32", 8, 1), ("in24", 6, 1),
    ("GSM ", 66, 160),
  ])
  func compressionsHavePacketsByTheirName(_ code: String, _ bytes: UInt32, _ frames: UInt32) throws {
    let track = try #require(PacketFile(Bytes(Self.aiff(code, sound: 680)))?.tracks.first)
    #expect(track.format.bytesPerPacket == bytes)
    #expect(track.format.framesPerPacket == frames)
    #expect(track.format.sampleRate == 44_100)
    #expect(track.packetCount == Int64(680 / bytes))
  }

  @Test func anUnknownCompressionHasBytesAndNoPackets() throws {
    let track = try #require(PacketFile(Bytes(Self.aiff("QDM2", sound: 100)))?.tracks.first)
    #expect(track.format.code == "QDM2")
    #expect(track.places == nil)
    #expect(track.dataBytes == 100)
  }
}
