import AudioCore
import Foundation
import Glibc
import LibraryReference
import SampleRate
import SoundFile
import TestSupport
import Testing

@Suite("Conversions by the libraries' own functions")
struct LibraryConversionTests {
  typealias Filter = LibraryConversion.Filter

  @Test("The names are those of the engine's qualities, in their order")
  func names() {
    #expect(Filter.allCases.map(\.rawValue) == RateConversionQuality.allCases.map(\.rawValue))
  }

  @Test("A tone stays where it is in time, at any pair of rates", arguments: Filter.allCases)
  func alignment(_ filter: Filter) throws {
    // Straight lines and held samples are rough: of a slow tone they are near enough.
    let (hertz, tolerance) = filter == .zeroOrderHold ? (20.0, 0.02) : (100.0, 0.002)
    for (from, to) in [(44_100.0, 48_000.0), (48_000.0, 8_000.0), (8_000.0, 96_000.0)] {
      let tone = (0..<Int(clamping: from / 2)).map { Float(sin(2 * Double.pi * hertz * Double($0) / from)) }
      let frames = Int(clamping: to / 2)
      let output = try LibraryConversion(filter, from: from, to: to).convert(tone, frames: frames)
      #expect(output.count == frames)
      // Minimum phase comes up to 1.5 input frames early: see RateConversionQuality.
      let slack = filter == .minimumPhase ? 2 * Double.pi * hertz * 2 / min(from, to) : 0
      for frame in stride(from: frames / 4, to: 3 * frames / 4, by: 97) {
        let expected = sin(2 * Double.pi * hertz * Double(frame) / to)
        #expect(abs(Double(output[frame]) - expected) < tolerance + slack, "\(from) to \(to), frame \(frame)")
      }
    }
  }

  @Test("Equal rates and the ends: what is behind the input is silence")
  func ends() throws {
    let same = LibraryConversion(.best, from: 48_000, to: 48_000)
    let longer: [Float] = [1, -0.5, 0, 0]
    #expect(try same.convert([1, -0.5], frames: 4) == longer)
    #expect(try same.convert([1, -0.5], frames: 1) == [Float(1)])
    let other = LibraryConversion(.linear, from: 24_000, to: 48_000)
    let line: [Float] = [0.5, 0.75, 1, 0.5, 0, 0]
    #expect(try other.convert([0.5, 1], frames: 6) == line)
    #expect(try LibraryConversion(.medium, from: 44_100, to: 48_000).convert([], frames: 0).isEmpty)
  }
}

@Suite("Sound files read by libsndfile's own functions")
struct LibrarySoundFileTests {
  @Test("Integers are fractions of full scale, floats are as they are, in every channel")
  func values() throws {
    let path = NSTemporaryDirectory() + "/aubench-library-\(getpid()).wav"
    defer { unlink(path) }
    // 24-bit little-endian by hand: RIFF, format 1, 3 channels, 8000 Hz; one frame of −2^23, 2^23 − 1 and 1.
    var bytes: [UInt8] = Array("RIFF".utf8) + [45, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 3, 0]
    bytes += [0x40, 0x1F, 0, 0, 0x40, 0x19, 1, 0, 9, 0, 24, 0] + Array("data".utf8) + [9, 0, 0, 0]
    bytes += [0, 0, 0x80, 0xFF, 0xFF, 0x7F, 1, 0, 0]
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try LibrarySoundFile(path: path)
    #expect(file.sampleRate == 8000)
    let expected: [[Double]] = [[-1], [1 - 0x1p-23], [0x1p-23]]
    #expect(file.channels == expected)
  }

  @Test("A file that is missing is an error with its path")
  func missing() {
    #expect(throws: BenchError.self) { try LibrarySoundFile(path: "/nowhere/at/all.wav") }
  }
}
