// The engine's stream format and the C interface's AudioStreamBasicDescription, each from the other. Any thread;
// no allocation. Only linear PCM: other formats have no StreamFormat.
// Flags: the SDK's header.

import AudioCore
import CAudioToolbox

/// The flags of linear PCM, as numbers that do not depend on how the header's constants are imported.
package enum PCMFlags {
  package static let isFloat: UInt32 = 0x01
  package static let isBigEndian: UInt32 = 0x02
  package static let isSignedInteger: UInt32 = 0x04
  package static let isPacked: UInt32 = 0x08
  package static let isAlignedHigh: UInt32 = 0x10
  package static let isNonInterleaved: UInt32 = 0x20
  /// Says that no flag is set, where 0 would mean that nothing is known.
  package static let areAllClear: UInt32 = 0x8000_0000
  package static let fractionShift: UInt32 = 7
  package static let fractionMask: UInt32 = 0x3F << 7
}

extension StreamFormat {
  /// The stream that a description of linear PCM describes.
  ///
  /// Nil where it is no linear PCM that the engine knows: another format id, more or less than one frame a packet, a
  /// rate or channel count out of ``StreamFormat``'s ranges, sizes that contradict one another, floats that are
  /// neither 32 nor 64 bits, integers of more than 32 bits. `mBytesPerPacket` 0 is tolerated, as old programs leave
  /// it so; so is a container filled by its sample without the packed flag.
  ///
  /// Flags that make no difference in memory make none in the result: the byte order of single bytes, the alignment of
  /// a sample that fills its container.
  package init?(_ asbd: AudioStreamBasicDescription) {
    let flags = asbd.mFormatFlags
    let isInterleaved = flags & PCMFlags.isNonInterleaved == 0
    guard asbd.mFormatID == kAudioFormatLinearPCM, asbd.mFramesPerPacket == 1,
      asbd.mBytesPerPacket == 0 || asbd.mBytesPerPacket == asbd.mBytesPerFrame,
      StreamFormat.channelCountRange.contains(Int(asbd.mChannelsPerFrame))
    else { return nil }
    let channels = Int(asbd.mChannelsPerFrame)
    let bytesPerFrame = Int(asbd.mBytesPerFrame)
    let samplesPerFrame = isInterleaved ? channels : 1
    guard bytesPerFrame > 0, bytesPerFrame % samplesPerFrame == 0,
      let encoding = SampleEncoding(
        flags: flags, bits: Int(asbd.mBitsPerChannel), containerBytes: bytesPerFrame / samplesPerFrame)
    else { return nil }
    self.init(
      sampleRate: asbd.mSampleRate, channelCount: channels, encoding: encoding, isInterleaved: isInterleaved)
    guard isValid else { return nil }
  }

  /// This stream as the C interface describes it: one frame a packet, every field filled in.
  package var audioStreamBasicDescription: AudioStreamBasicDescription {
    var asbd = AudioStreamBasicDescription()
    asbd.mSampleRate = sampleRate
    asbd.mFormatID = kAudioFormatLinearPCM
    asbd.mFormatFlags = encoding.formatFlags | (isInterleaved ? 0 : PCMFlags.isNonInterleaved)
    if asbd.mFormatFlags == 0 { asbd.mFormatFlags = PCMFlags.areAllClear }
    asbd.mBytesPerPacket = UInt32(bytesPerFrame)
    asbd.mFramesPerPacket = 1
    asbd.mBytesPerFrame = UInt32(bytesPerFrame)
    asbd.mChannelsPerFrame = UInt32(channelCount)
    asbd.mBitsPerChannel = UInt32(encoding.bits)
    return asbd
  }
}

extension SampleEncoding {
  /// One sample from the flags and widths of a description; nil where they contradict one another.
  fileprivate init?(flags: UInt32, bits: Int, containerBytes: Int) {
    let isFloat = flags & PCMFlags.isFloat != 0
    let isFull = bits == containerBytes * 8
    // "Packed" and a container wider than its sample exclude one another.
    guard flags & PCMFlags.isPacked == 0 || isFull else { return nil }
    let fraction = Int((flags & PCMFlags.fractionMask) >> PCMFlags.fractionShift)
    self.init(
      kind: isFloat ? .float : flags & PCMFlags.isSignedInteger != 0 ? .signedInteger : .unsignedInteger, bits: bits,
      containerBytes: containerBytes, isBigEndian: flags & PCMFlags.isBigEndian != 0 && containerBytes > 1,
      isAlignedHigh: flags & PCMFlags.isAlignedHigh != 0 && !isFull, fractionBits: fraction)
    guard isValid else { return nil }
  }

  fileprivate var formatFlags: UInt32 {
    var flags: UInt32 =
      switch kind {
      case .float: PCMFlags.isFloat
      case .signedInteger: PCMFlags.isSignedInteger
      case .unsignedInteger: 0
      }
    if isBigEndian { flags |= PCMFlags.isBigEndian }
    if isPacked {
      flags |= PCMFlags.isPacked
    } else if isAlignedHigh {
      flags |= PCMFlags.isAlignedHigh
    }
    return flags | UInt32(fractionBits) << PCMFlags.fractionShift
  }
}
