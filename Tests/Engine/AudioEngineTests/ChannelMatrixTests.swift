import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// Gains from each input channel to each output channel.
@Suite struct ChannelMatrixTests {
  @Test("the conventional matrix: mono to all, all to mono as their mean, else straight")
  func conventional() {
    #expect(ChannelMatrix.conventional(inputCount: 1, outputCount: 3).gains == [1, 1, 1])
    #expect(ChannelMatrix.conventional(inputCount: 4, outputCount: 1).gains == [0.25, 0.25, 0.25, 0.25])
    #expect(ChannelMatrix.conventional(inputCount: 3, outputCount: 2) == .straight(inputCount: 3, outputCount: 2))
    #expect(ChannelMatrix.straight(inputCount: 2, outputCount: 2).isIdentity)
    #expect(!ChannelMatrix.straight(inputCount: 2, outputCount: 3).isIdentity)
  }

  @Test("a matrix for other channel counts is refused with both numbers")
  func wrongMatrix() throws {
    let stereo = StreamFormat(sampleRate: 48_000, channelCount: 2)
    let matrix = ChannelMatrix.straight(inputCount: 3, outputCount: 2)
    let error = #expect(throws: BenchError.self) {
      try FormatConverter(from: stereo, to: stereo, maximumFrames: 10, options: .init(channels: matrix))
    }
    #expect(error?.message.contains("3 to 2") == true && error?.message.contains("2 and 2") == true)
    let unit = FormatConverterUnit()
    unit.options.channels = matrix
    #expect(status { () throws(AudioStatus) in try unit.initialize() } == .formatNotSupported)
    #expect(
      status { () throws(AudioStatus) in try unit.setProperty(.channelMap, .output, to: .int32s([2])) }
        == .invalidPropertyValue)
  }
}
