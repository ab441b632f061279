import AudioCore
import Glibc
import LibraryReference
import Processes
import SoundFile

/// Any program with a sound file in and a sound file out as a device: SoX, FFmpeg, a binary of one's own.
///
/// `{in}` and `{out}` in its command line are replaced by the two files, also inside a word. `{slice}` is replaced by
/// the frames of a slice, for programs with such an option: 512, or what a check requires. `{aubench}` is replaced by
/// the running program, if that is aubench itself: its own commands can be put under test.
///
/// The output of the command is read by libsndfile's own functions, not by the engine's.
public struct CommandDevice: PartitionableDevice {
  /// The words of the command, as they were given, with spaces between.
  public let name: String
  /// Channels of the file that the command gets; nil: as many as the stimulus has.
  public var inputChannelCount: Int?
  /// Nil: a command does not say.
  public let reportedLatencyFrames: Double? = nil
  /// Nil: a command does not say.
  public let reportedTailFrames: Int64? = nil
  /// The precision of its input file's encoding.
  public let precision: SamplePrecision
  /// The program and its arguments.
  public let words: [String]
  /// The folder it runs in; nil: this program's own.
  public var folder: String?
  /// Seconds of wall-clock time that it may take for one signal.
  public var timeLimitSeconds = 60.0
  /// Bytes of address space that it may take; 0: no limit.
  public var memoryLimitBytes: UInt64 = 0
  /// The extension of `{out}`, for programs that choose a format by it.
  public var outputExtension = "wav"
  private let format: SoundFileFormat

  /// - Parameters:
  ///   - words: the program and its arguments, with `{in}` and `{out}`.
  ///   - encoding: the encoding of its input file.
  ///   - container: the container of that file. The extensible header of WAV is the one that floats should have: some
  ///     programs warn of the plain one.
  /// - Throws: `.usage` where one of the two files is missing, or the container cannot hold the encoding.
  public init(
    _ words: [String], encoding: SoundFileEncoding = .float32, container: SoundFileContainer = .wavex
  ) throws(BenchError) {
    guard let program = words.first, !program.isEmpty else {
      throw BenchError(.usage, at: "command", "no program is named", advice: "as -- sox {in} {out} lowpass 1000")
    }
    for place in ["{in}", "{out}"] where !words.contains(where: { $0.contains(place) }) {
      throw BenchError(
        .usage, at: "command \"\(program)\"", "\(place) is missing among its words",
        advice: "as -- sox {in} {out} lowpass 1000")
    }
    format = SoundFileFormat(container: container, encoding: encoding)
    guard format.isWritable, encoding.isFloat || (encoding.isLossless && encoding.bits != nil) else {
      throw BenchError(
        .usage, at: "command \"\(program)\"",
        container == .wavex
          ? "a WAV file cannot hold \(encoding.rawValue)"
          : "a \(container.rawValue) file cannot hold \(encoding.rawValue) without loss",
        advice: "choose pcm16, pcm24, pcm32, float32 or float64")
    }
    self.words = words
    name = words.joined(separator: " ")
    precision =
      encoding == .float64 ? .float64 : encoding == .float32 ? .float32 : .integer(bits: encoding.bits ?? 16)
  }

  private static let slicePlace = "{slice}"
  private static let ownProgramPlace = "{aubench}"
  /// True when `{slice}` occurs among the words.
  public var canBePartitioned: Bool { words.contains { $0.contains(Self.slicePlace) } }
  /// The value of `{slice}`: the partition's, or 512.
  public func sliceFrames(of partition: RenderPartition) throws(BenchError) -> Int? { partition.sliceFrames ?? 512 }

  /// Runs the command once, with 512 for `{slice}`.
  ///
  /// - Throws: `.deviceTimeout`, `.deviceCrash`, `.render` where it fails or writes no sound file that can be read,
  ///   `.usage` where there is no such program.
  public func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
    try process(input, partition: standardPartition)
  }

  /// - Parameters:
  ///   - input: written to a file, in the precision that the command reads.
  ///   - partition: its number of threads is ignored: the command decides.
  public func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
    try process(input, sliceWord: "\(try sliceFrames(of: partition) ?? 0)")
  }

  /// - Parameter slice: the word that replaces `{slice}`, be it a number or not.
  package func process(_ input: AudioSignal, sliceWord slice: String) throws(BenchError) -> AudioSignal {
    let scratch = try ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let kind = format.container == .wavex ? "wav" : format.container.rawValue
    let (inPath, outPath) = (scratch.file("in.\(kind)"), scratch.file("out.\(outputExtension)"))
    try input.write(to: inPath, as: format)
    let own = FileSystem.aim(ofLink: "/proc/self/exe") ?? Self.ownProgramPlace
    let line = words.map {
      $0.replacing("{in}", with: inPath).replacing("{out}", with: outPath).replacing(Self.slicePlace, with: slice)
        .replacing(Self.ownProgramPlace, with: own)
    }
    let result = try run(line)
    let place = "command \"\(words[0])\""
    let said = result.lastErrors.isEmpty ? nil : "it said: \(result.lastErrors)"
    // A full disk is reported as such, not as an error of the device.
    if result.end != .exited(code: 0) || FileSystem.access(outPath, F_OK) != 0, let shortage = scratch.shortage() {
      throw shortage
    }
    switch result.end {
    case .timedOut, .stopped:
      throw BenchError(
        .deviceTimeout, at: place, "it had not ended after \(timeLimitSeconds) seconds",
        advice: said ?? "give it more by --time-limit, or by \"seconds\" of the device in a suite")
    case .signalled(_, let name):
      throw BenchError(.deviceCrash, at: place, "it was ended by \(name)", advice: said)
    case .exited(let code) where code != 0:
      throw BenchError(.render, at: place, "it ended with code \(code)", advice: said)
    case .exited: break
    }
    Self.passOn(result.errors)
    guard FileSystem.exists(outPath) else {
      throw BenchError(.render, at: place, "it ended well but wrote nothing to {out}", advice: said)
    }
    do {
      // The header shows whether the file is whole and fits into memory.
      try AudioSignal.checkFile(outPath)
      let file = try LibrarySoundFile(path: outPath)
      return AudioSignal(sampleRate: file.sampleRate, channels: file.channels)
    } catch {
      if let shortage = scratch.shortage() { throw shortage }
      // A file that is too large for this process is none that cannot be read.
      if error.kind == .usage { throw BenchError(.usage, at: place, error.message, advice: error.advice) }
      throw BenchError(
        .render, at: place, "what it wrote to {out} is no sound file that can be read: \(error.message)", advice: said)
    }
  }

  private func run(_ line: [String]) throws(BenchError) -> ChildProcess.Result {
    var child = ChildProcess(line)
    child.folder = folder
    child.limits = ChildProcess.Limits(seconds: timeLimitSeconds, memoryBytes: memoryLimitBytes)
    do { return try child.run() } catch {
      guard error.isMissing else {
        throw BenchError(.render, at: line[0], "the program cannot be run: \(error.reason)")
      }
      throw BenchError(
        .usage, at: line[0], "there is no such program to run: \(error.reason)", advice: "install it, or name its path")
    }
  }

  private static let saidBefore = Locked<Set<String>>([])

  /// Lets what a program said although it ended well be seen: warnings of clipping and the like. The same text once
  /// only.
  private static func passOn(_ errors: [UInt8]) {
    let text = String(decoding: errors.suffix(4000), as: UTF8.self)
    guard !text.isEmpty, saidBefore.withLock({ $0.count < 64 && $0.insert(text).inserted }) else { return }
    ErrorLine.passOn(log: text)
  }
}
