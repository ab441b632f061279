import AudioCore
import CSndfile

/// The encoding of samples in a sound file. The raw value is its name on the command line.
public enum SoundFileEncoding: String, Hashable, Sendable, CaseIterable {
  case pcmS8 = "pcm_s8"
  case pcmU8 = "pcm_u8"
  case pcm16, pcm24, pcm32, float32, float64
  case ulaw, alaw
  case imaADPCM = "ima_adpcm"
  case msADPCM = "ms_adpcm"
  case gsm610
  case voxADPCM = "vox_adpcm"
  case nmsADPCM16 = "nms_adpcm16"
  case nmsADPCM24 = "nms_adpcm24"
  case nmsADPCM32 = "nms_adpcm32"
  case g721 = "g721_32"
  case g723At24 = "g723_24"
  case g723At40 = "g723_40"
  case dwvw12, dwvw16, dwvw24
  case dpcm8, dpcm16
  case vorbis, opus
  case alac16, alac20, alac24, alac32
  case mp1, mp2, mp3
  case aac

  /// An encoding by its name, or by what people write for it: `16`, `s24`, `s24le`, `pcm_s16le`, `float`, `f32`,
  /// `double`.
  public init?(name: some StringProtocol) {
    let wanted = name.lowercased()
    if let exact = Self(rawValue: wanted) {
      self = exact
      return
    }
    switch wanted {
    case "s8", "int8", "i8": self = .pcmS8
    case "8", "u8", "uint8", "pcm8": self = .pcmU8
    case "16", "s16", "int16", "i16", "s16le", "s16be", "pcm_16", "pcm_s16", "pcm_s16le", "pcm_s16be": self = .pcm16
    case "24", "s24", "int24", "i24", "s24le", "s24be", "pcm_24", "pcm_s24", "pcm_s24le", "pcm_s24be": self = .pcm24
    case "32", "s32", "int32", "i32", "s32le", "s32be", "pcm_32", "pcm_s32", "pcm_s32le", "pcm_s32be": self = .pcm32
    case "float", "f32", "32f", "f32le", "f32be", "pcm_f32le", "pcm_f32be": self = .float32
    case "double", "f64", "64f", "f64le", "f64be", "pcm_f64le", "pcm_f64be": self = .float64
    case "mulaw", "mu-law", "u-law", "pcm_mulaw": self = .ulaw
    case "a-law", "pcm_alaw": self = .alaw
    case "ima", "ima-adpcm", "adpcm_ima_wav": self = .imaADPCM
    case "ms", "ms-adpcm", "adpcm_ms": self = .msADPCM
    case "gsm": self = .gsm610
    case "vox", "oki": self = .voxADPCM
    case "g721": self = .g721
    case "alac": self = .alac16
    case "libvorbis": self = .vorbis
    case "libopus": self = .opus
    case "lame", "mpeg_layer_iii": self = .mp3
    case "aac_lc", "libvo_aacenc": self = .aac
    default: return nil
    }
  }

  var subtype: Int32 {
    let subtype =
      switch self {
      case .pcmS8: SF_FORMAT_PCM_S8
      case .pcmU8: SF_FORMAT_PCM_U8
      case .pcm16: SF_FORMAT_PCM_16
      case .pcm24: SF_FORMAT_PCM_24
      case .pcm32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .float64: SF_FORMAT_DOUBLE
      case .ulaw: SF_FORMAT_ULAW
      case .alaw: SF_FORMAT_ALAW
      case .imaADPCM: SF_FORMAT_IMA_ADPCM
      case .msADPCM: SF_FORMAT_MS_ADPCM
      case .gsm610: SF_FORMAT_GSM610
      case .voxADPCM: SF_FORMAT_VOX_ADPCM
      case .nmsADPCM16: SF_FORMAT_NMS_ADPCM_16
      case .nmsADPCM24: SF_FORMAT_NMS_ADPCM_24
      case .nmsADPCM32: SF_FORMAT_NMS_ADPCM_32
      case .g721: SF_FORMAT_G721_32
      case .g723At24: SF_FORMAT_G723_24
      case .g723At40: SF_FORMAT_G723_40
      case .dwvw12: SF_FORMAT_DWVW_12
      case .dwvw16: SF_FORMAT_DWVW_16
      case .dwvw24: SF_FORMAT_DWVW_24
      case .dpcm8: SF_FORMAT_DPCM_8
      case .dpcm16: SF_FORMAT_DPCM_16
      case .vorbis: SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OPUS
      case .alac16: SF_FORMAT_ALAC_16
      case .alac20: SF_FORMAT_ALAC_20
      case .alac24: SF_FORMAT_ALAC_24
      case .alac32: SF_FORMAT_ALAC_32
      case .mp1: SF_FORMAT_MPEG_LAYER_I
      case .mp2: SF_FORMAT_MPEG_LAYER_II
      case .mp3: SF_FORMAT_MPEG_LAYER_III
      // A number that no encoding of libsndfile's has.
      case .aac: 0xFFFF
      }
    return Int32(subtype)
  }

  init?(subtype: Int32) {
    guard let found = Self.allCases.first(where: { $0.subtype == subtype }) else { return nil }
    self = found
  }

  /// Bits of a sample before any lossy coding; nil for codecs that have none (Vorbis, Opus, MP3, AAC).
  public var bits: Int? {
    switch self {
    case .pcmS8, .pcmU8, .dpcm8: 8
    case .dwvw12: 12
    case .pcm24, .alac24, .dwvw24: 24
    case .alac20: 20
    case .pcm32, .float32, .alac32: 32
    case .float64: 64
    case .vorbis, .opus, .mp1, .mp2, .mp3, .aac: nil
    default: 16
    }
  }

  /// True when the file holds floats, so that values beyond full scale are kept.
  public var isFloat: Bool { self == .float32 || self == .float64 }

  /// More than Float can hold.
  package var isWide: Bool { (bits ?? 0) > (isFloat ? 32 : 24) }

  /// True when integers come back as they were written (and floats bit for bit).
  public var isLossless: Bool {
    switch self {
    case .pcmS8, .pcmU8, .pcm16, .pcm24, .pcm32, .float32, .float64, .dwvw12, .dwvw16, .dwvw24, .dpcm8, .dpcm16,
      .alac16, .alac20, .alac24, .alac32:
      true
    default: false
    }
  }

  /// The sample as it lies in a container that holds plain samples; nil for everything coded.
  func plainSample(isBigEndian: Bool) -> SampleEncoding? {
    let little: SampleEncoding? =
      switch self {
      case .pcmS8: .int8
      case .pcmU8: .uint8
      case .pcm16: .int16
      case .pcm24: .int24
      case .pcm32: .int32
      case .float32: .float32
      case .float64: .float64
      default: nil
      }
    return isBigEndian ? little?.bigEndian : little
  }

  /// The sample that libsndfile's coders are given: integers at the top of 32 bits, of which they drop what the
  /// encoding has no room for, else floats.
  var codedSample: SampleEncoding {
    let encoding =
      bits.map { SampleEncoding(kind: .signedInteger, bits: $0, containerBytes: 4, isAlignedHigh: true) } ?? .float32
    return encoding.native
  }
}

/// True when this machine keeps the high byte first.
let hostIsBigEndian = UInt16(1).bigEndian == 1

extension SampleEncoding {
  /// In the byte order of this machine.
  var native: SampleEncoding { hostIsBigEndian ? bigEndian : self }
}
