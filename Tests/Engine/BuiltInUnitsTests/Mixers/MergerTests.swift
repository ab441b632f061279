import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import TestSupport
import UnitTestSupport

/// Two inputs whose channels stand behind one another.
@Suite struct MergerTests {
  @Test("a merger names what does not agree: rates, or the sum of the channels")
  func mergerReasons() throws {
    let unit = Merger()
    func set(_ rate: Double, _ channels: Int, _ scope: Scope, _ element: Int = 0) throws {
      try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: channels), scope, element: element)
    }
    #expect(unit.elementCount(.input) == 2 && unit.elementCount(.output) == 1)
    try set(48_000, 4, .output)
    #expect(initializing(unit) == .formatNotSupported)
    #expect(unit.renderFailure?.message.contains("different rates") == true)
    try set(44_100, 3, .output)
    #expect(initializing(unit) == .formatNotSupported)
    let message = try #require(unit.renderFailure?.message)
    #expect(message.contains("4 channels together") && message.contains("3"))
    try set(44_100, 1, .input, 1)
    #expect(initializing(unit) == .noError)
    #expect(unit.renderFailure == nil)
  }

  @Test("a merger whose first input has no source says so as one whose second has none")
  func mergerWithoutFirst() throws {
    let unit = Merger()
    try unit.setRenderCallback(Source(noise(2, frames: 10)).callback, input: 1)
    try unit.initialize()
    #expect(status { () throws(AudioStatus) in _ = try unit.render(sampleTime: 0, frames: 10) } == .noConnection)
    unit.uninitialize()
    let signal = noise(2, frames: 10, seed: 5)
    try unit.setRenderCallback(Source(signal).callback, input: 0)
    try unit.initialize()
    #expect(Array(try renderedSignal(unit, total: 10).prefix(2)) == signal)
  }

  @Test("a merger puts the channels of input 1 behind those of input 0", arguments: Partition.all)
  func merger(_ partition: Partition) throws {
    let (first, second) = (noise(2, frames: 1000, seed: 1), noise(3, frames: 1000, seed: 2))
    let unit = Merger()
    let sources = [Source(first), Source(second)]
    for (bus, source) in sources.enumerated() {
      try unit.setStreamFormat(source.format, .input, element: bus)
      try unit.setRenderCallback(source.callback, input: bus)
    }
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    #expect(unit.renderFailure?.message.contains("5 channels together") == true)
    try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 5), .output)
    try unit.setMaximumFramesPerSlice(4096)
    try unit.initialize()
    #expect(try renderedSignal(unit, total: 1000, in: partition) == first + second)
  }

  @Test("a merger needs both inputs, at one rate")
  func mergerRefusals() throws {
    let unit = Merger()
    #expect(try unit.streamFormat(.output).channelCount == 4)
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .input, element: 1)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    try unit.setStreamFormat(.init(sampleRate: 44_100, channelCount: 2), .input, element: 1)
    try unit.setRenderCallback(Source(noise(2, frames: 10)).callback, input: 0)
    try unit.initialize()
    #expect(status { () throws(AudioStatus) in _ = try unit.render(sampleTime: 0, frames: 10) } == .noConnection)
  }
}
