// The properties that a converter of linear PCM and G.711 has. Those of compressing codecs (cookies, bit rates, codec
// quality, settings, format lists) are not among them: asked for one, a converter answers 'prop'.
// Numbers and types: the SDK's header.

import AudioCore

enum ConverterProperty: UInt32 {
  case minimumInputBufferSize = 0x6D69_6273
  case minimumOutputBufferSize = 0x6D6F_6273
  case maximumInputBufferSize = 0x7869_6273
  case maximumInputPacketSize = 0x7869_7073
  case maximumOutputPacketSize = 0x786F_7073
  case calculateInputBufferSize = 0x6369_6273
  case calculateOutputBufferSize = 0x636F_6273
  case complexity = 0x7372_6361
  /// The old name of the complexity, with the same values here.
  case algorithm = 0x7372_6369
  case quality = 0x7372_6371
  case initialPhase = 0x7372_6370
  case primeMethod = 0x7072_6D6D
  case primeInfo = 0x7072_696D
  case channelMap = 0x6368_6D70
  case inputChannelLayout = 0x6963_6C20
  case outputChannelLayout = 0x6F63_6C20
  case currentOutputStreamDescription = 0x6163_6F64
  case currentInputStreamDescription = 0x6163_6964
  case dithering = 0x6469_7468
  case ditherBitDepth = 0x6462_6974
  case canResumeFromInterruption = 0x6372_6669

  init(id: UInt32) throws(AudioStatus) {
    guard let property = ConverterProperty(rawValue: id) else { throw ConverterError.propertyNotSupported }
    self = property
  }

  var isWritable: Bool {
    switch self {
    case .complexity, .algorithm, .quality, .initialPhase, .primeMethod, .channelMap, .inputChannelLayout,
      .outputChannelLayout, .dithering, .ditherBitDepth:
      true
    default: false
    }
  }

  /// The size of a value that is always of the same size.
  var fixedSize: Int? {
    switch self {
    case .channelMap, .inputChannelLayout, .outputChannelLayout: nil
    case .initialPhase, .primeInfo: 8
    case .currentInputStreamDescription, .currentOutputStreamDescription: 40
    default: 4
    }
  }
}
