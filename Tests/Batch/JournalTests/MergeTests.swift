import AudioCore
import Digests
import Journal
import TestSupport
import Testing

@Suite("Journals of shards")
struct MergeTests {
  private let folder = TemporaryFolder()

  private func journal(_ name: String, _ entries: [JournalEntry]) throws -> String {
    let journal = try Journal(path: folder.file(name))
    for entry in entries { try journal.record(entry) }
    return folder.file(name)
  }

  private func failed(_ output: String, attempts: Int) -> JournalEntry {
    JournalEntry(
      output: output, recipe: digest("recipe"), state: .failed(BenchError(.input, at: "in", "bad")), attempts: attempts)
  }

  private func begun(_ output: String, attempts: Int) -> JournalEntry {
    JournalEntry(output: output, recipe: digest("recipe"), state: .begun, attempts: attempts)
  }

  @Test("become one, in which each output is once")
  func joined() throws {
    let a = try journal("a", [madeUp("1"), madeUp("2"), failed("3", attempts: 2), begun("4", attempts: 9)])
    let b = try journal("b", [madeUp("1"), failed("2", attempts: 9), madeUp("3"), failed("4", attempts: 1)])
    let c = try journal("c", [failed("4", attempts: 3), begun("5", attempts: 1), madeUp("6")])
    let d = try journal("d", [begun("4", attempts: 9), begun("5", attempts: 4)])
    let before = [a, b, c, d].map(bytes(ofFile:))
    let journal = try Journal(path: folder.file("all"))
    try journal.record(madeUp("0"))
    #expect(try Journal.merge([a, b, c, d], into: journal) == Journal.MergeReport(added: 6, joined: 7))
    #expect(
      try journal.all == [
        madeUp("0"), madeUp("1"), madeUp("2"), madeUp("3"), failed("4", attempts: 3), begun("5", attempts: 4),
        madeUp("6"),
      ])
    // Those that were read are as they were, and once more changes nothing.
    #expect([a, b, c, d].map(bytes(ofFile:)) == before)
    let all = try journal.all
    #expect(try Journal.merge([a, b, c, d], into: journal).added == 0)
    #expect(try journal.all == all)
  }

  @Test("say of an output by a new recipe what holds now")
  func newRecipes() throws {
    let all = try Journal(path: folder.file("all"))
    for output in ["1", "2"] { try all.record(madeUp(output, recipe: "old", content: "old")) }
    let shard = try journal("shard", [madeUp("1"), failed("2", attempts: 1)])
    try Journal.merge([shard], into: all)
    #expect(try all.all == [madeUp("1"), failed("2", attempts: 1)])
  }

  @Test("that made one output differently are both named, and nothing is taken over")
  func contradiction() throws {
    let a = try journal("a", [madeUp("1"), madeUp("2", content: "one")])
    let b = try journal("b", [madeUp("3"), madeUp("2", content: "other")])
    let all = try Journal(path: folder.file("all"))
    let first = error { try Journal.merge([a, b], into: all) }
    #expect(first.kind == .input && first.place == "2")
    #expect(first.message == "was made with different contents, as \(a) and \(b) say")
    // The same if both are copied first.
    #expect(error { try Journal.merge([a, b], into: all, isShared: { _ in true }) } == first)
    #expect(try all.all == [])
    try all.record(madeUp("2", content: "third"))
    let own = error { try Journal.merge([b], into: all) }
    #expect(own.message == "was made with different contents, as \(all.path) and \(b) say")
    #expect(try all.all == [madeUp("2", content: "third")])
  }

  @Test("that are missing, open, damaged or the journal itself are errors that name them")
  func refusals() throws {
    let all = try Journal(path: folder.file("all"))
    let good = try journal("good", [madeUp("1")])
    let bad = folder.write("words", to: "bad")
    for path in [folder.file("none"), bad, all.path] {
      let error = error { try Journal.merge([good, path], into: all) }
      #expect(error.place == path)
    }
    #expect(try all.all == [] && !folder.exists("none"))
  }

  @Test("on shared storage are only read as files")
  func shared() throws {
    let a = try journal("a", [madeUp("1"), madeUp("2")])
    let b = try journal("b", [madeUp("3")])
    do { try Journal(path: a).publish(to: folder.file("shared")) }
    let content = bytes(ofFile: folder.file("shared"))
    let all = try Journal(path: folder.file("all"))
    let report = try Journal.merge([folder.file("shared"), b], into: all, isShared: { $0.hasSuffix("/shared") })
    #expect(report == Journal.MergeReport(added: 3))
    #expect(bytes(ofFile: folder.file("shared")) == content)
    #expect(folder.names == ["a", "all", "all-lock", "all-wal", "b", "shared"])
  }

  @Test("are more of them than files may be open")
  func many() throws {
    let paths = try (0..<40).map { try journal("shard \($0)", [madeUp("\($0)")]) }
    #expect(try Writer.run(["merge", folder.file("all")] + paths, shell: "ulimit -n 16") == ["merged 40"])
  }
}
