// AudioConverterFillComplexBuffer: its output is the engine's whatever the cuts, and streams end and resume as they
// must.

import AudioCore
import AudioEngine
import AudioToolbox
import TestSupport
import Testing

@Suite struct AudioConverterFillTests {
  static let float = StreamFormat(sampleRate: 44_100, channelCount: 2)
  static let int16 = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)

  static let pairs: [(StreamFormat, StreamFormat)] = [
    (float, int16),
    (int16, float.at(sampleRate: 48_000)),
    (int16, int16.at(sampleRate: 8_000)),
    (float.at(sampleRate: 96_000), float),
    (
      StreamFormat(sampleRate: 8_000, channelCount: 1, encoding: .uint8, isInterleaved: true),
      StreamFormat(sampleRate: 44_100, channelCount: 3, encoding: .int24.bigEndian, isInterleaved: true)
    ),
    (
      StreamFormat(sampleRate: 44_100, channelCount: 6, encoding: .float64),
      StreamFormat(sampleRate: 48_000, channelCount: 2, encoding: .fixed8_24)
    ),
    (
      StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int32, isInterleaved: true),
      StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .float64)
    ),
  ]

  @Test(arguments: Self.pairs.indices, [false, true])
  func outputIsTheEnginesHoweverItIsCut(pair: Int, usesOwnMemory: Bool) throws {
    let (from, to) = Self.pairs[pair]
    let input = try noise(from, frames: 12_345)
    let expected = try engineConversion(from: from, to: to, input)
    for seed in [UInt64(1), 2, 3] {
      var generator = SeededGenerator(seed: seed)
      let feed = InputFeed(input, bytesPerFrame: from.bytesPerFrame)
      feed.usesOwnMemory = usesOwnMemory
      // Fewer than asked, as many, or far more.
      feed.answer = { asked in Int.random(in: 1...max(2, asked * 2), using: &generator) }
      var sizes = SeededGenerator(seed: seed + 9)
      let fills = (0..<31).map { _ in Int.random(in: 1...(seed == 3 ? 9000 : 700), using: &sizes) }
      let converter = try TestConverter(from, to)
      let made = converter.drain(feed, sizes: fills)
      #expect(firstDifference(made, expected, bytesPerFrame: to.bytesPerFrame) == nil, "seed \(seed)")
    }
  }

  @Test func theEndIsFinalUntilAReset() throws {
    let to = Self.int16.at(sampleRate: 48_000)
    let input = try noise(Self.int16, frames: 4_411)
    let feed = InputFeed(input, bytesPerFrame: 4)
    let converter = try TestConverter(Self.int16, to)
    let first = converter.drain(feed, sizes: [512])
    // 4411 × 48000 ÷ 44100 = 4801.09
    #expect(first[0].count == 4801 * 4)
    #expect(feed.ends == 1)
    let calls = feed.requests.count
    feed.position = 0
    let after = converter.fill(feed, frames: 100)
    #expect(after.status == 0 && after.frames == 0 && feed.requests.count == calls)

    #expect(AudioConverterReset(converter.ref) == 0)
    feed.rewind()
    #expect(converter.drain(feed, sizes: [333]) == first)
  }

  @Test func theLengthIsRoundedHalfUp() throws {
    // 48000 to 44100 is 160 to 147: 1 → 0.919, 80 → 73.5, 240 → 220.5.
    let from = Self.int16.at(sampleRate: 48_000)
    for (frames, expected) in [(0, 0), (1, 1), (80, 74), (240, 221), (160, 147)] {
      let feed = InputFeed(try noise(from, frames: frames), bytesPerFrame: 4)
      let converter = try TestConverter(from, Self.int16)
      #expect(converter.drain(feed, sizes: [50])[0].count == expected * 4, "\(frames) frames")
    }
  }

  @Test func anErrorOfTheProcComesBackWithWhatWasMadeAndIsResumable() throws {
    for to in [Self.float, Self.float.at(sampleRate: 48_000), Self.float.at(sampleRate: 16_000)] {
      let input = try noise(Self.int16, frames: 9_000)
      let expected = try engineConversion(from: Self.int16, to: to, input)
      let feed = InputFeed(input, bytesPerFrame: 4)
      feed.gaps = [0, 1000, 1001, 5000]
      let converter = try TestConverter(Self.int16, to)

      let first = converter.fill(feed, frames: 4000)
      #expect(first.status == InputFeed.gapStatus && first.frames == 0)
      let second = converter.fill(feed, frames: 4000)
      #expect(second.status == InputFeed.gapStatus)
      // All that 1000 frames allow, less what the filter looks ahead.
      let most = Int(clamping: 1000 * to.sampleRate / 44_100)
      #expect(second.frames > most / 2 && second.frames <= most + 1, "\(second.frames) of \(most)")
      let rest = converter.drain(feed, sizes: [4000])
      let all = zip(second.bytes, rest).map { $0 + $1 }
      #expect(firstDifference(all, expected, bytesPerFrame: 4) == nil)
      #expect(feed.gaps.isEmpty)
    }
  }

  @Test func packetsThatComeWithAnErrorAreNotTaken() throws {
    let proc: AudioConverterComplexInputDataProc = { _, _, _, _, _ in -77 }
    let converter = try TestConverter(Self.float, Self.int16)
    let out = OutputList(Self.int16, frames: 64)
    var packets: UInt32 = 64
    expectStatus(-77, AudioConverterFillComplexBuffer(converter.ref, proc, nil, &packets, out.list, nil))
    #expect(packets == 0)
  }

  @Test func sizesComeBackInPacketsAndBytes() throws {
    let feed = InputFeed(try noise(Self.int16, frames: 100), bytesPerFrame: 4)
    let converter = try TestConverter(Self.int16, Self.float)
    let out = OutputList(Self.float, frames: 150)
    var packets: UInt32 = 150
    let user = Unmanaged.passUnretained(feed).toOpaque()
    #expect(AudioConverterFillComplexBuffer(converter.ref, InputFeed.proc, user, &packets, out.list, nil) == 0)
    #expect(packets == 100)
    #expect(out.byteSizes == [400, 400])
    #expect(feed.requests == [150, 50])
  }

  @Test func theProcSeesBuffersOfTheSizeThatItIsAskedFor() throws {
    let proc: AudioConverterComplexInputDataProc = { _, packets, list, descriptions, _ in
      let buffers = bufferPointer(of: list)
      let isRight =
        list.pointee.mNumberBuffers == 2 && packets.pointee == 32 && descriptions == nil
        && (0..<2).allSatisfy { buffers[$0].mData != nil && buffers[$0].mDataByteSize == 128 }
        && (0..<2).allSatisfy { buffers[$0].mNumberChannels == 1 }
      packets.pointee = 0
      return isRight ? 4711 : -1
    }
    let converter = try TestConverter(Self.float, Self.int16)
    let out = OutputList(Self.int16, frames: 32)
    var packets: UInt32 = 32
    #expect(AudioConverterFillComplexBuffer(converter.ref, proc, nil, &packets, out.list, nil) == 4711)
  }

  @Test func noPacketsWantedIsNoCall() throws {
    let feed = InputFeed(try noise(Self.int16, frames: 100), bytesPerFrame: 4)
    let converter = try TestConverter(Self.int16, Self.float)
    let made = converter.fill(feed, frames: 0)
    #expect(made.status == 0 && made.frames == 0 && feed.requests.isEmpty)
  }

  @Test func monoLeavesTheRightChannelSilentUntilItIsMapped() throws {
    let mono = StreamFormat(sampleRate: 44_100, channelCount: 1)
    let input = try noise(mono, frames: 300)
    for rate in [44_100.0, 48_000] {
      let stereo = StreamFormat(sampleRate: rate, channelCount: 2)
      let converter = try TestConverter(mono, stereo)
      let plain = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [128])
      #expect(plain[1].allSatisfy { $0 == 0 } && plain[0].contains { $0 != 0 })
      #expect(AudioConverterReset(converter.ref) == 0)
      #expect(converter.set("chmp", words: [0, 0]) == 0)
      let mapped = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [128])
      #expect(mapped == [plain[0], plain[0]])
    }
  }

  @Test func aMapMovesAndSilencesChannels() throws {
    let input = try noise(Self.float, frames: 50)
    let four = StreamFormat(sampleRate: 44_100, channelCount: 4)
    let converter = try TestConverter(Self.float, four)
    #expect(converter.set("chmp", words: [1, -1, 0, 1]) == 0)
    let made = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [64])
    #expect(made == [input[1], [UInt8](repeating: 0, count: 200), input[0], input[1]])
  }

  @Test func ditherIsTheEngines() throws {
    let input = try noise(Self.float, frames: 5_000)
    for rate in [44_100.0, 32_000] {
      let to = Self.int16.at(sampleRate: rate)
      let converter = try TestConverter(Self.float, to)
      #expect(converter.set("dith", UInt32(1)) == 0)
      let made = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [123, 999])
      #expect(try made == engineConversion(from: Self.float, to: to, input, options: .init(ditherSeed: 0)))
      #expect(try made != engineConversion(from: Self.float, to: to, input))
    }
  }
}
