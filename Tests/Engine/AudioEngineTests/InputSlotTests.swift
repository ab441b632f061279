import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// Inputs without a source, and sources that fail.
@Suite struct InputSlotTests {
  @Test(
    "an empty input slot is −10876, also when its callback has been taken away", arguments: componentsThatNeedASource)
  func noSource(_ component: Component) throws {
    let empty = try told(component)
    try empty.initialize()
    #expect(rendering(empty).rawValue == -10876)
    let unit = try fedUnit(component)
    try unit.initialize()
    #expect(rendering(unit) == .noError)
    try unit.setRenderCallback(nil, input: 0)
    #expect(rendering(unit, at: 64).rawValue == -10876)
  }

  @Test("a converter that changes the rate needs its source too")
  func noSourceBehindRate() throws {
    let unit = FormatConverterUnit()
    try unit.setStreamFormat(StreamFormat(sampleRate: 48_000, channelCount: 2), .output)
    try unit.initialize()
    #expect(rendering(unit).rawValue == -10876)
  }

  /// A number that no unit answers by itself.
  static let strange = AudioStatus(rawValue: -12_345)

  @Test(
    "a callback's error passes through unchanged and is kept until it is read",
    arguments: componentsThatNeedASource + [MultichannelMixer.component])
  func callbackError(_ component: Component) throws {
    let unit = try fedUnit(component)
    // A mixer's first input at another rate: the error comes up through the converter in front of it.
    if unit is MultichannelMixer {
      try unit.setStreamFormat(StreamFormat(sampleRate: 8000, channelCount: 1), .input)
    }
    nonisolated(unsafe) var answers = [Self.strange, AudioStatus(rawValue: -9)]
    try unit.setRenderCallback(
      RenderCallback { _, _, frames, buffer in
        for index in 0..<buffer.count { buffer.planes[index].update(repeating: 0, count: frames) }
        return answers.isEmpty ? .noError : answers.removeFirst()
      }, input: 0)
    try unit.initialize()
    #expect(try unit.property(.lastRenderError) == .int32(0))
    #expect(rendering(unit) == Self.strange)
    #expect(rendering(unit) == Self.strange, "the same sample time is not tried again")
    #expect(answers.count == 1)
    #expect(rendering(unit, at: 64).rawValue == -9)
    #expect(rendering(unit, at: 128) == .noError)
    // The first error is latched, reading it clears it.
    #expect(try unit.property(.lastRenderError) == .int32(-12_345))
    #expect(try unit.property(.lastRenderError) == .int32(0))
  }
}

/// A mixer skips its unconnected inputs; sources have none.
let componentsThatNeedASource = Configuration.components.filter {
  !["multichannelMixer", "matrixMixer", "spatialMixer", "mixer3D"].contains($0.shortName)
    && $0.description.type != .generator
}
