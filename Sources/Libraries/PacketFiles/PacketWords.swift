// Codecs and containers in words, for messages.

import AudioCore

extension PacketFormat {
  /// The codec's name.
  package var codecName: String {
    switch code {
    case "aac ", "aach", "aacp", "aacl", "aace", "aacf", "aacs": "AAC"
    case "usac": "USAC"
    case "opus": "Opus"
    case "vorb": "Vorbis"
    case "ac-3": "AC-3"
    case "ec-3": "Enhanced AC-3"
    case "samr": "AMR"
    case "sawb": "AMR wide band"
    case "ilbc": "iLBC"
    case "flac": "FLAC without its header"
    case "QDM2", "QDMC": "QDesign Music"
    case "MAC3", "MAC6": "MACE"
    case "GSM ": "GSM"
    case ".mp1", ".mp2", ".mp3": "MPEG audio"
    case "alac": "Apple Lossless without its header"
    case "lpcm": "PCM of \(bitsPerChannel) bits in \(bytesPerFrame / max(1, channelCount)) bytes"
    case "drms", "enca": "encrypted sound"
    case let code where code.rawValue >> 16 == 0x6D73:
      "the codec 0x\(String(code.rawValue & 0xFFFF, radix: 16, uppercase: true)) of WAVE"
    case let code: "the codec '\(code)'"
    }
  }
}

extension PacketFile.Container {
  /// The container's name.
  package var words: String {
    switch self {
    case .caf: "CAF"
    case .aiff, .aifc: "AIFF-C"
    case .wave, .rf64, .bw64: "WAV"
    case .wave64: "Wave64"
    case .mpeg4: "MPEG-4"
    case .adts: "ADTS"
    case .loas: "LOAS"
    case .ac3: "a stream of its own"
    case .amr: "a file of its own"
    }
  }
}
