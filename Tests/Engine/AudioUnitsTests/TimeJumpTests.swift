import AudioCore
import AudioEngine
import BuiltInUnits
import TestSupport
import Testing

/// Sample times that do not follow one another, or lie before 0.
@Suite struct TimeJumpTests {
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

  @Test("every unit renders at negative times, and slices do not matter there", arguments: Configuration.all)
  func negativeTimes(_ configuration: Configuration) throws {
    let start: Int64 = -1234
    let unit = try configuration.make()
    let expected = try rendered(unit, total: 4000, from: start)
    let bytesPerFrame = try unit.streamFormat(.output).bytesPerFrame
    for partition in [Partition.slices(of: 64), .slices(of: 1), .random(seed: 4)] {
      let bits = try rendered(try configuration.make(), total: 4000, from: start, in: partition)
      let difference = firstDifference(bits, expected, bytesPerFrame: bytesPerFrame)
      #expect(difference == nil, "\(partition): \(difference ?? "")")
    }
    // At many times its speed a stretcher plays one piece of each second: this signal lies between them.
    if !configuration.component.lowercased().hasSuffix("timepitch") { #expect(Set(expected[0]).count > 50) }
  }
}
