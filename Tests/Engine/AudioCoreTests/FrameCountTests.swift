import AudioCore
import Testing

@Suite("Frame arithmetic")
struct FrameCountTests {
  @Test(
    "A conversion's length is rounded half up, in integers",
    arguments: [
      // 1 × 48000 / 44100 = 1.088; 147 × 160 / 147 = 160 exactly; halves go up.
      (Int64(1), 44_100.0, 48_000.0, Int64(1)), (147, 44_100, 48_000, 160), (1, 2, 1, 1), (3, 2, 1, 2), (2, 4, 1, 1),
      (1, 4, 1, 0), (5, 10, 3, 2), (0, 44_100, 8_000, 0), (1_000_000_007, 192_000, 8_000, 41_666_667),
    ])
  func roundsHalfUp(frames: Int64, from: Double, to: Double, expected: Int64) {
    #expect(FrameCount.converted(frames, from: from, to: to) == expected)
  }

  @Test("Lengths beyond 2^53 stay exact, and what does not fit saturates")
  func largeCountsAreExact() {
    let frames: Int64 = (1 << 60) + 1
    #expect(FrameCount.converted(frames, from: 48_000, to: 24_000) == (1 << 59) + 1)
    #expect(FrameCount.converted(frames, from: 1, to: 3_000_000) == .max)
  }

  @Test("Rates with a fraction are rounded half up too")
  func fractionalRates() {
    // 1000 × 100 / 123.45 = 810.04…
    #expect(FrameCount.converted(1000, from: 123.45, to: 100) == 810)
    #expect(FrameCount.converted(3, from: 0.5, to: 0.25) == 2)
  }

  @Test("Seconds become the nearest frame; what is no length of time becomes nothing")
  func seconds() {
    #expect(FrameCount.from(seconds: 0.5, sampleRate: 44_101) == 22_051)
    #expect(FrameCount.from(seconds: 1.0 / 3, sampleRate: 48_000) == 16_000)
    for wrong in [-1, Double.nan, .infinity, 1e300] {
      #expect(FrameCount.from(seconds: wrong, sampleRate: 48_000) == nil)
    }
  }
}

@Suite("Codes, formats and errors say what they are")
struct DescriptionTests {
  @Test("Four-character codes are big-endian ASCII")
  func fourCharacterCodes() {
    // 'mcmx' is 0x6D636D78 in the interface's tables.
    #expect(FourCharCode("mcmx").rawValue == 0x6D63_6D78)
    #expect(FourCharCode(rawValue: 0x6D63_6D78).description == "mcmx")
    #expect(FourCharCode(String("abc")) == nil)
    #expect(FourCharCode(String("ä bc")) == nil)
    #expect(FourCharCode(rawValue: 1).description == "0x1")
  }

  @Test("A stream format counts its buffers and bytes")
  func streamFormats() {
    let planar = StreamFormat(sampleRate: 48_000, channelCount: 6)
    #expect(planar.bufferCount == 6)
    #expect(planar.bytesPerFrame == 4)
    let packed = StreamFormat(sampleRate: 48_000, channelCount: 6, encoding: .int24, isInterleaved: true)
    #expect(packed.bufferCount == 1)
    #expect(packed.bytesPerFrame == 18)
    #expect(packed.description == "48000 Hz, 6 ch, int24, interleaved")
    #expect(!StreamFormat(sampleRate: 0, channelCount: 2).isValid)
    #expect(!StreamFormat(sampleRate: 48_000, channelCount: 1025).isValid)
    #expect(!StreamFormat(sampleRate: .nan, channelCount: 2).isValid)
  }

  @Test("An error says where it is and how to fix it")
  func errors() {
    let error = BenchError(.graph, at: "node \"eq\"", "no such bus", advice: "use bus 0").inside("mix.json")
    #expect(error.description == "mix.json: node \"eq\": no such bus; use bus 0")
  }
}
