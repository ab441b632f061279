import AudioCore
import AudioEngine
import BuiltInUnits
import Testing

/// What the splitters and the merger refuse, and what they say of it.
@Suite("Limits of the splitters and the merger") struct SplitterLimitsTests {
  private func answer(_ unit: Unit) -> AudioStatus { status { () throws(AudioStatus) in try unit.initialize() } }

  @Test("a format that is set is enough for a multi-splitter; one that differs on a single bus is too much")
  func multiSplitterFormats() throws {
    let stereo = StreamFormat(sampleRate: 44_100, channelCount: 2)
    for scope in [Scope.input, .output] {
      let unit = MultiSplitter()
      #expect(answer(unit) == .failedInitialization)
      #expect(unit.renderFailure?.message.contains("number of its outputs") == true)
      // The format that it has already.
      try unit.setStreamFormat(stereo, scope)
      #expect(answer(unit) == .noError)
      #expect(unit.renderFailure == nil)
    }
    for (scope, element) in [(Scope.input, 0), (.output, 0), (.output, 2)] {
      for other in [StreamFormat(sampleRate: 48_000, channelCount: 2), .init(sampleRate: 44_100, channelCount: 1)] {
        let unit = MultiSplitter(outputs: 3)
        try unit.setStreamFormat(other, scope, element: element)
        #expect(answer(unit) == .formatNotSupported, "\(scope) \(element)")
      }
    }
  }

  @Test("a multi-splitter has 1 to 1024 outputs, and one input")
  func counts() throws {
    let unit = MultiSplitter(outputs: 1024)
    #expect(unit.elementCount(.output) == 1024)
    func set(_ count: Int, _ scope: Scope) -> AudioStatus {
      status { () throws(AudioStatus) in try unit.setElementCount(count, scope) }
    }
    #expect(set(1, .output) == .noError && unit.elementCount(.output) == 1)
    #expect(set(1024, .output) == .noError && set(1025, .output) == .invalidPropertyValue)
    #expect(set(2, .input) == .propertyNotWritable)
    #expect(MultiSplitter(outputs: 1).elementCount(.output) == 1)
  }

  @Test("a splitter without a source says so on every output", arguments: [1, 3])
  func withoutSource(_ outputs: Int) throws {
    let unit = MultiSplitter(outputs: outputs)
    try unit.setElementCount(outputs, .output)
    try unit.initialize()
    for bus in 0..<outputs {
      #expect(
        status { () throws(AudioStatus) in _ = try unit.render(output: bus, sampleTime: 0, frames: 10) }
          == .noConnection)
    }
  }

  @Test("a merger names what does not agree: rates, or the sum of the channels")
  func mergerReasons() throws {
    let unit = Merger()
    func set(_ rate: Double, _ channels: Int, _ scope: Scope, _ element: Int = 0) throws {
      try unit.setStreamFormat(StreamFormat(sampleRate: rate, channelCount: channels), scope, element: element)
    }
    #expect(unit.elementCount(.input) == 2 && unit.elementCount(.output) == 1)
    try set(48_000, 4, .output)
    #expect(answer(unit) == .formatNotSupported)
    #expect(unit.renderFailure?.message.contains("different rates") == true)
    try set(44_100, 3, .output)
    #expect(answer(unit) == .formatNotSupported)
    let message = try #require(unit.renderFailure?.message)
    #expect(message.contains("4 channels together") && message.contains("3"))
    try set(44_100, 1, .input, 1)
    #expect(answer(unit) == .noError)
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
}
