// Formats from and to settings dictionaries. Values may be numbers of Swift or NSNumber, as programs write them.

import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Foundation

/// Settings, read by key.
struct AudioSettings {
  let values: [String: Any]

  /// A whole number, from any number that is one.
  func integer(_ key: String) -> Int? {
    switch values[key] {
    case let number as NSNumber: Int(exactly: number.doubleValue)
    case let number as any BinaryInteger: Int(exactly: number)
    case let number as any BinaryFloatingPoint: Int(exactly: Double(number))
    case let number as AVAudioQuality: number.rawValue
    default: nil
    }
  }

  func number(_ key: String) -> Double? {
    switch values[key] {
    case let number as NSNumber: number.doubleValue
    case let number as any BinaryFloatingPoint: Double(number)
    case let number as any BinaryInteger: Double(number)
    default: nil
    }
  }

  func flag(_ key: String) -> Bool? {
    (values[key] as? Bool) ?? integer(key).map { $0 != 0 }
  }

  /// A code of four characters, from any number of 32 bits, with a sign or without.
  func code(_ key: String) -> UInt32? {
    integer(key).flatMap { UInt32(exactly: $0) ?? Int32(exactly: $0).map(UInt32.init(bitPattern:)) }
  }

  var layout: AVAudioChannelLayout? {
    (values[AVChannelLayoutKey] as? Data).flatMap { ChannelLayoutData($0) }.map(AVAudioChannelLayout.init)
  }

  /// True where a key is there but its value means nothing.
  func isUnreadable(_ key: String, as value: Any?) -> Bool { values[key] != nil && value == nil }
}

extension AVAudioFormat {
  /// The format that settings describe; keys of encoders are not looked at.
  ///
  /// Nil where rate or channels are missing or out of range, a value is of another kind than its key's, PCM has less than
  /// 8 or more than 32 bits (floats: other than 32 or 64), or more than two channels have no layout that fits.
  public convenience init?(settings: [String: Any]) {
    let settings = AudioSettings(values: settings)
    guard let rate = settings.number(AVSampleRateKey), rate > 0, rate.isFinite,
      let channels = settings.integer(AVNumberOfChannelsKey) ?? settings.layout.map({ Int($0.channelCount) }),
      StreamFormat.channelCountRange.contains(channels),
      !settings.isUnreadable(AVChannelLayoutKey, as: settings.layout),
      !settings.isUnreadable(AVFormatIDKey, as: settings.code(AVFormatIDKey))
    else { return nil }
    var description = AudioStreamBasicDescription()
    let id = settings.code(AVFormatIDKey) ?? kAudioFormatLinearPCM
    if id == kAudioFormatLinearPCM {
      guard let encoding = settings.pcmEncoding else { return nil }
      description =
        StreamFormat(
          sampleRate: rate, channelCount: channels, encoding: encoding,
          isInterleaved: !(settings.flag(AVLinearPCMIsNonInterleaved) ?? false)
        ).audioStreamBasicDescription
    } else {
      description.mSampleRate = rate
      description.mFormatID = id
      description.mChannelsPerFrame = UInt32(channels)
      description.fillOutCodec(bits: settings.integer(AVEncoderBitDepthHintKey))
    }
    self.init(streamDescription: &description, channelLayout: settings.layout)
  }

  /// The format as settings: what ``init(settings:)`` reads.
  public var settings: [String: Any] {
    var settings: [String: Any] = [
      AVFormatIDKey: streamDescription.pointee.mFormatID, AVSampleRateKey: sampleRate,
      AVNumberOfChannelsKey: Int(channelCount),
    ]
    if let stream {
      settings[AVLinearPCMBitDepthKey] = stream.encoding.bits
      settings[AVLinearPCMIsFloatKey] = stream.encoding.kind == .float
      settings[AVLinearPCMIsBigEndianKey] = stream.encoding.isBigEndian
      settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
    }
    if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.settingsData }
    return settings
  }
}

extension AudioSettings {
  /// The samples of PCM: 16-bit integers in the byte order of this machine, unless the settings say otherwise; nil where
  /// they say what no PCM is.
  var pcmEncoding: SampleEncoding? {
    guard !isUnreadable(AVLinearPCMBitDepthKey, as: integer(AVLinearPCMBitDepthKey)),
      !isUnreadable(AVLinearPCMIsFloatKey, as: flag(AVLinearPCMIsFloatKey))
    else { return nil }
    let isFloat = flag(AVLinearPCMIsFloatKey) ?? false
    let bits = integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
    guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else { return nil }
    let encoding = SampleEncoding(kind: isFloat ? .float : .signedInteger, bits: bits)
    return flag(AVLinearPCMIsBigEndianKey).map { $0 && bits > 8 ? encoding.bigEndian : encoding }
      ?? nativeOrder(encoding)
  }
}

extension AudioStreamBasicDescription {
  /// Fills in what follows from the id of a codec: the frames and bytes of its packets, and the depth of a lossless one.
  mutating func fillOutCodec(bits: Int?) {
    switch mFormatID {
    case kAudioFormatULaw, kAudioFormatALaw:
      mFramesPerPacket = 1
      mBytesPerPacket = mChannelsPerFrame
      mBytesPerFrame = mChannelsPerFrame
      mBitsPerChannel = 8
    case kAudioFormatAppleIMA4:
      mFramesPerPacket = 64
      mBytesPerPacket = 34 * mChannelsPerFrame
    case kAudioFormatMPEGLayer3, kAudioFormatMPEGLayer2: mFramesPerPacket = 1152
    case kAudioFormatMPEGLayer1: mFramesPerPacket = 384
    case kAudioFormatMPEG4AAC: mFramesPerPacket = 1024
    case kAudioFormatAppleLossless:
      mFramesPerPacket = 4096
      mFormatFlags = AudioFormatFlags.depth(bits)
    case kAudioFormatFLAC: mFormatFlags = AudioFormatFlags.depth(bits)
    default: break
    }
  }
}
