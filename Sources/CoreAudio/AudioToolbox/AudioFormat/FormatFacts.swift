// Facts about formats by their id alone: the frames of a packet, and whether packets vary. Any thread. Ids: the SDK's
// header; frames a packet are those of the codecs' own standards.

import AudioCore
import CAudioToolbox

/// AudioFormat's facts about a format.
struct FormatFacts {
  let name: String
  /// 0: it varies, or the stream's header says.
  var framesPerPacket: UInt32 = 0
  /// Bytes of a packet for each channel; 0: packets vary, or it depends on the bit rate.
  var bytesPerPacketAndChannel: UInt32 = 0
  /// Packets of one stream differ in size.
  var isVariable = true
  /// A packet's size is not in the packet, so that each needs a description.
  var isExternallyFramed = false

  init?(id: UInt32) {
    guard let facts = Self.table[AudioCore.FourCharCode(rawValue: id)] ?? Self.waveTag(id) else { return nil }
    self = facts
  }

  private init(
    _ name: String, frames: UInt32 = 0, bytes: UInt32 = 0, varies: Bool = true, external: Bool = false
  ) {
    self.name = name
    framesPerPacket = frames
    bytesPerPacketAndChannel = bytes
    isVariable = varies
    isExternallyFramed = external
  }

  /// 'ms' and the number that WAVE files give a codec.
  private static func waveTag(_ id: UInt32) -> FormatFacts? {
    switch id {
    case 0x6D73_0011: FormatFacts("DVI/Intel IMA ADPCM", varies: false)
    case 0x6D73_0031: FormatFacts("GSM 6.10", frames: 320, bytes: 65, varies: false)
    default: nil
    }
  }

  private static let table: [AudioCore.FourCharCode: FormatFacts] = [
    "lpcm": FormatFacts("Linear PCM", frames: 1, varies: false),
    "ulaw": FormatFacts("µ-law", frames: 1, bytes: 1, varies: false),
    "alaw": FormatFacts("A-law", frames: 1, bytes: 1, varies: false),
    "ima4": FormatFacts("IMA 4:1 ADPCM", frames: 64, bytes: 34, varies: false),
    "MAC3": FormatFacts("MACE 3:1", frames: 6, bytes: 2, varies: false),
    "MAC6": FormatFacts("MACE 6:1", frames: 6, bytes: 1, varies: false),
    "ac-3": FormatFacts("AC-3", frames: 1536, varies: false),
    "cac3": FormatFacts("AC-3 in IEC 60958", frames: 1536, varies: false),
    "ec-3": FormatFacts("Enhanced AC-3", frames: 1536),
    "aac ": FormatFacts("MPEG-4 AAC", frames: 1024, external: true),
    "aach": FormatFacts("MPEG-4 HE-AAC", frames: 2048, external: true),
    "aacp": FormatFacts("MPEG-4 HE-AAC version 2", frames: 2048, external: true),
    "aacl": FormatFacts("MPEG-4 AAC-LD", frames: 512, external: true),
    "aace": FormatFacts("MPEG-4 AAC-ELD", frames: 512, external: true),
    "aacf": FormatFacts("MPEG-4 AAC-ELD with SBR", frames: 1024, external: true),
    "aacg": FormatFacts("MPEG-4 AAC-ELD version 2", frames: 1024, external: true),
    "aacs": FormatFacts("MPEG-4 AAC, spatial", frames: 1024, external: true),
    "usac": FormatFacts("MPEG-D USAC", external: true),
    "celp": FormatFacts("MPEG-4 CELP", external: true),
    "hvxc": FormatFacts("MPEG-4 HVXC", external: true),
    "twvq": FormatFacts("MPEG-4 TwinVQ", external: true),
    ".mp1": FormatFacts("MPEG layer 1", frames: 384),
    ".mp2": FormatFacts("MPEG layer 2", frames: 1152),
    ".mp3": FormatFacts("MPEG layer 3", frames: 1152),
    "alac": FormatFacts("Apple Lossless", frames: 4096, external: true),
    "flac": FormatFacts("FLAC", external: true),
    "opus": FormatFacts("Opus", external: true),
    "samr": FormatFacts("AMR narrow band", frames: 160),
    "sawb": FormatFacts("AMR wide band", frames: 320),
    "ilbc": FormatFacts("iLBC", varies: false),
    "QDMC": FormatFacts("QDesign", external: true),
    "QDM2": FormatFacts("QDesign 2", external: true),
    "Qclp": FormatFacts("QUALCOMM PureVoice", frames: 160),
    "AUDB": FormatFacts("Audible", external: true),
    "aes3": FormatFacts("AES3", varies: false),
    "time": FormatFacts("Time code", varies: false),
    "midi": FormatFacts("MIDI", external: true),
    "apvs": FormatFacts("Parameter values", varies: false),
  ]
}

extension FormatFacts {
  /// Fills in what follows from the rest of a description; what is given already stays.
  ///
  /// - Throws: '!fmt' for an id that is not known; 'fmt?' for PCM whose fields contradict one another.
  static func complete(_ asbd: inout AudioStreamBasicDescription) throws(AudioStatus) {
    guard let facts = FormatFacts(id: asbd.mFormatID) else { throw FormatError.unknownFormat }
    let channels = asbd.mChannelsPerFrame
    if asbd.mFramesPerPacket == 0 { asbd.mFramesPerPacket = facts.framesPerPacket }
    // Layer 3 at the lower rates of MPEG-2 has half as many.
    if asbd.mFormatID == kAudioFormatMPEGLayer3, asbd.mSampleRate > 0, asbd.mSampleRate < 32000,
      asbd.mFramesPerPacket == 1152
    {
      asbd.mFramesPerPacket = 576
    }
    if asbd.mFormatID == kAudioFormatLinearPCM {
      let samples = asbd.mFormatFlags & PCMFlags.isNonInterleaved == 0 ? channels : 1
      if asbd.mBytesPerFrame == 0 {
        asbd.mBytesPerFrame =
          asbd.mBytesPerPacket != 0 ? asbd.mBytesPerPacket : (asbd.mBitsPerChannel &+ 7) / 8 &* samples
      }
      if asbd.mBytesPerPacket == 0 { asbd.mBytesPerPacket = asbd.mBytesPerFrame }
      var probe = asbd
      if probe.mSampleRate == 0 { probe.mSampleRate = 1 }
      guard StreamFormat(probe) != nil else { throw FormatError.unsupportedDataFormat }
      return
    }
    let (bytes, overflows) = facts.bytesPerPacketAndChannel.multipliedReportingOverflow(by: channels)
    guard !overflows else { throw FormatError.unsupportedDataFormat }
    if asbd.mBytesPerPacket == 0 { asbd.mBytesPerPacket = bytes }
    if facts.framesPerPacket == 1 {
      if asbd.mBytesPerFrame == 0 { asbd.mBytesPerFrame = asbd.mBytesPerPacket }
      if asbd.mBitsPerChannel == 0 { asbd.mBitsPerChannel = 8 }
    }
  }

  /// A format in words: "2 ch, 44100 Hz, Float32, deinterleaved", "1 ch, 8000 Hz, µ-law".
  static func name(of asbd: AudioStreamBasicDescription) -> String {
    let rate = asbd.mSampleRate
    let hertz = Int(exactly: rate).map(String.init) ?? String(rate)
    let head = "\(asbd.mChannelsPerFrame) ch, \(hertz) Hz, "
    guard asbd.mFormatID == kAudioFormatLinearPCM else {
      return head
        + (FormatFacts(id: asbd.mFormatID)?.name ?? "'\(AudioCore.FourCharCode(rawValue: asbd.mFormatID))'")
    }
    let layout =
      asbd.mChannelsPerFrame < 2
      ? "" : asbd.mFormatFlags & PCMFlags.isNonInterleaved == 0 ? ", interleaved" : ", deinterleaved"
    return head + sample(of: asbd) + layout
  }

  private static func sample(of asbd: AudioStreamBasicDescription) -> String {
    let flags = asbd.mFormatFlags
    let bits = asbd.mBitsPerChannel
    let fraction = (flags & PCMFlags.fractionMask) >> PCMFlags.fractionShift
    var text: String
    if flags & PCMFlags.isFloat != 0 {
      text = "Float\(bits)"
    } else if fraction > 0, fraction < bits {
      text = "Fixed\(bits - fraction).\(fraction)"
    } else {
      text = (flags & PCMFlags.isSignedInteger != 0 ? "Int" : "UInt") + String(bits)
    }
    let samples = flags & PCMFlags.isNonInterleaved == 0 ? max(1, asbd.mChannelsPerFrame) : 1
    let container = asbd.mBytesPerFrame / samples
    if UInt64(container) * 8 > UInt64(bits) {
      text += " in \(container) bytes, \(flags & PCMFlags.isAlignedHigh != 0 ? "high" : "low")"
    }
    return flags & PCMFlags.isBigEndian != 0 && bits > 8 ? text + " big-endian" : text
  }
}
