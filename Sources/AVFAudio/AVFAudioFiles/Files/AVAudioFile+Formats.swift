// The formats of files: what a file that is read has, and what settings ask for.

import AudioCore
import CAudioToolbox
import CoreAudioStreams
import Foundation
import SoundFile

extension AVAudioFormat {
  /// The format of a file's own packets, as near as a description of Core Audio comes to it.
  package convenience init(of reader: SoundFileReader) {
    let info = reader.info
    let layout = info.layout.map { AVAudioChannelLayout($0) }
    if let plain = reader.plainEncoding {
      let stream = StreamFormat(
        sampleRate: info.sampleRate, channelCount: info.channelCount, encoding: plain, isInterleaved: true)
      self.init(description: stream.audioStreamBasicDescription, layout: layout)
      return
    }
    var description = AudioStreamBasicDescription()
    description.mSampleRate = info.sampleRate
    description.mChannelsPerFrame = UInt32(info.channelCount)
    if let encoding = info.encoding {
      description.mFormatID = encoding.formatID(isFLAC: info.container == .flac)
      description.fillOutCodec(bits: info.sourceBits)
    } else if let codec = reader.packetCodec {
      (description.mFormatID, description.mFramesPerPacket) = codec
    }
    self.init(description: description, layout: layout)
  }
}

extension SoundFileEncoding {
  /// The id of a codec; 0 for one that Core Audio has no id for.
  fileprivate func formatID(isFLAC: Bool) -> AudioFormatID {
    switch self {
    case .ulaw: kAudioFormatULaw
    case .alaw: kAudioFormatALaw
    case .imaADPCM: kAudioFormatAppleIMA4
    case .alac16, .alac20, .alac24, .alac32: kAudioFormatAppleLossless
    case .mp1: kAudioFormatMPEGLayer1
    case .mp2: kAudioFormatMPEGLayer2
    case .mp3: kAudioFormatMPEGLayer3
    case .opus: kAudioFormatOpus
    case .aac: kAudioFormatMPEG4AAC
    case .vorbis: ("vorb" as AudioCore.FourCharCode).rawValue
    default: isFLAC ? kAudioFormatFLAC : 0
    }
  }
}

extension AudioSettings {
  /// The container and encoding of a file to be written at a path.
  /// - Throws: 'typ?' for a kind of file that cannot be written, 'fmt?' for an encoding that it cannot hold.
  func soundFormat(path: String) throws(NSError) -> SoundFileFormat {
    let container = try container(path: path)
    let encoding = try encoding(in: container, path: path)
    let format = SoundFileFormat(container: container, encoding: encoding)
    do throws(BenchError) { try format.validate(at: path) } catch {
      throw NSError(.fileFormatUnsupported, error.description)
    }
    return format
  }

  private func container(path: String) throws(NSError) -> SoundFileContainer {
    guard let type = code(AVAudioFileTypeKey) else {
      do throws(BenchError) { return try SoundFileFormat(path: path).container } catch {
        throw NSError(.fileTypeUnsupported, error.description)
      }
    }
    switch type {
    case kAudioFileWAVEType: return .wav
    case kAudioFileRF64Type, kAudioFileBW64Type: return .rf64
    case kAudioFileAIFFType, kAudioFileAIFCType: return .aiff
    case kAudioFileCAFType: return .caf
    case kAudioFileWave64Type: return .w64
    case kAudioFileNextType: return .au
    case kAudioFileFLACType: return .flac
    case kAudioFileMP3Type: return .mp3
    case kAudioFileM4AType, kAudioFileMPEG4Type: return .m4a
    default:
      throw NSError(
        .fileTypeUnsupported, "\(path): files of type '\(AudioCore.FourCharCode(rawValue: type))' cannot be written")
    }
  }

  private func encoding(in container: SoundFileContainer, path: String) throws(NSError) -> SoundFileEncoding {
    let id = code(AVFormatIDKey) ?? kAudioFormatLinearPCM
    let bits = integer(AVEncoderBitDepthHintKey) ?? integer(AVLinearPCMBitDepthKey) ?? 16
    switch id {
    case kAudioFormatLinearPCM:
      guard let pcm = pcmEncoding else {
        throw NSError(.fileFormatUnsupported, "\(path): the settings describe no linear PCM")
      }
      switch (pcm.kind, pcm.bits) {
      case (.float, 32): return .float32
      case (.float, _): return .float64
      // Eight bits have no sign in WAV.
      case (_, 8): return [.wav, .rf64, .w64].contains(container) ? .pcmU8 : .pcmS8
      case (_, 16): return .pcm16
      case (_, 24): return .pcm24
      default: return .pcm32
      }
    case kAudioFormatULaw: return .ulaw
    case kAudioFormatALaw: return .alaw
    case kAudioFormatAppleIMA4: return .imaADPCM
    case kAudioFormatFLAC: return bits > 16 ? .pcm24 : .pcm16
    case kAudioFormatAppleLossless: return .alac16
    case kAudioFormatMPEGLayer3: return .mp3
    case kAudioFormatOpus: return .opus
    case kAudioFormatMPEG4AAC: return .aac
    default:
      throw NSError(
        .fileFormatUnsupported, "\(path): the format '\(AudioCore.FourCharCode(rawValue: id))' cannot be written")
    }
  }

  /// The settings of an encoder.
  var writerOptions: SoundFileWriterOptions {
    var options = SoundFileWriterOptions(layout: layout?.loudspeakers)
    if let rate = integer(AVEncoderBitRateKey) {
      options.bitRate = rate / 1000
    } else if let quality = integer(AVEncoderAudioQualityKey) ?? integer(AVEncoderAudioQualityForVBRKey) {
      options.quality = min(1, max(0, Double(quality) / Double(AVAudioQuality.max.rawValue)))
    }
    return options
  }
}
