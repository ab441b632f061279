import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// A mixer whose output is not planar Float32: the mix of the same inputs, × 2^15, rounded half to even and clipped.
@Suite struct EncodedMixerTests {
  private static let frames = 700

  /// All bytes of the output bus's first buffer, slice by slice.
  private static func bytes(_ unit: MultichannelMixer, perFrame: Int, slice: Int) throws -> [UInt8] {
    try unit.initialize()
    var bytes: [UInt8] = []
    var done = 0
    while done < frames {
      let count = min(slice, frames - done)
      let output = try unit.render(sampleTime: Int64(done), frames: count)
      bytes += UnsafeRawBufferPointer(start: output.buffers[0], count: count * perFrame)
      done += count
    }
    return bytes
  }

  private static func mixer(_ encoding: SampleEncoding) throws -> (unit: MultichannelMixer, sources: [Source]) {
    // Loud enough to clip now and then.
    func sample(_ frame: Int, _ channel: Int, _ peak: Float) -> Float {
      let step = (frame * 37 + channel * 11) % 201 - 100
      return peak * Float(step) / 100
    }
    let peaks: [Float] = [0.9, 0.8]
    let signals: [Signal] = peaks.map { peak in
      (0..<2).map { channel in (0..<frames).map { frame in sample(frame, channel, peak) } }
    }
    let (unit, sources) = try MultichannelMixerTests.mixer(signals)
    try unit.setStreamFormat(
      StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: encoding, isInterleaved: true), .output)
    return (unit, sources)
  }

  @Test(
    "16 bits interleaved are the float mix, rounded and clipped; whatever the slices", arguments: [1, 64, 441, 700])
  func sixteenBits(slice: Int) throws {
    let (plain, sources) = try Self.mixer(.float32)
    let (encoded, otherSources) = try Self.mixer(.int16)
    for unit in [plain, encoded] {
      try unit.setVolume(0.7, input: 0)
      try unit.setPan(-0.25, input: 1)
    }
    let floats = try Self.bytes(plain, perFrame: 8, slice: Self.frames).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
    let integers = try Self.bytes(encoded, perFrame: 4, slice: slice).withUnsafeBytes {
      Array($0.bindMemory(to: Int16.self))
    }
    let expected: [Int16] = floats.map { value in
      let scaled = (value * 32_768).rounded(.toNearestOrEven)
      return Int16(clamping: max(-32_768, min(32_767, scaled)))
    }
    #expect(integers == expected)
    #expect(expected.contains(32_767) && expected.contains(-32_768) && floats.contains { $0 > 1 })
    withExtendedLifetime((sources, otherSources)) {}
  }
}
