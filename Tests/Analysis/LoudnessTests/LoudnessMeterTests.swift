import AudioCore
import Glibc
import Loudness
import TestSupport
import Testing

@Suite("Loudness meter")
struct LoudnessMeterTests {
  private static let noise: [Double] = {
    var generator = SeededGenerator(seed: 1)
    return generator.noise(frames: 200_000).map(Double.init)
  }()

  @Test("reads the same whatever the blocks, and floats as doubles of the same value", arguments: Partition.all)
  func blocks(_ partition: Partition) throws {
    let frames = 200_000
    let whole = try measured([Self.noise, Self.noise.map { -$0 / 2 }], sampleRate: 44_100)
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: frames)
    for frame in 0..<frames {
      buffer.planes[0][frame] = Float(Self.noise[frame])
      buffer.planes[1][frame] = -buffer.planes[0][frame] / 2
    }
    let meter = try LoudnessMeter(sampleRate: 44_100, channels: [.left, .right])
    defer { withExtendedLifetime(buffer) {} }
    let addresses = PlaneAddresses<Float>(channelCount: 2)
    var start = 0
    for length in partition.lengths(total: frames) {
      meter.add(addresses.planes(buffer.planes, from: start), frames: length)
      start += length
    }
    #expect(meter.finish() == whole)
  }

  @Test("of silence reads no loudness, a maximum of minus infinity and no peak")
  func silence() throws {
    let readings = try measured([[Double](repeating: 0, count: 192_000)])
    #expect(readings.integratedLUFS == nil)
    #expect(readings.rangeLU == nil)
    #expect(readings.momentaryMaximumLUFS == -.infinity)
    #expect(readings.shortTermMaximumLUFS == -.infinity)
    #expect(readings.maximumTruePeakDecibels == -.infinity)
  }

  @Test("of less than a window reads no loudness, but its peaks")
  func short() throws {
    let readings = try measured([[0, 0.25, 0]])
    #expect(readings.integratedLUFS == nil && readings.rangeLU == nil)
    #expect(readings.momentaryMaximumLUFS == nil && readings.shortTermMaximumLUFS == nil)
    #expect(readings.samplePeaks == [0.25])
    let nothing = try measured([[]])
    #expect(nothing.samplePeaks == [0] && nothing.integratedLUFS == nil)
  }

  @Test("of a sample that is not finite reads not a number everywhere", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(_ value: Double) throws {
    var samples = Self.noise
    samples[100_000] = value
    let readings = try measured([samples])
    let loudnesses = [
      readings.integratedLUFS, readings.momentaryMaximumLUFS, readings.shortTermMaximumLUFS, readings.rangeLU,
    ]
    for loudness in loudnesses { #expect(try #require(loudness).isNaN) }
    #expect(readings.truePeaks.allSatisfy { $0.isNaN } && readings.maximumTruePeakDecibels.isNaN)
  }

  @Test(
    "weighs channels as BS.1770-4: surround +1.49 dB, dual mono +3.01 dB, LFE nothing",
    arguments: zip(
      [LoudnessChannel.leftSurround, .rightSide, .leftBack, .centre, .dualMono], [1.41, 1.41, 1, 1, 2]))
  func weights(_ channel: LoudnessChannel, _ weight: Double) throws {
    let reference = try #require(try measured([Self.noise], as: [.left]).integratedLUFS)
    let found = try #require(try measured([Self.noise], as: [channel]).integratedLUFS)
    #expect(abs(found - reference - 10 * log10(weight)) < 1e-9)
    #expect(try measured([Self.noise], as: [.ignored]).integratedLUFS == nil)
  }

  @Test("has windows of 400 ms and 3 s at any rate", arguments: [8_000.0, 11_025, 22_050, 44_100, 96_000])
  func windows(_ sampleRate: Double) throws {
    let samples = (0..<Int(clamping: 4 * sampleRate)).map { sin(2 * Double.pi * 997 * Double($0) / sampleRate) }
    let readings = try measured([samples], sampleRate: sampleRate)
    let integrated = try #require(readings.integratedLUFS)
    // A sine is as loud in every window. K-weighting has 0.691 dB at 997 Hz, and more at rates where it is warped.
    #expect(abs(integrated + 3.01) < (sampleRate < 40_000 ? 0.4 : 0.05))
    #expect(abs(try #require(readings.momentaryMaximumLUFS) - integrated) < 0.01)
    #expect(abs(try #require(readings.shortTermMaximumLUFS) - integrated) < 0.01)
    // Seconds, and the windows that are whole by then.
    for (seconds, windows) in [(0.39, 0), (0.4, 1), (2.95, 1), (3, 2)] {
      let part = Array(samples[..<Int(clamping: (seconds * sampleRate).rounded(.up))])
      let readings = try measured([part], sampleRate: sampleRate)
      #expect((readings.momentaryMaximumLUFS != nil) == (windows > 0))
      #expect((readings.shortTermMaximumLUFS != nil) == (windows > 1))
    }
  }

  @Test("refuses what libebur128 cannot measure, with an error that says what it can")
  func refusals() {
    #expect(throws: BenchError.self) { try LoudnessMeter(sampleRate: 48_000, channels: []) }
    #expect(throws: BenchError.self) {
      try LoudnessMeter(sampleRate: 48_000, channels: LoudnessChannel.usual(count: 65))
    }
    #expect(throws: BenchError.self) { try LoudnessMeter(sampleRate: 8, channels: [.left]) }
    #expect(throws: BenchError.self) { try LoudnessMeter(sampleRate: .infinity, channels: [.left]) }
  }
}
