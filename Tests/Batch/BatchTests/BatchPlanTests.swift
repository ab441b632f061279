import AudioCore
import Glibc
import TestSupport
import Testing

import Batch

@Suite("What a batch is to make")
struct BatchPlanTests {
  private func job(_ sources: [(node: String, source: BatchJob.Source)], _ output: String) throws -> BatchJob {
    var job = BatchJob(output: try NameTemplate(output, at: "here"))
    job.sources = sources
    return job
  }

  private func plan(
    _ sources: [(node: String, source: BatchJob.Source)], _ output: String, change: (inout BatchJob) -> Void = { _ in }
  ) throws -> BatchPlan {
    var job = try job(sources, output)
    change(&job)
    return try BatchPlan(job, beside: OutputFiles())
  }

  private func files(_ paths: String...) -> BatchJob.Source {
    .files(
      paths.map { BatchFile(path: $0, folder: FileName.folderPrefix(of: $0).isEmpty ? "" : FileName.folder(of: $0)) })
  }

  @Test func everyFileOfOnePlayerWithEveryFileOfTheOther() throws {
    let plan = try plan(
      [("a", files("x.wav", "y.wav")), ("b", files("1.wav", "2.wav"))], "{a.name}-{b.name}-{index}.wav")
    #expect(plan.tasks.map(\.name) == ["x-1-1.wav", "x-2-2.wav", "y-1-3.wav", "y-2-4.wav"])
    #expect(plan.tasks[2].inputs.map(\.node) == ["a", "b"])
    #expect(plan.tasks[2].inputs.map(\.path) == ["y.wav", "1.wav"])
  }

  @Test func aPlayerMayBeNamedAfterTheFirst() throws {
    let named = BatchJob.Source.named(try NameTemplate("music/{name}.flac", at: "here"))
    let plan = try plan([("voice", files("v/x.wav")), ("music", named)], "out/{folder}/{name}.wav")
    #expect(plan.tasks.map(\.name) == ["out/v/x.wav"])
    #expect(plan.tasks[0].inputs.map(\.path) == ["v/x.wav", "music/x.flac"])
  }

  @Test func everySettingAndGraphWithEveryFile() throws {
    let plan = try plan([("p", files("x.wav", "y.wav"))], "{name}-{level}-{graph}.wav") { job in
      job.graphs = ["g/one.json", "two.json"]
      job.axes = [BatchJob.Axis(name: "level", settings: [("low", []), ("high", [])])]
    }
    #expect(
      plan.tasks.map(\.name) == [
        "x-low-one.wav", "x-low-two.wav", "x-high-one.wav", "x-high-two.wav", "y-low-one.wav", "y-low-two.wav",
        "y-high-one.wav", "y-high-two.wav",
      ])
    #expect(plan.tasks[1].graph == "two.json")
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
    let many = BatchJob.Source.files((0..<4000).map { BatchFile(path: "\($0)") })
    #expect(throws: BenchError.self) { try plan([("a", many), ("b", many)], "{a.name}{b.name}") }
  }

  @Test func textsStandForFiles() throws {
    let folder = TemporaryFolder()
    _ = FileSystem.makeFolders(folder.file("in/deep"))
    for name in ["in/a.wav", "in/b.txt", "in/deep/c.FLAC", "in/[x].wav"] { folder.write("", to: name) }
    let path = folder.path
    #expect(try BatchFile.files(path + "/in/a.wav") == [BatchFile(path: path + "/in/a.wav")])
    let all = ["in/[x].wav", "in/a.wav"].map { BatchFile(path: path + "/" + $0) }
    #expect(
      try BatchFile.files(path + "/in") == all + [BatchFile(path: path + "/in/deep/c.FLAC", folder: "deep")])
    // The same relative to a folder.
    #expect(try BatchFile.files("in/*.wav", in: path + "/") == all)
    // A file of that very name is that file.
    #expect(try BatchFile.files(path + "/in/[x].wav").count == 1)
    folder.write("\(path)/in/a.wav\r\n\nnone.wav\n", to: "list")
    #expect(try BatchFile.files("@list", in: path + "/").map(\.path) == [path + "/in/a.wav", path + "/none.wav"])
    for text in ["/none.wav", "/*.none", "/in/deep/er"] {
      let error = #expect(throws: BenchError.self) { try BatchFile.files(path + text) }
      #expect(error?.kind == .input)
    }
    #expect(throws: BenchError.self) { try BatchFile.files("@none", in: path + "/") }
  }

  @Test func filesThatDifferInOnePlaceAreSummed() throws {
    let folder = TemporaryFolder()
    _ = FileSystem.makeFolders(folder.file("stems"))
    for name in ["a-b-drums.wav", "a-b-bass.wav", "c-bass.wav"] { folder.write("", to: "stems/" + name) }
    var job = try job([], folder.path + "/out/{song}.wav")
    job.summedPlace = "stem"
    try job.addSource("", ["stems/{song}-{stem}.wav"], folder: folder.path + "/")
    let plan = try BatchPlan(job, beside: OutputFiles())
    #expect(plan.tasks.map { FileName.last(of: $0.name) } == ["a-b.wav", "c.wav"])
    #expect(plan.tasks[0].inputs.map { FileName.last(of: $0.path) } == ["a-b-bass.wav", "a-b-drums.wav"])
    job.summedPlace = "take"
    #expect(throws: BenchError.self) { try BatchPlan(job, beside: OutputFiles()) }
  }

  @Test func aCueSheetMakesPiecesWithTags() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      PERFORMER "The Band"
      TITLE "Live"
      FILE "x.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One/Two"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Three"
          PERFORMER "Guest"
          INDEX 00 00:01:00
          INDEX 01 00:01:37
      """, to: "x.cue")
    folder.write("", to: "x.wav")
    let plan = try plan([("", files(folder.file("x.wav")))], folder.path + "/{track:2} {title}.wav") {
      $0.split = try? NameTemplate("{path}.cue", at: "here")
    }
    let outputs = try #require(plan.tasks.first).outputs
    #expect(outputs.map { FileName.last(of: $0.path) } == ["01 One-Two.wav", "02 Three.wav"])
    #expect(outputs.map { $0.cut?.start } == [0, 1 + 37.0 / 75] && outputs[0].cut?.end == 1 + 37.0 / 75)
    #expect(outputs[0].tags == ["TITLE": "One/Two", "ARTIST": "The Band", "ALBUM": "Live", "TRACKNUMBER": "1"])
    #expect(outputs[1].tags["ARTIST"] == "Guest")
  }

  @Test(arguments: [
    ("TRACK 01 AUDIO\n", "track 1: it has no INDEX 01"), ("", "there is no piece"),
    ("TRACK 01 AUDIO\nINDEX 01 00:61:00\n", "no time of a cue sheet"),
    ("TRACK 01 AUDIO\nINDEX 01 01:00:00\nTRACK 02 AUDIO\nINDEX 01 00:30:00\n", "not behind its start"),
  ])
  func wrongCueSheets(_ text: String, _ message: String) throws {
    let folder = TemporaryFolder()
    folder.write(text, to: "x.cue")
    let error = #expect(throws: BenchError.self) { try CuePoints(path: folder.file("x.cue")) }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains(message), "\(String(describing: error))")
  }

  @Test(arguments: [
    ("start,end,title\n0,1.5,a\n1:30,,b\n", [0, 90]), ("title,start\r\n\"x, \"\"y\"\"\",2s\r\n", [2]),
  ])
  func tablesOfPieces(_ text: String, _ starts: [Double]) throws {
    let folder = TemporaryFolder()
    folder.write(text, to: "x.csv")
    let pieces = try CuePoints(path: folder.file("x.csv")).pieces
    #expect(pieces.map(\.start) == starts)
    if starts.count == 1 { #expect(pieces[0].fields["title"] == "x, \"y\"") }
  }

  @Test(arguments: [
    ("", "the table is empty"), ("a,b\n", "no row"), ("a,a\n1,2\n", "two columns"), ("a,b\n1\n", "expected 2 values"),
    ("a\n\"x\n", "a quote is not closed"), ("a\n\"x\"y\n", "behind a closed quote"),
  ])
  func wrongTables(_ text: String, _ message: String) throws {
    let folder = TemporaryFolder()
    folder.write(text, to: "x.csv")
    let error = #expect(throws: BenchError.self) { try CommaSeparatedValues(path: folder.file("x.csv")) }
    #expect("\(error.map(String.init(describing:)) ?? "")".contains(message), "\(String(describing: error))")
  }
}
