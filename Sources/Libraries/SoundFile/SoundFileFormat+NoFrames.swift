import AudioCore

// Sounds of no frames: one rule for all that is written, by the writer itself.
extension SoundFileFormat {
  /// True where a file without a frame is valid, and other programs open it: plain samples, µ-law and A-law in WAV,
  /// RF64, AIFF, CAF and AU. Tried with libsndfile 1.2, SoX 14.4 and ffmpeg 5.1: of FLAC and MP3 nothing at all is
  /// written then, Opus, Wave64 and Apple Lossless are not opened, Vorbis and floats in AIFF come back with frames.
  public var mayBeEmpty: Bool {
    switch container {
    case .wav, .wavex, .rf64, .caf, .au: isPlainOrCompanded
    case .aiff: isPlainOrCompanded && !encoding.isFloat
    default: false
    }
  }

  private var isPlainOrCompanded: Bool {
    encoding.plainSample(isBigEndian: false) != nil || encoding == .ulaw || encoding == .alaw
  }

  /// - Parameter frames: the length of the whole sound.
  /// - Throws: `.output` where there are none and the file would not be valid.
  package func check(frames: Int64, at path: String) throws(BenchError) {
    guard frames == 0, !mayBeEmpty else { return }
    throw BenchError(
      .output, at: path,
      "the sound has no frames, and a \(container.rawValue) file with \(encoding.rawValue) has one at least",
      advice: "look why nothing is left of it, or write WAV, AIFF or CAF with pcm24, which may be empty")
  }
}
