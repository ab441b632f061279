import AudioCore
import Dispatch
import Glibc
import Measurement
import Reporting
import Verification

extension CommandOption {
  static let testCase = CommandOption(
    "case", value: "ID", isRepeatable: true,
    "only cases of this id; * matches any characters: equalizers/*, */low-pass")
  static let bless = CommandOption(
    "bless", value: .optional("MODE"), completion: .words { ["missing", "failed", "all"] },
    "write goldens: missing (those that are not there), failed (those and the ones whose check fails; the default) or all "
      + "of the cases named. Needs --reason. Shows the old and the new result, and their distance")
  static let reason = CommandOption(
    "reason", value: "TEXT", "why goldens are written; kept in their records")
  static let html = newFile(
    "html", "write the report as one page that needs nothing else")
  static let junit = newFile(
    "junit", "write the report as JUnit XML, as CI servers read it")
  static let report = newFile(
    "report", "write the report as JSON")
  static let artifacts = file(
    "artifacts", letter: "o", value: "FOLDER",
    "the folder for the files of failed cases: the output, the expected one, and the difference (default: verify-results)"
  )
  static let jobs = CommandOption(
    "jobs", letter: "t", value: "N",
    "cases at a time, each in a process of its own (default: one more than there are cores, as some cases wait)")
  static let shuffle = CommandOption(
    "shuffle", value: .optional("SEED"), "start the cases in another order: the result must not depend on it")
  static let verbose = CommandOption("verbose", letter: "v", "a line for each case, also for those that pass")
  static let sensitivity = CommandOption(
    "sensitivity",
    "instead of a verdict: the small changes to its device that each case would detect (0.1 dB, a frame, an LSB, ...)"
  )
  static let noCommands = CommandOption(
    "no-commands", "refuse a suite in which a case would start a program: for suites that you did not write")
  static let list = CommandOption("list", letter: "l", "only list the cases")
}

extension Command {
  static let verify = Command(
    "verify", "run suites of checks: goldens, curves, limits, invariance",
    description: """
      Runs the cases of suite files (JSON): each renders a device under test, a unit, a graph or any command, and checks \
      what came out: against goldens, closed forms, other devices and files, measured figures against limits, and that \
      slices, threads, resets and the order of cases are not heard. Each case runs in a process of its own, within limits \
      of time and memory; a crash or a hang is a result like another. The last line is the verdict. Goldens are never \
      written unless --bless says so. A suite can start programs: a device that is a command is run as you, with all that \
      you may do. Look into a suite that is not yours before you run it (--list names its devices), or give --no-commands, \
      which refuses one that would start any.
      """,
    operands: [Operand("SUITE", isRepeatable: true, "a suite file, version 1: see docs/suite-file.schema.json")],
    options: [
      .testCase, .list, .sensitivity, .bless, .reason, .html, .junit, .report, .artifacts, .jobs, .shuffle, .slice,
      .threadsPerCase,
      .noCommands, .verbose, .json, .quiet,
    ],
    examples: [
      Example("aubench verify fixtures/suites/*.json", "every case; 0 when all is as it should be"),
      Example(
        "aubench verify suite.json --html report.html --junit report.xml", "with a page for people and a file for CI"),
      Example(
        "aubench verify suite.json --case '*/rock' --bless --reason 'new curve by decision 12'",
        "the golden of one case anew, after a look at what changed"),
    ],
    exitCodes: [5, 7, 8, 9, 10, ExitCode.componentCrash],
    interruption: "and stopped before the last case; no report was written"
  ) { (arguments) throws(BenchError) in
    try VerifyCommand(arguments: arguments).run()
  }
}

extension CommandOption {
  static let threadsPerCase = CommandOption(
    "threads", value: "N",
    "threads that render each graph (default 1). The result is the same with any number")
}

/// One run of `aubench verify`.
struct VerifyCommand {
  /// The word that makes this program the process of one case; not for people.
  static let caseWord = "--verify-case"

  let arguments: Arguments

  func run() throws(BenchError) {
    let suites = try readSuites()
    // The report of a case's process that crashes: where, without registers and a list of libraries.
    setenv("SWIFT_BACKTRACE", "registers=none,images=none,color=no,interactive=no", 0)
    let runner = try runner()
    let chosen = try runner.selection(of: suites)
    let selection = chosen.map(\.testCase)
    if arguments.has(.noCommands) { try refuseCommands(of: selection) }
    if arguments.has(.list) { return list(selection) }
    let outputs = arguments.run.outputs
    for suite in suites { FileRoles.read(suite, outputs) }
    try FileRoles.declare(chosen, runner, outputs)
    for option in [CommandOption.report, .junit, .html] {
      if let path = arguments[option] { try outputs.check(path) }
    }
    if arguments.has(.sensitivity) {
      for option in [CommandOption.html, .junit, .report, .bless] where arguments.has(option) {
        throw Arguments.error(option, "does not go with --sensitivity, which has no verdicts")
      }
      return sensitivity(chosen)
    }
    let isTerminal = isatty(StandardOutput.descriptor) != 0
    let report = TerminalReport(
      width: isTerminal ? ProgressBar.terminalWidth : 100, isColored: isTerminal && getenv("NO_COLOR") == nil,
      isVerbose: arguments.has(.verbose))
    let speaks = !arguments.has(.json) && !arguments.has(.quiet)
    let outcome = try run(runner, suites, total: selection.count, speaks ? report : nil)
    if let path = arguments[.report] { try AtomicFile.write(JSONReport.text(outcome), to: path, in: outputs) }
    if let path = arguments[.junit] { try AtomicFile.write(JUnitReport.text(outcome), to: path, in: outputs) }
    if let path = arguments[.html] { try AtomicFile.write(HTMLReport.text(outcome, path: path), to: path, in: outputs) }
    if arguments.has(.json) {
      StandardOutput.print(JSONReport.text(outcome))
    } else if speaks {
      StandardOutput.print(colored: report.summary(outcome))
    }
    arguments.run.exitCode = ExitCode.of(outcome.verdict)
  }

  /// Reads the suite files. Each that cannot be read is reported: who mends one wants to know of the others.
  private func readSuites() throws(BenchError) -> [SuiteFile] {
    var suites: [SuiteFile] = []
    var errors: [BenchError] = []
    for path in arguments.operands where !suites.contains(where: { ByteText.isSame($0.path, path) }) {
      do throws(BenchError) {
        let suite = try SuiteFile(path: path)
        if let other = suites.first(where: { $0.name == suite.name }) {
          throw BenchError(
            .usage, at: path, "\(other.path) has the same name, and cases are listed by it", advice: "rename one")
        }
        suites.append(suite)
      } catch { errors.append(error) }
    }
    errors.dropLast().forEach { ErrorLine.write($0.description) }
    if let last = errors.last { throw last }
    return suites
  }

  private func list(_ cases: [TestCase]) {
    if arguments.has(.json) {
      let cases = cases.map {
        JSONValue(["id": $0.id, "suite": $0.suitePath, "device": $0.device.name, "skipped": $0.skipReason])
      }
      return StandardOutput.print(json: JSONValue(["cases": cases]))
    }
    let rows = cases.map { [$0.id, $0.device.name, $0.skipReason.map { "skipped: \($0)" } ?? ""] }
    StandardOutput.print(TextLayout.columns(rows))
  }

  /// Runs the cases and prints each as it ends.
  /// - Parameter report: nil: nothing is printed.
  private func run(
    _ runner: SuiteRunner, _ suites: [SuiteFile], total: Int, _ report: TerminalReport?
  ) throws(BenchError) -> RunOutcome {
    let showsProgress = report != nil && isatty(2) != 0
    let counts = Locked((finished: 0, bad: 0))
    let outcome = try runner.run(
      suites,
      finished: { outcome in
        guard let report else { return }
        let (finished, bad) = counts.withLock { counts in
          counts.finished += 1
          if !outcome.verdict.isGood { counts.bad += 1 }
          return counts
        }
        if showsProgress { writeAll(TerminalReport.progressEnd, to: 2) }
        StandardOutput.print(colored: report.caseFinished(outcome))
        if showsProgress {
          writeAll(report.progress(finished: finished, of: total, bad: bad), to: 2)
        }
      })
    if showsProgress { writeAll(TerminalReport.progressEnd, to: 2) }
    return outcome
  }

  /// Nothing is run where anything of it would start a program.
  private func refuseCommands(of cases: [TestCase]) throws(BenchError) {
    for testCase in cases where testCase.skipReason == nil {
      guard let command = testCase.commands.first else { continue }
      throw BenchError(
        .suite, at: testCase.suitePath, "case \"\(testCase.name)\" would run a command: \(command)",
        advice: "look at it, and leave --no-commands out if it may; or choose other cases by --case")
    }
  }

  private func sensitivity(_ cases: [(suite: SuiteFile, testCase: TestCase)]) {
    let rows = Locked<[(Int, SensitivityAnalysis.Row)]>([])
    let options = GraphArguments.thirdPartyUnits
    DispatchQueue.concurrentPerform(iterations: cases.count) { index in
      let row = SensitivityAnalysis().row(cases[index].testCase, of: cases[index].suite, options: options)
      rows.withLock { $0.append((index, row)) }
    }
    let report = SensitivityReport(rows: rows.withLock { $0.sorted { $0.0 < $1.0 }.map(\.1) })
    if !report.isTold { arguments.run.exitCode = ExitCode.checkFailed }
    if arguments.has(.json) {
      StandardOutput.print(json: report.json)
    } else {
      StandardOutput.print(report.text)
    }
  }

  private func runner() throws(BenchError) -> SuiteRunner {
    var runner = SuiteRunner(program: [try Self.ownPath(), Self.caseWord])
    runner.jobs =
      try arguments.integer(.jobs, "a number of cases from 1 to 256", in: 1...256) ?? AvailableCores.count + 1
    runner.patterns = arguments.all(.testCase)
    runner.artifactFolder = arguments[.artifacts] ?? "verify-results"
    if arguments.has(.shuffle) {
      runner.shuffleSeed = try arguments.seed(.shuffle) ?? 1
    }
    runner.partition = RenderPartition(
      sliceFrames: try arguments.sliceFrames(), threads: try arguments.threads(.threadsPerCase) ?? 1)
    let reason = arguments[.reason]
    if arguments.has(.bless) {
      guard let reason, GoldenPolicy.isReason(reason) else {
        throw Arguments.error(.bless, "goldens are written for a reason", advice: "add --reason 'why they change'")
      }
      let name = arguments[.bless] ?? GoldenPolicy.Mode.failed.rawValue
      guard let mode = GoldenPolicy.Mode(rawValue: name), mode != .never else {
        throw Arguments.error(.bless, "there is no mode \"\(name)\"", advice: "choose missing, failed or all")
      }
      if mode == .all, runner.patterns.isEmpty {
        throw Arguments.error(
          .bless, "all goldens of all cases would be written", advice: "name the cases by --case, '*' for every one")
      }
      runner.policy = GoldenPolicy(mode, reason: reason)
    } else if reason != nil {
      throw Arguments.error(.reason, "goes with --bless")
    }
    return runner
  }

  private static func ownPath() throws(BenchError) -> String {
    guard let path = Aubench.program else {
      throw BenchError(.render, "this program's own file cannot be found")
    }
    return path
  }
}
