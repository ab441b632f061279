// The formats at either end of a converter: linear PCM, a G.711 code, or packets to be decoded. Any thread.

import AudioCore
import CAudioToolbox
import DSPKernels
import PacketFiles
import SoundFile

/// One end of a converter: what the client sees, and the PCM that the engine sees in its place.
package struct ConverterFormat: Hashable, Sendable {
  /// The PCM that the engine reads or writes: 16 bits, interleaved, where the client has G.711; the decoder's where it has
  /// packets.
  package let stream: StreamFormat
  /// Nil for PCM and packets.
  package let code: G711?
  /// The packets of a codec; nil for PCM and G.711. A converter can only begin with them.
  package let packets: PacketFormat?

  /// Nil where no converter can begin or end here.
  ///
  /// G.711 is one byte a sample, interleaved; sizes and bits that are 0 are filled in, as they follow from the id.
  package init?(_ asbd: AudioStreamBasicDescription) {
    switch asbd.mFormatID {
    case kAudioFormatULaw: code = .muLaw
    case kAudioFormatALaw: code = .aLaw
    case kAudioFormatLinearPCM:
      guard let stream = StreamFormat(asbd) else { return nil }
      (self.stream, code, packets) = (stream, nil, nil)
      return
    default:
      let format = PacketFormat(asbd)
      guard let encoding = PacketStream.encoding(of: format) else { return nil }
      (code, packets) = (nil, format)
      stream = StreamFormat(
        sampleRate: asbd.mSampleRate, channelCount: Int(asbd.mChannelsPerFrame), encoding: encoding, isInterleaved: true
      )
      guard stream.isValid else { return nil }
      return
    }
    packets = nil
    let channels = asbd.mChannelsPerFrame
    guard asbd.mFramesPerPacket <= 1, [0, channels].contains(asbd.mBytesPerPacket),
      [0, channels].contains(asbd.mBytesPerFrame), [0, 8].contains(asbd.mBitsPerChannel)
    else { return nil }
    stream = StreamFormat(
      sampleRate: asbd.mSampleRate, channelCount: Int(channels), encoding: .int16, isInterleaved: true)
    guard stream.isValid else { return nil }
  }

  package init(_ stream: StreamFormat) {
    (self.stream, code, packets) = (stream, nil, nil)
  }

  /// Bytes of a frame, which is a packet, in one of the client's buffers; of packets bytes of a decoded frame.
  package var bytesPerFrame: Int { code == nil ? stream.bytesPerFrame : stream.channelCount }
  package var bufferCount: Int { stream.bufferCount }
  package var bitsPerChannel: Int { code == nil ? packets.map { Int($0.bitsPerChannel) } ?? stream.encoding.bits : 8 }

  /// Every field filled in.
  package var audioStreamBasicDescription: AudioStreamBasicDescription {
    if let packets { return AudioStreamBasicDescription(packets) }
    guard let code else { return stream.audioStreamBasicDescription }
    var asbd = AudioStreamBasicDescription()
    asbd.mSampleRate = stream.sampleRate
    asbd.mFormatID = code == .muLaw ? kAudioFormatULaw : kAudioFormatALaw
    asbd.mBytesPerPacket = UInt32(bytesPerFrame)
    asbd.mFramesPerPacket = 1
    asbd.mBytesPerFrame = UInt32(bytesPerFrame)
    asbd.mChannelsPerFrame = UInt32(stream.channelCount)
    asbd.mBitsPerChannel = 8
    return asbd
  }
}

extension PacketFormat {
  /// The format that the interface describes.
  package init(_ asbd: AudioStreamBasicDescription) {
    self.init(
      FourCharCode(rawValue: asbd.mFormatID), sampleRate: asbd.mSampleRate, channelCount: asbd.mChannelsPerFrame)
    (flags, bytesPerPacket, framesPerPacket) = (asbd.mFormatFlags, asbd.mBytesPerPacket, asbd.mFramesPerPacket)
    (bytesPerFrame, bitsPerChannel) = (asbd.mBytesPerFrame, asbd.mBitsPerChannel)
  }
}

extension AudioStreamBasicDescription {
  package init(_ format: PacketFormat) {
    self.init(
      mSampleRate: format.sampleRate, mFormatID: format.id, mFormatFlags: format.flags,
      mBytesPerPacket: format.bytesPerPacket, mFramesPerPacket: format.framesPerPacket,
      mBytesPerFrame: format.bytesPerFrame, mChannelsPerFrame: format.channelCount,
      mBitsPerChannel: format.bitsPerChannel, mReserved: 0)
  }
}
