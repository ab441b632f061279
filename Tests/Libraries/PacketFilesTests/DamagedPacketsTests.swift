import PacketFiles
import Testing

/// Any bytes are refused or read: no packet lies outside the file, whatever tables say.
@Suite struct DamagedPacketsTests {
  private static let files: [[UInt8]] = {
    let edits = MPEG4PacketsTests.edits([(50, 2_112)])
    let comment = MPEG4PacketsTests.comment(" 00000000 00000840 000002B4 0000000000000910 00000000")
    let table = cafChunk(
      "pakt", be(3, 8) + be(2_000, 8) + be(100, 4) + be(84, 4) + [5, 0x87, 0x68, 0x82, 0x2C, 0x87, 0x68, 0, 0x81, 0x08])
    return [
      MPEG4PacketsTests.Parts(edits: edits, comment: comment).file,
      MPEG4PacketsTests.Parts(edits: edits, longOffsets: true).file,
      cafHead + cafDescription("alac", bytes: 0, frames: 0) + table
        + cafChunk("data", [0, 0, 0, 0] + [UInt8](repeating: 1, count: 305)),
      RawStreamsTests.adts(30) + RawStreamsTests.adts(40, protected: true) + RawStreamsTests.adts(50),
    ]
  }()

  @Test(arguments: 0..<8) func noBytesLeadOutside(_ part: UInt64) {
    var state = 0x9E37_79B9_7F4A_7C15 &* (part + 1)
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    var opened = 0
    for _ in 0..<1_500 {
      var bytes = Self.files[Int(random() % UInt64(Self.files.count))]
      if random() % 4 == 0 { bytes.removeLast(Int(random() % UInt64(bytes.count))) }
      for _ in 0..<(1 + random() % 6) where !bytes.isEmpty {
        let place = Int(random() % UInt64(bytes.count))
        let kinds: [UInt8] = [0, 0xFF, 0x7F, 0x80, UInt8(truncatingIfNeeded: random())]
        for index in place..<min(bytes.count, place + [1, 2, 4, 8][Int(random() % 4)]) {
          bytes[index] = kinds[Int(random() % 5)]
        }
      }
      guard let file = PacketFile(Bytes(bytes)) else { continue }
      opened += 1
      for track in file.tracks {
        guard let map = track.places else { continue }
        for number in [0, 1, 2, map.count - 1, map.count, -1, Int64(bitPattern: random())] {
          guard let place = map.place(of: number) else { continue }
          #expect(place.offset >= 0 && place.offset + Int64(place.bytes) <= Int64(bytes.count))
          #expect(number >= 0 && number < map.count)
          _ = track.durations.firstFrame(of: number)
        }
        #expect(track.frameCount >= 0)
      }
    }
    #expect(opened > 300)
  }
}
