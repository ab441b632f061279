import AudioEngine
import BuiltInUnits
import Testing
import TestSupport
import UnitTestSupport

@Suite("A delay by whole frames") struct SampleDelayTests {
  @Test("comes out as late as it says, up to one second, and holds a value beyond that to it, whatever the slices are")
  func delay() throws {
    let rate = 8000.0
    let signal = noise(1, frames: 20_000)
    for (frames, expected) in [(0, 0), (1, 1), (4095, 4095), (8000, 8000), (8001, 8000), (100_000, 8000)] {
      for length in [1, 160, 4096] {
        let unit = try fed(try SampleDelay(frames: frames), signal, sampleRate: rate)
        let output = try renderedSignal(unit, total: 20_000, in: .slices(of: length))
        #expect(
          output[0] == [Float](repeating: 0, count: expected) + signal[0].dropLast(expected), "\(frames), \(length)")
        #expect(unit.tailFrames == Int64(expected))
      }
    }
  }
}
