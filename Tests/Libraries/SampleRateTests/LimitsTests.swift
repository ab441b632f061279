import AudioCore
import CSamplerate
import SampleRate
import TestSupport
import Testing

@Suite("Lengths, edges and errors")
struct LimitsTests {
  @Test("a signal's length is frames × out ÷ in, rounded half up", arguments: RateConversionQuality.allCases)
  func lengths(quality: RateConversionQuality) throws {
    // Expected by hand: 44100 → 48000 is 160/147; 48000 → 44100 is 147/160; 8000 → 192000 is 24.
    for (from, to, frames, expected) in [
      (44100.0, 48000.0, 147, 160), (44100, 48000, 1, 1), (44100, 48000, 1000, 1088), (48000, 44100, 1000, 919),
      (96000, 48000, 3, 2), (192000, 8000, 11, 0), (192000, 8000, 12, 1), (8000, 192000, 5, 120),
      (44100, 44100, 77, 77),
      (44100, 48000, 0, 0),
    ] {
      let output = try RateConverter.convert(
        [[Float](repeating: 0.25, count: frames)], from: from, to: to, quality: quality)
      #expect(output[0].count == expected, "\(frames) frames from \(from) to \(to) Hz")
    }
  }

  /// Expected: `src_simple` of the whole signal, asked for all it can give.
  @Test(
    "the library's own way gives libsamplerate's own bits",
    arguments: [
      (RateConversionQuality.fast, SRC_SINC_FASTEST), (.medium, SRC_SINC_MEDIUM_QUALITY),
      (.best, SRC_SINC_BEST_QUALITY),
    ])
  func libraryBits(quality: RateConversionQuality, converter: Int) throws {
    for (from, to) in ratePairs {
      var random = SeededGenerator(seed: 5)
      let frames = from > to ? 30_000 : 3_000
      var input = random.noise(frames: frames)
      var expected = [Float](repeating: 0, count: Int(clamping: Double(frames) * to / from) + 16)
      let made = input.withUnsafeMutableBufferPointer { source in
        expected.withUnsafeMutableBufferPointer { destination in
          var data = SRC_DATA()
          data.data_in = UnsafePointer(source.baseAddress)
          data.data_out = destination.baseAddress
          data.input_frames = source.count
          data.output_frames = destination.count
          data.src_ratio = to / from
          return src_simple(&data, Int32(converter), 1) == 0 ? data.output_frames_gen : 0
        }
      }
      let output = try RateConverter.convert([input], from: from, to: to, quality: quality, method: .library)[0]
      let common = min(made, output.count)
      #expect(common >= output.count - 2)
      #expect(output[..<common] == expected[..<common], "\(from) to \(to) Hz")
    }
  }

  @Test("equal rates copy the input and read nothing ahead", arguments: RateConversionQuality.allCases)
  func copy(quality: RateConversionQuality) throws {
    var random = SeededGenerator(seed: 3)
    let signals = [random.noise(frames: 5_000), random.noise(frames: 5_000)]
    #expect(try RateConverter.convert(signals, from: 44100, to: 44100, quality: quality) == signals)
    let converter = try RateConverter(
      from: 48000, to: 48000, channelCount: 2, quality: quality, maximumOutputFrames: 512)
    #expect(converter.inputFramesNeeded(toProduce: 512) == 512)
    #expect(converter.readAheadFrames == 0)
    #expect(pulled(signals, through: converter, total: 5_000) { 137 } == signals)
  }

  @Test("silence stays silence", arguments: RateConversionQuality.allCases)
  func silence(quality: RateConversionQuality) throws {
    let output = try RateConverter.convert(
      [[Float](repeating: 0, count: 3_000)], from: 44100, to: 48000, quality: quality)[0]
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test("the widest ratios work", arguments: RateConversionQuality.allCases)
  func widest(quality: RateConversionQuality) throws {
    let top = quality == .minimumPhase ? 48.0 : 256
    let up = try RateConverter.convert([[Float](repeating: 0.5, count: 4_000)], from: 1, to: top, quality: quality)[0]
    #expect(abs(up[up.count / 2] - 0.5) < 1e-3)
    let down = try RateConverter.convert([[Float](repeating: 0.5, count: 300_000)], from: 256, to: 1, quality: quality)[
      0]
    #expect(abs(down[down.count / 2] - 0.5) < 1e-3)
  }

  @Test(
    "rates that are none, or too far apart, are errors with the numbers in them",
    arguments: [
      (0.0, 48000.0, "0.0 Hz"), (48000, -1, "-1.0 Hz"), (.nan, 48000, "nan"), (48000, .infinity, "inf"),
      (100, 25700, "25700.0 Hz is a ratio of 257.0"), (25700, 100, "from 25700.0 Hz"),
    ])
  func rates(from: Double, to: Double, part: String) throws {
    for quality in RateConversionQuality.allCases {
      let error = #expect(throws: BenchError.self) {
        try RateConverter(from: from, to: to, channelCount: 1, quality: quality, maximumOutputFrames: 512)
      }
      #expect(error?.kind == .usage)
      #expect(error?.description.contains(part) == true)
    }
  }

  @Test("so are counts of channels and frames out of range, minimum phase beyond 48 times, and unequal lengths")
  func counts() throws {
    for (channels, frames, ratio) in [(0, 512, 2.0), (129, 512, 2), (1, 0, 2), (1, 512, 49)] {
      #expect(throws: BenchError.self) {
        try RateConverter(
          from: 1000, to: 1000 * ratio, channelCount: channels, quality: .minimumPhase, maximumOutputFrames: frames)
      }
    }
    #expect(throws: BenchError.self) { try RateConverter.convert([], from: 1, to: 2) }
    #expect(throws: BenchError.self) { try RateConverter.convert([[0], [0, 0]], from: 1, to: 2) }
  }

  @Test("every quality has a name of its own, and best is the default")
  func names() {
    #expect(
      RateConversionQuality.allCases.map(\.rawValue)
        == ["linear", "zero-order-hold", "fast", "medium", "best", "mastering", "minimum-phase"])
    #expect(Set(RateConversionQuality.allCases.map(\.title)).count == 7)
    #expect(RateConversionQuality.standard == .best)
  }
}
