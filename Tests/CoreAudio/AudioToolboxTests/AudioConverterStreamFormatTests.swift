// StreamFormat from AudioStreamBasicDescription and back. Flags: the SDK's header.

import AudioCore
import AudioToolbox
import Testing

@Suite struct AudioConverterStreamFormatTests {
  static func asbd(
    flags: UInt32, bits: UInt32, bytes: UInt32, channels: UInt32 = 2, rate: Double = 44_100
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: 0x6C70_636D, mFormatFlags: flags, mBytesPerPacket: bytes, mFramesPerPacket: 1,
      mBytesPerFrame: bytes, mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
  }

  static let known: [(flags: UInt32, bits: UInt32, bytes: UInt32, encoding: SampleEncoding, isInterleaved: Bool)] = [
    (0x29, 32, 4, .float32, false),
    (0x09, 32, 8, .float32, true),
    (0x0B, 64, 16, .float64.bigEndian, true),
    (0x0C, 16, 4, .int16, true),
    (0x0E, 24, 6, .int24.bigEndian, true),
    (0x08, 8, 2, .uint8, true),
    (0xC2C, 32, 4, .fixed8_24, false),
    (0x14, 24, 8, SampleEncoding(kind: .signedInteger, bits: 24, containerBytes: 4, isAlignedHigh: true), true),
    (0x04, 24, 8, SampleEncoding(kind: .signedInteger, bits: 24, containerBytes: 4), true),
    (
      0x16, 20, 6,
      SampleEncoding(kind: .signedInteger, bits: 20, containerBytes: 3, isBigEndian: true, isAlignedHigh: true), true
    ),
    (0x8000_0000, 12, 4, SampleEncoding(kind: .unsignedInteger, bits: 12, containerBytes: 2), true),
  ]

  @Test func knownDescriptionsGoBothWays() {
    for row in Self.known {
      let expected = StreamFormat(
        sampleRate: 44_100, channelCount: 2, encoding: row.encoding, isInterleaved: row.isInterleaved)
      let asbd = Self.asbd(flags: row.flags, bits: row.bits, bytes: row.bytes)
      #expect(StreamFormat(asbd) == expected, "\(expected)")
      let back = expected.audioStreamBasicDescription
      #expect(back.mFormatFlags == row.flags && back.mBitsPerChannel == row.bits && back.mBytesPerFrame == row.bytes)
      #expect(back.mBytesPerPacket == row.bytes && back.mFramesPerPacket == 1 && back.mChannelsPerFrame == 2)
      #expect(back.mSampleRate == 44_100 && back.mFormatID == 0x6C70_636D && back.mReserved == 0)
    }
  }

  @Test func whatMakesNoDifferenceInMemoryMakesNone() {
    var bare = Self.asbd(flags: 0x0C, bits: 16, bytes: 4)
    bare.mBytesPerPacket = 0
    let int16 = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)
    #expect(StreamFormat(bare) == int16)
    #expect(StreamFormat(Self.asbd(flags: 0x04, bits: 16, bytes: 4)) == int16)
    #expect(StreamFormat(Self.asbd(flags: 0x1C, bits: 16, bytes: 4)) == int16)
    #expect(StreamFormat(Self.asbd(flags: 0x4C, bits: 16, bytes: 4)) == int16)
    #expect(StreamFormat(Self.asbd(flags: 0x0E, bits: 8, bytes: 2))?.encoding == .int8)
  }

  @Test func contradictionsAreNoFormat() {
    #expect(StreamFormat(Self.asbd(flags: 0x0C, bits: 16, bytes: 5)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x0C, bits: 16, bytes: 0)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x0C, bits: 24, bytes: 8)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x0C, bits: 32, bytes: 4)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x0C, bits: 0, bytes: 4)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x04, bits: .max, bytes: 4)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x0C, bits: 64, bytes: 16)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x09, bits: 16, bytes: 4)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x09, bits: 32, bytes: 8, rate: .infinity)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x09, bits: 32, bytes: 8, rate: -1)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x29, bits: 32, bytes: 4, channels: 0)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x29, bits: 32, bytes: 4, channels: 1025)) == nil)
    #expect(StreamFormat(Self.asbd(flags: 0x29 | 8 << 7, bits: 32, bytes: 4)) == nil)
    var other = Self.asbd(flags: 0x0C, bits: 16, bytes: 4)
    other.mFramesPerPacket = 2
    #expect(StreamFormat(other) == nil)
    other.mFramesPerPacket = 1
    other.mBytesPerPacket = 8
    #expect(StreamFormat(other) == nil)
    other.mBytesPerPacket = 4
    other.mFormatID = 0x756C_6177
    #expect(StreamFormat(other) == nil)
  }
}
