import AudioCore
import CSndfile
import Glibc

// Errors of a file before its first frame, in words.
extension SoundFileReader {
  /// Opens libsndfile on the bytes, and checks that what its header says can be true.
  static func open(
    _ io: SoundFileIO, extent: SoundExtent?, path: String
  ) throws(BenchError) -> (handle: OpaquePointer, raw: SF_INFO) {
    var raw = SF_INFO()
    io.limitReading()
    guard let handle = io.open(mode: Int32(SFM_READ), info: &raw) else { throw refusal(path, io: io, extent) }
    do throws(BenchError) {
      // The library may have made something of what it had read until then: no sound, say.
      guard !io.hasGivenUp else { throw refusal(path, io: io, extent) }
      try checkHeader(raw, path: path)
    } catch {
      sf_close(handle)
      throw error
    }
    io.liftBudget()
    return (handle, raw)
  }

  /// The layout of samples that lie in the file as they are; nil for everything coded.
  static func plainSample(
    of handle: OpaquePointer, _ container: SoundFileContainer?, _ encoding: SoundFileEncoding?
  ) -> SampleEncoding? {
    guard let container, container.holdsPlainSamples else { return nil }
    let swapped = sf_command(handle, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) != 0
    return encoding?.plainSample(isBigEndian: swapped != hostIsBigEndian)
  }

  /// True for codecs that carry state from packet to packet, where libsndfile lands some frames off or on other values,
  /// and for DWVW, where it fails.
  static func seeksInexactly(_ encoding: SoundFileEncoding?) -> Bool {
    switch encoding {
    case .vorbis, .opus, .mp1, .mp2, .mp3, .dwvw12, .dwvw16, .dwvw24: true
    default: false
    }
  }

  /// A descriptor of a regular file that is not empty, and its length in bytes.
  static func openDescriptor(_ path: String) throws(BenchError) -> (descriptor: Int32, length: Int64) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw BenchError(.input, at: "\"\(path)\"", "is not the name of a file")
    }
    // Without O_NONBLOCK the opening of a pipe without a writer would never return.
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      let number = errno
      let (message, advice): (String, String?) =
        switch number {
        case ENOENT: (FileSystem.missing(path), "check the path")
        case EACCES: ("may not be read by this user", "check the permissions of the file and its folders")
        case ENOTDIR: ("a part of the path is a file, not a folder", "check the path")
        default: ("cannot be opened: \(systemMessage(number))", nil)
        }
      throw BenchError(.input, at: path, message, advice: advice)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw BenchError(.input, at: path, "cannot be opened: \(systemMessage(number))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw BenchError(
        .input, at: path, "is \(kindOfFile(status.st_mode)), not a sound file",
        advice: isFolder ? "name a file in it" : "write the sound to a file first: reading needs to go back and forth")
    }
    guard status.st_size > 0 else {
      close(descriptor)
      throw BenchError(.input, at: path, "is empty (0 bytes)", advice: "whatever was to write it has failed")
    }
    return (descriptor, Int64(status.st_size))
  }

  /// The reason why libsndfile would not open it, as far as it is known.
  static func refusal(_ path: String, io: SoundFileIO, _ extent: SoundExtent?) -> BenchError {
    let storage = io.storage
    if io.errorNumber != 0 {
      return BenchError(.input, at: path, "cannot be read: \(systemMessage(io.errorNumber))")
    }
    if io.isBudgetSpent {
      return BenchError(.input, at: path, "the header leads in circles", advice: "the file is damaged")
    }
    if case .cutOff(let missing) = extent?.finding {
      return BenchError(
        .input, at: path, "the file ends \(missing) bytes before its header says", advice: "copy or render it again")
    }
    var reason = io.refusal
    if reason.contains("SF_INFO") { reason = "0 Hz, or 0 channels" }
    let start = storage.bytes(at: 0, count: Int(min(16, storage.length))) ?? []
    if start.starts(with: "OggS".utf8), let remark = OggEnding(storage)?.remark {
      return BenchError(.input, at: path, remark, advice: "copy or render it again")
    }
    let isKnown = knownBeginnings.contains { start.starts(with: $0.utf8) }
    if isKnown && io.length < 44 {
      return BenchError(
        .input, at: path, "is cut off within its header: only \(io.length) bytes long", advice: "copy it again")
    }
    if isKnown {
      return BenchError(.input, at: path, "its header is damaged, or of a kind that cannot be read: \(reason)")
    }
    // The contents are not shown: it may be any file of this user's.
    return BenchError(
      .input, at: path, "is not a sound file of a kind that libsndfile knows",
      advice: "convert it to WAV, AIFF, CAF, FLAC, Ogg or MP3")
  }

  /// Refuses header values that no sound can have.
  static func checkHeader(_ info: SF_INFO, path: String) throws(BenchError) {
    guard StreamFormat.channelCountRange.contains(Int(info.channels)) else {
      throw BenchError(
        .input, at: path, "its header says \(NumberText.count(info.channels, "channel")); 1 to 1024 can be read",
        advice: "the file is damaged")
    }
    guard StreamFormat.isSampleRate(Double(info.samplerate)) else {
      throw BenchError(
        .input, at: path, "its header says \(info.samplerate) Hz; 1 to 3000000 Hz can be read",
        advice: "the file is damaged")
    }
    let container = info.format & Int32(SF_FORMAT_TYPEMASK)
    let encoding = info.format & Int32(SF_FORMAT_SUBMASK)
    // Noise in 32-bit ALAC loses its high bits, PARIS with three channels loses frames, and a sample dump ends early
    // unless it is read at one go. Of 8SVX with two channels it takes one half of the frames for the other channel.
    if encoding == Int32(SF_FORMAT_ALAC_32) || container == Int32(SF_FORMAT_SDS)
      || container == Int32(SF_FORMAT_PAF) && encoding == Int32(SF_FORMAT_PCM_24)
      || container == Int32(SF_FORMAT_SVX) && info.channels > 1
    {
      throw BenchError(
        .input, at: path,
        "\(sndfileName(of: encoding)) in \(sndfileName(of: container)) is decoded wrong by libsndfile",
        advice: "convert it to WAV, AIFF, CAF with PCM, or FLAC by another program")
    }
    // The largest number says that the header leaves the length open. Any other is within what bytes can be counted by.
    guard (0...1 << 48).contains(info.frames) || info.frames == Int64.max else {
      throw BenchError(
        .input, at: path, "its header says \(NumberText.count(info.frames, "frame"))", advice: "the file is damaged")
    }
  }

  private static var knownBeginnings: [String] {
    ["RIFF", "RIFX", "RF64", "BW64", "FORM", "caff", "fLaC", "OggS", "riff", ".snd", "dns.", "ID3", "NIST"]
  }

}
