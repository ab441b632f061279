import AudioCore
import BatchRender
import TestSupport
import Testing

import Batch

/// No task of a job is without what it is made of, whatever its table looks like.
@Suite("Tables and the inputs of tasks")
struct TaskInputTests {
  private let folder = TemporaryFolder()

  private func plan(_ job: String, table: String = "") throws -> BatchPlan {
    folder.write("{\"version\": 1, \(job)}", to: "job.json")
    folder.write(table, to: "t.csv")
    folder.write("no sound", to: "a.wav")
    folder.write("no sound", to: "b.wav")
    return try BatchPlan(
      try JobFile.load(folder.file("job.json"), graphOptions: GraphFile.Options()), beside: OutputFiles())
  }

  static let conversion = #""table": "t.csv", "output": "out/{index}.wav""#
  static let graph = #""graph": "g.json", "table": "t.csv", "output": "out/{index}.wav""#

  @Test(arguments: [
    // A spreadsheet of a country where the comma is a decimal point.
    (conversion, "id;input;who\n1;a.wav;x\n", "semicolons"), (conversion, "id\tinput\n1\ta.wav\n", "between tabs"),
    (conversion, "id;x\n1,5;2\n", "semicolons"), (conversion, "id,file\n1,a.wav\n", "its columns are id, file"),
    (conversion, "id,Input\n1,a.wav\n", "call a column \"input\""),
    (conversion, "id,input\n1,a.wav\n2,\n", "table, row 2"),
    (conversion, "id,a.b\n1,3\n", "no input"),
    (conversion + #", "columns": {"id": "voice"}"#, "id\na.wav\n", "would be of a graph"),
    (conversion + #", "columns": {"id": ""}"#, "id\na.wav\n", "an empty one"),
    (conversion + #", "columns": {"x": "input"}"#, "id;x\n1;a.wav\n", "semicolons"),
    (conversion + #", "columns": {"p": "input", "q": "input"}"#, "p,q\na.wav,b.wav\n", "2 inputs"),
    (conversion + #", "inputs": "b.wav""#, "input\na.wav\n", "2 inputs"),
    (graph, "voice;eq.gain\na.wav;3\n", "semicolons"), (graph, "voice,level\na.wav,3\n", "columns are voice, level"),
    (graph + #", "columns": {"v": "voice"}"#, "v,x\n,3\n", "file for \"voice\" is empty"),
    (#""inputs": [], "output": "{name}.wav""#, "", "inputs"), (#""inputs": "", "output": "{name}.wav""#, "", "inputs"),
    (#""output": "{name}.wav""#, "", "inputs"), (#""graph": "g.json", "inputs": {}, "output": "x.wav""#, "", "inputs"),
  ])
  func withoutAnInputThereIsNoPlan(_ job: String, _ table: String, _ words: String) {
    let error = #expect(throws: BenchError.self) { try plan(job, table: table) }
    #expect(error?.kind == .usage || error?.kind == .input)
    #expect("\(error as Any)".contains(words), "\(error as Any)")
  }

  @Test func columnsThatAreNamedAreFound() throws {
    func inputs(_ job: String, _ table: String) throws -> [[String]] {
      try plan(job, table: table).tasks.map { $0.inputs.map { "\($0.node)=\(FileName.last(of: $0.path))" } }
    }
    #expect(try inputs(Self.conversion, "input,a.b\na.wav,x\nb.wav,y\n") == [["=a.wav"], ["=b.wav"]])
    #expect(try inputs(Self.conversion + #", "inputs": "{id}.wav""#, "id\na\nb\n") == [["=a.wav"], ["=b.wav"]])
    #expect(
      try inputs(Self.graph + #", "columns": {"v": "voice"}"#, "v,eq.gain\na.wav,3\n") == [["voice=a.wav"]])
    // A graph may have files of its own.
    #expect(try inputs(Self.graph, "eq.gain\n3\n") == [[]])
  }

  /// The mark that keeps a text from being a formula in reports is no part of the text.
  @Test func whatReportsGuardIsReadAgain() throws {
    for text in ["=a", "+a", "-a", "@a", "'=a", "''-a", "-3", "'a", "a=b", "", "\u{FF1D}a", "-1+2"] {
      let cell = SpreadsheetText.guarded(text)
      #expect(SpreadsheetText.plain(cell) == text, "\(text)")
      folder.write("a,b\n\"\(cell)\",1\n", to: "x.csv")
      #expect(try CommaSeparatedValues(path: folder.file("x.csv")).rows == [[text, "1"]])
    }
    #expect(["=a", "+a", "-a", "@a", "-1+2"].allSatisfy { SpreadsheetText.guarded($0) == "'" + $0 })
    #expect(["-3", "+2.5e3", "a-b", "3"].allSatisfy { SpreadsheetText.guarded($0) == $0 })
  }

  @Test func genreAndDateOfACueSheetBecomeTags() throws {
    folder.write(
      """
      REM GENRE "Hard Bop"
      REM DATE 1959
      REM DISCID 860B640B
      REM COMMENT "ExactAudioCopy v1.0"
      TITLE "Kind"
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          REM GENRE Modal Jazz
          INDEX 01 00:01:00
      """, to: "a.cue")
    let plan = try plan(#""inputs": "a.wav", "split": "{path}.cue", "output": "{track}-{genre}.wav""#)
    #expect(
      plan.tasks[0].outputs.map(\.tags) == [
        ["ALBUM": "Kind", "GENRE": "Hard Bop", "DATE": "1959", "TRACKNUMBER": "1"],
        ["ALBUM": "Kind", "GENRE": "Modal Jazz", "DATE": "1959", "TRACKNUMBER": "2"],
      ])
  }

  @Test func aTitleThatIsNoNameIsAnErrorThatCanBeRead() {
    folder.write(
      "FILE \"a.wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"\(String(repeating: "a", count: 5_000_000))\"\nINDEX 01 00:00:00\n",
      to: "a.cue")
    let error = #expect(throws: BenchError.self) {
      try plan(#""inputs": "a.wav", "split": "{path}.cue", "output": "{title}.wav""#)
    }
    #expect(error?.message.contains("255") == true && "\(error as Any)".utf8.count < 1000)
  }
}
