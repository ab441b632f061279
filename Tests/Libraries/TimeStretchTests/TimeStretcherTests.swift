import AudioCore
import TestSupport
import Testing
import TimeStretch

/// The library behind its C interface: what does not depend on how the stream is cut, or on what came before.
@Suite(.enabled(if: TimeStretcher.isAvailable, "libSoundTouchDll.so.1 is not installed"))
struct TimeStretcherTests {
  private static func output(
    _ stretcher: TimeStretcher, _ signal: [[Float]], puts: [Int], takes: Int, tempo: Float, pitch: Float
  ) -> [[Float]] {
    let input = PlanarBuffer(channelCount: signal.count, frameCapacity: signal[0].count)
    for (channel, samples) in signal.enumerated() { input[channel].update(from: samples) }
    let taken = PlanarBuffer(channelCount: signal.count, frameCapacity: takes)
    var output = [[Float]](repeating: [], count: signal.count)
    stretcher.restart(tempo: tempo, pitch: pitch, lengths: .init())
    var (done, index) = (0, 0)
    while done < signal[0].count {
      let frames = min(puts[index % puts.count], signal[0].count - done)
      stretcher.put(input.planes, offset: done, frames: frames)
      (done, index) = (done + frames, index + 1)
      var count = takes
      while count == takes {
        count = stretcher.take(into: taken.planes, offset: 0, frames: takes)
        for channel in signal.indices { output[channel] += taken[channel].prefix(count).elements }
      }
    }
    return output
  }

  private static let signal: [[Float]] = (0..<2).map { channel in
    var generator = SeededGenerator(seed: UInt64(channel) + 3)
    return generator.noise(frames: 60_000, amplitude: 0.4)
  }

  @Test(
    "the bits do not depend on how the input is cut, nor, behind a restart, on what came before",
    arguments: [(1.25, 1), (0.5, 1), (1, 1.5), (1.1, 0.6), (10, 1), (0.3, 3)] as [(Float, Float)])
  func cuts(_ factors: (tempo: Float, pitch: Float)) throws {
    let stretcher = try TimeStretcher(sampleRate: 44_100, channelCount: 2)
    func output(_ puts: [Int], _ takes: Int) -> [[Float]] {
      Self.output(stretcher, Self.signal, puts: puts, takes: takes, tempo: factors.tempo, pitch: factors.pitch)
    }
    let expected = output([128], 64)
    #expect(expected[0].count > 1000 && expected[0].contains { $0 != 0 })
    #expect(output([1, 777, 3000], 1024) == expected)
    stretcher.restart(tempo: 0.7, pitch: 1.9, lengths: .short(overlap: 20))
    #expect(output([128], 64) == expected)
    let fresh = try TimeStretcher(sampleRate: 44_100, channelCount: 2)
    #expect(
      Self.output(fresh, Self.signal, puts: [60_000], takes: 4096, tempo: factors.tempo, pitch: factors.pitch)
        == expected)
  }

  @Test("more than 16 channels are refused, and rates beyond the library's are taken as the nearest")
  func limits() throws {
    #expect(throws: BenchError.self) { try TimeStretcher(sampleRate: 48_000, channelCount: 17) }
    for rate in [4000, 384_000.0] {
      let stretcher = try TimeStretcher(sampleRate: rate, channelCount: 1)
      let output = Self.output(stretcher, [Self.signal[0]], puts: [512], takes: 512, tempo: 2, pitch: 1)
      #expect((20_000...30_000).contains(output[0].count))
    }
    #expect(TimeStretcher.version?.contains(".") ?? false)
  }
}
