import AudioCore
import Journal
import TestSupport
import Testing

@Suite("A shard's journal begins with what the job's says")
struct AdoptionTests {
  private let folder = TemporaryFolder()

  private func base(_ entries: [JournalEntry]) throws -> String {
    let journal = try Journal(path: folder.file("base"))
    for entry in entries { try journal.record(entry) }
    return folder.file("base")
  }

  @Test(arguments: [false, true])
  func ofItsOwnOutputsAndOnlyWhereItSaysNothing(isShared: Bool) throws {
    let base = try base([madeUp("1"), madeUp("2"), madeUp("3")])
    let before = bytes(ofFile: base)
    let journal = try Journal(path: folder.file("shard"))
    try journal.record(madeUp("2", recipe: "newer"))
    #expect(try journal.adopt(["1", "2", "4"], from: base, isShared: { _ in isShared }) == 1)
    #expect(try journal.all == [madeUp("1"), madeUp("2", recipe: "newer")])
    #expect(bytes(ofFile: base) == before)
    #expect(folder.names == ["base", "shard", "shard-lock", "shard-wal"])
  }

  @Test func whereTheNameIsOneThatUrisReadOtherwise() throws {
    let name = "a b%20?x=1&immutable=0#c\u{E4}"
    do { try Journal(path: folder.file(name)).record(madeUp("1")) }
    let journal = try Journal(path: folder.file("shard"))
    #expect(try journal.adopt(["1"], from: folder.file(name), isShared: { _ in true }) == 1)
  }

  @Test func andWaitsForWhoeverElseReadsIt() throws {
    let held = try Journal(path: folder.file("base"))
    let journal = try Journal(path: folder.file("shard"))
    let refused = error { try journal.adopt(["1"], from: folder.file("base"), patienceSeconds: 0.1) }
    #expect(refused.kind == .output && refused.message.contains("has this journal open"))
    withExtendedLifetime(held) {}
  }

  @Test func andDamageIsTold() throws {
    let path = folder.write("words", to: "base")
    let journal = try Journal(path: folder.file("shard"))
    for isShared in [false, true] {
      #expect(error { try journal.adopt(["1"], from: path, isShared: { _ in isShared }) }.kind == .input)
    }
  }
}

@Suite("Outputs of a journal are named from the folder of the job")
struct JournalFolderTests {
  private let folder = TemporaryFolder()

  @Test func soThatAJobIsTheSameFromAnywhere() throws {
    let output = folder.file("out.wav")
    do {
      let journal = try Journal(path: folder.file("j"), folder: folder.file(""))
      try make(output, "sound", recipe: "r", in: journal)
      #expect(try journal.isUpToDate(output, recipe: digest("r")))
      #expect(try journal.entry(output)?.output == output)
    }
    let journal = try Journal(path: folder.file("j"))
    #expect(try journal.all.map(\.output) == ["out.wav"])
    #expect(try journal.begin("out.wav", recipe: digest("r")) == 1)
  }

  @Test func andOthersByTheirWholeNames() throws {
    let journal = try Journal(path: folder.file("j"), folder: "jobs/")
    for name in ["jobs/a.wav", "/jobs/a.wav", "jobs2/a.wav", "jobs"] { try journal.record(madeUp(name)) }
    #expect(try journal.all.map(\.output) == ["/jobs/a.wav", "a.wav", "jobs", "jobs2/a.wav"])
  }
}
