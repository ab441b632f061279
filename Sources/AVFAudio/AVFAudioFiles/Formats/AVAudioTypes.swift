// The numbers and choices that the classes share. Names and values: Apple's documentation of AVFAudio.

/// A number of frames.
public typealias AVAudioFrameCount = UInt32
/// A frame of a file or a stream, counted from 0.
public typealias AVAudioFramePosition = Int64
/// A number of packets; of PCM a packet is a frame.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// The number of a node's bus.
public typealias AVAudioNodeBus = Int

/// The formats of PCM that need no description.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// A format that is none of the others.
  case otherFormat
  /// Native 32-bit floats: the standard format of processing.
  case pcmFormatFloat32
  /// Native 64-bit floats.
  case pcmFormatFloat64
  /// Native 16-bit integers with a sign.
  case pcmFormatInt16
  /// Native 32-bit integers with a sign.
  case pcmFormatInt32
}

/// The effort of a conversion or an encoder, from least to most.
public enum AVAudioQuality: Int, Sendable {
  case min = 0
  case low = 0x20
  case medium = 0x40
  case high = 0x60
  case max = 0x7F
}
