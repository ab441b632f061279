// The kinds of sound file that the C interface knows by a four-character code, and what each is called elsewhere.
// Kinds without a writable format are read packet by packet, whether there is a decoder for their codec or not.

import AudioCore
import CAudioToolbox
import SoundFile

struct AudioFileType: Sendable {
  let id: AudioFileTypeID
  let name: String
  /// The usual one first.
  let extensions: [String]
  let uniformTypes: [String]
  let mimeTypes: [String]
  /// File types of the classic Macintosh.
  let hfsCodes: [UInt32]
  /// Formats that can be written, by id.
  let writableFormats: [AudioFormatID]
  /// Formats that can be read and not written.
  var otherFormats: [AudioFormatID] = []

  static func find(_ id: AudioFileTypeID) -> AudioFileType? { all.first { $0.id == id } }

  private static let pcm = kAudioFormatLinearPCM
  private static let law = [kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw]

  static let all: [AudioFileType] = [
    AudioFileType(
      id: kAudioFileWAVEType, name: "WAVE", extensions: ["wav", "wave", "bwf"],
      uniformTypes: ["com.microsoft.waveform-audio"],
      mimeTypes: ["audio/vnd.wave", "audio/wav", "audio/wave", "audio/x-wav"],
      hfsCodes: [code("WAVE"), code(".WAV")], writableFormats: law,
      otherFormats: [AudioFormatCode.intelIMA, AudioFormatCode.microsoftADPCM, AudioFormatCode.microsoftGSM]),
    AudioFileType(
      id: kAudioFileAIFFType, name: "AIFF", extensions: ["aiff", "aif"], uniformTypes: ["public.aiff-audio"],
      mimeTypes: ["audio/aiff", "audio/x-aiff"], hfsCodes: [code("AIFF")], writableFormats: [pcm]),
    AudioFileType(
      id: kAudioFileAIFCType, name: "AIFC", extensions: ["aifc", "aiff", "aif"], uniformTypes: ["public.aifc-audio"],
      mimeTypes: ["audio/aiff", "audio/x-aiff", "audio/aifc", "audio/x-aifc"], hfsCodes: [code("AIFC")],
      writableFormats: law, otherFormats: [kAudioFormatAppleIMA4]),
    AudioFileType(
      id: kAudioFileCAFType, name: "CAF", extensions: ["caf"], uniformTypes: ["com.apple.coreaudio-format"],
      mimeTypes: ["audio/x-caf"], hfsCodes: [code("caff")], writableFormats: law + [kAudioFormatAppleLossless],
      otherFormats: [kAudioFormatAppleIMA4]),
    AudioFileType(
      id: kAudioFileNextType, name: "NeXT/Sun", extensions: ["au", "snd"],
      uniformTypes: ["public.au-audio", "public.ulaw-audio"],
      mimeTypes: ["audio/basic", "audio/au", "audio/snd"], hfsCodes: [code("NeXT"), code("ULAW")],
      writableFormats: law),
    AudioFileType(
      id: kAudioFileRF64Type, name: "RF64", extensions: ["rf64", "wav"], uniformTypes: ["com.microsoft.waveform-audio"],
      mimeTypes: ["audio/vnd.wave", "audio/wav"], hfsCodes: [], writableFormats: law),
    AudioFileType(
      id: kAudioFileBW64Type, name: "BW64", extensions: ["bw64", "wav"], uniformTypes: ["com.microsoft.waveform-audio"],
      mimeTypes: ["audio/vnd.wave", "audio/wav"], hfsCodes: [], writableFormats: law),
    AudioFileType(
      id: kAudioFileWave64Type, name: "Wave64", extensions: ["w64"], uniformTypes: ["com.sony.wave64"],
      mimeTypes: ["audio/x-w64"], hfsCodes: [], writableFormats: law),
    AudioFileType(
      id: kAudioFileFLACType, name: "FLAC", extensions: ["flac"], uniformTypes: ["org.xiph.flac"],
      mimeTypes: ["audio/flac", "audio/x-flac"], hfsCodes: [code("flac")], writableFormats: [kAudioFormatFLAC]),
    AudioFileType(
      id: kAudioFileMP3Type, name: "MPEG Layer 3", extensions: ["mp3", "mpga"], uniformTypes: ["public.mp3"],
      mimeTypes: ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/x-mpeg"],
      hfsCodes: [code("MPG3"), code("mpg3"), code("MP3 ")],
      writableFormats: [], otherFormats: [kAudioFormatMPEGLayer3]),
    AudioFileType(
      id: kAudioFileMP2Type, name: "MPEG Layer 2", extensions: ["mp2", "m2a"], uniformTypes: ["public.mp2"],
      mimeTypes: ["audio/mpeg", "audio/x-mpeg"], hfsCodes: [code("MPG2")], writableFormats: [],
      otherFormats: [kAudioFormatMPEGLayer2]),
    AudioFileType(
      id: kAudioFileMP1Type, name: "MPEG Layer 1", extensions: ["mp1", "m1a"], uniformTypes: ["public.mp1"],
      mimeTypes: ["audio/mpeg", "audio/x-mpeg"], hfsCodes: [code("MPG1")], writableFormats: [],
      otherFormats: [kAudioFormatMPEGLayer1]),
    AudioFileType(
      id: AudioFormatCode.oggFile, name: "Ogg", extensions: ["ogg", "oga", "opus"],
      uniformTypes: ["org.xiph.ogg-audio"],
      mimeTypes: ["audio/ogg"], hfsCodes: [], writableFormats: [],
      otherFormats: [AudioFormatCode.vorbis, kAudioFormatOpus]),
    AudioFileType(
      id: kAudioFileM4AType, name: "Apple MPEG-4 Audio", extensions: ["m4a", "m4r"],
      uniformTypes: ["com.apple.m4a-audio"], mimeTypes: ["audio/x-m4a", "audio/m4a"], hfsCodes: [code("M4A ")],
      writableFormats: [], otherFormats: mpeg4),
    AudioFileType(
      id: kAudioFileM4BType, name: "Apple MPEG-4 AudioBooks", extensions: ["m4b"],
      uniformTypes: ["com.apple.protected-mpeg-4-audio-b"], mimeTypes: ["audio/x-m4b"], hfsCodes: [code("M4B ")],
      writableFormats: [], otherFormats: mpeg4),
    AudioFileType(
      id: kAudioFileMPEG4Type, name: "MPEG-4 Audio", extensions: ["mp4", "mpg4", "mov"],
      uniformTypes: ["public.mpeg-4", "public.mpeg-4-audio"], mimeTypes: ["audio/mp4", "video/mp4", "audio/mpeg4"],
      hfsCodes: [code("mpg4")], writableFormats: [], otherFormats: mpeg4 + [kAudioFormatAC3, kAudioFormatOpus]),
    AudioFileType(
      id: kAudioFile3GPType, name: "3GP Audio", extensions: ["3gp", "3gpp"], uniformTypes: ["public.3gpp"],
      mimeTypes: ["audio/3gpp", "video/3gpp"], hfsCodes: [code("3gpp")], writableFormats: [],
      otherFormats: [kAudioFormatMPEG4AAC, kAudioFormatAMR]),
    AudioFileType(
      id: kAudioFile3GP2Type, name: "3GPP-2 Audio", extensions: ["3g2", "3gp2"], uniformTypes: ["public.3gpp2"],
      mimeTypes: ["audio/3gpp2", "video/3gpp2"], hfsCodes: [code("3gp2")], writableFormats: [],
      otherFormats: [kAudioFormatMPEG4AAC, kAudioFormatAMR]),
    AudioFileType(
      id: kAudioFileAAC_ADTSType, name: "AAC ADTS", extensions: ["aac", "adts"], uniformTypes: ["public.aac-audio"],
      mimeTypes: ["audio/aac", "audio/aacp", "audio/x-aac"], hfsCodes: [code("adts")], writableFormats: [],
      otherFormats: [kAudioFormatMPEG4AAC]),
    AudioFileType(
      id: kAudioFileAC3Type, name: "AC3", extensions: ["ac3"], uniformTypes: ["public.ac3-audio"],
      mimeTypes: ["audio/ac3"], hfsCodes: [code("ac-3")], writableFormats: [], otherFormats: [kAudioFormatAC3]),
    AudioFileType(
      id: kAudioFileAMRType, name: "AMR", extensions: ["amr"], uniformTypes: ["org.3gpp.adaptive-multi-rate-audio"],
      mimeTypes: ["audio/amr"], hfsCodes: [code("amrf")], writableFormats: [],
      otherFormats: [kAudioFormatAMR, kAudioFormatAMR_WB]),
    AudioFileType(
      id: kAudioFileLATMInLOASType, name: "LATM/LOAS", extensions: ["loas", "latm"], uniformTypes: [],
      mimeTypes: ["audio/mp4a-latm"], hfsCodes: [code("loas")], writableFormats: [],
      otherFormats: [kAudioFormatMPEG4AAC]),
  ]

  private static let mpeg4 = [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless]

  private static func code(_ text: AudioCore.FourCharCode) -> UInt32 { text.rawValue }
}

/// Codes that Apple's headers do not name, or name in other headers.
enum AudioFormatCode {
  /// 'ms' and the format tag of WAVE.
  static let microsoftADPCM: AudioFormatID = 0x6D73_0002
  static let intelIMA: AudioFormatID = 0x6D73_0011
  static let microsoftGSM: AudioFormatID = 0x6D73_0031
  /// Ours: Apple has neither the codec nor the container.
  static let vorbis: AudioFormatID = ("vorb" as AudioCore.FourCharCode).rawValue
  static let oggFile: AudioFileTypeID = ("Oggf" as AudioCore.FourCharCode).rawValue
}

/// The coding of a file of some type in some format.
enum FileCoding {
  /// Samples (or single bytes of µ-law and A-law) as they lie in the file.
  case plain(ContainerLayout.Kind, SoundFileEncoding, isBigEndian: Bool)
  /// Through a coder; the client's packets cannot be written.
  case coded(SoundFileFormat)
}

extension AudioFileType {
  var plainKind: ContainerLayout.Kind? {
    switch id {
    case kAudioFileWAVEType: .wave
    case kAudioFileRF64Type: .rf64
    case kAudioFileBW64Type: .bw64
    case kAudioFileAIFFType: .aiff
    case kAudioFileAIFCType: .aifc
    case kAudioFileCAFType: .caf
    case kAudioFileWave64Type: .wave64
    case kAudioFileNextType: .au
    default: nil
    }
  }

  /// The same container in libsndfile's words.
  var container: SoundFileContainer? {
    plainKind?.container ?? (id == kAudioFileFLACType ? .flac : nil)
  }

  /// The coding of a file of this type in `format`.
  /// - Throws: 'fmt?' where the type cannot hold it, or it contradicts itself.
  func coding(_ format: AudioStreamBasicDescription) throws(AudioStatus) -> FileCoding {
    guard writableFormats.contains(format.mFormatID) else { throw .fileFormatUnsupported }
    guard (1...1024).contains(format.mChannelsPerFrame) else { throw .fileFormatUnsupported }
    switch format.mFormatID {
    case kAudioFormatLinearPCM:
      guard let kind = plainKind, let stream = StreamFormat(format), stream.isInterleaved || stream.channelCount == 1,
        let (encoding, isBigEndian) = Self.encoding(stream.encoding, in: kind)
      else { throw .fileFormatUnsupported }
      return .plain(kind, encoding, isBigEndian: isBigEndian)
    case kAudioFormatULaw, kAudioFormatALaw:
      guard let kind = plainKind else { throw .fileFormatUnsupported }
      let isBigEndian = [.aiff, .aifc, .au, .caf].contains(kind)
      return .plain(kind, format.mFormatID == kAudioFormatULaw ? .ulaw : .alaw, isBigEndian: isBigEndian)
    case kAudioFormatFLAC:
      // The flags say the depth of what was coded; what says nothing loses nothing.
      let isShort = format.mFormatFlags == 1 || format.mFormatFlags == 0 && format.mBitsPerChannel == 16
      return .coded(SoundFileFormat(container: .flac, encoding: isShort ? .pcm16 : .pcm24))
    case kAudioFormatAppleLossless:
      // libsndfile 1.2 loses high bits of noise in the deeper kinds.
      guard format.mFormatFlags <= 1 else { throw .fileFormatUnsupported }
      return .coded(SoundFileFormat(container: .caf, encoding: .alac16))
    default: throw .fileFormatUnsupported
    }
  }

  /// The encoding of plain samples in a container; nil where it has none such.
  private static func encoding(
    _ sample: SampleEncoding, in kind: ContainerLayout.Kind
  ) -> (SoundFileEncoding, isBigEndian: Bool)? {
    guard sample.isPacked, sample.fractionBits == 0 else { return nil }
    let encoding: SoundFileEncoding
    switch (sample.kind, sample.bits) {
    case (.float, 32): encoding = .float32
    case (.float, 64): encoding = .float64
    case (.signedInteger, 8): encoding = .pcmS8
    case (.unsignedInteger, 8): encoding = .pcmU8
    case (.signedInteger, 16): encoding = .pcm16
    case (.signedInteger, 24): encoding = .pcm24
    case (.signedInteger, 32): encoding = .pcm32
    default: return nil
    }
    let isByte = sample.containerBytes == 1
    switch kind {
    case .wave, .rf64, .bw64, .wave64:
      return !sample.isBigEndian && encoding != .pcmS8 ? (encoding, false) : nil
    case .aiff:
      return (sample.isBigEndian || isByte) && sample.kind == .signedInteger ? (encoding, true) : nil
    case .aifc:
      // Little-endian exists as 'sowt', for 16 bits.
      if !sample.isBigEndian && encoding == .pcm16 { return (encoding, false) }
      return (sample.isBigEndian || isByte) && encoding != .pcmU8 ? (encoding, true) : nil
    case .au: return (sample.isBigEndian || isByte) && encoding != .pcmU8 ? (encoding, true) : nil
    case .caf: return encoding == .pcmU8 ? nil : (encoding, sample.isBigEndian || isByte)
    }
  }

  /// The formats that the catalogue of the C interface offers: those that can be written; of a type that is only read,
  /// those that can be read.
  var offeredFormats: [AudioFormatID] { writableFormats.isEmpty ? otherFormats : writableFormats }

  /// Every format of one id, rate and channels left open (0), as the catalogue lists them: of PCM each that can be
  /// written, of formats that are only read what follows from the id.
  func streamDescriptions(_ formatID: AudioFormatID) -> [AudioStreamBasicDescription] {
    var description = AudioStreamBasicDescription()
    description.mFormatID = formatID
    guard offeredFormats.contains(formatID) else { return [] }
    if writableFormats.isEmpty {
      description.mFramesPerPacket = FormatFacts(id: formatID)?.framesPerPacket ?? 0
      return [description]
    }
    switch formatID {
    case kAudioFormatLinearPCM:
      let samples: [SampleEncoding] = [.int8, .uint8, .int16, .int24, .int32, .float32, .float64]
      let candidates = samples.flatMap { $0.containerBytes == 1 ? [$0] : [$0.bigEndian, $0] }
      return candidates.compactMap { sample in
        guard let plainKind, Self.encoding(sample, in: plainKind) != nil else { return nil }
        var full = StreamFormat(sampleRate: 1, channelCount: 1, encoding: sample, isInterleaved: true)
          .audioStreamBasicDescription
        full.mSampleRate = 0
        full.mChannelsPerFrame = 0
        full.mBytesPerFrame = 0
        full.mBytesPerPacket = 0
        return full
      }
    case kAudioFormatULaw, kAudioFormatALaw:
      description.mFramesPerPacket = 1
      description.mBitsPerChannel = 8
      return [description]
    case kAudioFormatFLAC:
      return [AudioFormatFlags(1), 3].map { flags in
        description.mFormatFlags = flags
        return description
      }
    default:
      description.mFormatFlags = 1
      return [description]
    }
  }
}
