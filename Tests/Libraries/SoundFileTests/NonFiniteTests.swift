import AudioCore
import SoundFile
import TestSupport
import Testing

/// Files of floats with NaN and infinities at known places: the result of each policy, and the reports.
@Suite("Samples of a file that are not finite")
struct NonFiniteTests {
  private let folder = TemporaryFolder()
  private static let frames = 70_000

  /// Two channels of a ramp; bad samples by channel and frame.
  private func file(_ bad: [(channel: Int, frame: Int, value: Double)], bits: Int = 32) -> String {
    var bytes: [UInt8] = Array("RIFF".utf8)
    func add(_ value: UInt64, _ count: Int) {
      for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
    }
    let size = Self.frames * 2 * bits / 8
    add(UInt64(36 + size), 4)
    bytes += Array("WAVEfmt ".utf8)
    for (value, count) in [(16, 4), (3, 2), (2, 2), (48_000, 4), (48_000 * bits / 4, 4), (bits / 4, 2), (bits, 2)] {
      add(UInt64(value), count)
    }
    bytes += Array("data".utf8)
    add(UInt64(size), 4)
    bytes.reserveCapacity(bytes.count + size)
    for frame in 0..<Self.frames {
      for channel in 0..<2 {
        let found = bad.first { $0.channel == channel && $0.frame == frame }
        let value = found?.value ?? Self.good(frame)
        add(bits == 32 ? UInt64(Float(value).bitPattern) : value.bitPattern, bits / 8)
      }
    }
    return folder.write(bytes, to: "a.wav")
  }

  private static func good(_ frame: Int) -> Double { Double(frame % 1000) / 1000 - 0.5 }

  private static let bad: [(channel: Int, frame: Int, value: Double)] = [
    (1, 33_333, .nan), (1, 33_334, .infinity), (0, 50_000, -.infinity), (0, 69_999, .nan), (1, 69_999, .nan),
  ]

  private func read(_ reader: SoundFileReader, slice: Int) throws -> [[Float]] {
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: Self.frames)
    var done = 0
    while done < Self.frames {
      let got = try reader.read(into: buffer.planes, offset: done, frames: min(slice, Self.frames - done))
      if got == 0 { break }
      done += got
    }
    return buffer.channels(done)
  }

  @Test(arguments: [32, 64], [1, 777, 70_000])
  func eachPolicyDoesWhatItSays(bits: Int, slice: Int) throws {
    let path = file(Self.bad, bits: bits)
    let all = NonFiniteSamples(notNumbers: 3, infinities: 2, firstFrame: 33_333, firstChannel: 1)

    let failing = try SoundFileReader(path: path)
    failing.nonFinitePolicy = .error
    for _ in 0..<2 {
      // Every read behind the failure says the same.
      do throws(BenchError) {
        let buffer = PlanarBuffer(channelCount: 2, frameCapacity: slice)
        while try failing.read(into: buffer.planes, frames: slice) > 0 {}
        Issue.record("nothing was thrown")
      } catch {
        #expect(error.kind == .input && error.place == path)
        #expect(error.message.hasPrefix("3 samples are NaN and 2 are infinite, the first at frame 33333 of channel 1"))
      }
    }
    #expect(failing.nonFiniteSamples == all)

    for policy in [NonFinitePolicy.silence, .keep, nil] {
      let reader = try SoundFileReader(path: path)
      reader.nonFinitePolicy = policy
      let channels = try read(reader, slice: slice)
      #expect(reader.nonFiniteSamples == (policy == nil ? NonFiniteSamples() : all))
      for channel in 0..<2 {
        let differing = (0..<Self.frames).filter { channels[channel][$0] != Float(Self.good($0)) }
        #expect(differing == Self.bad.filter { $0.channel == channel }.map(\.frame))
        for place in Self.bad where place.channel == channel {
          let sample = channels[channel][place.frame]
          let kept = place.value.isNaN ? sample.isNaN : sample == Float(place.value)
          #expect(policy == .silence ? sample == 0 : kept)
        }
      }
      // Read once more, they count once.
      try reader.seek(toFrame: 20_000)
      _ = try read(reader, slice: slice)
      #expect(policy == nil || reader.nonFiniteSamples == all)
    }
  }

  /// A reader that has failed goes on from where it is sent.
  @Test func aSeekGoesOn() throws {
    let reader = try SoundFileReader(path: file([(0, 40_000, .nan)]))
    reader.nonFinitePolicy = .error
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 50_000)
    #expect(throws: BenchError.self) { try reader.read(into: buffer.planes, frames: 50_000) }
    try reader.seek(toFrame: 40_001)
    #expect(try reader.read(into: buffer.planes, frames: 50_000) == 29_999)
    try reader.seek(toFrame: 0)
    #expect(try reader.read(into: buffer.planes, frames: 40_000) == 40_000)
    #expect(throws: BenchError.self) { try reader.read(into: buffer.planes, frames: 1) }
    #expect(reader.nonFiniteSamples.count == 1)
  }

  /// 1e300 is a number in the file, and none that a float could hold.
  @Test func aDoubleBeyondFloatsIsFoundWhereFloatsAreRead() throws {
    let path = file([(0, 5, 1e300)], bits: 64)
    let reader = try SoundFileReader(path: path)
    reader.nonFinitePolicy = .error
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 10)
    do throws(BenchError) {
      _ = try reader.read(into: buffer.planes, frames: 10)
      Issue.record("1e300 became a float")
    } catch {
      #expect(error.message == "1 sample is infinite, at frame 5 of channel 0 (or too large for 32-bit floats)")
    }
    let wide = try SoundFileReader(path: path)
    wide.nonFinitePolicy = .error
    let doubles = DoubleBuffer(channelCount: 2, frameCapacity: 10)
    #expect(try wide.read(into: doubles.planes, frames: 10) == 10)
    #expect(doubles.planes[0][5] == 1e300)
  }
}
