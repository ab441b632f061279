import Foundation
import TestSupport
import Testing

/// A suite can start programs: `--no-commands` is for suites that you did not write.
@Suite("aubench verify --no-commands")
struct VerifyCommandsTests {
  /// Leaves a file where it is run.
  static let program = Suites.shell(#"touch ran; cp "$1" "$2""#)
  static let unit = #"{"unit": "lowPassFilter"}"#

  @Test(
    "starts nothing where a device or what a check compares with is a command, and names the case",
    arguments: [
      Suites.testCase("x", program), Suites.testCase("x", unit, check: #"{"check": "sameAs", "device": \#(program)}"#),
      Suites.testCase("x", unit, check: #"{"check": "response", "against": \#(program), "within": 1}"#),
      Suites.testCase("x-{n}", program, more: #""matrix": {"n": [1, 2]},"#),
    ])
  func refuses(_ testCase: String) throws {
    let folder = TemporaryFolder()
    // The case that would be allowed stands in front: it is not run either.
    folder.write(Suites.text([Suites.testCase("first", Self.unit), testCase]), to: "s.json")
    for more in [[], ["--sensitivity"], ["--list"], ["--bless=missing", "--reason", "x"]] {
      let result = try Program.run(
        ["verify", "s.json", "--no-commands", "--html", "r.html"].filter {
          more != ["--sensitivity"] || $0 != "--html" && $0 != "r.html"
        } + more, in: folder)
      #expect(result.code == 10, "\(result.output) \(result.errors)")
      #expect(
        result.errors.contains("aubench: s.json: case \"x") && result.errors.contains("would run a command: sh -c"))
      #expect(result.output.isEmpty && folder.names == ["s.json"], "\(folder.names)")
    }
    let allowed = try Program.run("verify", "s.json", "--jobs", "1", in: folder)
    #expect(folder.exists("ran"), "without the option it is run: \(allowed.output)")
  }

  @Test("runs units and graphs, and what is chosen or skipped decides what counts")
  func allows() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 1000).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "g.json")
    folder.write(
      Suites.text([
        Suites.testCase("unit", Self.unit), Suites.testCase("graph", #"{"graph": "g.json"}"#),
        Suites.testCase("program", Self.program, more: #""skip": "not here","#), Suites.testCase("other", Self.program),
      ]), to: "s.json")
    let some = try Program.run(
      "verify", "s.json", "--no-commands", "--case", "unit", "--case", "graph", "--case", "program", in: folder)
    #expect(some.code == 0, "\(some.output) \(some.errors)")
    #expect(try Program.run("verify", "s.json", "--no-commands", in: folder).code == 10)
    #expect(!folder.exists("ran"))
  }

  @Test("The help and the pages say that a suite runs programs")
  func told() throws {
    let help = try Program.run("verify", "--help").output
    #expect(help.contains("A suite can start programs") && help.contains("--no-commands"))
    for page in ["docs/suite-file.md", "docs/commands.md", "docs/aubench.1"] {
      let text = try Program.file(page).replacing("\\-", with: "-")
      #expect(text.contains("-no-commands"), "\(page)")
    }
  }
}
