import AudioCore
import Glibc
import TestSupport
import Testing

@Suite("The files of one run appear together, and replace nothing that it reads")
struct OutputFilesTests {
  @Test("Nothing is to be seen before they are published, and then all")
  func together() throws {
    let folder = TemporaryFolder()
    folder.write("old", to: "b")
    let outputs = OutputFiles()
    try AtomicFile.write("a", to: folder.file("a"), in: outputs)
    try AtomicFile.write("new", to: folder.file("b"), in: outputs)
    #expect(folder.names == ["b"] && bytes(ofFile: folder.file("b")) == Array("old".utf8))
    try outputs.publish()
    #expect(folder.names == ["a", "b"] && bytes(ofFile: folder.file("b")) == Array("new".utf8))
  }

  @Test("Where one cannot get its name, those that are new are taken back")
  func allOrNone() throws {
    let folder = TemporaryFolder()
    let outputs = OutputFiles()
    for name in ["a", "b", "c"] { try AtomicFile.write(name, to: folder.file(name), in: outputs) }
    mkdir(folder.file("b"), 0o755)
    let error = #expect(throws: BenchError.self) { try outputs.publish() }
    #expect(error?.kind == .output && error?.place == folder.file("b"))
    #expect(folder.names == ["b"])
    rmdir(folder.file("b"))
  }

  @Test("An input is one under each of its names, and before its folder is there")
  func inputs() throws {
    let folder = TemporaryFolder()
    folder.write("in", to: "in")
    symlink("in", folder.file("link"))
    link(folder.file("in"), folder.file("second"))
    let outputs = OutputFiles()
    outputs.reads(folder.file("in"))
    outputs.reads(folder.file("nothing"))
    outputs.willRead(folder.file("soon"))
    outputs.willRead(folder.file("sub/later"))
    try outputs.check(folder.file("nothing"))
    #expect(throws: BenchError.self) { try outputs.check(folder.file("soon")) }
    for name in ["in", "link", "second", "./in"] {
      let error = #expect(throws: BenchError.self) { try outputs.check(folder.file(name)) }
      #expect(error?.kind == .usage && error?.message.contains("replace") == true)
      #expect(throws: BenchError.self) { try AtomicFile.write("x", to: folder.file(name), in: outputs) }
    }
    mkdir(folder.file("sub"), 0o755)
    #expect(throws: BenchError.self) { try outputs.check(folder.file("sub/later")) }
    try outputs.check(folder.file("sub/other"))
    rmdir(folder.file("sub"))
    #expect(bytes(ofFile: folder.file("in")) == Array("in".utf8))
  }

  @Test("A folder that was looked at is remembered until another is asked for, and changes no identity")
  func rememberedFolder() {
    let folder = TemporaryFolder()
    folder.write("a", to: "a")
    mkdir(folder.file("sub"), 0o755)
    symlink("sub", folder.file("link"))
    symlink("../a", folder.file("sub/up"))
    var kept = FileIdentity.Folder()
    let names = [
      "a", "b", "sub/a", "sub/b", "link/b", "sub/up", "b", "no/such/a", "no/such/b", "no/../b", "sub/./b", "sub/..",
      "link/../b", "a/b", "c",
    ]
    for name in names + names.reversed() {
      var fresh = FileIdentity.Folder()
      let path = folder.file(name)
      let remembered = FileIdentity.all(path, in: &kept)
      let asked = FileIdentity.all(path, in: &fresh)
      #expect(remembered == asked, "\(name)")
    }
  }

  @Test("What is not there yet is known by its place: with folders missing, through links, and after they were made")
  func places() throws {
    let folder = TemporaryFolder()
    symlink(".", folder.file("here"))
    let outputs = OutputFiles()
    outputs.willRead(folder.file("no/such/a.json"))
    outputs.willRead(folder.file("d/\u{301}b"))
    for name in ["no/such/a.json", "no/./such/a.json", "no/such/../such//a.json", "here/no/such/a.json"] {
      #expect(throws: BenchError.self, "\(name)") { try outputs.check(folder.file(name)) }
    }
    for name in ["no/a.json", "such/a.json", "no/such/b.json", "a.json", "no/such/a.json/c"] {
      #expect(throws: Never.self, "\(name)") { try outputs.check(folder.file(name)) }
    }
    #expect(FileSystem.makeFolders(folder.file("no/such")) == 0)
    #expect(throws: BenchError.self) { try outputs.check(folder.file("no/such/a.json")) }
    #expect(throws: BenchError.self) { try outputs.check(folder.file("here/no/such/a.json")) }
    // To Swift the slash and the accent are one character.
    #expect(throws: BenchError.self) { try outputs.check(folder.file("d/\u{301}b")) }
    try outputs.check(folder.file("d/b"))
    try outputs.writes(folder.file("not/there"))
    #expect(throws: BenchError.self) { try outputs.writes(folder.file("not/../not/there")) }
    FileSystem.removeFolder(folder.file("no/such"))
    FileSystem.removeFolder(folder.file("no"))
  }

  /// Each look went through all inputs that are not there yet, with calls of the system for each: 200 million here.
  @Test("Thousands of inputs that are not there yet are looked up, and not gone through", .timeLimit(.minutes(1)))
  func many() throws {
    let folder = TemporaryFolder()
    let outputs = OutputFiles()
    for number in 0..<20_000 {
      try outputs.check(folder.file("golden/\(number).json"))
      outputs.willRead(folder.file("golden/\(number).json"))
    }
    #expect(throws: BenchError.self) { try outputs.check(folder.file("golden/0.json")) }
  }

  @Test("Two outputs are two files")
  func twice() throws {
    let folder = TemporaryFolder()
    symlink("a", folder.file("link"))
    let outputs = OutputFiles()
    try outputs.writes(folder.file("a"))
    try outputs.writes(folder.file("b"))
    for name in ["a", "link", "./b"] {
      let error = #expect(throws: BenchError.self) { try outputs.writes(folder.file(name)) }
      #expect(error?.message.contains("written twice") == true)
    }
  }
}
