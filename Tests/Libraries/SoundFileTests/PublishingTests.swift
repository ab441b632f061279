import AudioCore
import Glibc
import SoundFile
import TestSupport
import Testing

@Suite struct PublishingTests {
  private let wav = SoundFileFormat(container: .wav, encoding: .pcm16)

  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as BenchError {
      return error.kind == .output ? "\(error)" : "wrong kind: \(error)"
    } catch { return "not a BenchError" }
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : 0
  }

  @Test(arguments: [false, true])
  func aCompletedFileHasNoNameBeforeItIsPublished(_ named: Bool) throws {
    let folder = TemporaryFolder()
    var options = SoundFileWriterOptions()
    options.avoidsUnnamedFile = named
    let buffer = PlanarBuffer(sines(2, frames: 1000))
    func complete() throws -> SoundFileWriter {
      let writer = try SoundFileWriter(
        path: folder.file("a.wav"), format: wav, sampleRate: 48_000, channelCount: 2, options: options)
      try writer.write(buffer.planes, frames: 1000)
      #expect(try writer.complete().frames == 1000)
      #expect(throws: BenchError.self) { try writer.write(buffer.planes, frames: 1) }
      #expect(throws: BenchError.self) { _ = try writer.finish() }
      #expect(!folder.names.contains("a.wav"))
      return writer
    }
    try complete().discard()
    #expect(folder.names.isEmpty)
    try complete().publish()
    #expect(folder.names == ["a.wav"])
    #expect(try readFile(folder.file("a.wav"))[0].count == 1000)
  }

  /// libsndfile collects the packets of ALAC in a file in the folder for temporary files, which a killed process would
  /// leave.
  @Test func whatTheLibraryKeepsForItselfHasNoName() throws {
    func open() -> [String] {
      (FileSystem.names(in: "/proc/self/fd") ?? []).compactMap { FileSystem.aim(ofLink: "/proc/self/fd/\($0)") }
    }
    let folder = TemporaryFolder()
    let buffer = PlanarBuffer(sines(2, frames: 20_000))
    let writer = try SoundFileWriter(
      path: folder.file("a.caf"), format: SoundFileFormat(container: .caf, encoding: .alac16), sampleRate: 48_000,
      channelCount: 2)
    try writer.write(buffer.planes, frames: 20_000)
    #expect(open().contains { $0.hasSuffix("-alac.tmp (deleted)") }, "\(open())")
    // Other tests may be about to take the name of theirs.
    #expect(eventually { !open().contains { $0.hasSuffix("-alac.tmp") } })
    _ = try writer.finish()
    #expect(try readFile(folder.file("a.caf"))[0].count == 20_000)
  }

  @Test(arguments: [false, true])
  func nothingIsThereBeforeTheEndAndNothingAfterDiscarding(_ named: Bool) throws {
    let folder = TemporaryFolder()
    var options = SoundFileWriterOptions()
    options.avoidsUnnamedFile = named
    let buffer = PlanarBuffer(sines(2, frames: 10_000))
    func start() throws -> SoundFileWriter {
      let writer = try SoundFileWriter(
        path: folder.file("a.wav"), format: wav, sampleRate: 48_000, channelCount: 2, options: options)
      try writer.write(buffer.planes, frames: 10_000)
      return writer
    }
    let writer = try start()
    #expect(folder.names.filter { $0 == "a.wav" }.isEmpty && folder.names.count == (named ? 1 : 0))
    writer.discard()
    #expect(folder.names.isEmpty)
    #expect(throws: BenchError.self) { try writer.write(buffer.planes, frames: 1) }
    #expect(throws: BenchError.self) { _ = try writer.finish() }
    do { _ = try start() }
    #expect(folder.names.isEmpty)

    // Over a file that is there: the old one until the end.
    write([1, 2, 3], to: folder.file("a.wav"))
    chmod(folder.file("a.wav"), 0o640)
    let second = try start()
    #expect(bytes(ofFile: folder.file("a.wav")) == [1, 2, 3])
    _ = try second.finish()
    #expect(folder.names == ["a.wav"])
    #expect(mode(folder.file("a.wav")) == S_IFREG | 0o640)
    #expect(try readFile(folder.file("a.wav"))[0].count == 10_000)
    #expect(throws: BenchError.self) { _ = try second.finish() }
    second.discard()
    #expect(folder.names == ["a.wav"])

    options.overwrites = false
    #expect(refusal { _ = try start() }.contains("exists already"))
    // It may also come into being while the other is written.
    unlink(folder.file("a.wav"))
    let late = try start()
    write([9], to: folder.file("a.wav"))
    #expect(refusal { _ = try late.finish() }.contains("exists already"))
    #expect(folder.names == ["a.wav"] && bytes(ofFile: folder.file("a.wav")) == [9])
  }

  /// Room that is reserved for the expected length and not written is given back; more than is free, or more than there
  /// will ever be, does no harm.
  @Test(arguments: [20_000, 1_000_000, 1_000_000_000])
  func aFileTakesNoMoreRoomThanItHasBytes(expectedFrames: Int64) throws {
    let folder = TemporaryFolder()
    let buffer = PlanarBuffer(sines(2, frames: 30_000))
    let writer = try SoundFileWriter(
      path: folder.file("a.wav"), format: wav, sampleRate: 48_000, channelCount: 2, expectedFrames: expectedFrames)
    try writer.write(buffer.planes, frames: 30_000)
    #expect(try writer.finish().bytes == 44 + 4 * 30_000)
    var status = stat()
    #expect(stat(folder.file("a.wav"), &status) == 0 && status.st_size == 44 + 4 * 30_000)
    #expect(status.st_blocks * 512 < 200_000)
  }

  @Test func linksAreFollowedAndFoldersRefused() throws {
    let folder = TemporaryFolder()
    symlink("real.wav", folder.file("link.wav"))
    try writeFile(folder.file("link.wav"), wav, sines(1, frames: 10))
    #expect(mode(folder.file("link.wav")) & S_IFMT == S_IFLNK)
    #expect(mode(folder.file("real.wav")) & S_IFMT == S_IFREG)
    try writeFile(folder.file("link.wav"), wav, sines(1, frames: 20))
    #expect(try readFile(folder.file("real.wav"))[0].count == 20)
    symlink("loop", folder.file("loop"))
    func attempt(_ path: String) -> String { refusal { try writeFile(path, wav, sines(1, frames: 10)) } }
    #expect(attempt(folder.file("loop")).contains("leads nowhere"))
    #expect(attempt("/dev/null") == "no error")
    #expect(attempt(folder.path).contains("is a folder"))
    #expect(attempt(folder.path + "/").contains("not the name of a file"))
    #expect(attempt(folder.path + "/none/a.wav").contains("there is no folder"))
    #expect(attempt(folder.file("real.wav") + "/a.wav").contains("not a folder"))
    mkfifo(folder.file("pipe"), 0o600)
    // With a reader: without one a pipe waits for it.
    let reader = open(folder.file("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    #expect(attempt(folder.file("pipe")) == "no error")
    var head = [UInt8](repeating: 0, count: 4)
    #expect(read(reader, &head, 4) == 4 && head == Array("RIFF".utf8))
    if getuid() != 0 {
      chmod(folder.file("real.wav"), 0o400)
      #expect(attempt(folder.file("real.wav")).contains("may not be written"))
    }
  }

  @Test(arguments: [SoundFileContainer.wav, .flac, .ogg, .opus, .caf, .mp3, .aiff])
  func aFullDiskIsNamedAndLeavesNothing(_ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    var generator = SeededGenerator(seed: 4)
    let noise = generator.noise(frames: 40_000)
    // From no room for the header to room for nearly all: the codecs fail while writing or while closing.
    let whole = try writeFile(folder.file("a"), .init(container: container), [noise, noise]).bytes
    unlink(folder.file("a"))
    for space in [0, 30, 5_000, whole / 2, whole - 1_000, whole - 1] {
      var options = SoundFileWriterOptions()
      options.space = space
      let message = refusal {
        try writeFile(folder.file("a"), .init(container: container), [noise, noise], options: options)
      }
      #expect(message.contains("no space left") && message.contains(folder.file("a")), "\(space): \(message)")
      #expect(folder.names.isEmpty)
    }
  }

  /// The system's own refusal. The limit is that of the whole process, so it lies above what other tests write.
  @Test func aFileLargerThanTheSystemAllowsIsNamedAndLeavesNothing() throws {
    try FileSizeLimit.alone { try writeBeyondTheLimit() }
  }

  private func writeBeyondTheLimit() throws {
    let folder = TemporaryFolder()
    signal(SIGXFSZ, SIG_IGN)
    let resource = __rlimit_resource_t(1)  // RLIMIT_FSIZE
    var old = rlimit()
    getrlimit(resource, &old)
    var new = old
    new.rlim_cur = 64 << 20
    setrlimit(resource, &new)
    defer { setrlimit(resource, &old) }
    let buffer = PlanarBuffer(channelCount: 64, frameCapacity: 65_536)
    let message = refusal {
      let writer = try SoundFileWriter(
        path: folder.file("big.wav"), format: .init(container: .wav, encoding: .float64), sampleRate: 48_000,
        channelCount: 64)
      for _ in 0..<4 { try writer.write(buffer.planes, frames: 65_536) }
      _ = try writer.finish()
    }
    #expect(message.contains("file too large") && message.contains(folder.file("big.wav")), "\(message)")
    #expect(folder.names.isEmpty)
  }

  @Test func wavBecomesRF64WhenItWouldNotFitAndOthersSaySo() throws {
    let folder = TemporaryFolder()
    let sound = sines(2, frames: 50_000)
    var options = SoundFileWriterOptions()
    options.riffLimit = 150_000
    // Known beforehand.
    #expect(
      try writeFile(folder.file("a"), wav, sound, expectedFrames: 50_000, options: options).container == .rf64)
    #expect(Array(bytes(ofFile: folder.file("a"))[..<4]) == Array("RF64".utf8))
    #expect(try readFile(folder.file("a"))[0].count == 50_000)
    #expect(try writeFile(folder.file("b"), wav, sound, expectedFrames: 50_000).container == .wav)
    #expect(bytes(ofFile: folder.file("b")).count == 44 + 200_000)
    // Not known: RF64 until the end, which makes it WAV.
    #expect(try writeFile(folder.file("c"), wav, sound).container == .wav)
    #expect(Array(bytes(ofFile: folder.file("c"))[..<4]) == Array("RIFF".utf8))
    #expect(try readFile(folder.file("c")) == readFile(folder.file("b")))
    // Containers with 32-bit sizes: at once where the length is known, else where it is passed.
    for container in [SoundFileContainer.aiff, .au, .wavex] {
      let format = SoundFileFormat(container: container, encoding: .pcm16)
      for expected in [50_000 as Int64?, nil] {
        let message = refusal {
          try writeFile(folder.file("d"), format, sound, expectedFrames: expected, options: options)
        }
        #expect(message.contains("holds at most 150000 bytes") && message.contains(".rf64"), "\(message)")
      }
      #expect(!folder.names.contains("d"))
    }
    // The true limit, by arithmetic alone.
    #expect(
      refusal {
        _ = try SoundFileWriter(
          path: folder.file("e"), format: .init(container: .aiff), sampleRate: 48_000, channelCount: 2,
          expectedFrames: 0xFFFF_FFFF / 6 + 1)
      }.contains("4294967295"))
  }

  @Test func wavHasThePlainHeaderUpToTwoChannels() throws {
    let folder = TemporaryFolder()
    for channels in 1...3 {
      let report = try writeFile(
        folder.file("a"), .init(container: .wav), sines(channels, frames: 10), expectedFrames: 10)
      #expect(report.container == .wav)
      #expect(Array(bytes(ofFile: folder.file("a"))[20..<22]) == (channels > 2 ? [0xFE, 0xFF] : [1, 0]))
    }
  }
}
