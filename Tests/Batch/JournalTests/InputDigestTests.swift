import AudioCore
import Digests
import Glibc
import Journal
import Processes
import TestSupport
import Testing

@Suite("The digest of an input file")
struct InputDigestTests {
  private let folder = TemporaryFolder()
  /// The lead of the journal's clock over the wall clock, nanoseconds.
  private let ahead = Locked<Int64>(0)
  private let journal: Journal
  private let input: String

  init() throws {
    let ahead = ahead
    journal = try Journal(path: folder.file("journal")) { Journal.wallClock() + ahead.withLock { $0 } }
    input = folder.write("content", to: "in.wav")
  }

  private func setClock(ahead seconds: Double) { ahead.withLock { $0 = Int64(clamping: seconds * 1e9) } }
  private func run(_ line: String) { #expect(system("cd '\(folder.path)' && \(line)") == 0) }

  @Test("is kept where the file was left alone for two seconds before it was read")
  func kept() throws {
    #expect(try journal.knownDigest(ofFile: input) == nil)
    for (seconds, isKept) in [(0, false), (1.5, false), (10.0, true)] {
      setClock(ahead: seconds)
      #expect(try journal.digest(ofFile: input) == digest("content"))
      #expect(try journal.knownDigest(ofFile: input) == (isKept ? digest("content") : nil))
    }
    // Also later, and under another name.
    setClock(ahead: 1e6)
    #expect(try journal.knownDigest(ofFile: input) == digest("content"))
    #expect(symlink(input, folder.file("link")) == 0)
    #expect(try journal.knownDigest(ofFile: folder.file("link")) == digest("content"))
  }

  /// The file may change again within the same tick of its times, and be set back to the same old one.
  @Test("is not kept of a file that was changed a moment ago, though its time was set back")
  func oldTimes() throws {
    run("touch -d 2001-01-01 in.wav")
    for (seconds, isKept) in [(0, false), (1.5, false), (10.0, true)] {
      setClock(ahead: seconds)
      #expect(try journal.digest(ofFile: input) == digest("content"))
      #expect(try journal.knownDigest(ofFile: input) == (isKept ? digest("content") : nil), "\(seconds) s")
    }
  }

  @Test("is that of what is in the file, whatever was done to it")
  func changed() throws {
    setClock(ahead: 10)
    #expect(try journal.digest(ofFile: input) == digest("content"))
    // The last two leave a file of the same size and time, the first of these the same file.
    for (line, content) in [
      ("printf changed > in.wav", "changed"), ("printf more >> in.wav", "changedmore"),
      ("cp in.wav o && printf CHANGEDMORE > in.wav && touch -r o in.wav", "CHANGEDMORE"),
      ("printf changedMORE > o && touch -r in.wav o && mv o in.wav", "changedMORE"),
    ] {
      #expect(try journal.knownDigest(ofFile: input) != nil)
      run("sleep 0.02; " + line)
      #expect(try journal.digest(ofFile: input) == digest(content), "\(line)")
    }
  }

  @Test("is not kept of a file whose time lies ahead of the clock, which was set back")
  func fromTheFuture() throws {
    setClock(ahead: -1000)
    #expect(try journal.digest(ofFile: input) == digest("content"))
    setClock(ahead: 10)
    #expect(try journal.knownDigest(ofFile: input) == nil)
    run("touch -d 2200-01-01 in.wav")
    #expect(try journal.digest(ofFile: input) == digest("content"))
    #expect(try journal.knownDigest(ofFile: input) == nil)
  }

  @Test("does not count any more once the clock was set back to before it was read")
  func clockSetBack() throws {
    let other = folder.write("other", to: "other.wav")
    setClock(ahead: 10)
    #expect(try journal.digest(ofFile: other) == digest("other"))
    setClock(ahead: 1000)
    #expect(try journal.digest(ofFile: input) == digest("content"))
    setClock(ahead: 500)
    #expect(try journal.knownDigest(ofFile: input) == nil)
    // Not even when that time has come again; what was read before stays.
    setClock(ahead: 2000)
    #expect(try journal.knownDigest(ofFile: input) == nil)
    #expect(try journal.knownDigest(ofFile: other) == digest("other"))
    #expect(try journal.digest(ofFile: input) == digest("content"))
    #expect(try journal.knownDigest(ofFile: input) == digest("content"))
  }

  @Test("of what cannot be read is an error that names it")
  func unreadable() throws {
    run("mkfifo pipe; mkdir folder; ln -s nowhere link")
    for name in ["none", "pipe", "folder", "link", "none\u{10FEFF}"] {
      let error = error { _ = try journal.digest(ofFile: folder.file(name)) }
      #expect(error.kind == .input && error.place == folder.file(name))
    }
  }

  @Test("of a large file takes no memory")
  func large() throws {
    run("truncate -s 300M large")
    var program = ChildProcess([Writer.path, "digest", folder.file("other journal"), folder.file("large")])
    // Less than the file has. The memory in use cannot be measured: a child's peak begins with that of this process.
    program.limits.memoryBytes = 256 << 20
    let result = try program.run()
    #expect(Writer.lines(result.output) == [Fingerprint.of([UInt8](repeating: 0, count: 300 << 20))])
  }
}
