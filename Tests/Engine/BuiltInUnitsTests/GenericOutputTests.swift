import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The head of a graph that no device pulls.
@Suite struct GenericOutputTests {
  @Test("delivers what a format converter makes of its input, bit for bit", arguments: [44_100.0, 48_000])
  func converts(_ rate: Double) throws {
    let source = StreamFormat(sampleRate: 44_100, channelCount: 2)
    let wanted = StreamFormat(sampleRate: rate, channelCount: 2, encoding: .int16, isInterleaved: true)
    let outputs = try [GenericOutput(), FormatConverterUnit()].map { unit in
      try unit.setStreamFormat(source, .input)
      try unit.setStreamFormat(wanted, .output)
      try unit.setRenderCallback(Source(noise(frames: 4000), format: source).callback, input: 0)
      try unit.initialize()
      return try rendered(unit, total: 3000, in: .slices(of: 512))
    }
    #expect(outputs[0] == outputs[1] && outputs[0][0].contains { $0 != 0 })
  }
}
