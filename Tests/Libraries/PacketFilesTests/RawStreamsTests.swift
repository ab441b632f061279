import PacketFiles
import Testing

/// Streams of frames without a container, made by hand.
@Suite struct RawStreamsTests {
  /// A frame of AAC LC at 44100 Hz with two channels: `bytes` of content.
  static func adts(_ bytes: Int, protected: Bool = false, blocks: Int = 1) -> [UInt8] {
    let length = bytes + (protected ? 9 : 7)
    let head: [UInt8] = [
      0xFF, protected ? 0xF0 : 0xF1, 1 << 6 | 4 << 2, 2 << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
      UInt8(length & 7) << 5 | 0x1F, 0xFC | UInt8(blocks - 1),
    ]
    return head + [UInt8](repeating: 0, count: protected ? 2 : 0) + [UInt8](repeating: 0x21, count: bytes)
  }

  @Test func packetsOfADTSAreFramesWithoutTheirHeaders() throws {
    let tag = text("ID3") + [4, 0, 0, 0, 0, 0, 5] + [UInt8](repeating: 0, count: 5)
    let stream =
      tag + Self.adts(100) + Self.adts(200, protected: true) + Self.adts(300, blocks: 2) + Self.adts(50).dropLast(3)
    let file = try #require(PacketFile(Bytes(stream)))
    let track = try #require(file.tracks.first)
    #expect(file.container == .adts)
    #expect(places(track) == [[22, 100], [131, 200], [338, 300]])
    #expect((0..<3).map { track.durations.frames(of: $0) } == [1_024, 1_024, 2_048])
    #expect(track.format.sampleRate == 44_100 && track.format.channelCount == 2)
    // AudioSpecificConfig: object type 2, index 4, two channels.
    #expect(track.cookie.suffix(8).prefix(2) == [0x12, 0x10])
  }

  @Test func oneHeaderIsNotYetAStream() {
    #expect(PacketFile(Bytes(Self.adts(100) + [1, 2, 3, 4, 5, 6, 7, 8])) == nil)
    #expect(PacketFile(Bytes(Self.adts(100))) != nil)
  }

  @Test func framesOfAC3HaveTheSizeOfTheirRate() throws {
    // 44100 Hz at 96 kbit/s: 208 words, or 209 with the odd code (ETSI TS 102 366, table 4.13); three channels and one
    // of effects.
    func frame(_ code: UInt8, _ words: Int) -> [UInt8] {
      let head: [UInt8] = [0x0B, 0x77, 0, 0, 1 << 6 | code, 8 << 3, 3 << 5 | 4, 0]
      return head + [UInt8](repeating: 9, count: 2 * words - 8)
    }
    let track = try #require(PacketFile(Bytes(frame(12, 208) + frame(13, 209) + frame(12, 208)))?.tracks.first)
    #expect(places(track).map { $0[1] } == [416, 418, 416])
    #expect(track.format.channelCount == 4)
    #expect(track.durations.frameCount == 3 * 1_536)
  }

  @Test func framesOfAMRHaveTheSizeOfTheirMode() throws {
    let stream = text("#!AMR\n") + [0x3C] + [UInt8](repeating: 0, count: 31) + [0x04] + [UInt8](repeating: 0, count: 12)
    let track = try #require(PacketFile(Bytes(stream))?.tracks.first)
    #expect(places(track) == [[6, 32], [38, 13]])
    #expect(track.durations.frameCount == 320)
  }
}
