// The format of a track's packets: the fields of Core Audio's stream description, without its header.

import AudioCore

/// The form of a packet. Fields that vary from packet to packet, or that nothing says, are 0.
package struct PacketFormat: Hashable, Sendable {
  /// Hertz.
  package var sampleRate: Double
  /// Four characters, as Core Audio names formats: 'lpcm', 'aac ', 'alac', 'ima4'; codecs that WAVE files number are 'ms'
  /// and the number.
  package var id: UInt32
  /// Core Audio's flags; of PCM 1 float, 2 big-endian, 4 signed, 8 packed, 16 high-aligned.
  package var flags: UInt32 = 0
  /// Bytes of a packet.
  package var bytesPerPacket: UInt32 = 0
  /// Frames of a packet.
  package var framesPerPacket: UInt32 = 0
  /// Bytes of a frame; 0 where frames share bytes.
  package var bytesPerFrame: UInt32 = 0
  package var channelCount: UInt32
  /// Bits of a sample; 0 for codecs.
  package var bitsPerChannel: UInt32 = 0

  package init(_ id: FourCharCode, sampleRate: Double, channelCount: UInt32) {
    (self.id, self.sampleRate, self.channelCount) = (id.rawValue, sampleRate, channelCount)
  }

  package var code: FourCharCode { FourCharCode(rawValue: id) }
  package var isPCM: Bool { code == "lpcm" }

  /// False for rates and numbers of channels that no sound has.
  package var isPossible: Bool {
    sampleRate.isFinite && sampleRate > 0 && sampleRate <= 3_000_000 && (1...1_024).contains(channelCount)
  }

  /// Plain samples, interleaved.
  /// - Parameter bytes: bytes of one sample; 0: as many as the bits take.
  static func pcm(
    sampleRate: Double, channelCount: UInt32, bits: UInt32, bytes: UInt32 = 0, isFloat: Bool = false,
    isSigned: Bool = true, isBigEndian: Bool = false
  ) -> PacketFormat? {
    guard (1...64).contains(bits), bytes <= 16, channelCount <= 1_024 else { return nil }
    let sample = bytes > 0 ? bytes : (bits + 7) / 8
    guard sample * 8 >= bits else { return nil }
    var format = PacketFormat("lpcm", sampleRate: sampleRate, channelCount: channelCount)
    format.flags = isFloat ? 1 : isSigned ? 4 : 0
    if isBigEndian { format.flags |= 2 }
    format.flags |= sample * 8 == bits ? 8 : 16
    format.bitsPerChannel = bits
    format.bytesPerFrame = sample * channelCount
    format.bytesPerPacket = format.bytesPerFrame
    format.framesPerPacket = 1
    return format
  }

  /// Single bytes of µ-law or A-law.
  mutating func setBytes() {
    bytesPerFrame = channelCount
    bytesPerPacket = channelCount
    framesPerPacket = 1
    bitsPerChannel = 8
  }

  /// Apple's IMA4: 34 bytes and 64 frames a channel.
  mutating func setIMA4() {
    bytesPerPacket = 34 * channelCount
    framesPerPacket = 64
  }

  /// True where packets need no table: all are of one size.
  package var isFixed: Bool { bytesPerPacket > 0 }
}

/// 'ms' and a WAVE file's number of a codec.
package func waveCode(_ tag: UInt32) -> UInt32 { 0x6D73_0000 | tag & 0xFFFF }
