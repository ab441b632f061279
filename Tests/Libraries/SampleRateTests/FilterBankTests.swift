import AudioCore
import CSamplerate
import Glibc
import SampleRate
import TestSupport
import Testing

/// The reference is the library itself, called directly: a state of its own, the whole signal in one call.
@Suite("Filter banks give what libsamplerate gives")
struct FilterBankTests {
  static let commonRates = [
    8000.0, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 88200, 96000, 176400, 192000,
  ]
  static let sincs: [(quality: RateConversionQuality, converter: Int)] = [
    (.fast, SRC_SINC_FASTEST), (.medium, SRC_SINC_MEDIUM_QUALITY), (.best, SRC_SINC_BEST_QUALITY),
  ]

  /// The library's own rounding of its output is at −149 dB. Seconds: of the lower rate's own frames, 8000 at the
  /// least.
  @Test("−138 dB from the library, at every pair of the common rates", arguments: sincs.indices)
  func residual(index: Int) throws {
    let (quality, converter) = Self.sincs[index]
    for from in Self.commonRates {
      for to in Self.commonRates where from != to {
        var random = SeededGenerator(seed: UInt64(clamping: from + 7 * to))
        let input = random.noise(frames: Int(clamping: 0.05 * from) + 700)
        let output = try RateConverter.convert([input], from: from, to: to, quality: quality)[0]
        let residual = Self.residualDecibels(
          output, try Self.library(input, converter, from: from, to: to, frames: output.count))
        #expect(residual < -138, "\(from) to \(to) Hz: \(residual) dB")
      }
    }
  }

  static func residualDecibels(_ output: [Float], _ expected: [Float]) -> Double {
    let error = zip(output, expected).reduce(0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    let power = expected.reduce(0) { $0 + pow(Double($1), 2) }
    return 10 * log10(error / power)
  }

  /// The whole signal through one state, with silence behind it.
  static func library(
    _ input: [Float], _ converter: Int, from: Double, to: Double, frames: Int
  ) throws -> [Float] {
    var input = input + [Float](repeating: 0, count: Int(clamping: 400 * max(1, from / to)))
    var expected = [Float](repeating: 0, count: frames)
    var code: Int32 = 0
    let state = try #require(src_new(Int32(converter), 1, &code))
    defer { src_delete(state) }
    let made = input.withUnsafeMutableBufferPointer { source in
      expected.withUnsafeMutableBufferPointer { destination in
        var data = SRC_DATA()
        data.data_in = UnsafePointer(source.baseAddress)
        data.data_out = destination.baseAddress
        data.input_frames = source.count
        data.output_frames = destination.count
        data.src_ratio = to / from
        return src_process(state, &data) == 0 ? data.output_frames_gen : 0
      }
    }
    try #require(made == frames)
    return expected
  }
}
