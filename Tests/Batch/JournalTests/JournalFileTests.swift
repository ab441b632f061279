import AudioCore
import Digests
import Glibc
import Journal
import TestSupport
import Testing

@Suite("A file that is no whole journal")
struct JournalFileTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("journal") }

  /// Opens what is there, expects that to fail, and that the file stays as it was.
  private func refusal(_ location: SourceLocation = #_sourceLocation) -> BenchError {
    let before = bytes(ofFile: path)
    let path = path
    let error = error({ _ = try Journal(path: path) }, location)
    #expect(error.place == path, sourceLocation: location)
    #expect(bytes(ofFile: path) == before && !folder.names.contains("journal-lock"), sourceLocation: location)
    return error
  }

  private func fill(_ count: Int) throws {
    let journal = try Journal(path: path)
    for index in 0..<count { try journal.record(madeUp("out/\(index)", content: "\(index)")) }
  }

  @Test("is refused and left as it is")
  func foreign() throws {
    for content in ["", "a", "SQLite format 3\0", String(repeating: "words ", count: 1000)] {
      folder.write(content, to: "journal")
      let error = refusal()
      #expect(error.kind == .input && error.message.hasSuffix("no journal") && error.advice?.isEmpty == false)
    }
    #expect(system("cd '\(folder.path)' && rm journal && mkdir journal") == 0)
    #expect(error { _ = try Journal(path: path) }.message == "the journal is a folder, not a plain file")
    #expect(error { _ = try Journal(path: folder.file("none/journal")) }.kind == .output)
  }

  @Test("is told from one of a later version and from other programs' databases")
  func versions() throws {
    try fill(1)
    var whole = bytes(ofFile: path)
    whole[63] = 9
    folder.write(whole, to: "journal")
    let later = refusal()
    #expect(later.kind == .input && later.message == "is a journal of version 9, and this program knows version 1")
    whole[63] = 1
    whole[71] ^= 1
    folder.write(whole, to: "journal")
    #expect(refusal().message == "is a database of another program, and no journal")
  }

  @Test("that is cut off anywhere is refused", arguments: [1, 99, 100, 4095, 4096, 10_000, 40_000])
  func cutOff(_ length: Int) throws {
    try fill(400)
    let whole = bytes(ofFile: path)
    try #require(whole.count > 60_000)
    folder.write(Array(whole[..<length]), to: "journal")
    let error = refusal()
    #expect(error.kind == .input)
    #expect(
      error.message
        == (length < 100
          ? "is no journal" : "the journal is damaged: it is cut off: \(length) of \(whole.count) bytes are there"))
  }

  @Test("is written anew where it is gone, whatever log it has left")
  func staleLog() throws {
    do {
      let journal = try Journal(path: path)
      try journal.record(madeUp("a"))
      folder.write(bytes(ofFile: path + "-wal"), to: "kept")
    }
    #expect(system("cd '\(folder.path)' && rm journal && mv kept journal-wal") == 0)
    #expect(try Journal(path: path).counts() == Journal.Counts())
  }

  /// Compares a damaged journal with `entries`: it has nothing that was not recorded. Returns the number of its
  /// entries.
  private func check(_ entries: [String: JournalEntry]) -> Int {
    var count = 0
    do throws(BenchError) {
      let journal = try Journal(path: path)
      // Each by itself: one that cannot be read does not keep the next from being wrong.
      for (output, entry) in entries {
        do throws(BenchError) {
          if let said = try journal.entry(output) {
            #expect(said == entry)
          }
        } catch { #expect(error.place == path && error.kind == .input, "\(error)") }
      }
      var all = journal.entries()
      while let entry = try all.next() {
        count += 1
        #expect(entries[entry.output] == entry)
      }
      // It can be written, or says that it cannot.
      try journal.record(madeUp("new"))
      #expect(try journal.entry("new") == madeUp("new"))
    } catch {
      #expect(error.place == path && error.kind == .input, "\(error)")
    }
    return count
  }

  @Test(
    "says nothing that was not recorded, whatever bits of it or of its log have changed",
    arguments: 0..<8 as Range<UInt64>)
  func damage(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var entries: [String: JournalEntry] = [:]
    var (file, log): ([UInt8], [UInt8])
    do {
      let journal = try Journal(path: path)
      for index in 0..<300 {
        var entry = madeUp("out/\(index)", content: "\(index)")
        entry.report = String(repeating: "r", count: Int.random(in: 0...(index == 7 ? 20_000 : 400), using: &generator))
        if index % 10 == 0 { entry.state = .failed(BenchError(.input, at: "in", "bad \(index)")) }
        entries[entry.output] = entry
        try journal.record(entry)
      }
      // With a log, and, where it has been written into the file, without one.
      (file, log) = (bytes(ofFile: path), bytes(ofFile: path + "-wal"))
      try #require(log.count > 100_000)
    }
    if seed % 2 == 0 { (file, log) = (bytes(ofFile: path), []) }
    var said = 0
    for round in 0..<40 {
      var (damagedFile, damagedLog) = (file, log)
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        let bit = UInt8(1) << UInt8.random(in: 0...7, using: &generator)
        if !log.isEmpty, Bool.random(using: &generator) {
          damagedLog[Int.random(in: log.indices, using: &generator)] ^= bit
        } else {
          // Every other time the pages' heads, which SQLite goes by.
          let place = Int.random(in: file.indices, using: &generator)
          damagedFile[round % 2 == 0 ? place : place / 4096 * 4096 + place % 64] ^= bit
        }
      }
      if round % 5 == 4 { damagedFile.removeLast(Int.random(in: 1...damagedFile.count, using: &generator)) }
      if round % 5 == 3, !log.isEmpty { damagedLog.removeLast(Int.random(in: 1...log.count, using: &generator)) }
      folder.write(damagedFile, to: "journal")
      if log.isEmpty { unlink(path + "-wal") } else { folder.write(damagedLog, to: "journal-wal") }
      said += check(entries)
    }
    // Most rows are whole in most rounds where only rows are hit.
    #expect(said > 1000)
  }
}
