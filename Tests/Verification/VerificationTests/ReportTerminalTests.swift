import Reporting
import Testing
import Verification

@Suite("Reports: the terminal")
struct ReportTerminalTests {
  private func lastLine(_ outcome: RunOutcome) -> String {
    TerminalReport().summary(outcome).split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test(
    "spans of time have three digits that count",
    arguments: [
      (0, "0 s"), (-1, "0 s"), (0.0012, "1.2 ms"), (0.0094, "9.4 ms"), (0.0096, "0.01 s"), (0.994, "0.99 s"),
      (0.996, "1.0 s"), (9.94, "9.9 s"), (9.96, "10.0 s"), (99.4, "99.4 s"), (99.6, "1 min 40 s"),
      (3601, "60 min 01 s"),
      (.nan, "–"), (1e300, "525600 min 00 s"),
    ] as [(Double, String)])
  func durations(seconds: Double, text: String) {
    #expect(lastLine(run([.passed], seconds: seconds)) == "PASS  1 case in \(text)")
  }

  private func run(_ verdicts: [Verdict], seconds: Double = 9.3) -> RunOutcome {
    RunOutcome(
      suites: ["s.json"],
      cases: verdicts.enumerated().map { CaseOutcome("s/c\($0)", $1, device: "d", seconds: 0.1) }, seconds: seconds,
      program: "aubench", machine: [])
  }

  @Test(
    "the last line is the verdict",
    arguments: [
      ([.passed, .passed], "PASS  2 cases in 9.3 s"), ([.passed], "PASS  1 case in 9.3 s"),
      ([.passed, .skipped], "PASS  2 cases, 1 of them skipped, in 9.3 s"), ([], "FAIL  no case was run in 9.3 s"),
      ([.passed, .unblessed], "UNBLESSED  1 of 2 cases unblessed, in 9.3 s"),
      ([.failed, .passed, .failed, .unblessed], "FAIL  2 of 4 cases failed, 1 unblessed, in 9.3 s"),
      ([.crashed, .failed, .error], "FAIL  1 of 3 cases failed, 1 crashed, 1 could not be run, in 9.3 s"),
      ([.timedOut, .skipped], "FAIL  1 of 2 cases timed out, 1 skipped, in 9.3 s"),
    ] as [([Verdict], String)])
  func verdictLine(verdicts: [Verdict], line: String) {
    #expect(lastLine(run(verdicts)) == line)
    #expect(TerminalReport(width: 40).summary(run(verdicts)).hasSuffix(line + "\n"))
  }

  @Test("the last line is the verdict of a thousand cases and of hostile ones too")
  func lastOfMany() {
    #expect(lastLine(ReportFixture.allPassed(1000)) == "PASS  1000 cases in 9.3 s")
    #expect(lastLine(ReportFixture.everything()).hasPrefix("FAIL  2 of 8 cases failed, 1 crashed, "))
  }

  @Test("a case that passed says nothing, or one line where that is asked for")
  func passedCases() {
    let passed = run([.passed]).cases[0]
    #expect(TerminalReport().caseFinished(passed) == "")
    #expect(TerminalReport(isVerbose: true).caseFinished(passed) == "PASS       s/c0  0.10 s\n")
  }

  @Test("a failure says check, expected, found, limit, place, node, the end of the log, and how to run it alone")
  func failureInFull() {
    let text = TerminalReport(width: 100).caseFinished(ReportFixture.failed())
    for part in [
      "FAIL       equalizers/lowPass-1k  0.31 s", "check        response",
      "expected   the analytic curve from 20 Hz to 20 kHz", "found      worst at 12.1 kHz: −0.31 dB",
      "limit      ±0.1 dB", "fails at   frame 4711 (0.106825 s), channel 1", "passed       sliceInvariance",
      "first node   \"eq\"", "│ line 14", "│ clipping",
      "run alone    aubench verify suites/equalizers.json --case 'equalizers/lowPass-1k'",
    ] { #expect(text.contains(part), "no \(part) in\n\(text)") }
    #expect(!text.contains("line 5\n"), "only the last lines of the log")
  }

  @Test("the files of a failure are named with what they are")
  func files() {
    var failed = ReportFixture.failed()
    failed.files.actual = "out/actual.wav"
    failed.files.pictures = [("residual", "out/residual.png")]
    let text = TerminalReport(width: 100).caseFinished(failed)
    #expect(text.contains("out/actual.wav  (actual)") && text.contains("out/residual.png  (residual)"))
  }

  @Test("lines keep to the width, but for what is to be copied", arguments: [40, 60, 80, 120])
  func width(_ width: Int) {
    let report = TerminalReport(width: width, isVerbose: true)
    var outcome = ReportFixture.everything()
    for index in outcome.cases.indices { outcome.cases[index].command = nil }
    let text = outcome.cases.map { report.caseFinished($0) }.joined() + report.summary(outcome)
    // Paths are copied, too.
    for line in text.split(separator: "\n").dropLast() where !line.contains(" /") {
      // Emoji and East Asian characters take two columns.
      let columns = line.reduce(0) { $0 + ("🎧日本".contains($1) ? 2 : 1) }
      #expect(columns <= width, "\(columns): \(line)")
    }
  }

  @Test("texts of others move no cursor and change no colour")
  func hostileTexts() {
    let outcome = ReportFixture.everything()
    for isColored in [false, true] {
      let report = TerminalReport(width: 100, isColored: isColored, isVerbose: true)
      let text = outcome.cases.map { report.caseFinished($0) }.joined() + report.summary(outcome)
      // Every escape character begins one of the report's own colours or ends one.
      let own = text.matches(of: /\u{1B}\[(0|1|2|31|32|33|1;31|1;32|1;33)m/).count
      let escapes = text.unicodeScalars.count { $0 == "\u{1B}" }
      #expect(escapes == own && (own > 0) == isColored)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\u{1B}" })
      #expect(!text.unicodeScalars.contains("\u{202E}"))
      // The effect of the fixture's text by itself: red from "[31m".
      #expect(text.contains("\\u{1B}[31mred"))
    }
  }

  @Test("a message of ten thousand characters takes a dozen lines, and says how many more there are")
  func longMessages() {
    let long = CaseOutcome("s/long", .error, device: "d", seconds: 1, message: ReportFixture.long)
    let lines = TerminalReport(width: 80).caseFinished(long).split(separator: "\n")
    #expect(lines.count < 20)
    #expect(lines.last?.contains("more lines") == true)
  }

  @Test("the table counts by suite and verdict, and the slowest come in order")
  func table() {
    let text = TerminalReport(width: 100).summary(ReportFixture.everything())
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      lines.first
        == ["suite", "cases", "passed", "skipped", "unblessed", "failed", "crashed", "timed", "out", "error", "time"])
    #expect(lines.contains(["suites/equalizers.json", "2", "1", "·", "·", "1", "·", "·", "·", "0.43", "s"]))
    #expect(lines.contains(["all", "8", "1", "1", "1", "2", "1", "1", "1", "9.3", "s"]))
    let start = text.range(of: "slowest cases")?.upperBound ?? text.startIndex
    let slowest = text[start...].split(separator: "\n").prefix(2)
    #expect(slowest.first?.contains("mixers/slow") == true && slowest.last?.contains("mixers/odd") == true)
  }

  @Test("the progress line stays on its line and within the width", arguments: [40, 80])
  func progress(width: Int) {
    let text = TerminalReport(width: width).progress(finished: 17, of: 212, bad: 2)
    #expect(text.hasPrefix("\r\u{1B}[2K") && text.contains("17/212") && text.contains("2 not passed"))
    #expect(!text.contains("\n") && text.count - 5 < width)
    #expect(TerminalReport(width: width).progress(finished: 0, of: 0, bad: 0).contains("0/0"))
  }
}
