import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// A splitter with as many outputs as are asked for.
@Suite struct MultiSplitterTests {
  @Test("a multi-splitter has as many outputs as are asked for, and must be told something, as on macOS")
  func multiSplitter() throws {
    let unit = MultiSplitter()
    #expect(unit.elementCount(.output) == 2 && unit.elementCount(.input) == 1)
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .failedInitialization)
    for count in [0, 1025] {
      #expect(status { () throws(AudioStatus) in try unit.setElementCount(count, .output) } == .invalidPropertyValue)
    }
    try unit.setElementCount(7, .output)
    try unit.initialize()
    #expect(unit.elementCount(.output) == 7)
    #expect(status { () throws(AudioStatus) in try Splitter().setElementCount(3, .output) } == .propertyNotWritable)
  }

  @Test("a format that is set is enough for a multi-splitter; one that differs on a single bus is too much")
  func multiSplitterFormats() throws {
    let stereo = StreamFormat(sampleRate: 44_100, channelCount: 2)
    for scope in [Scope.input, .output] {
      let unit = MultiSplitter()
      #expect(initializing(unit) == .failedInitialization)
      #expect(unit.renderFailure?.message.contains("number of its outputs") == true)
      // The format that it has already.
      try unit.setStreamFormat(stereo, scope)
      #expect(initializing(unit) == .noError)
      #expect(unit.renderFailure == nil)
    }
    for (scope, element) in [(Scope.input, 0), (.output, 0), (.output, 2)] {
      for other in [StreamFormat(sampleRate: 48_000, channelCount: 2), .init(sampleRate: 44_100, channelCount: 1)] {
        let unit = MultiSplitter(outputs: 3)
        try unit.setStreamFormat(other, scope, element: element)
        #expect(initializing(unit) == .formatNotSupported, "\(scope) \(element)")
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
}
