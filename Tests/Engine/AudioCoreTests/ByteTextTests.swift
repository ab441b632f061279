import AudioCore
import Glibc
import TestSupport
import Testing

@Suite("Bytes of names as texts")
struct ByteTextTests {
  @Test("Any bytes come back as they were, and two names never have one text")
  func roundTrip() {
    var generator = SeededGenerator(seed: 1)
    var texts: [String: [UInt8]] = [:]
    for count in 0..<2000 {
      // Bytes that are rarely UTF-8, and pieces of it: C3 A9 is é, F4 8F BB BF is the character for 0xFF.
      let pieces: [[UInt8]] = [
        [0xC3, 0xA9], [0xF4, 0x8F, 0xBB, 0xBF], [0xFF], [0xFE], [0x41], [0xE2, 0x82], [0xED, 0xA0, 0x80],
      ]
      let bytes =
        count % 2 == 0
        ? (0..<count % 23).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32 | 1) }
        : (0..<count % 9).flatMap { _ in pieces[Int(generator.next() >> 33) % pieces.count] }
      let text = ByteText.string(bytes)
      #expect(ByteText.bytes(text) == bytes)
      #expect(texts.updateValue(bytes, forKey: text).map { $0 == bytes } ?? true, "\(bytes)")
      ByteText.withCString(text) { #expect(ByteText.string(cString: $0) == text) }
    }
  }

  @Test("What is UTF-8 is the text that it says; a byte that is not is one private character")
  func text() {
    #expect(ByteText.string(Array("a/été 🎵.wav".utf8)) == "a/été 🎵.wav")
    #expect(ByteText.string([0x61, 0xFF]) == "a\u{10FEFF}")
    // U+10FEFF as such is four bytes, which stay apart from the byte 0xFF.
    #expect(ByteText.string(Array("\u{10FEFF}".utf8)) == "\u{10FEF4}\u{10FE8F}\u{10FEBB}\u{10FEBF}")
    #expect(VisibleText.of("a\u{10FEFF}") == "a\\xFF")
  }

  @Test("A path is cut at slashes and points, whatever accents stand behind them")
  func parts() {
    let cases: [(path: String, folder: String, last: String, stem: String, ending: String?)] = [
      ("a/b.wav", "a", "b.wav", "a/b", "wav"), ("/b", "/", "b", "/b", nil),
      ("b.tar.gz", ".", "b.tar.gz", "b.tar", "gz"),
      ("a.b/c", "a.b", "c", "a.b/c", nil), ("a/\u{301}b.\u{301}c", "a", "\u{301}b.\u{301}c", "a/\u{301}b", "\u{301}c"),
      ("\u{10FEFF}/\u{10FEFE}.wav", "\u{10FEFF}", "\u{10FEFE}.wav", "\u{10FEFF}/\u{10FEFE}", "wav"),
      ("a//b", "a/", "b", "a//b", nil),
    ]
    for (path, folder, last, stem, ending) in cases {
      #expect(Array(FileName.folder(of: path).utf8) == Array(folder.utf8), "\(path)")
      #expect(Array(FileName.last(of: path).utf8) == Array(last.utf8), "\(path)")
      #expect(Array(FileName.stem(of: path).utf8) == Array(stem.utf8), "\(path)")
      #expect(FileName.fileExtension(of: path).map { Array($0.utf8) } == ending.map { Array($0.utf8) }, "\(path)")
    }
    #expect(FileName.start(of: "aé\u{10FEFF}b", bytes: 4) == "aé\u{10FEFF}")
    #expect(FileName.start(of: "aé", bytes: 2) == "a")
    #expect(!ByteText.isSame("é", "e\u{301}") && "é" == "e\u{301}")
  }

  @Test("Files whose names are not UTF-8 are made, read, renamed and removed as they are called")
  func files() throws {
    let folder = TemporaryFolder()
    for name in ["a\u{10FEFF}", "a\u{10FEFE}"] {
      try AtomicFile.write("of \(VisibleText.name(name))", to: folder.file(name))
    }
    #expect(FileSystem.names(in: folder.path)?.sorted() == ["a\u{10FEFE}", "a\u{10FEFF}"])
    #expect(try FileSystem.contents(of: folder.file("a\u{10FEFF}"), atMost: 8) == Array("of a\\xFF".utf8))
    #expect(FileSystem.rename(folder.file("a\u{10FEFF}"), folder.file("b\u{10FEFF}")) == 0)
    #expect(FileSystem.realPath(folder.file("b\u{10FEFF}"))?.hasSuffix("/b\u{10FEFF}") == true)
    #expect(
      FileSystem.makeFolders(folder.file("c\u{10FEFF}/d")) == 0 && FileSystem.exists(folder.file("c\u{10FEFF}/d")))
    #expect(FileSystem.makeFolders(folder.file("b\u{10FEFF}")) != 0, "a file is no folder")
    FileSystem.removeFolder(folder.file("c\u{10FEFF}/d"))
    FileSystem.removeFolder(folder.file("c\u{10FEFF}"))
    for name in ["a\u{10FEFE}", "b\u{10FEFF}"] { FileSystem.unlink(folder.file(name)) }
    #expect(folder.names.isEmpty)
  }

  @Test("Only plain files are read, and no more of them than a bound")
  func bounds() throws {
    let folder = TemporaryFolder()
    folder.write("12345678", to: "eight")
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    folder.write("", to: "sparse")
    #expect(truncate(folder.file("sparse"), 200 << 30) == 0)
    func clause(_ path: String, atMost maximum: Int = 1 << 20) -> String {
      do throws(FileSystem.ReadFailure) {
        return String(decoding: try FileSystem.contents(of: path, atMost: maximum), as: UTF8.self)
      } catch { return error.clause }
    }
    #expect(clause(folder.file("eight"), atMost: 8) == "12345678")
    #expect(clause(folder.file("eight"), atMost: 7) == "has 8 bytes, and at most 7 bytes are read")
    #expect(clause(folder.file("sparse")) == "has 200 GiB, and at most 1 MiB are read")
    #expect(clause(folder.file("pipe")) == "is a pipe, not a plain file")
    #expect(clause("/dev/zero") == "is a device, not a plain file")
    #expect(clause(folder.path) == "is a folder, not a plain file")
    #expect(clause(folder.file("none")) == "there is no such file")
    // A file whose size is 0, and that has bytes.
    #expect(clause("/proc/self/status").hasPrefix("Name:"))
    #expect(clause("/proc/self/status", atMost: 10).hasSuffix("at most 10 bytes are read"))
  }

  /// Code that bypasses ``FileSystem`` would rename files whose names are not UTF-8.
  @Test("No source gives a name to the system but through FileSystem")
  func oneAddress() throws {
    let calls = try Regex(
      #"(?:^|[^A-Za-z0-9_.])(?:Glibc\.)?(?:open|lstat|access|fopen|rename|unlink|rmdir|mkdir|realpath|readlink|opendir|mkdtemp|chdir)\((?!mode:|storage|&)"#
        + #"|\bstat\([^)]|FileManager|URL\(file|contentsOfFile:|NSTemporaryDirectory|CommandLine\.arguments|String\(cString: getenv"#
    ).anchorsMatchLineEndings()
    // Expectations of Swift Testing take paths from the compiler, and file references hold bytes; a scanner gets its
    // names from the process that starts it.
    let apart = [
      "Sources/Engine/AudioCore/FileSystem.swift",
      "Sources/CoreAudio/AudioToolbox/AudioComponent/ComponentScanner.swift",
      "Sources/Verification/VerificationTesting/", "Sources/CoreAudio/AudioToolbox/CoreServices/",
      "Sources/CoreAudio/aubench-scan/",
    ]
    let allowed = [
      "ByteText.withCString(path, { fopen(", "func open", "try open(", "unlink(template)", "try? open(",
      "return try open(",
      "static func removeFolder",
    ]
    var seen = 0
    for file in try Repository.files(below: "Sources", suffix: ".swift") where !apart.contains(where: file.hasPrefix) {
      seen += 1
      for line in try Repository.text(file).split(separator: "\n")
      where line.contains(calls) && !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(allowed.contains { line.contains($0) }, "\(file): \(line)")
      }
    }
    #expect(seen > 200)
  }
}
