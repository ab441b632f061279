// G.711 as one end of a converter. Known values: tables 1a to 2b of ITU-T G.711, scaled to 16 bits as in ITU-T G.191.

import AudioCore
import AudioToolbox
import TestSupport
import Testing

@Suite struct AudioConverterG711Tests {
  static let int16 = StreamFormat(sampleRate: 8000, channelCount: 1, encoding: .int16, isInterleaved: true)

  static func asbd(_ id: AudioCore.FourCharCode, channels: UInt32 = 1) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: 8000, mFormatID: id.rawValue, mFormatFlags: 0, mBytesPerPacket: channels, mFramesPerPacket: 1,
      mBytesPerFrame: channels, mChannelsPerFrame: channels, mBitsPerChannel: 8, mReserved: 0)
  }

  static func decode(_ codes: [UInt8], _ id: AudioCore.FourCharCode) throws -> [Int16] {
    let converter = try TestConverter(asbd(id), int16.audioStreamBasicDescription)
    var output = [Int16](repeating: 0, count: codes.count)
    var size = UInt32(2 * codes.count)
    #expect(AudioConverterConvertBuffer(converter.ref, UInt32(codes.count), codes, &size, &output) == 0)
    return output
  }

  static func encode(_ samples: [Int16], _ id: AudioCore.FourCharCode) throws -> [UInt8] {
    let converter = try TestConverter(int16.audioStreamBasicDescription, asbd(id))
    var output = [UInt8](repeating: 0, count: samples.count)
    var size = UInt32(samples.count)
    #expect(AudioConverterConvertBuffer(converter.ref, UInt32(2 * samples.count), samples, &size, &output) == 0)
    return output
  }

  @Test func knownCodes() throws {
    #expect(
      try Self.decode([0xFF, 0x7F, 0x80, 0x00, 0xFE, 0x7E, 0xEF, 0xF0], "ulaw")
        == [0, 0, 32124, -32124, 8, -8, 132, 120])
    #expect(
      try Self.decode([0xD5, 0x55, 0xAA, 0x2A, 0xD4, 0xC5, 0xF5], "alaw")
        == [8, -8, 32256, -32256, 24, 264, 528])
  }

  @Test func knownSamples() throws {
    let samples: [Int16] = [0, 3, 4, -4, -5, 32767, -32768, 1000, -1000]
    #expect(try Self.encode(samples, "ulaw") == [0xFF, 0xFF, 0xFE, 0x7F, 0x7E, 0x80, 0x00, 0xCE, 0x4E])
    let others: [Int16] = [0, 15, 16, -1, -16, -17, 32767, -32768, 1000]
    #expect(try Self.encode(others, "alaw") == [0xD5, 0xD5, 0xD4, 0x55, 0x55, 0x54, 0xAA, 0x2A, 0xFA])
  }

  /// A code is decoded to the sample that is coded by it; µ-law has two zeros.
  @Test(arguments: ["ulaw", "alaw"] as [AudioCore.FourCharCode])
  func codesSurvive(id: AudioCore.FourCharCode) throws {
    let codes = (0...255).map { UInt8($0) }
    let again = try Self.encode(Self.decode(codes, id), id)
    #expect(again == codes.map { id == "ulaw" && $0 == 0x7F ? 0xFF : $0 })
  }

  /// A sample lies in its code's interval, which is at most a sixteenth of the curve's distance from its zero wide, and
  /// louder samples never get softer codes.
  @Test(arguments: ["ulaw", "alaw"] as [AudioCore.FourCharCode])
  func aSampleLiesInTheIntervalOfItsCode(id: AudioCore.FourCharCode) throws {
    let samples = (Int16.min...Int16.max).map { $0 }
    let decoded = try Self.decode(Self.encode(samples, id), id).map(Int.init)
    #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 <= $1 })
    let (bias, least) = id == "ulaw" ? (132, 4) : (0, 8)
    let outside = zip(samples, decoded).filter { sample, value in
      abs(Int(sample) - value) > max(least, (abs(value) + bias) / 33) + 1
    }
    #expect(outside.isEmpty)
    #expect(Set(decoded).count == (id == "ulaw" ? 255 : 256))
  }

  @Test func aRateConversionGoesThrough16Bits() throws {
    let wide = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .float32, isInterleaved: true)
    let stereo = StreamFormat(sampleRate: 8000, channelCount: 2, encoding: .int16, isInterleaved: true)
    let input = try noise(wide, frames: 20_000)
    let samples = try engineConversion(from: wide, to: stereo, input)
    let expected = try Self.encode(samples[0].withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }, "ulaw")

    let coder = try TestConverter(wide.audioStreamBasicDescription, Self.asbd("ulaw", channels: 2))
    let codes = coder.drain(InputFeed(input, bytesPerFrame: 8), sizes: [160, 33])
    #expect(codes == [expected])

    let back = try TestConverter(Self.asbd("ulaw", channels: 2), wide.audioStreamBasicDescription)
    let feed = InputFeed(codes, bytesPerFrame: 2)
    feed.usesOwnMemory = true
    feed.answer = { $0 + 77 }
    let decoded = try Self.decode(codes[0], "ulaw").flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    #expect(try back.drain(feed, sizes: [1000]) == engineConversion(from: stereo, to: wide, [decoded]))
  }

  @Test func oneCodeBecomesTheOther() throws {
    let codes = (0...255).map { UInt8($0) }
    let converter = try TestConverter(Self.asbd("ulaw"), Self.asbd("alaw"))
    let made = converter.drain(InputFeed([codes], bytesPerFrame: 1), sizes: [100])
    #expect(try made == [Self.encode(Self.decode(codes, "ulaw"), "alaw")])
  }

  @Test func sizesLeftOutAreFilledIn() throws {
    var bare = Self.asbd("alaw", channels: 2)
    bare.mBytesPerPacket = 0
    bare.mBytesPerFrame = 0
    bare.mBitsPerChannel = 0
    let converter = try TestConverter(bare, Self.int16.audioStreamBasicDescription)
    let full = try converter.get("acid", as: AudioStreamBasicDescription())
    #expect(full.mBytesPerPacket == 2 && full.mBytesPerFrame == 2 && full.mBitsPerChannel == 8)
    bare.mBytesPerFrame = 4
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) {
      try TestConverter(bare, Self.int16.audioStreamBasicDescription)
    }
  }
}
