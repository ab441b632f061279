import AudioCore
import CSndfile

// The size of a codec's output: quality and bit rate, as the command line and job files name them.
extension SoundFileFormat {
  /// True of codecs that take a quality from 0 to 1: ``SoundFileWriterOptions/quality``.
  public var hasQuality: Bool {
    switch encoding {
    case .vorbis, .opus, .mp3: true
    default: container == .flac
    }
  }

  /// Kilobits per second that a file can have; nil: its codec takes no bit rate. MP3 has a list of them, by the rate of
  /// the samples (ISO 11172-3 and 13818-3, 2.4.2.3); Opus any from 6 to 256 for each channel; AAC from 8 to 160, and no more
  /// than 6144 bits for 1024 frames (ISO 13818-7, 8.2.2).
  public func bitRates(sampleRate: Double, channelCount: Int) -> [ClosedRange<Int>]? {
    switch encoding {
    case .mp3:
      let upTo64 = [8, 16, 24, 32, 40, 48, 56, 64]
      let rates =
        sampleRate >= 32_000
        ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        : sampleRate >= 16_000 ? upTo64 + [80, 96, 112, 128, 144, 160] : upTo64
      return rates.map { $0...$0 }
    case .opus: return [6 * channelCount...256 * channelCount]
    case .aac: return [8 * channelCount...min(160, Int(clamping: sampleRate * 0.006)) * channelCount]
    default: return nil
    }
  }

  /// - Throws: `.usage` for a quality or a bit rate that no file of this kind has.
  package func check(quality: Double?, bitRate: Int?, at place: String) throws(BenchError) {
    guard quality == nil || bitRate == nil else {
      throw BenchError(
        .usage, at: place, "a quality and a bit rate are asked for, and each says how large the file is",
        advice: "leave one of the two out")
    }
    if quality != nil, !hasQuality {
      throw BenchError(
        .usage, at: place, "a \(self) file has no codec with a quality", advice: "MP3, Opus, Vorbis and FLAC have one")
    }
    if bitRate != nil, bitRates(sampleRate: 48_000, channelCount: 1) == nil {
      throw BenchError(
        .usage, at: place, "a \(self) file takes no bit rate",
        advice: hasQuality ? "give a quality from 0 to 1" : "MP3, AAC and Opus take one")
    }
  }

  /// - Throws: `.usage` for a bit rate that a file of this rate and these channels cannot have.
  package func check(bitRate: Int?, sampleRate: Double, channelCount: Int, at place: String) throws(BenchError) {
    guard let bitRate else { return }
    _ = try compression(bitRate: bitRate, sampleRate: sampleRate, channelCount: channelCount, at: place)
  }

  /// The setting of libsndfile that gives a bit rate, from 0, the largest, to 1.
  /// - Throws: `.usage` for one that a file of this rate and these channels cannot have, with those next to it.
  func compression(bitRate: Int, sampleRate: Double, channelCount: Int, at place: String) throws(BenchError) -> Double {
    guard let ranges = bitRates(sampleRate: sampleRate, channelCount: channelCount) else {
      throw BenchError(
        .usage, at: place, "a \(self) file takes no bit rate",
        advice: hasQuality
          ? "give a quality from 0 to 1; MP3, AAC and Opus take a bit rate" : "MP3, AAC and Opus take one")
    }
    guard ranges.contains(where: { $0.contains(bitRate) }) else {
      let known =
        encoding == .opus || encoding == .aac
        ? ranges.map { "\($0.lowerBound) to \($0.upperBound)" }.joined()
        : ranges.map { "\($0.lowerBound)" }.joined(separator: ", ")
      let channels = NumberText.count(channelCount, "channel")
      throw BenchError(
        .usage, at: place,
        "\(encoding.rawValue) has no \(bitRate) kbit/s at \(NumberText.short(sampleRate)) Hz and \(channels)",
        advice: "it has \(known)")
    }
    // libsndfile 1.2 makes the rate of the setting: of MP3 from 32 to 320, 8 to 160 or 8 to 64 kbit/s, cut to a whole
    // number; of Opus from 6 to 256 for each channel.
    let least = Double(ranges[0].lowerBound)
    let most = Double(ranges[ranges.count - 1].upperBound)
    return min(1, max(0, 1 - (Double(bitRate) + (encoding == .mp3 ? 0.5 : 0) - least) / (most - least)))
  }
}

extension SoundFileWriterOptions {
  /// Tells libsndfile how much the codec may take, before the first sample.
  func setCoding(_ handle: OpaquePointer, compression: Double?) {
    if var quality {
      quality = min(1, max(0, quality))
      sf_command(handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
    }
    if var compression {
      var mode = Int32(SF_BITRATE_MODE_CONSTANT)
      sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
      sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &compression, Int32(MemoryLayout<Double>.size))
    }
  }
}
