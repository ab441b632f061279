import AudioCore
import BatchRender
import Bench
import Glibc
import Plotting
import Processes
import Reporting

/// One run of `aubench bench`.
struct BenchCommand {
  private let arguments: Arguments
  private let variation: BenchVariation?
  private let machine = BenchMachine.present

  /// The number of launches of two that are compared.
  private static let launches = 10
  /// A share that is no rise: the quotient of two counts is not exact.
  private static let roundedOff = 1e-9
  /// Enough for every filter to ring.
  private static let comparedFrames: Int64 = 1 << 19

  init(_ arguments: Arguments) throws(BenchError) {
    self.arguments = arguments
    variation = try BenchVariation(arguments)
  }

  private var title: String { arguments.operands.joined(separator: " ") }

  func run() throws(BenchError) {
    if arguments.has(.threshold), !arguments.has(.instructions) || !(isComparison || arguments.has(.history)) {
      throw Arguments.error(
        .threshold, "goes with --instructions, and with --history, --against or --against-binary",
        advice: "add them, or leave this out")
    }
    _ = try mayRise()
    for option in [CommandOption.benchCSV, .benchMarkdown, .benchHTML, .history] {
      guard let path = arguments[option] else { continue }
      guard path != "-" else {
        throw Arguments.error(option, "names a file", advice: "--json writes to the standard output")
      }
      if option.name != CommandOption.history.name { try AtomicFile(path: path, overwrites: true).discard() }
    }
    if let path = arguments[.history], !arguments.operands.isEmpty { try CostHistory.check(path) }
    if let path = arguments[.benchPlot], path != "-" { try Figure.check(path: path, withData: false) }
    if arguments[.benchPlot] == "-", arguments.has(.json) {
      throw Arguments.error(
        .benchPlot, "a chart in the terminal does not go with --json", advice: "name a picture, or leave --json out")
    }
    if arguments.operands.isEmpty { return try drawHistory() }
    if isComparison { return try compare() }
    if BenchSubjects.isCommand(arguments.operands) { return try time() }
    try measure()
  }

  /// Times alone decide, unless other conditions are set.
  private var timesDecide: Bool {
    arguments.has(.requireTimes) || !(arguments.has(.realtime) || arguments.has(.threshold))
  }

  private var isComparison: Bool { arguments.has(.benchAgainst) || arguments.has(.againstBinary) }

  /// - Throws: `.usage` for options that do not go with what is done.
  private func refuse(_ options: [CommandOption], with what: String) throws(BenchError) {
    for option in options where arguments.has(option) {
      throw Arguments.error(option, "does not go with \(what)", advice: "leave it out")
    }
  }

  private func options() throws(BenchError) -> BenchRun.Options {
    var options = BenchRun.Options()
    options.seconds =
      try arguments.number(.benchSeconds, "a number of seconds above 0", in: .time, where: { $0 > 0 })
      ?? options.seconds
    return options
  }

  /// - Throws: `.usage` where one is a debug build.
  private func start(_ cases: [BenchRun.Case], _ options: BenchRun.Options) throws(BenchError) -> BenchRun {
    let run = try BenchRun(cases, options: options)
    guard run.facts.allSatisfy(\.isReleaseBuild) else {
      throw BenchError(
        .usage, at: "bench", "this is a debug build, whose figures say nothing of a release build",
        advice: "build with -c release")
    }
    return run
  }

  // MARK: Subjects, one beside the other

  private func measure() throws(BenchError) {
    let program = try program()
    let subjects = try BenchSubjects(arguments, variation)
    let cases = try subjects.cases([program, BenchWorker.word])
    let progress = ProgressBar("measuring", arguments)
    let run = try start(cases, try options())
    let results = try run.run(progress: shown(progress))
    let counts = try instructions(cases, run.facts, progress)
    let watches = try watches(cases, run.facts, program, progress)
    progress.erase()
    let former = FileSystem.exists(arguments[.history] ?? "") ? try history() : nil
    let report = CostReport(
      title, results, instructions: counts, formerInstructions: results.map { former?.instructions(of: $0) },
      watches: watches, machine, varied: variation?.name,
      showsAllStacks: arguments.has(.realtime))
    let rise = try mayRise()
    let isMore = rise.map { report.instructionsRise > $0 + Self.roundedOff } ?? false
    var failures = timesDecide ? results.filter(\.isNoisy).map { "\($0.name): too noisy for a figure" } : []
    if isMore, let rise {
      failures.append(
        "\(Self.percent(report.instructionsRise)) more instructions a frame than in the last run of the history, and at most "
          + "\(Self.percent(rise)) may be: a run without --threshold accepts them")
    }
    if arguments.has(.realtime) {
      failures += watches.compactMap { watch in
        guard let count = watch.report?.violations.count, count > 0 else { return nil }
        return "\(VisibleText.name(watch.title)): render calls do what a realtime thread must not do, at "
          + NumberText.count(count, "place")
      }
    }
    let drawn = try draw(CostFigures(report))
    arguments.print(
      report.json.adding(["failures": failures]), orText: report.text + drawn,
      chart: arguments[.benchPlot] == "-" ? drawn : "")
    if let path = arguments[.benchCSV] { try AtomicFile.write(report.csv, to: path) }
    if let path = arguments[.benchMarkdown] { try AtomicFile.write(report.markdown, to: path) }
    // A run that is refused is not recorded for later comparisons.
    if !isMore { try note(report.json) }
    if let path = arguments[.benchHTML] { try AtomicFile.write(CostPage(report, try history()).text, to: path) }
    fail(failures)
  }

  /// Says on standard error why the program ends with 7.
  private func fail(_ failures: [String]) {
    for failure in failures { ErrorOutput.fail(failure) }
    if !failures.isEmpty { arguments.run.exitCode = ExitCode.checkFailed }
  }

  private static func percent(_ share: Double) -> String { "\(NumberText.fixed(share * 100, 1)) %" }

  private func shown(_ progress: ProgressBar) -> (Double) -> Void {
    let clock = ContinuousClock.now
    return { share in
      progress.show(["measuring  \(Int(clamping: min(1, share) * 100)) %"], at: clock.duration(to: .now) / .seconds(1))
    }
  }

  private func program() throws(BenchError) -> String {
    guard let program = Aubench.program else {
      throw BenchError(.render, "this program's own file cannot be found")
    }
    return program
  }

  /// The instructions of each case, for a frame; empty if they are not requested.
  private func instructions(
    _ cases: [BenchRun.Case], _ facts: [BenchFacts], _ progress: ProgressBar
  ) throws(BenchError) -> [InstructionCount.Counts] {
    guard arguments.has(.instructions) else { return [] }
    let count = try InstructionCount()
    var counts: [InstructionCount.Counts] = []
    for (index, one) in cases.enumerated() {
      progress.show(["counting instructions  \(index + 1) of \(cases.count)"], at: .infinity)
      counts.append(try count.perFrame(of: one, lengthFrames: facts[index].lengthFrames))
    }
    return counts
  }

  /// The watched activity of each subject's render calls; the first of its cases represents all.
  private func watches(
    _ cases: [BenchRun.Case], _ facts: [BenchFacts], _ program: String, _ progress: ProgressBar
  ) throws(BenchError) -> [CostReport.Watch] {
    var watches: [CostReport.Watch] = []
    for (one, facts) in zip(cases, facts) where !watches.contains(where: { $0.title == one.title }) {
      guard let library = WatchLibrary.path else {
        if arguments.has(.realtime) {
          throw BenchError(
            .render, "\(WatchLibrary.name) is not beside this program, and render calls cannot be watched without it",
            advice: "build it: swift build -c release --product aubench-watch")
        }
        watches.append(CostReport.Watch(title: one.title, report: nil))
        continue
      }
      progress.show(["watching render calls of \(VisibleText.name(one.title))"], at: .infinity)
      let silence = Int64(clamping: WatchLibrary.silenceSeconds * facts.sampleRate)
      let isUnit = !FileSystem.exists(one.title) && !one.title.hasSuffix(".json")
      let order = WatchOrder(
        frames: min(facts.lengthFrames, Int64(clamping: WatchLibrary.longestSeconds * facts.sampleRate)) + silence,
        mostFrames: facts.maximumFrames ?? one.subject.slice, node: isUnit ? BenchSubjects.unitNode : nil)
      do {
        var report = try WatchRun.report(
          one.subject, order, words: [program, BenchWorker.watchWord], library: library)
        if isUnit { report.ownNodes = Set(report.findings.compactMap(\.node)).filter(BenchSubjects.isOwnNode).sorted() }
        watches.append(
          CostReport.Watch(title: one.title, report: report, exceptions: facts.realtimeExceptions ?? [:]))
      } catch {
        // A unit may end the process by what it is set to here: the figures are there all the same.
        guard !arguments.has(.realtime) else { throw error }
        watches.append(CostReport.Watch(title: one.title, report: nil, failure: error.message))
      }
    }
    return watches
  }

  /// Draws the figures if requested. Returns the text for a terminal.
  private func draw(_ figures: CostFigures) throws(BenchError) -> String {
    guard let path = arguments[.benchPlot] else { return "" }
    if path == "-" { return "\n" + figures.chart }
    return try figures.write(to: path).map { "written: \($0)\n" }.joined()
  }

  /// The share by which instructions may grow; nil: any.
  private func mayRise() throws(BenchError) -> Double? {
    try arguments.number(.threshold, "a number of per cent from 0 on", in: .percent, where: { $0 >= 0 }).map {
      $0 / 100
    }
  }

  // MARK: Commands

  private func time() throws(BenchError) {
    try refuse(
      [
        .slices, .benchThreads, .benchRate, .set, .benchKeys, .input, .benchPlot, .benchMarkdown, .benchHTML, .realtime,
        .instructions,
      ], with: "a command")
    var commands = [(name: title, words: arguments.operands)]
    if let variation {
      guard case .text(let key) = variation.key else {
        throw Arguments.error(.benchVary, "there is no {\(variation.name)} in the words of the command")
      }
      commands = variation.values.map { value in
        ("\(key) \(value)", arguments.operands.map { $0.replacing("{\(key)}", with: value) })
      }
    }
    var options = try options()
    options.rounds = 10...2000
    let progress = ProgressBar("timing", arguments)
    let (results, start) = try CommandRun.run(commands, options, progress: shown(progress))
    progress.erase()
    let report = CommandCostReport(
      title, results, startSeconds: start, machine,
      varied: variation.map { variation in variation.values.map { variation.number($0) } })
    let failures = results.filter(\.isNoisy).map { "\($0.name): too noisy for a figure" }
    arguments.print(report.json.adding(["failures": failures]), orText: report.text)
    if let path = arguments[.benchCSV] { try AtomicFile.write(report.csv, to: path) }
    try note(report.json)
    fail(failures)
  }

  // MARK: Two, one against the other

  /// Results in pairs: what was there before, and what is there now.
  private func compare() throws(BenchError) {
    try refuse([.benchVary, .benchPlot, .benchHTML, .realtime], with: "--against")
    guard arguments.operands.count == 1 else {
      throw BenchError(.usage, at: "bench", "one subject is compared with another, not \(arguments.operands.count)")
    }
    let program = try program()
    let subjects = try BenchSubjects(arguments, nil)
    let former = try former(program, try subjects.subject(title))
    var cases: [BenchRun.Case] = []
    for one in try subjects.cases([program, BenchWorker.word]) {
      var subject = former.subject
      (subject.slice, subject.threads) = (one.subject.slice, one.subject.threads)
      // Those that are compared stand side by side.
      cases.append(BenchRun.Case(name: one.name, subject: subject, words: [former.program, BenchWorker.word]))
      cases.append(one)
    }
    var options = try options()
    // One for each second, so that all of the uncertainty shrinks while it goes on.
    options.launches = max(Self.launches, Int(clamping: min(options.seconds, 1000)))
    let progress = ProgressBar("measuring", arguments)
    let run = try start(cases, options)
    let results = try run.run(progress: shown(progress))
    let instructions = try instructions(cases, run.facts, progress)
    progress.erase()
    let folder = try ScratchFolder()
    var parts: [CostComparisonReport.Part] = []
    for index in stride(from: 0, to: results.count, by: 2) {
      let (before, now) = (results[index], results[index + 1])
      parts.append(
        .init(
          BenchComparison(now.name, former: before, present: now),
          try soundDifference(run, index, before.facts, now.facts, in: folder),
          instructions: instructions.isEmpty
            ? nil : (instructions[index].instructions, instructions[index + 1].instructions)))
    }
    let report = CostComparisonReport(
      former: former.name, present: title, parts, machine, seconds: options.seconds)
    let rise = try mayRise()
    var failures = report.failures(timesDecide: timesDecide)
    if let rise, report.instructionsRise > rise + Self.roundedOff {
      failures.append(
        "\(Self.percent(report.instructionsRise)) more instructions a frame than before, and at most \(Self.percent(rise)) may be"
      )
    }
    arguments.print(report.json.adding(["failures": failures]), orText: report.text)
    if let path = arguments[.benchCSV] { try AtomicFile.write(report.csv, to: path) }
    if let path = arguments[.benchMarkdown] { try AtomicFile.write(report.markdown, to: path) }
    try note(report.json)
    fail(failures)
  }

  /// How far the sound of a case differs from that of the case before it.
  private func soundDifference(
    _ run: BenchRun, _ index: Int, _ before: BenchFacts, _ now: BenchFacts, in folder: ScratchFolder
  ) throws(BenchError) -> SoundDifference {
    guard (before.sampleRate, before.channels) == (now.sampleRate, now.channels) else {
      return .incomparable(
        "\(NumberText.short(before.sampleRate)) Hz and \(NumberText.count(before.channels, "channel")) against "
          + "\(NumberText.short(now.sampleRate)) Hz and \(now.channels)")
    }
    return SoundDifference(
      former: try run.sound(ofCase: index, frames: Self.comparedFrames, in: folder.path),
      present: try run.sound(ofCase: index + 1, frames: Self.comparedFrames, in: folder.path))
  }

  /// Adds a line to the history: whole, as one write of a file that is only added to.
  private func note(_ figures: JSONValue) throws(BenchError) {
    guard let path = arguments[.history] else { return }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let line = figures.adding(["unixTimeSeconds": time.tv_sec]).text + "\n"
    let descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    let failure = descriptor < 0 ? errno : writeAll(Array(line.utf8), to: descriptor)
    if descriptor >= 0 { close(descriptor) }
    if failure != 0 { throw AtomicFile.failure(failure, at: path) }
  }

  /// All that `--history` has; nil where it is not asked for.
  private func history() throws(BenchError) -> CostHistory? {
    guard let path = arguments[.history] else { return nil }
    return try CostHistory(path)
  }

  /// A page of the history alone.
  private func drawHistory() throws(BenchError) {
    guard let path = arguments[.benchHTML], let history = try history() else {
      throw BenchError(
        .usage, at: "bench", "no subject is named",
        advice: "name a graph or a unit, or draw a history by --history and --html")
    }
    try AtomicFile.write(CostPage(history).text, to: path)
    arguments.print(JSONValue(["runs": history.count]), orText: history.text)
  }

  /// The program that the subject is compared with, and its name.
  private func former(
    _ program: String, _ subject: BenchSubject
  ) throws(BenchError) -> (name: String, subject: BenchSubject, program: String) {
    switch (arguments[.benchAgainst], arguments[.againstBinary] ?? program) {
    case (.some, _) where arguments.has(.againstBinary):
      throw Arguments.error(.benchAgainst, "does not go with --against-binary", advice: "leave one of the two out")
    case (let graph?, _):
      var other = subject
      let data = try JSONFile.read(graph, kind: .graph, what: "graph")
      (other.graph, other.folder) = (ByteText.string(Array(data)), FileName.folderPrefix(of: graph))
      return (graph, other, program)
    case (nil, let binary):
      guard FileSystem.access(binary, X_OK) == 0 else {
        throw BenchError(.input, at: binary, "is no program that can be run: \(systemMessage(errno))")
      }
      return (binary, subject, FileSystem.realPath(binary) ?? binary)
    }
  }
}
