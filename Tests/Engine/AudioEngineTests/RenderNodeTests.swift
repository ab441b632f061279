import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import TestSupport
import UnitTestSupport

/// The status of a render call, and when it occurs.
@Suite struct RenderNodeTests {
  @Test(
    "render before initialize and after uninitialize is −10867", arguments: Configuration.components)
  func uninitialized(_ component: Component) throws {
    let unit = try fedUnit(component)
    #expect(rendering(unit).rawValue == -10867)
    try unit.initialize()
    #expect(rendering(unit) == .noError)
    unit.uninitialize()
    #expect(!unit.isInitialized)
    #expect(rendering(unit, at: 64).rawValue == -10867)
  }

  @Test(
    "more frames than the maximum are −10874, and nothing is pulled",
    arguments: Configuration.components)
  func tooManyFrames(_ component: Component) throws {
    let unit = try told(component)
    if let player = unit as? FilePlayer { try player.open(SoundFiles.stereo) }
    let source = Source(noise(2, frames: 1000))
    for bus in 0..<unit.elementCount(.input) { try unit.setRenderCallback(source.callback, input: bus) }
    try unit.setMaximumFramesPerSlice(300)
    try unit.initialize()
    #expect(rendering(unit, frames: 301).rawValue == -10874)
    #expect(source.pulls == 0)
    #expect(rendering(unit, frames: 300) == .noError)
    #expect(source.pulls > 0 || unit.elementCount(.input) == 0)
  }

  @Test("an output bus that is not there is −10877", arguments: Configuration.components)
  func missingBus(_ component: Component) throws {
    let unit = try fedUnit(component)
    try unit.initialize()
    #expect(rendering(unit, output: unit.elementCount(.output)).rawValue == -10877)
    #expect(rendering(unit, output: -1).rawValue == -10877)
    #expect(rendering(unit) == .noError)
  }

  @Test("a negative number of frames is −50")
  func negativeFrames() throws {
    let unit = try fed(LowPassFilter(), noise(frames: 100))
    #expect(rendering(unit, frames: -1).rawValue == -50)
    #expect(rendering(unit) == .noError)
  }

  @Test("argument errors are kept as the last render error as well")
  func argumentErrorsAreLatched() throws {
    let unit = try fed(LowPassFilter(), noise(frames: 100))
    #expect(rendering(unit, frames: 5000) == .tooManyFramesToProcess)
    #expect(try unit.property(.lastRenderError) == .int32(-10874))
    unit.uninitialize()
    #expect(rendering(unit) == .uninitialized)
    #expect(try unit.property(.lastRenderError) == .int32(-10867))
  }

  @Test("an error outlives uninitialize until it is read")
  func errorOutlivesUninitialize() throws {
    let unit = LowPassFilter()
    try unit.initialize()
    #expect(rendering(unit) == .noConnection)
    unit.uninitialize()
    #expect(try unit.property(.lastRenderError) == .int32(-10876))
    #expect(try unit.property(.lastRenderError) == .int32(0))
  }

  @Test("render notifies hear of every slice, before and after, and of a failure")
  func notifies() throws {
    let unit = try fed(LowPassFilter(), noise(frames: 1000))
    nonisolated(unsafe) var heard: [String] = []
    let token = unit.addRenderNotify { phase, time, frames, output in
      switch phase {
      case .before: heard.append("before \(time) \(frames) \(output == nil)")
      case .after: heard.append("after \(time) \(frames) \(output == nil)")
      case .failed(let status): heard.append("failed \(status.rawValue)")
      }
    }
    _ = rendering(unit)
    #expect(heard == ["before 0 64 true", "after 0 64 false"])
    try unit.setRenderCallback(nil, input: 0)
    _ = rendering(unit, at: 64)
    #expect(heard.dropFirst(2) == ["before 64 64 true", "failed -10876"])
    unit.removeRenderNotify(token)
    _ = rendering(unit, at: 128)
    #expect(heard.count == 4)
  }

  // MARK: The same sample time

  @Test("the same sample time gives the same buffers without pulling again", arguments: componentsThatNeedASource)
  func sameTime(_ component: Component) throws {
    let unit = try fedUnit(component)
    let source = Source(noise(2, frames: 5000))
    try unit.setRenderCallback(source.callback, input: 0)
    try unit.initialize()
    // More than any unit is late by.
    let first = try unit.render(sampleTime: 100, frames: 1024)
    let (pulls, buffers) = (source.pulls, (first.buffers[0], first.buffers[1]))
    let samples = Array(first.planes[0].prefix(1024).elements)
    let again = try unit.render(sampleTime: 100, frames: 1024)
    #expect(source.pulls == pulls && pulls > 0)
    #expect(again.buffers[0] == buffers.0 && again.buffers[1] == buffers.1)
    #expect(Array(again.planes[0].prefix(1024).elements) == samples)
    #expect(samples.contains { $0 != 0 })
    _ = try unit.render(sampleTime: 1124, frames: 256)
    #expect(source.pulls > pulls)
    // Reset forgets the time.
    let pullsBefore = source.pulls
    unit.reset()
    _ = try unit.render(sampleTime: 1124, frames: 256)
    #expect(source.pulls > pullsBefore)
  }

  @Test("a longer slice than was rendered at that time is an error, not stale memory")
  func longerSliceAtTheSameTime() throws {
    let unit = try fed(LowPassFilter(), noise(frames: 1000))
    #expect(rendering(unit, frames: 64) == .noError)
    #expect(rendering(unit, frames: 65) == .tooManyFramesToProcess)
  }

  @Test("a render of no frames does nothing, and the next one at its time renders", arguments: Configuration.all)
  func noFrames(_ configuration: Configuration) throws {
    let expected = try rendered(try configuration.make(), total: 2000)
    let unit = try configuration.make()
    let format = try unit.streamFormat(.output)
    var bytes = [[UInt8]](repeating: [], count: format.bufferCount)
    for time in stride(from: 0, to: 2000, by: 400) {
      _ = try unit.render(sampleTime: Int64(time), frames: 0)
      let bus = try unit.render(sampleTime: Int64(time), frames: 400)
      for index in 0..<bus.count {
        bytes[index] += UnsafeRawBufferPointer(start: bus.buffers[index], count: 400 * format.bytesPerFrame)
      }
    }
    #expect(firstDifference(bytes, expected, bytesPerFrame: format.bytesPerFrame) == nil)
    #expect(bytes[0].contains { $0 != 0 })
  }
}

/// The status of a render call.
func rendering(_ unit: Unit, output: Int = 0, at time: Int64 = 0, frames: Int = 64) -> AudioStatus {
  status { () throws(AudioStatus) in _ = try unit.render(output: output, sampleTime: time, frames: frames) }
}

/// A new unit, told a format: some want that before they are initialized.
func told(_ component: Component) throws -> Unit {
  let unit = component.make()
  try unit.setStreamFormat(try unit.streamFormat(.output), .output)
  return unit
}

/// A unit of a component, fed with a constant wherever it has inputs, and with a file where it plays one.
func fedUnit(_ component: Component) throws -> Unit {
  let unit = try told(component)
  if let player = unit as? FilePlayer { try player.open(SoundFiles.stereo) }
  for bus in 0..<unit.elementCount(.input) {
    let constant = Source(Array(repeating: [Float](repeating: 0.5, count: 10_000), count: 2))
    try unit.setRenderCallback(constant.callback, input: bus)
  }
  return unit
}
