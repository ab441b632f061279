import AudioCore
import Digests
import Glibc
import Journal
import TestSupport
import Testing

@Suite("A journal")
struct JournalTests {
  private let folder = TemporaryFolder()
  private func journal() throws -> Journal { try Journal(path: folder.file("journal")) }

  private static let failure = BenchError(.render, at: "node \"eq\"", "went wrong", advice: "mend it")

  @Test("says what was recorded, also after it was closed")
  func recorded() throws {
    let entries = [
      madeUp("a"), JournalEntry(output: "b", recipe: digest("r"), state: .failed(Self.failure), attempts: 3),
      JournalEntry(output: "c", recipe: digest("r"), state: .begun),
      JournalEntry(output: "d", recipe: digest("r"), state: .failed(BenchError(.input, "no place, no advice"))),
      JournalEntry(output: "e", recipe: digest("r"), state: .begun, seconds: -0.0, report: "nul \0, \u{10FEFF}, é"),
    ]
    do {
      let journal = try journal()
      for entry in entries.shuffled() { try journal.record(entry) }
      #expect(try journal.all == entries)
    }
    let journal = try journal()
    #expect(try journal.all == entries)
    for entry in entries { #expect(try journal.entry(entry.output) == entry) }
    #expect(try journal.entry("f") == nil)
    #expect(try journal.counts() == Journal.Counts(begun: 2, made: 1, failed: 2))
  }

  @Test("leaves nothing beside it when it is closed")
  func oneFile() throws {
    do {
      let journal = try journal()
      try journal.record(madeUp("a"))
      #expect(folder.names.contains("journal-lock"))
    }
    #expect(folder.names == ["journal"])
  }

  @Test("keeps the last of what is said of an output")
  func replaced() throws {
    let journal = try journal()
    try journal.record(madeUp("a", content: "old"))
    try journal.record(madeUp("a", content: "new"))
    #expect(try journal.all == [madeUp("a", content: "new")])
  }

  @Test("takes names that are not UTF-8, that differ in their form only, and in the order of their bytes")
  func names() throws {
    let journal = try journal()
    let bytes: [[UInt8]] = [[0x61], [0x61, 0xCC, 0x88], [0x61, 0xFE], [0xC3, 0xA4], [0xFF]]
    let names = bytes.map { folder.path + "/" + ByteText.string($0) }
    for name in names.shuffled() { try make(name, "of \(ByteText.bytes(name))", recipe: "r", in: journal) }
    #expect(try journal.all.map { ByteText.bytes($0.output) } == names.map(ByteText.bytes))
    for name in names { #expect(try journal.isUpToDate(name, recipe: digest("r"))) }
  }

  @Test("goes through more rows than are read at once, while others are recorded")
  func manyRows() throws {
    let journal = try journal()
    let names = (1000..<1777).map { "\($0)" }
    for name in names { try journal.record(madeUp(name)) }
    #expect(try journal.all.map(\.output) == names)
    var entries = journal.entries()
    var seen: [String] = []
    while let entry = try entries.next() {
      seen.append(entry.output)
      if entry.output == "1300" { for name in ["0999", "1778"] { try journal.record(madeUp(name)) } }
    }
    #expect(seen == names + ["1778"])
  }

  @Test("forgets outputs that are no longer wanted, and no others")
  func pruned() throws {
    let journal = try journal()
    for index in 1000..<1700 { try journal.record(madeUp("\(index)")) }
    #expect(try journal.prune { $0.hasSuffix("7") } == 630)
    #expect(try journal.all.map(\.output) == (1000..<1700).map { "\($0)" }.filter { $0.hasSuffix("7") })
    #expect(try journal.prune { _ in true } == 0)
  }

  @Test("counts the attempts by one recipe, until one succeeds")
  func attempts() throws {
    let journal = try journal()
    #expect(try journal.begin("a", recipe: digest("r")) == 1)
    #expect(try journal.begin("a", recipe: digest("r")) == 2)
    try journal.record(
      JournalEntry(output: "a", recipe: digest("r"), state: .failed(Self.failure), attempts: 2))
    #expect(try journal.begin("a", recipe: digest("r")) == 3)
    #expect(try journal.begin("a", recipe: digest("other")) == 1)
    try journal.record(madeUp("a", recipe: "other"))
    #expect(try journal.begin("a", recipe: digest("other")) == 1)
    #expect(try journal.counts() == Journal.Counts(begun: 1))
  }

  @Test("takes what several threads record, and is copied at one moment of it")
  func threads() throws {
    let journal = try journal()
    let failures = Locked<[BenchError]>([])
    let threads = (0..<4).map { thread in
      OwnThread {
        do throws(BenchError) {
          // The first of each pair is recorded first: no copy has the second alone.
          for index in 0..<500 {
            for part in ["first", "second"] { try journal.record(madeUp("\(thread)-\(index)-\(part)")) }
          }
        } catch { failures.withLock { $0.append(error) } }
      }
    }
    var copies = 0
    repeat {
      try journal.publish(to: folder.file("copy"))
      let names = Set(try Journal(path: folder.file("copy")).all.map(\.output))
      for name in names where name.hasSuffix("second") {
        #expect(names.contains(name.replacing("second", with: "first")))
      }
      copies += 1
    } while !threads.allSatisfy(\.hasEnded)
    for thread in threads { thread.join() }
    #expect(failures.withLock { $0 } == [] && copies > 0)
    #expect(try journal.counts() == Journal.Counts(made: 4000))
  }

  @Test("needs no more than 16 open files")
  func fewDescriptors() throws {
    let (path, copy) = (folder.file("journal"), folder.file("copy"))
    do { try journal().record(madeUp("a")) }
    #expect(try Writer.run(["open", path], shell: "ulimit -n 16") == ["open"])
    #expect(try Writer.run(["publish", path, copy], shell: "ulimit -n 16") == [])
    #expect(try Journal(path: copy).all == [madeUp("a")])
  }
}
