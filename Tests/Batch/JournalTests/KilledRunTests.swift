import AudioCore
import Digests
import Glibc
import Journal
import Processes
import TestSupport
import Testing

@Suite("A run that is killed")
struct KilledRunTests {
  private let folder = TemporaryFolder()

  @Test(
    "leaves a journal that opens again, has everything that was made, and says only what is true",
    arguments: 0..<4 as Range<UInt64>)
  func killed(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var generation = 0
    var rounds = 0
    var made = 0
    for _ in 0..<12 {
      var child = ChildProcess([Writer.path, "make", folder.path, "\(generation)"])
      // SIGKILL, wherever it is then.
      child.limits.seconds = Double.random(in: 0.002...0.12, using: &generator)
      let result = try child.run()
      #expect(result.end == .timedOut, "\(result.end)")
      var last: [String: Int] = [:]
      for line in Writer.lines(result.output) {
        let words = line.split(separator: " ").map(String.init)
        try #require(words.count == 2, "\(line)")
        generation = max(generation, try #require(Int(words[0])))
        last[folder.file(words[1])] = Int(words[0])
      }
      made += last.count
      try check(last)
      rounds += 1
      // Sometimes what is there is to be made by what it was made by.
      if Bool.random(using: &generator) { generation += 1 }
    }
    #expect(made > 0)
  }

  /// - Parameter last: the generation that was made last, by output.
  private func check(_ last: [String: Int]) throws {
    let journal = try Journal(path: folder.file("journal"))
    var entries = journal.entries()
    while let entry = try entries.next() {
      let isPresent = try journal.isUpToDate(entry.output, recipe: entry.recipe)
      guard case .made(_, let content) = entry.state else {
        #expect(!isPresent && entry.state == .begun)
        continue
      }
      // A file is whole, and its entry is that of the file.
      let index = FileName.last(of: entry.output)
      let number = try #require(Int(entry.report))
      #expect(entry.recipe == digest("\(number) \(index)"))
      if isPresent { #expect(Fingerprint.digest(of: bytes(ofFile: entry.output)) == content) }
      // A file that was reported as made is still there, if nothing was begun behind it.
      if last[entry.output] == number { #expect(isPresent) }
    }
    #expect(entries.damaged == 0)
    for (output, number) in last {
      let entry = try #require(try journal.entry(output))
      if case .made = entry.state { #expect(try #require(Int(entry.report)) >= number) }
    }
  }
}
