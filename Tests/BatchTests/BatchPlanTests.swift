import AudioCore
import Glibc
import TestSupport
import Testing

import Batch

@Suite("What a batch is to make")
struct BatchPlanTests {
  private func plan(
    _ sources: [(node: String, source: BatchPlan.Source)], _ output: String
  ) throws -> BatchPlan {
    try BatchPlan(sources, output: NameTemplate(output, at: "here"), beside: OutputFiles())
  }

  private func files(_ paths: String...) -> BatchPlan.Source {
    .files(
      paths.map { BatchFile(path: $0, folder: FileName.folderPrefix(of: $0).isEmpty ? "" : FileName.folder(of: $0)) })
  }

  @Test func everyFileOfOnePlayerWithEveryFileOfTheOther() throws {
    let plan = try plan(
      [("a", files("x.wav", "y.wav")), ("b", files("1.wav", "2.wav"))], "{a.name}-{b.name}-{index}.wav")
    #expect(plan.tasks.map(\.output) == ["x-1-1.wav", "x-2-2.wav", "y-1-3.wav", "y-2-4.wav"])
    #expect(plan.tasks[2].inputs.map(\.node) == ["a", "b"])
    #expect(plan.tasks[2].inputs.map(\.path) == ["y.wav", "1.wav"])
  }

  @Test func aPlayerMayBeNamedAfterTheFirst() throws {
    let named = BatchPlan.Source.named(try NameTemplate("music/{name}.flac", at: "here"))
    let plan = try plan([("voice", files("v/x.wav")), ("music", named)], "out/{folder}/{name}.wav")
    #expect(plan.tasks.map(\.output) == ["out/v/x.wav"])
    #expect(plan.tasks[0].inputs.map(\.path) == ["v/x.wav", "music/x.flac"])
  }

  @Test func twoInputsOfOneOutputAreAnError() {
    let error = #expect(throws: BenchError.self) { try plan([("", files("a/x.wav", "b/x.wav"))], "out/{name}.wav") }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains("a/x.wav and b/x.wav would both become"))
  }

  @Test func anOutputThatIsAnInputIsAnError() throws {
    let folder = TemporaryFolder()
    folder.write("", to: "x.wav")
    symlink("x.wav", folder.file("y.wav"))
    #expect(throws: BenchError.self) { try plan([("", files(folder.file("x.wav")))], folder.path + "/{name}.wav") }
    // Under another name too.
    #expect(throws: BenchError.self) { try plan([("", files(folder.file("x.wav")))], folder.path + "/y.wav") }
  }

  @Test func tooManyAreRefusedBeforeTheyAreMadeOut() {
    let many = BatchPlan.Source.files((0..<4000).map { BatchFile(path: "\($0)", folder: "") })
    #expect(throws: BenchError.self) { try plan([("a", many), ("b", many)], "{a.name}{b.name}") }
  }

  @Test func textsStandForFiles() throws {
    let folder = TemporaryFolder()
    _ = FileSystem.makeFolders(folder.file("in/deep"))
    for name in ["in/a.wav", "in/b.txt", "in/deep/c.FLAC", "in/[x].wav"] { folder.write("", to: name) }
    let path = folder.path
    #expect(try BatchFile.files(path + "/in/a.wav") == [BatchFile(path: path + "/in/a.wav", folder: "")])
    #expect(
      try BatchFile.files(path + "/in") == [
        BatchFile(path: path + "/in/[x].wav", folder: ""), BatchFile(path: path + "/in/a.wav", folder: ""),
        BatchFile(path: path + "/in/deep/c.FLAC", folder: "deep"),
      ])
    // A file of that very name is that file.
    #expect(try BatchFile.files(path + "/in/[x].wav").count == 1)
    folder.write("\(path)/in/a.wav\r\n\n\(path)/none.wav\n", to: "list")
    #expect(try BatchFile.files("@\(path)/list").map(\.path) == [path + "/in/a.wav", path + "/none.wav"])
    for text in ["/none.wav", "/*.none", "/in/deep/er", "/@none"] {
      let error = #expect(throws: BenchError.self) { try BatchFile.files(path + text) }
      #expect(error?.kind == .input)
    }
  }
}
