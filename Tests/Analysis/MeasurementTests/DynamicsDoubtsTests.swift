import AudioCore
import Foundation
import Measurement
import Testing

/// Devices that look like compressors and are none, or have no number to tell.
@Suite("Dynamics of what clips, moves, comes late or limits completely")
struct DynamicsDoubtsTests {
  private func findings(_ body: @escaping @Sendable (_ sample: Double, _ frame: Int) -> Double) throws -> Findings {
    try DynamicsMeasurementTests.quick().measure(
      FunctionDevice("device", precision: .float32) { (input) throws(BenchError) in
        AudioSignal(
          sampleRate: input.sampleRate,
          channels: input.channels.map { $0.enumerated().map { body($1, $0) } }
        ).roundedToFloat()
      })
  }

  @Test("what clips begins to between two steps; it has no ratio", arguments: [-6.02, -11, -20.4])
  func clipping(_ level: Double) throws {
    let limit = pow(10, level / 20)
    let found = try findings { sample, _ in min(max(sample, -limit), limit) }
    let threshold = try #require(found.reading("threshold"))
    #expect(
      abs(threshold.value - level) <= threshold.uncertainty ?? 0 && threshold.uncertainty ?? 9 < 1.5, "\(threshold)")
    #expect(found.reading("ratio") == nil && found.reading("knee") == nil)
    #expect(found.remarks.contains { $0.contains("bends the wave from") })
  }

  @Test("a gain that moves has no static curve", arguments: [0.1, -0.03])
  func drift(_ decibelsPerSecond: Double) throws {
    let found = try findings { sample, frame in sample * pow(10, decibelsPerSecond * Double(frame) / 48_000 / 20) }
    #expect(found.reading("staticSlope") == nil && found.reading("threshold") == nil)
    #expect(found.remarks.contains { $0.hasPrefix("channel 0 varies in time: the gain at") })
  }

  @Test("a tremolo modulates, and has no static curve and no attack")
  func tremolo() throws {
    let found = try findings { sample, frame in sample * (1 + 0.05 * sin(2 * .pi * 5.3 * Double(frame) / 48_000)) }
    #expect(found.reading("staticSlope") == nil && found.reading("attackTime") == nil)
    #expect(found.remarks.contains { $0.contains("modulates") || $0.contains("varies in time") })
  }

  @Test("a copy that comes late has no dynamics", arguments: [0.625, 1.5, 3.2])
  func late(_ seconds: Double) throws {
    let frames = Int(clamping: seconds * 48_000)
    let found = try DynamicsMeasurementTests.quick().measure(
      FunctionDevice("late", precision: .float32) { (input) throws(BenchError) in
        AudioSignal(
          sampleRate: input.sampleRate,
          channels: input.channels.map {
            [Double](repeating: 0, count: min(frames, $0.count)) + $0.dropLast(frames)
          }
        ).roundedToFloat()
      })
    let slope = try #require(found.reading("staticSlope"))
    #expect(abs(slope.value - 1) <= slope.uncertainty ?? 0)
    #expect(found.reading("attackTime") == nil && found.reading("releaseTime") == nil)
  }

  @Test("a limiter that lets nothing more through has a ratio of at least so much")
  func brickwall() throws {
    var limiter = TextbookCompressor(threshold: -22, ratio: 4, knee: 0, makeup: 0, attack: 0.001, release: 0.05)
    limiter.ratio = .infinity
    let found = try DynamicsMeasurementTests.quick().measure(limiter.device)
    let ratio = try #require(found.reading("ratio"))
    #expect(ratio.bound == .atLeast && ratio.value > 100, "\(ratio)")
    let threshold = try #require(found.reading("threshold"))
    #expect(abs(threshold.value + 22) <= max(threshold.uncertainty ?? 0, 0.01))
  }

  @Test("of a silent device nothing is told")
  func silent() throws {
    let found = try findings { _, _ in 0 }
    #expect(found.readings.isEmpty)
    #expect(found.remarks.contains("channel 0 has no dynamics: nothing is heard of it"))
  }
}
