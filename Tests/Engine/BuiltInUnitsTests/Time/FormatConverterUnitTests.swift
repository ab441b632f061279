import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import SampleRate
import Testing
import TestSupport
import UnitTestSupport

/// The unit around a format converter: rates, places in time, qualities.
@Suite struct FormatConverterUnitTests {
  /// Frames of input 8000 … 192000, and the definition: round-half-up(frames × out / in).
  @Test(
    "the whole of a stream converts to its exact length, aligned at frame 0",
    arguments: [(44_100, 48_000), (48_000, 44_100), (8000, 192_000), (192_000, 8000)] as [(Double, Double)],
    [RateConversionQuality.medium, .mastering])
  func lengthAndPlace(_ rates: (Double, Double), _ quality: RateConversionQuality) throws {
    let frames = Int(clamping: rates.0 / 4)
    let hertz = 300.0
    let unit = FormatConverterUnit()
    unit.options.quality = quality
    let input = StreamFormat(sampleRate: rates.0, channelCount: 1)
    try unit.setStreamFormat(input, .input)
    try unit.setStreamFormat(input.at(sampleRate: rates.1), .output)
    try unit.setMaximumFramesPerSlice(512)
    let source = Source([sine(hertz: hertz, sampleRate: rates.0, frames: frames)], format: input)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    let total = Int(FrameCount.converted(Int64(frames), from: rates.0, to: rates.1))
    #expect(total == Int(clamping: rates.1 / 4))
    let output = try renderedSignal(unit, total: total, in: .slices(of: 512))[0]
    let expected = sine(hertz: hertz, sampleRate: rates.1, frames: total)
    for frame in total / 8..<total * 7 / 8 where abs(output[frame] - expected[frame]) > 2e-4 {
      Issue.record("frame \(frame) of \(total): \(output[frame]) in place of \(expected[frame])")
      return
    }
    #expect(source.firstTime == 0 && source.longestPull <= 512)
    #expect(source.framesPulled >= frames)
  }

  @Test(
    "a conversion that begins before frame 0 has frame 0 over frame 0", arguments: [-480, -1000, -48_000] as [Int64])
  func negativeStart(_ start: Int64) throws {
    let unit = FormatConverterUnit()
    let input = StreamFormat(sampleRate: 96_000, channelCount: 1)
    try unit.setStreamFormat(input, .input)
    try unit.setStreamFormat(input.at(sampleRate: 48_000), .output)
    let source = Source([sine(hertz: 500, sampleRate: 96_000, frames: 20_000)], format: input)
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    let lead = Int(-start)
    let output = try renderedSignal(unit, total: lead + 6000, from: start, in: .slices(of: 500))[0]
    let expected = sine(hertz: 500, sampleRate: 48_000, frames: 6000)
    #expect(source.firstTime == 2 * start)
    for frame in 1000..<5000 {
      #expect(abs(output[lead + frame] - expected[frame]) < 1e-4)
      if abs(output[lead + frame] - expected[frame]) >= 1e-4 { return }
    }
    #expect(output[0..<lead - 400].allSatisfy { $0 == 0 })
  }

  @Test(
    "after a jump in time a conversion is that of a new unit which begins there",
    arguments: [0, 30_000, 700] as [Int64])
  func jump(_ target: Int64) throws {
    func make() throws -> FormatConverterUnit {
      let unit = FormatConverterUnit()
      try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output)
      try unit.setRenderCallback(Source(noise(2, frames: 60_000)).callback, input: 0)
      try unit.initialize()
      return unit
    }
    let expected = try renderedSignal(try make(), total: 2000, from: target)
    let unit = try make()
    _ = try rendered(unit, total: 5000)
    #expect(try renderedSignal(unit, total: 2000, from: target) == expected)
    #expect(expected[0].contains { $0 != 0 })
  }

  @Test("converters in front of channels run on the smaller number of them, with the same result")
  func mapBeforeAndAfterRate() throws {
    let mono = noise(1, frames: 4000)
    func output(_ signal: Signal, channels: Int, _ matrix: ChannelMatrix) throws -> Signal {
      let unit = FormatConverterUnit()
      unit.options.channels = matrix
      let format = StreamFormat(sampleRate: 44_100, channelCount: signal.count)
      try unit.setStreamFormat(format, .input)
      try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: channels), .output)
      try unit.setRenderCallback(Source(signal, format: format).callback, input: 0)
      try unit.initialize()
      return try renderedSignal(unit, total: 4000)
    }
    let plain = try output(mono, channels: 1, .straight(inputCount: 1, outputCount: 1))
    let spread = try output(mono, channels: 3, .conventional(inputCount: 1, outputCount: 3))
    #expect(spread == [plain[0], plain[0], plain[0]])
    let picked = try output(
      [mono[0], noise(1, frames: 4000, seed: 8)[0]], channels: 1,
      try #require(ChannelMatrix(map: [0], inputCount: 2)))
    #expect(picked == plain)
  }

  @Test("qualities are chosen by complexity and render quality, as this project defines them")
  func qualities() throws {
    let unit = FormatConverterUnit()
    func complexity(_ code: FourCharCode) throws {
      try unit.setProperty(.sampleRateConverterComplexity, to: .uint32(code.rawValue))
      #expect(try unit.property(.sampleRateConverterComplexity) == .uint32(code.rawValue))
    }
    try complexity("line")
    #expect(unit.options.quality == .linear)
    try complexity("bats")
    #expect(unit.options.quality == .mastering)
    try complexity("minp")
    #expect(unit.options.quality == .minimumPhase)
    try complexity("norm")
    for (value, quality) in [(0, .fast), (32, .fast), (64, .medium), (96, .medium), (127, .best)]
      as [(UInt32, RateConversionQuality)]
    {
      try unit.setProperty(.renderQuality, to: .uint32(value))
      #expect(unit.options.quality == quality)
    }
    for refused: UInt32 in [128, .max] {
      #expect(
        status { () throws(AudioStatus) in try unit.setProperty(.renderQuality, to: .uint32(refused)) }
          == .invalidPropertyValue)
    }
    let unknown = PropertyValue.uint32(1)
    #expect(
      status { () throws(AudioStatus) in try unit.setProperty(.sampleRateConverterComplexity, to: unknown) }
        == .invalidPropertyValue)
    try unit.initialize()
    #expect(
      status { () throws(AudioStatus) in try unit.setProperty(.renderQuality, to: .uint32(0)) } == .initialized)
  }
}
