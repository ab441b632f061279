import AudioCore
import CSndfile

/// A kind of sound file: the frame around the samples. The raw value is its name on the command line.
public enum SoundFileContainer: String, Hashable, Sendable, CaseIterable {
  case wav, wavex, rf64, w64, aiff, caf, flac, ogg, opus, mp3, m4a, au, raw
  case paf, svx, nist, voc, ircam, mat4, mat5, pvf, xi, htk, avr, wve, mpc2k

  /// The container for a file's extension (without the dot, any case).
  public init?(fileExtension: some StringProtocol) {
    let wanted = fileExtension.lowercased()
    guard let found = Self.allCases.first(where: { $0.fileExtensions.contains(wanted) }) else { return nil }
    self = found
  }

  /// Extensions that mean this container, the usual one first. Empty where another container owns it (`wavex`).
  public var fileExtensions: [String] {
    switch self {
    case .wav: ["wav", "wave", "bwf"]
    case .wavex: []
    case .rf64: ["rf64"]
    case .aiff: ["aiff", "aif", "aifc"]
    case .ogg: ["ogg", "oga"]
    case .m4a: ["m4a", "mp4"]
    case .au: ["au", "snd"]
    case .raw: ["raw", "pcm"]
    case .svx: ["svx", "iff", "8svx", "16svx"]
    case .nist: ["nist", "sph"]
    case .ircam: ["ircam", "sf"]
    case .mat4: ["mat4"]
    case .mat5: ["mat5", "mat"]
    case .mpc2k: ["mpc2k", "mpc"]
    default: [rawValue]
    }
  }

  /// The description of the container, for help texts.
  public var summary: String {
    switch self {
    case .wav: "Microsoft WAV; RF64 by itself past 4 GiB, WAVE_FORMAT_EXTENSIBLE above two channels"
    case .wavex: "Microsoft WAV with an extensible header"
    case .rf64: "WAV with 64-bit sizes"
    case .w64: "Sony Wave64"
    case .aiff: "Apple AIFF and AIFF-C"
    case .caf: "Apple Core Audio Format, also for Apple Lossless"
    case .flac: "FLAC"
    case .ogg: "Ogg, with Vorbis"
    case .opus: "Ogg, with Opus"
    case .mp3: "MPEG-1/2 layer III"
    case .m4a: "MPEG-4, with AAC or Apple Lossless"
    case .au: "Sun and NeXT AU"
    case .raw: "samples without a header"
    case .paf: "Ensoniq PARIS"
    case .svx: "Amiga IFF 8SVX and 16SV"
    case .nist: "NIST SPHERE"
    case .voc: "Creative Voice"
    case .ircam: "Berkeley, IRCAM, CARL"
    case .mat4: "Matlab 4, Octave 2.0"
    case .mat5: "Matlab 5, Octave 2.1"
    case .pvf: "Portable Voice Format"
    case .xi: "FastTracker 2 Extended Instrument"
    case .htk: "HMM Tool Kit"
    case .avr: "Audio Visual Research"
    case .wve: "Psion WVE"
    case .mpc2k: "Akai MPC 2000"
    }
  }

  /// The encoding where none is named: 24-bit integers where the container has them, else its best.
  public var defaultEncoding: SoundFileEncoding {
    switch self {
    case .ogg: .vorbis
    case .opus: .opus
    case .mp3: .mp3
    case .m4a: .aac
    case .svx, .voc, .htk, .avr, .mpc2k, .paf: .pcm16
    case .wve: .alaw
    case .xi: .dpcm16
    case .nist, .ircam, .mat4, .mat5, .pvf: .pcm32
    default: .pcm24
    }
  }

  /// Encodings that can be written here, by the linked libsndfile or by libvo-aacenc.
  public var encodings: [SoundFileEncoding] {
    SoundFileEncoding.allCases.filter { SoundFileFormat(container: self, encoding: $0).isWritable }
  }

  /// A number that no kind of file of libsndfile's has.
  private static let foreign = 0x0FFF_0000

  var majorFormat: Int32 {
    let major =
      switch self {
      case .wav: SF_FORMAT_WAV
      case .wavex: SF_FORMAT_WAVEX
      case .rf64: SF_FORMAT_RF64
      case .w64: SF_FORMAT_W64
      case .aiff: SF_FORMAT_AIFF
      case .caf: SF_FORMAT_CAF
      case .flac: SF_FORMAT_FLAC
      case .ogg, .opus: SF_FORMAT_OGG
      case .mp3: SF_FORMAT_MPEG
      case .au: SF_FORMAT_AU
      case .raw: SF_FORMAT_RAW
      case .paf: SF_FORMAT_PAF
      case .svx: SF_FORMAT_SVX
      case .nist: SF_FORMAT_NIST
      case .voc: SF_FORMAT_VOC
      case .ircam: SF_FORMAT_IRCAM
      case .mat4: SF_FORMAT_MAT4
      case .mat5: SF_FORMAT_MAT5
      case .pvf: SF_FORMAT_PVF
      case .xi: SF_FORMAT_XI
      case .htk: SF_FORMAT_HTK
      case .avr: SF_FORMAT_AVR
      case .wve: SF_FORMAT_WVE
      case .mpc2k: SF_FORMAT_MPC2K
      case .m4a: Self.foreign
      }
    return Int32(major)
  }

  init?(majorFormat: Int32) {
    guard let found = Self.allCases.first(where: { $0.majorFormat == majorFormat }) else { return nil }
    self = found
  }

  /// Bytes that a file may have, header and all; nil where sizes have 64 bits or the file carries none.
  var byteLimit: Int64? {
    switch self {
    case .rf64, .w64, .caf, .flac, .ogg, .opus, .mp3, .m4a, .raw, .nist, .ircam, .pvf: nil
    case .wav, .wavex, .aiff, .au: 0xFFFF_FFFF
    // A block of Creative Voice has a 24-bit length.
    case .voc: 0xFF_FFFF
    default: 0x7FFF_FFFF
    }
  }

  /// Containers whose linear PCM and floats lie in the file as they are, so that libsndfile's raw calls serve.
  var holdsPlainSamples: Bool {
    switch self {
    case .wav, .wavex, .rf64, .w64, .aiff, .caf, .au, .raw: true
    default: false
    }
  }
}
