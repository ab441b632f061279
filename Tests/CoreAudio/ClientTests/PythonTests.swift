import CSndfile
import Foundation
import TestSupport
import Testing

@Suite("Python programs load the libraries by name and by path")
struct PythonTests {
  static let hasPython = (try? Finished("/usr/bin/env", ["python3", "-c", "import ctypes, zlib"]).code) == 0

  /// The fixtures, and copies in other formats of 16 bits and fewer; then a file that is none.
  static func files(_ folder: TemporaryFolder) throws -> [String] {
    var files = try Repository.files(below: "fixtures/audio", suffix: ".flac").map { "\(Repository.path)/\($0)" }
    for (name, format) in [
      ("drums.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16), ("drums.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16),
      ("drums.caf", SF_FORMAT_CAF | SF_FORMAT_PCM_16), ("drums.au", SF_FORMAT_AU | SF_FORMAT_PCM_16),
      ("eight.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_U8),
    ] {
      try copy("\(Repository.path)/fixtures/audio/drums.flac", to: folder.file(name), format: Int32(format))
      files.append(folder.file(name))
    }
    return files
  }

  /// The output that is expected for them, by libsndfile.
  static func expected(_ files: [String]) throws -> [String] {
    try files.map { path in
      let sound = try int16Checksum(path)
      let name = path.split(separator: "/").last ?? ""
      return "\(name) \(sound.channels) \(sound.rate) \(sound.frames) \(sound.frames) \(sound.crc)"
    }
  }

  @Test("ctypes reads sound files to the same 16-bit values as libsndfile", .enabled(if: hasPython, "no python3"))
  func ctypes() throws {
    let folder = TemporaryFolder()
    let files = try Self.files(folder)
    #expect(files.count >= 13)
    let text = folder.write("no sound", to: "text.wav")
    defer { withExtendedLifetime(folder) {} }
    let run = try Finished(
      "/usr/bin/env",
      [
        "python3", "\(Repository.path)/Tests/Clients/read_with_ctypes.py", try Installation.shared().libraryFolder,
      ] + files + [text])
    #expect(run.code == 0, "\(run.errors)")
    // 'typ?': a file of no known type.
    #expect(run.lines == (try Self.expected(files)) + ["text.wav status \(0x7479_703F)"])
  }

  /// A folder with audioread in it: installed already, or downloaded; nil where neither can be.
  static let audioread: String? = {
    // `find_library` asks the linker, and objdump for the name that it answers with.
    let question = "import shutil, sys; sys.exit(not (shutil.which('ld') and shutil.which('objdump')))"
    guard hasPython, (try? Finished("/usr/bin/env", ["python3", "-c", question]).code) == 0,
      let installation = try? Installation.shared()
    else { return nil }
    // The library's own name is what `find_library` answers with; `swift build` alone gives it none.
    let library = FileManager.default.contents(atPath: installation.libraryFolder + "/libAudioToolbox.so") ?? Data()
    guard library.range(of: Data("\0libAudioToolbox.so\0".utf8)) != nil else { return nil }
    if (try? Finished("/usr/bin/env", ["python3", "-c", "import audioread.version"]).code) == 0 { return "" }
    let folder = installation.folder + "/python"
    let pip = try? Finished(
      "/usr/bin/env",
      [
        "python3", "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "--retries", "0",
        "--timeout", "5", "--target", folder, "audioread==3.0.1",
      ])
    return pip?.code == 0 ? folder : nil
  }()

  @Test(
    "audioread's Core Audio back end reads them too",
    .enabled(if: audioread != nil, "needs python3, binutils, audioread 3.0.1 (PyPI) and a library from `make library`"))
  func audioreadBackEnd() throws {
    let folder = TemporaryFolder()
    let files = try Self.files(folder)
    let text = folder.write("no sound", to: "text.wav")
    defer { withExtendedLifetime(folder) {} }
    let run = try Finished(
      "/usr/bin/env", ["python3", "\(Repository.path)/Tests/Clients/read_with_audioread.py"] + files + [text],
      [
        "LD_LIBRARY_PATH": try Installation.shared().libraryFolder, "PYTHONPATH": try #require(Self.audioread),
      ])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.lines == (try Self.expected(files)) + ["text.wav unsupported audio type"])
  }
}
