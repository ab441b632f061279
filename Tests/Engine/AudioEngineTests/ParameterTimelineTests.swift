import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// Timelines and smoothing where sample times do not follow one another, or lie before 0.
@Suite struct ParameterTimelineTests {
  @Test("smoothing that a jump back leaves behind ends; it is not extrapolated")
  func smoothing() throws {
    let unit = MultichannelMixer(inputs: 1)
    let ones: Signal = Array(repeating: [Float](repeating: 1, count: 20_000), count: 2)
    try unit.setSmoothingFrames(1000)
    let ready = try fed(unit, ones)
    _ = try rendered(ready, total: 10_000)
    try unit.setVolume(0.25, input: 0)
    let during = try ready.render(sampleTime: 10_000, frames: 500)
    #expect(during.planes[0][0] == 1 && abs(during.planes[0][400] - 0.7) < 1e-6)
    let output = try renderedSignal(ready, total: 5000)
    #expect(output[0].allSatisfy { $0 == 0.25 } && output[1].allSatisfy { $0 == 0.25 })
  }

  @Test("a ramp has its value at the frame, before 0 and after jumps too")
  func ramps() throws {
    let unit = MultichannelMixer(inputs: 1)
    let constant = RenderCallback { _, _, frames, buffer in
      for index in 0..<buffer.count { buffer.planes[index].update(repeating: 1, count: frames) }
      return .noError
    }
    try unit.setRenderCallback(constant, input: 0)
    try unit.setTimeline(.through((100, 1), (1100, 0)), for: ParameterAddress(0, scope: .input))
    try unit.initialize()
    for time: Int64 in [-512, 0, 600, 90, 5000, 350, -1, 1_000_000_000_000, 1099] {
      let bus = try unit.render(sampleTime: time, frames: 200)
      for frame in 0..<200 {
        let expected = 1 - Double(min(max(time + Int64(frame) - 100, 0), 1000)) / 1000
        #expect(abs(Double(bus.planes[0][frame]) - expected) < 1e-7, "\(time) + \(frame)")
      }
    }
  }
}
