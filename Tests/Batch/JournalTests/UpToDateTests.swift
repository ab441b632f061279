import AudioCore
import Digests
import Glibc
import Journal
import TestSupport
import Testing

@Suite("An output is up to date")
struct UpToDateTests {
  private let folder = TemporaryFolder()
  private let journal: Journal
  private let output: String

  init() throws {
    journal = try Journal(path: folder.file("journal"))
    output = folder.file("out.wav")
  }

  private func isUpToDate(_ recipe: String = "r") throws -> Bool {
    try journal.isUpToDate(output, recipe: digest(recipe))
  }

  private func run(_ line: String) { #expect(system("cd '\(folder.path)' && \(line)") == 0) }

  @Test("where it was made by the same recipe and is the file that was made")
  func made() throws {
    #expect(try !isUpToDate())
    try make(output, "content", recipe: "r", in: journal)
    #expect(try isUpToDate() && !isUpToDate("other"))
    try make(output, "changed", recipe: "other", in: journal)
    #expect(try !isUpToDate() && isUpToDate("other"))
  }

  @Test("not where it is gone, or its name has come to be a folder, a link to nowhere or a pipe")
  func gone() throws {
    for line in ["true", "mkdir out.wav", "ln -s nowhere out.wav", "mkfifo out.wav"] {
      run("rm -rf out.wav")
      try make(output, "content", recipe: "r", in: journal)
      run("rm out.wav; " + line)
      #expect(try !isUpToDate())
    }
  }

  @Test("not where it was changed, whether its size is the same or not, and whether its time is or not")
  func changed() throws {
    for line in [
      "printf x >> out.wav", "printf changed > out.wav",
      "cp -p out.wav o && printf changed > out.wav && touch -r o out.wav",
      "printf changed > o && touch -r out.wav o && mv o out.wav",
    ] {
      try make(output, "content", recipe: "r", in: journal)
      run("sleep 0.02; " + line)
      // The third one is the same file of the same size and time: nothing but its contents would tell.
      if line.hasPrefix("cp") { #expect(try isUpToDate()) } else { #expect(try !isUpToDate(), "\(line)") }
    }
  }

  @Test("where it was restored from a copy, and its new stamp is kept then")
  func restored() throws {
    for line in [
      "cp out.wav o && mv o out.wav", "cp -p out.wav o && rm out.wav && mv o out.wav", "touch -d @7 out.wav",
    ] {
      let entry = try make(output, "content", recipe: "r", in: journal)
      run("sleep 0.02; " + line)
      #expect(FileStamp(path: output).map { .made($0, content: digest("content")) } != entry.state)
      #expect(try isUpToDate(), "\(line)")
      let renewed = try #require(try journal.entry(output))
      #expect(renewed.state == .made(try #require(FileStamp(path: output)), content: digest("content")))
      #expect(renewed.report == entry.report && renewed.recipe == entry.recipe)
      // It is not read any more: its owner alone may, and a stamp is enough.
      #expect(try isUpToDate())
    }
  }

  @Test("not where the run was killed before the file got its name")
  func neverNamed() throws {
    try make(output, "content", recipe: "r", in: journal)
    do {
      let file = try AtomicFile(path: output, overwrites: true)
      try file.append(Array("changed".utf8))
      let stamp = try #require(FileStamp(descriptor: file.descriptor))
      try journal.record(
        JournalEntry(output: output, recipe: digest("new"), state: .made(stamp, content: digest("changed"))))
      file.discard()
    }
    #expect(try !isUpToDate("new") && !isUpToDate("r"))
  }

  @Test("The stamp of a file is the same before it has a name, when it gets one and when that is changed")
  func stamps() throws {
    for avoidsUnnamed in [false, true] {
      for there in [false, true] {
        run("rm -f out.wav; sleep 0.02")
        if there { run("printf former > out.wav") }
        let file = try AtomicFile(path: output, overwrites: true, avoidsUnnamed: avoidsUnnamed)
        try file.append(Array("content".utf8))
        let stamp = try #require(FileStamp(descriptor: file.descriptor))
        run("sleep 0.02")
        try file.publish()
        #expect(FileStamp(path: output) == stamp)
        run("mv out.wav other && ln other third && chmod 600 third")
        #expect(FileStamp(path: folder.file("third")) == stamp)
        run("cp -p other copy")
        let copy = try #require(FileStamp(path: folder.file("copy")))
        #expect(copy != stamp && copy.size == stamp.size && copy.modified == stamp.modified)
        run("rm third; mv other out.wav")
      }
    }
  }
}
