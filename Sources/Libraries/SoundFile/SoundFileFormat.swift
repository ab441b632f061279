import AudioCore
import CSndfile

/// The format of a sound file: container and encoding.
public struct SoundFileFormat: Hashable, Sendable {
  /// The kind of file; libsndfile may not write all of them.
  public var container: SoundFileContainer
  /// The encoding of samples; not every container holds every encoding: see ``isWritable``.
  public var encoding: SoundFileEncoding

  /// A pair that may or may not exist: see ``isWritable`` and ``validate(at:)``.
  ///
  /// - Parameter encoding: nil: the container's default.
  public init(container: SoundFileContainer, encoding: SoundFileEncoding? = nil) {
    self.container = container
    self.encoding = encoding ?? container.defaultEncoding
  }

  /// The format that a path and two optional names ask for.
  /// - Parameters:
  ///   - path: its extension names the container where `container` is nil.
  ///   - container: a name or an extension: `wav`, `rf64`, `aif` …
  ///   - encoding: a name as ``SoundFileEncoding/init(name:)`` takes it; nil is the container's default.
  /// - Throws: `.usage` for an unknown name, an extension that says nothing, or a pair that cannot be written.
  public init(path: String, container: String? = nil, encoding: String? = nil) throws(BenchError) {
    let chosen: SoundFileContainer
    if let container {
      guard
        let named = SoundFileContainer(rawValue: container.lowercased())
          ?? SoundFileContainer(fileExtension: container)
      else {
        throw BenchError(
          .usage, at: path, "there is no container \"\(container)\"", advice: "choose from \(Self.containerList)")
      }
      chosen = named
    } else {
      let name = FileName.last(of: path)
      guard let ending = FileName.fileExtension(of: name), !FileName.stem(of: name).isEmpty else {
        throw BenchError(
          .usage, at: path, "the name has no extension to tell the kind of file",
          advice: "add one, as .wav, or name the kind by --container: \(Self.containerList)")
      }
      guard let named = SoundFileContainer(fileExtension: ending) else {
        throw BenchError(
          .usage, at: path, "the extension \".\(ending)\" is not that of a sound file that can be written",
          advice: "use one of \(Self.containerList), or name the kind by --container")
      }
      chosen = named
    }
    self.init(container: chosen)
    if let encoding {
      guard let named = SoundFileEncoding(name: encoding) else {
        throw BenchError(
          .usage, at: path, "there is no encoding \"\(encoding)\"",
          advice: "a \(chosen.rawValue) file holds \(Self.list(chosen.encodings))")
      }
      // "8" is unsigned in WAV and signed nearly everywhere else.
      let signed = SoundFileFormat(container: chosen, encoding: .pcmS8)
      self.encoding =
        named == .pcmU8 && encoding.contains("8") && !encoding.lowercased().contains("u")
          && !SoundFileFormat(container: chosen, encoding: .pcmU8).isWritable && signed.isWritable ? .pcmS8 : named
    }
    try validate(at: path)
  }

  /// True when the linked libsndfile writes this pair, for some number of channels and rate.
  public var isWritable: Bool {
    // The Ogg container is two here: one for each codec people name files after.
    if container == .opus && encoding != .opus || container == .ogg && encoding == .opus { return false }
    if encoding == .aac { return container == .m4a && AACEncoder.isAvailable }
    if container == .m4a { return encoding == .alac16 }
    if isSpoiltByLibsndfile { return false }
    return Self.channelsAndRatesToTry.contains { check(channelCount: $0, sampleRate: $1) }
  }

  /// Pairs that libsndfile 1.2 lets pass and then does not write, or writes wrong (tried, not read about).
  private var isSpoiltByLibsndfile: Bool {
    switch encoding {
    // Refused when the file is opened, or at the first write.
    case .mp1, .mp2, .dwvw12: true
    case .mp3: container != .mp3
    // A sample too many for each write of an odd number of frames.
    case .voxADPCM: true
    // Noise that cannot be compressed comes back with its high bits gone.
    case .alac20, .alac24, .alac32: true
    // Frames are lost in files of more than two channels.
    case .pcm24: container == .paf
    default: false
    }
  }

  /// Throws `.usage` where the pair cannot be written, with what the container can hold.
  public func validate(at path: String = "") throws(BenchError) {
    if container == .m4a, encoding == .aac, !AACEncoder.isAvailable {
      throw BenchError(
        .usage, at: path, "AAC encoding is not built: libvo-aacenc.so.0 is missing",
        advice: "install libvo-aacenc0, or name the encoding alac16")
    }
    guard isWritable else {
      let choices = container.encodings
      throw BenchError(
        .usage, at: path, "a \(container.rawValue) file cannot hold \(encoding.rawValue)",
        advice: choices.isEmpty
          ? "this libsndfile writes no \(container.rawValue) files"
          : "it holds \(Self.list(choices))")
    }
  }

  /// Throws `.usage` where the pair cannot be written at this rate with these channels.
  /// - Parameter sampleRate: hertz; sound files of libsndfile hold whole numbers only.
  public func validate(at path: String = "", sampleRate: Double, channelCount: Int) throws(BenchError) {
    try validate(at: path)
    guard let rate = Int32(exactly: sampleRate), StreamFormat.isSampleRate(sampleRate)
    else {
      throw BenchError(
        .usage, at: path, "a sound file's sample rate is a whole number of hertz up to 3000000, not \(sampleRate)")
    }
    guard StreamFormat.channelCountRange.contains(channelCount) else {
      throw BenchError(.usage, at: path, "a sound file has 1 to 1024 channels, not \(channelCount)")
    }
    if encoding == .opus, ![8_000, 12_000, 16_000, 24_000, 48_000].contains(rate) {
      throw BenchError(
        .usage, at: path, "Opus cannot be written at \(rate) Hz",
        advice: "convert to 8000, 12000, 16000, 24000 or 48000 Hz")
    }
    if encoding == .mp3, ![8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].contains(rate) {
      throw BenchError(
        .usage, at: path, "MP3 cannot be written at \(rate) Hz",
        advice: "convert to 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz")
    }
    if encoding == .aac, !AACEncoder.sampleRates.contains(Int(rate)) {
      throw BenchError(
        .usage, at: path, "AAC cannot be written at \(rate) Hz",
        advice: "convert to \(AACEncoder.sampleRates.reversed().map { "\($0)" }.joined(separator: ", ")) Hz")
    }
    guard check(channelCount: channelCount, sampleRate: Int(rate)) else {
      throw BenchError(
        .usage, at: path,
        "a \(container.rawValue) file with \(encoding.rawValue) cannot have \(channelCount) channels at \(rate) Hz",
        advice: channelAdvice(sampleRate: Int(rate)))
    }
  }

  private func channelAdvice(sampleRate: Int) -> String? {
    let counts = (1...256).filter { check(channelCount: $0, sampleRate: sampleRate) }
    guard let most = counts.last else { return nil }
    return most == 1 ? "it holds one channel" : "it holds up to \(most) channels"
  }

  func check(channelCount: Int, sampleRate: Int = 48_000) -> Bool {
    if encoding == .aac {
      return container == .m4a && (1...2).contains(channelCount) && AACEncoder.sampleRates.contains(sampleRate)
    }
    // Apple Lossless is libsndfile's, in its own container first.
    if container == .m4a {
      return SoundFileFormat(container: .caf, encoding: encoding).check(
        channelCount: channelCount, sampleRate: sampleRate)
    }
    var info = SF_INFO()
    info.format = sndfileFormat
    info.channels = Int32(channelCount)
    info.samplerate = Int32(sampleRate)
    return sf_format_check(&info) != 0
  }

  var sndfileFormat: Int32 { container.majorFormat | encoding.subtype }

  private static let channelsAndRatesToTry = [(1, 48_000), (2, 48_000), (1, 8_000)]
  private static var containerList: String { SoundFileContainer.allCases.map(\.rawValue).joined(separator: ", ") }
  private static func list(_ encodings: [SoundFileEncoding]) -> String {
    encodings.map(\.rawValue).joined(separator: ", ")
  }
}

extension SoundFileFormat: CustomStringConvertible {
  /// The names of both on the command line: `wav pcm24`.
  public var description: String { "\(container.rawValue) \(encoding.rawValue)" }
}

extension SoundFileFormat {
  /// Every pair that the linked libsndfile can write, by container: for help texts and tests.
  public static var allWritable: [SoundFileFormat] {
    SoundFileContainer.allCases.flatMap { container in
      container.encodings.map { SoundFileFormat(container: container, encoding: $0) }
    }
  }
}
