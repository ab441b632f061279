import AudioCore
import SampleRate
import TestSupport
import Testing

@Suite("The bits do not depend on how a stream is cut")
struct PartitionTests {
  @Test("pops of any length, and pushes in parts", arguments: RateConversionQuality.allCases)
  func partitions(quality: RateConversionQuality) throws {
    for (from, to) in ratePairs {
      var random = SeededGenerator(seed: 7)
      let total = to > 100_000 ? 60_000 : 9_000
      let signal = random.noise(frames: Int(clamping: Double(total) * from / to) - 50)
      let whole = try RateConverter(from: from, to: to, channelCount: 1, quality: quality, maximumOutputFrames: total)
      let expected = pulled([signal], through: whole, total: total) { total }
      for pop in [1, 7, 64, 137, 512, 4096, 0] {
        let converter = try RateConverter(
          from: from, to: to, channelCount: 1, quality: quality, maximumOutputFrames: 4096)
        let output = pulled([signal], through: converter, total: total, splitPushes: pop == 137) {
          pop > 0 ? pop : 1 + Int(random.next() % 4096)
        }
        #expect(output == expected, "\(from) to \(to) Hz in pops of \(pop)")
      }
      #expect(expected[0].contains { abs($0) > 0.1 })
    }
  }

  @Test("a reset converter is a new one", arguments: RateConversionQuality.allCases)
  func reset(quality: RateConversionQuality) throws {
    for (from, to) in ratePairs {
      var random = SeededGenerator(seed: 11)
      let signal = random.noise(frames: 6_000)
      let total = min(20_000, Int(FrameCount.converted(6_000, from: from, to: to)))
      let converter = try RateConverter(
        from: from, to: to, channelCount: 1, quality: quality, maximumOutputFrames: 512)
      let first = pulled([signal], through: converter, total: total) { 512 }
      converter.reset()
      let second = pulled([signal], through: converter, total: total) { 300 }
      #expect(first == second, "\(from) to \(to) Hz")
    }
  }

  @Test("a channel's bits are those of a converter of its own", arguments: RateConversionQuality.allCases)
  func channels(quality: RateConversionQuality) throws {
    for (from, to) in ratePairs {
      var random = SeededGenerator(seed: 13)
      let frames = from > to ? 12_000 : 1_500
      for count in [2, 3, 4, 6, 7, 9] {
        let signals = (0..<count).map { _ in random.noise(frames: frames) }
        let together = try RateConverter.convert(signals, from: from, to: to, quality: quality)
        for channel in [0, count / 2, count - 1] {
          let alone = try RateConverter.convert([signals[channel]], from: from, to: to, quality: quality)
          #expect(together[channel] == alone[0], "\(from) to \(to) Hz, channel \(channel) of \(count)")
        }
      }
    }
  }

  @Test("asking twice gives the same answer, and what was asked for is enough and no block too many")
  func needed() throws {
    for quality in RateConversionQuality.allCases {
      let converter = try RateConverter(
        from: 44100, to: 48000, channelCount: 1, quality: quality, maximumOutputFrames: 512)
      let output = PlanarBuffer(channelCount: 1, frameCapacity: 512)
      var (pushed, popped) = (0, 0)
      for _ in 0..<500 {
        let needed = converter.inputFramesNeeded(toProduce: 512)
        #expect(needed == converter.inputFramesNeeded(toProduce: 512))
        converter.pushSilence(frames: needed)
        pushed += needed
        #expect(converter.inputFramesNeeded(toProduce: 512) == 0)
        converter.pop(into: output.planes, frames: 512)
        popped += 512
        let position = (popped - 1) * 44100 / 48000
        #expect(pushed - position - 1 <= converter.readAheadFrames)
      }
    }
  }
}
