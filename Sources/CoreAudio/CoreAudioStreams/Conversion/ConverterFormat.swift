// The formats at either end of a converter: linear PCM, or a G.711 code. Any thread.

import AudioCore
import CAudioToolbox
import DSPKernels

/// One end of a converter: what the client sees, and the PCM that the engine sees in its place.
package struct ConverterFormat: Hashable, Sendable {
  /// The PCM that the engine reads or writes; 16 bits, interleaved, where the client has G.711.
  package let stream: StreamFormat
  /// Nil for PCM.
  package let code: G711?

  /// Nil where no converter can begin or end here.
  ///
  /// G.711 is one byte a sample, interleaved; sizes and bits that are 0 are filled in, as they follow from the id.
  package init?(_ asbd: AudioStreamBasicDescription) {
    switch asbd.mFormatID {
    case kAudioFormatULaw: code = .muLaw
    case kAudioFormatALaw: code = .aLaw
    default:
      guard let stream = StreamFormat(asbd) else { return nil }
      self.stream = stream
      code = nil
      return
    }
    let channels = asbd.mChannelsPerFrame
    guard asbd.mFramesPerPacket <= 1, [0, channels].contains(asbd.mBytesPerPacket),
      [0, channels].contains(asbd.mBytesPerFrame), [0, 8].contains(asbd.mBitsPerChannel)
    else { return nil }
    stream = StreamFormat(
      sampleRate: asbd.mSampleRate, channelCount: Int(channels), encoding: .int16, isInterleaved: true)
    guard stream.isValid else { return nil }
  }

  package init(_ stream: StreamFormat) {
    self.stream = stream
    code = nil
  }

  /// Bytes of a frame, which is a packet, in one of the client's buffers.
  package var bytesPerFrame: Int { code == nil ? stream.bytesPerFrame : stream.channelCount }
  package var bufferCount: Int { stream.bufferCount }
  package var bitsPerChannel: Int { code == nil ? stream.encoding.bits : 8 }

  /// Every field filled in.
  package var audioStreamBasicDescription: AudioStreamBasicDescription {
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
