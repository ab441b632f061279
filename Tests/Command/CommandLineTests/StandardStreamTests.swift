import Foundation
import Testing

/// Every command with standard streams that cannot be written, and with files that may not grow.
@Suite struct StandardStreamTests {
  static let commands = CommandRuns.short.keys.sorted()

  struct Event: Sendable, CustomTestStringConvertible {
    let name: String
    var before = ""
    let rest: String
    let code: Int32
    /// The standard error; nil: not compared.
    let errors: String?
    var testDescription: String { name }
  }

  static let events = [
    Event(
      name: "full", rest: "> /dev/full", code: 1,
      errors: "aubench: standard output: cannot be written: no space left on device\n"),
    Event(
      name: "closed", rest: ">&-", code: 1, errors: "aubench: standard output: cannot be written: bad file descriptor\n"
    ),
    Event(
      name: "full, as JSON", rest: "--json > /dev/full", code: 1,
      errors: "aubench: standard output: cannot be written: no space left on device\n"),
  ]

  @Test(arguments: commands, events)
  func whereStandardOutputCannotBeWrittenNothingElseIs(_ name: String, _ event: Event) throws {
    // A plot in the terminal has no JSON.
    guard !(name == "plot" && event.rest.contains("--json")) else { return }
    let runs = try CommandRuns()
    try runs.writeInputs()
    let result = try Program.shell(
      runs.shell(try #require(CommandRuns.short[name]), before: event.before, rest: event.rest))
    #expect(result.code == event.code, "\(result.errors)")
    // Warnings of clipping come before.
    if let errors = event.errors { #expect(result.errors.hasSuffix(errors), "\(result.errors)") }
    #expect(runs.litter.isEmpty && runs.processes.isEmpty, "\(runs.litter)")
  }

  @Test(arguments: commands)
  func aReaderThatHasGoneEndsTheCommandInSilence(_ name: String) throws {
    let runs = try CommandRuns()
    try runs.writeInputs()
    let line = try #require(CommandRuns.short[name])
    // The reader is gone before the program begins: its end of the pipe was the first thing to be closed.
    let result = try Program.shell(
      "pipe='\(runs.input.file("pipe"))'; mkfifo \"$pipe\"; exec 3<> \"$pipe\" 4> \"$pipe\" 3<&-\n"
        + runs.shell(line, rest: ">&4 4>&-"))
    #expect(result.code == 141, "\(result.errors)")
    #expect(!result.errors.contains("standard output"), "\(result.errors)")
    #expect(runs.litter.isEmpty && runs.processes.isEmpty, "\(runs.litter)")
  }

  @Test(arguments: commands, [">/dev/null 2>/dev/full", ">/dev/null 2>&-", ">/dev/null <&- 2>&-"])
  func standardErrorChangesNoAnswer(_ name: String, _ rest: String) throws {
    let runs = try CommandRuns()
    try runs.writeInputs()
    let line = try #require(CommandRuns.short[name])
    #expect(try Program.shell(runs.shell(line, rest: rest)).code == 0)
    let written = ["render", "convert", "measure", "compare", "verify"].contains(name)
    #expect(runs.output.names.isEmpty == !written, "\(runs.output.names)")
    #expect(runs.temporary.names.filter { $0 != "aubench" }.isEmpty && runs.processes.isEmpty)
  }

  /// A file never gets into the place of a closed standard output.
  @Test func closedStreamsStayClosed() throws {
    let runs = try CommandRuns()
    try runs.writeInputs()
    for rest in ["<&- >&- 2>&-", "<&- 2>&- >&- --quiet"] {
      let result = try Program.shell(runs.shell(#"render "$IN/g.json" -o "$OUT/x.wav""#, rest: rest))
      #expect(result.code == (rest.contains("quiet") ? 0 : 1))
      #expect(result.output.isEmpty && result.errors.isEmpty)
    }
    #expect(try WaveFile(reading: runs.output.bytes("x.wav")).frames > 0)
  }

  @Test func filesThatMayNotGrowAreOutputErrorsOrCasesThatCannotBeRun() throws {
    for (name, code) in [("render", 5), ("convert", 5), ("measure", 5), ("compare", 5), ("verify", 10)]
      as [(String, Int32)]
    {
      let runs = try CommandRuns()
      try runs.writeInputs()
      // Reports of verify would be output errors too.
      let line = name == "verify" ? #"verify "$IN/short.json""# : try #require(CommandRuns.short[name])
      // Blocks of 512 bytes or of 1 KiB, by the shell.
      let place = "cd '\(runs.output.path)' && ulimit -f 4"
      let result = try Program.shell(runs.shell(line, before: place, rest: "> /dev/null"))
      #expect(result.code == code, "\(name): \(result.errors)")
      #expect(result.errors.isEmpty || !result.errors.contains("crashed"), "\(result.errors)")
      #expect(runs.litter.isEmpty && runs.processes.isEmpty, "\(name): \(runs.litter)")
    }
  }
}
