import AudioCore
import Glibc
import Journal
import TestSupport
import Testing

@Suite("One run at a time has a journal open")
struct JournalLockTests {
  private let folder = TemporaryFolder()

  @Test("Another process is told which one, on which machine and for what")
  func otherProcess() throws {
    let path = folder.file("journal")
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, 255)
    do {
      let journal = try Journal(path: path, job: "mixes.json")
      try journal.record(madeUp("a"))
      let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      #expect(
        try Writer.run(["open", path]) == [
          "error: \(path): process \(getpid()) on \(name), for mixes.json, has this journal open; "
            + "wait until that run has ended, or end it"
        ])
      #expect(try journal.entry("a") == madeUp("a"))
    }
    #expect(try Writer.run(["open", path]) == ["open"])
  }

  @Test("So is this process, whatever the path to it is called")
  func sameProcess() throws {
    let path = folder.file("journal")
    let journal = try Journal(path: path)
    #expect(symlink(path, folder.file("link")) == 0)
    for other in [path, folder.path + "/./journal", folder.file("link")] {
      let error = error { _ = try Journal(path: other) }
      #expect(error.kind == .output && error.message == "this process has this journal open" && error.place == other)
    }
    try journal.record(madeUp("a"))
  }

  @Test("A lock that a killed run has left does not count")
  func staleLock() throws {
    folder.write("1\nelsewhere\njob", to: "journal-lock")
    let journal = try Journal(path: folder.file("journal"))
    try journal.record(madeUp("a"))
  }
}
