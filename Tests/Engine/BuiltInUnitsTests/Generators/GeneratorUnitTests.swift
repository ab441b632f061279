import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The length of what generators give.
@Suite struct GeneratorUnitTests {
  @Test("where a length is given, silence follows, and the graph knows when")
  func length() throws {
    let tone = ToneGenerator()
    #expect(tone.sourceFrames == nil)
    try tone.setLength(frames: 777)
    #expect(tone.sourceFrames == 777)
    let output = try renderedSignal(tone.ready(), total: 2000)[0]
    #expect(output[777...].allSatisfy { $0 == 0 } && output[776] != 0)
    #expect(throws: AudioStatus.initialized) { try tone.setLength(frames: 1) }
    #expect(throws: AudioStatus.invalidPropertyValue) { try ToneGenerator().setLength(frames: -1) }
  }

  @Test(
    "a generator of no frames is silent, one of some ends within a slice on all its channels", arguments: [0, 1, 300])
  func lengths(frames: Int) throws {
    for make in [{ ToneGenerator() }, { NoiseGenerator() }] as [() -> GeneratorUnit] {
      let unit = make()
      try unit.setLength(frames: Int64(frames))
      let output = try renderedSignal(try unit.ready(channels: 2), total: 1000)
      let endless = try renderedSignal(try make().ready(channels: 2), total: 1000)
      for (channel, expected) in zip(output, endless) {
        #expect(channel == Array(expected[..<frames]) + [Float](repeating: 0, count: 1000 - frames))
      }
      #expect(unit.sourceFrames == Int64(frames))
      unit.uninitialize()
      try unit.setLength(frames: nil)
      #expect(unit.sourceFrames == nil && unit.lengthFrames == nil)
    }
  }
}

extension GeneratorUnit {
  /// Initialized, with a format of its own.
  func ready(channels: Int = 1, rate: Double = 48_000) throws -> Self {
    try setStreamFormat(StreamFormat(sampleRate: rate, channelCount: channels), .output)
    try initialize()
    return self
  }
}
