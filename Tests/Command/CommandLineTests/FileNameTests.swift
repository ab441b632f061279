import Foundation
import TestSupport
import Testing

/// Two names that would be one if bytes that are not UTF-8 were replaced: `a\xff.wav` and `a\xfe.wav`. Lines run in a
/// shell, for a Swift text cannot name them: `$1` and `$2` are the bytes FF and FE.
@Suite("File names that are not UTF-8")
struct FileNameTests {
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 2, frames: 3000, seed: 1).bytes, to: "one.wav")
    folder.write(WaveFile.noise(channels: 2, frames: 3000, seed: 2).bytes, to: "two.wav")
    folder.write(GraphText.player("one.wav"), to: "g.json")
    // A graph names the file by the character for the byte.
    folder.write(GraphText.player(#"a\udbff\udeff.wav"#), to: "named.json")
    folder.write(
      Suites.text([
        Suites.testCase("copy"),
        Suites.testCase(
          "graph", #"{"graph": "named.json"}"#, check: #"{"check": "sameAs", "file": "a\udbff\udefe.wav"}"#),
      ]), to: "s.json")
    let made = try shell("mv one.wav a$1.wav && mv two.wav a$2.wav && mv g.json g$1.json && mv s.json s$1.json", folder)
    #expect(made.code == 0, "\(made.errors)")
    return folder
  }

  private func shell(_ line: String, _ folder: TemporaryFolder) throws -> Program.Result {
    try Program.shell("set -- \"$(printf '\\377')\" \"$(printf '\\376')\"\n\(line)", in: folder)
  }

  /// Names in the folder, a byte that is not UTF-8 written as `\377`.
  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try Program.shell("LC_ALL=C ls -Ab", in: folder).output.split(separator: "\n").map(String.init)
  }

  @Test(
    "Every command reads and writes the files that are named, and no other",
    arguments: [
      ("convert a$1.wav x$1.wav && \"$AUBENCH\" convert a$2.wav x$2.wav", ["x\\376.wav", "x\\377.wav"]),
      ("render named.json -o x$2.wav --input p=a$2.wav --tap low=t$1.wav", ["t\\377.wav", "x\\376.wav"]),
      ("compare a$1.wav a$1.wav --difference d$1.wav", ["d\\377.wav"]),
      ("plot a$1.wav a$2.wav", []), ("measure a$1.wav --what levels", []), ("describe named.json", []),
      ("describe named.json --input p=a$2.wav --json", []), ("describe named.json --dot", []),
      (
        "verify s$1.json --case copy --report r$1.json --junit r$1.xml --html r$1.html",
        ["r\\377.html", "r\\377.json", "r\\377.xml"]
      ),
      ("measure lowPassFilter --methods impulse --response-frames 1024 --json", []),
    ])
  func everyCommand(_ line: String, _ made: [String]) throws {
    let folder = try folder()
    let before = try names(folder)
    let result = try shell("\"$AUBENCH\" \(line)", folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try names(folder) == (before + made).sorted())
    // The output is UTF-8 (else reading it would have failed), and has no replaced characters.
    #expect(!result.output.contains("\u{FFFD}") && !result.errors.contains("\u{FFFD}"))
  }

  @Test("What is written under two names is what was read under each")
  func contents() throws {
    let folder = try folder()
    let line = """
      for byte in "$1" "$2"; do
        "$AUBENCH" convert -q "a$byte.wav" "x$byte.wav" && cmp "a$byte.wav" "x$byte.wav" || exit 1
      done
      ! cmp -s "x$1.wav" "x$2.wav"
      """
    #expect(try shell(line, folder).code == 0)
  }

  @Test("Folders of goldens, results and pictures have their own bytes too", .enabled(if: PlotTests.hasConverter))
  func foldersAndPictures() throws {
    let folder = try folder()
    let plotted = try shell("\"$AUBENCH\" plot a$1.wav -o p$1.svg --data", folder)
    #expect(plotted.code == 0, "\(plotted.errors)")
    let measured = try shell(
      """
      printf '20\\t1\\n2000\\t2\\n' > t$1.tsv
      "$AUBENCH" measure lowPassFilter --methods impulse --response-frames 1024 --plot m$1.svg --against t$1.tsv
      """, folder)
    #expect(measured.output.contains("picture: m\\xFF.svg\n"), "\(measured.output) \(measured.errors)")
    let failed = try shell("\"$AUBENCH\" verify s$1.json --case graph --artifacts out$1 --html r.html", folder)
    #expect(failed.code == 7, "\(failed.output) \(failed.errors)")
    #expect(failed.output.contains("out\\xFF/s"), "\(failed.output)")
    let found = try names(folder)
    for name in ["p\\377.svg", "p\\377.json", "p\\377.tsv", "m\\377.svg", "m-impulse\\377.svg", "out\\377"] {
      #expect(found.contains(name == "m-impulse\\377.svg" ? "m\\377-impulse.svg" : name), "\(name) of \(found)")
    }
    let page = String(decoding: try folder.bytes("r.html"), as: UTF8.self)
    #expect(page.contains("href=\"./out%FF/"), "the page's links have the bytes")
  }

  @Test("In JSON a byte is the character that a graph names it by; errors show it")
  func shown() throws {
    let folder = try folder()
    let report = try shell("\"$AUBENCH\" convert a$1.wav x$1.wav --json", folder)
    #expect(report.output.contains(#""a\udbff\udeff.wav""#), "\(report.output)")
    #expect(try report.value("file.path") as? String == "x\u{10FEFF}.wav")
    let missing = try shell("\"$AUBENCH\" convert no$1.wav x.wav", folder)
    #expect(
      missing.code == 4 && missing.errors.hasPrefix("aubench: no\\xFF.wav: there is no such file"), "\(missing.errors)")
    let unwritable = try shell("\"$AUBENCH\" convert a$1.wav a$1.wav/x.wav", folder)
    #expect(
      unwritable.code == 5 && unwritable.errors.contains("a\\xFF.wav: the folder cannot be made"),
      "\(unwritable.errors)")
  }

  @Test("Names that are the same letters in two ways of writing are two files")
  func composed() throws {
    let folder = try folder()
    let line = ["render", "named.json", "-qo", "é.wav", "--tap", "low=e\u{301}.wav", "--no-tail"]
    #expect(try Program.run(line, in: folder).code == 0)
    #expect(try names(folder).filter { $0.hasSuffix(".wav") && !$0.hasPrefix("a") }.count == 2)
  }
}
