import AudioCore
import Glibc
import Journal
import Processes
import TestSupport
import Testing

@Suite("A journal on a full disk")
struct FullDiskTests {
  private static let canMount =
    (try? ChildProcess(["unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"]).run())?.end
    == .exited(code: 0)

  private let folder = TemporaryFolder()

  /// Every entry is there, and the error has the journal and the reason.
  private func check(_ output: [UInt8], journal: String, reason: String) throws {
    var lines = Writer.lines(output)
    let last = lines.popLast() ?? ""
    #expect(last.hasPrefix("error: \(journal): the journal cannot be written: \(reason); "), "\(last)")
    #expect(lines.count > 100)
    let journal = try Journal(path: folder.file("journal"))
    #expect(try journal.all.map(\.output) == lines.sorted())
    // There is room again.
    try journal.record(madeUp("new"))
    #expect(try journal.entry("new") == madeUp("new"))
  }

  @Test(
    "keeps what was said, and says why it takes no more", .enabled(if: canMount, "unshare -rm cannot mount a disk here")
  )
  func fullDisk() throws {
    let line = """
      mount -t tmpfs -o size=1m none /mnt && "$0" fill /mnt/journal; cp /mnt/journal /mnt/journal-wal "$1"
      """
    let result = try ChildProcess(["unshare", "-rm", "sh", "-c", line, Writer.path, folder.path]).run()
    try check(result.output, journal: "/mnt/journal", reason: "no space left on device")
  }

  @Test("and where a limit allows no larger files")
  func limit() throws {
    var child = ChildProcess([Writer.path, "fill", folder.file("journal")])
    child.limits.fileBytes = 1 << 20
    let result = try child.run()
    #expect(result.end == .exited(code: 5))
    try check(result.output, journal: folder.file("journal"), reason: "file too large")
  }

  @Test("is not replaced by half a copy, neither where the copy is made nor where it goes")
  func copy() throws {
    let (path, copy) = (folder.file("journal"), folder.file("copy"))
    do {
      let journal = try Journal(path: path)
      for index in 0..<1000 { try journal.record(madeUp("\(index)")) }
      try journal.publish(to: copy)
    }
    #expect(try Journal(path: copy).counts() == Journal.Counts(made: 1000))
    let former = bytes(ofFile: copy)
    try #require(former.count > 100_000)
    var child = ChildProcess([Writer.path, "publish", path, copy])
    child.limits.fileBytes = 100_000
    var lines = Writer.lines(try child.run().output)
    #expect(lines == ["error: \(path): the journal cannot be copied on its own disk: file too large; \(Self.advice)"])
    if Self.canMount {
      let line =
        "mount -t tmpfs -o size=64k none /mnt && printf former > /mnt/copy && \"$0\" publish \"$1\" /mnt/copy; ls -A /mnt"
      let result = try ChildProcess(["unshare", "-rm", "sh", "-c", line, Writer.path, path]).run()
      lines = Writer.lines(result.output)
      #expect(lines.count == 2 && lines[1] == "copy")
      #expect(lines[0].hasPrefix("error: /mnt/copy: cannot be written: no space left on device; "), "\(lines)")
    }
    #expect(bytes(ofFile: copy) == former && folder.names == ["copy", "journal"])
    #expect(try Journal(path: path).counts() == Journal.Counts(made: 1000))
  }

  private static let advice = "the file system or a limit (ulimit -f) allows no larger files"
}
