import Foundation
import TestSupport
import Testing

/// The tasks of `docs/batch.md`, run as they stand there.
@Suite("The ten tasks of the page on many files")
struct BatchTaskTests {
  struct Task: Sendable, CustomTestStringConvertible {
    let number: Int
    /// The preparation: a script.
    let material: String
    /// Names of files that are there then, sorted, as `find` prints them.
    let outputs: [String]
    /// A part of the last command's report.
    let report: String
    var testDescription: String { "task \(number)" }
  }

  /// Copies of recordings: `put FOLDER NAME=RECORDING...`.
  private static let put = """
    put() { folder=$1; shift; mkdir -p "$folder"; for pair; do
      "$AUBENCH" convert "\(Program.audio)/${pair#*=}.flac" "$folder/${pair%%=*}" -q; done; }

    """

  static let tasks = [
    Task(
      number: 1,
      material: """
        put episodes 01-intro.wav=guitar 02-news.wav=choir 03-weather.wav=bass
        "$AUBENCH" plot episodes/01-intro.wav -o cover.png
        """,
      outputs: ["out/01-intro.mp3", "out/02-news.mp3", "out/03-weather.mp3", "podcast.csv"], report: "3 of 3 files made"
    ),
    Task(
      number: 2,
      material: """
        put takes a.wav=choir b.wav=crow-22050; put music a.flac=guitar b.flac=piano
        cat >duet.json <<'END'
        {"version": 1, "nodes": [
          {"id": "voice", "unit": "filePlayer", "file": "none.wav"}, {"id": "music", "unit": "filePlayer", "file": "none.wav"},
          {"id": "mix", "unit": "multichannelMixer", "inputs": 2, "set": {"volume@input:1": 0.3}},
          {"id": "out", "unit": "genericOutput"}],
          "connections": ["voice -> mix:0", "music -> mix:1", "mix -> out"]}
        END
        """,
      outputs: ["mixed/a.flac", "mixed/b.flac"], report: "2 of 2 files made"),
    Task(
      number: 3, material: "put sounds/steps a.wav=drums b.wav=bass; put sounds/birds/crow caw.wav=crow-22050",
      outputs: ["game/birds/crow/caw.ogg", "game/steps/a.ogg", "game/steps/b.ogg"], report: "3 of 3 files made"),
    Task(
      number: 4,
      material: """
        put clips x.flac=choir y.flac=crow-22050
        printf 'id,clip,speaker\\n17,clips/x.flac,anna\\n18,clips/y.flac,ben\\n' >corpus.csv
        """,
      outputs: ["corpus.xml", "corpus/anna/17.wav", "corpus/ben/18.wav"], report: "2 of 2 files made"),
    Task(
      number: 5,
      material: """
        put clean one.flac=guitar two.flac=piano
        cat >eq.json <<'END'
        {"version": 1, "sampleRate": "input", "nodes": [{"id": "in", "unit": "filePlayer", "file": "none.wav"},
          {"id": "eq", "unit": "nBandEQ", "bands": [{"type": "parametric", "frequency": 1000, "gain": 0}]},
          {"id": "out", "unit": "genericOutput"}], "connections": ["in -> eq", "eq -> out"]}
        END
        """,
      outputs: ["flat", "minus6", "plus6"].flatMap { ["levels/\($0)/one.flac", "levels/\($0)/two.flac"] },
      report: "6 of 6 files made"),
    Task(
      number: 6, material: "put stems a-drums.wav=drums a-choir.wav=choir b-bass.wav=bass b-guitar.wav=guitar",
      outputs: ["songs/a.flac", "songs/b.flac"], report: "2 of 2 files made"),
    Task(
      number: 7,
      material: """
        put concert night.wav=drums
        printf 'FILE "night.wav" WAVE\\n  TRACK 01 AUDIO\\n    TITLE "Hello"\\n    INDEX 01 00:00:00\\n  TRACK 02 AUDIO\\n    TITLE "Good night"\\n    INDEX 01 00:00:30\\n' >concert/night.cue
        """,
      outputs: ["tracks/01 Hello.flac", "tracks/02 Good night.flac"], report: "2 of 2 files made"),
    Task(
      number: 8, material: "put album 1.wav=guitar 2.wav=piano 3.wav=choir",
      outputs: ["master.html", "master/1.flac", "master/2.flac", "master/3.flac"], report: "3 of 3 files made"),
    Task(
      number: 9, material: "put archive/1999 tape.wav=choir; put archive/2001/live a.wav=drums",
      outputs: ["archive.journal", "flac/1999/tape.flac", "flac/2001/live/a.flac"],
      report: "0 of 2 files made, 2 up to date"),
    Task(number: 10, material: "put album 1.wav=guitar 2.wav=piano", outputs: ["loudness.csv"], report: ""),
  ]

  @Test(arguments: tasks) func run(task: Task) throws {
    let section = try TaskPage.section(task.number, of: "docs/batch.md")
    let folder = TemporaryFolder()
    for match in section.matches(of: /```json (\S+)\n((?:.|\n)*?)```/) {
      folder.write(String(match.output.2), to: String(match.output.1))
    }
    let commands = try TaskPage.commands(section)
    let before = try Program.shell(Self.put + task.material + "\nfind . -type f | cut -c 3- | sort", in: folder)
    #expect(before.code == 0 && before.errors.isEmpty, "\(before.errors)")
    let result = try Program.shell(commands, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasPrefix(task.report), "\(result.output)")
    let after = try Program.shell("find . -type f | cut -c 3- | LC_ALL=C sort", in: folder)
    let there = Set(before.output.split(separator: "\n"))
    let new = after.output.split(separator: "\n").filter { !there.contains($0) }.map(String.init)
    let journals = section.matches(of: /```json (\S+)\.json\n/).map { "\($0.output.1).journal" }
    #expect(new == (task.outputs + journals).sorted())
  }
}
