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
    try WholeFile.write("a", to: folder.file("a"), in: outputs)
    try WholeFile.write("new", to: folder.file("b"), in: outputs)
    #expect(folder.names == ["b"] && bytes(ofFile: folder.file("b")) == Array("old".utf8))
    try outputs.publish()
    #expect(folder.names == ["a", "b"] && bytes(ofFile: folder.file("b")) == Array("new".utf8))
  }

  @Test("Where one cannot get its name, those that are new are taken back")
  func allOrNone() throws {
    let folder = TemporaryFolder()
    let outputs = OutputFiles()
    for name in ["a", "b", "c"] { try WholeFile.write(name, to: folder.file(name), in: outputs) }
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
      #expect(throws: BenchError.self) { try WholeFile.write("x", to: folder.file(name), in: outputs) }
    }
    mkdir(folder.file("sub"), 0o755)
    #expect(throws: BenchError.self) { try outputs.check(folder.file("sub/later")) }
    try outputs.check(folder.file("sub/other"))
    rmdir(folder.file("sub"))
    #expect(bytes(ofFile: folder.file("in")) == Array("in".utf8))
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
