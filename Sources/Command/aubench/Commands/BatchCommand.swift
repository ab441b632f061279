import AudioCore
import Batch
import BatchRender
import FoundationEssentials
import Journal
import Reporting

extension CommandOption {
  static let outputName = newFile(
    "output", letter: "o", value: "NAME",
    "every argument is an input; the name of each output, as 'out/{folder}/{name}.flac'")
  static let dryRun = CommandOption(
    "dry-run",
    "for several outputs: list the inputs of each and the ones that would fail, and make nothing; the exit code is "
      + "that of the run"
  )
  static let failFast = CommandOption("fail-fast", "for several outputs: begin no more once one has failed")
  static let retries = CommandOption(
    "retries", value: "N",
    "for several outputs: try each that failed up to N times again, at the end (default 0)")
  static let batchHTML = newFile(
    "html", "for several outputs: write the report as a page")
  static let batchJUnit = newFile(
    "junit", "for several outputs: write the report as JUnit XML, for CI"
  )
  static let batchCSV = newFile(
    "csv",
    "for several outputs: write the report as a table: length, peak, clipped samples, loudness, true peak of each")

  static let journal = newFile(
    "journal",
    "for several outputs: record in FILE how each was made, and make only those that are missing or have changed since")
  static let shard = CommandOption(
    "shard", value: "K/N",
    "for several outputs: make the K-th of N parts; parts 1 to N together are the whole, without overlap"
  )

  static let loudness = CommandOption(
    "loudness", value: "LUFS",
    "one gain for each output, so that its integrated loudness (EBU R 128), as it is read back, is this: -16; where its true "
      + "peak would then exceed --true-peak, it stays quieter, which is reported; see --limit")
  static let truePeak = CommandOption(
    "true-peak", value: "DBTP", "with --loudness: the highest true peak (default -1)")
  static let limit = CommandOption(
    "limit",
    "with --loudness: turn peaks down with the true-peak limiter where the output would else stay quieter than its target"
  )
  static let album = CommandOption(
    "album", "with --loudness: all outputs of a folder get one gain, by their loudness as a whole")
  static let measureLoudness = CommandOption(
    "measure-loudness", "measure loudness and true peak of each output for the report")
  static let trim = CommandOption(
    "trim", value: .optional("DBFS"), "cut silence off both ends: everything below this level (default -60)")
  static let trimKeep = CommandOption(
    "trim-keep", value: "S", "with --trim: seconds of silence that stay at either end (default 0)")
  static let fadeIn = CommandOption(
    "fade-in", value: "S",
    "fade the beginning in: seconds; fades that are longer than the sound are shortened")
  static let fadeOut = CommandOption("fade-out", value: "S", "fade the end out: seconds")
  static let split = CommandOption(
    "split", value: "NAME",
    "cut each input by a cue sheet, or a table (start,end,title): '{path}.cue' is the one beside it; markers: by its own "
      + "regions, or from each marker to the next; {track} and {title} are places of the outputs' names")
}

/// The parts that `render`, `convert` and `batch` share when they make many files: plan, progress, report.
struct BatchCommand {
  /// The options of the run.
  static let options: [CommandOption] = [.dryRun, .failFast, .retries, .shard, .journal] + reports
  static let reports: [CommandOption] = [.batchHTML, .batchJUnit, .batchCSV]
  /// The options for finishing a sound before it is written.
  static let finishing: [CommandOption] = [
    .loudness, .truePeak, .limit, .album, .measureLoudness, .trim, .trimKeep, .fadeIn, .fadeOut, .split,
  ]

  /// The first word of a process that renders for another one of the same line.
  static let workerWord = "render-worker"
  /// True in such a process.
  static let isWorker = Locked(false)

  static let help = HelpSection(
    title: "Many files",
    text: """
      An input may be a pattern in quotes ('in/**/*.wav': * and ? within a name, ** for any folders, {song} for a part of a \
      name that outputs are named after), a folder (the sound files in it and below), or a list (@LIST, a name on each line). \
      An output's name has places: {name} and {extension} of the input, {folder} below the first wildcard, {index} from 1 on \
      ({index:4} with four digits); {{ is a brace. Files are worked on side by side, as many as there are threads. One that \
      fails is reported and the others go on; the program ends with the code of that failure, or with 11 where several \
      failed in several ways. With --no-clobber outputs that are there are left as they are, which is no failure. \
      "aubench batch" does the same from a file, and makes only what has changed.
      """)

  /// True when a line has more than one plain output: it has `-o` with inputs, as `convert` may, names its output or an
  /// input by more than one file's name, or has its sound finished.
  static func isAsked(for arguments: Arguments) -> Bool {
    if finishing.contains(where: { arguments.has($0) }) { return true }
    guard let name = arguments[.outputName] else { return false }
    return arguments.command == "convert" || name.contains("{")
      || arguments.all(.input).contains { text in
        guard let file = Arguments.pair(text)?.value, !FileSystem.exists(file) else { return false }
        return PathPattern(file) != nil || file.hasPrefix("@")
      }
  }

  let arguments: Arguments
  let verb: String

  /// Applies the options to a job that is made from a command line.
  func takeOptions(_ job: inout BatchJob) throws(BenchError) {
    job.format.container = arguments[.container]
    job.format.encoding = arguments[.encoding]
    try job.checkFormat()
    job.replaces = !arguments.has(.noClobber)
    job.finishing = try finishing()
    let changes = try TagArguments.changes(arguments)
    (job.conversion.tags, job.render.tags) = (changes, changes)
    // Options whose values are functions, as --map, are compared as written.
    let ofTheRun = Set(
      (Self.options + [.outputName, .output, .threads, .noClobber, .json, .quiet, .memory]).map(\.name))
    job.optionsText = arguments.options.filter { !ofTheRun.contains($0.option.name) }
      .map { "\($0.option.name)=\($0.value ?? "")" }.joined(separator: "\n")
    if let split = arguments[.split] { job.split = try NameTemplate(split, at: "option --split") }
    try takeRunOptions(&job)
  }

  /// Applies the options for a run of any job.
  func takeRunOptions(_ job: inout BatchJob) throws(BenchError) {
    if let text = arguments[.shard] {
      guard let shard = BatchShard(text) else {
        throw Arguments.error(
          .shard, "\"\(text)\" is not one of N parts", advice: "write 3/8; N may be up to \(BatchShard.most)")
      }
      job.shard = shard
    }
    if let retries: Int = try arguments.integer(.retries, "a number of times from 0 to 100", in: 0...100) {
      job.retries = retries
    }
  }

  private func finishing() throws(BenchError) -> Finishing {
    var finishing = Finishing()
    func seconds(_ option: CommandOption) throws(BenchError) -> Double? {
      try arguments.number(option, "a number of seconds from 0 on", in: .time, where: { $0 >= 0 })
    }
    for (option, other) in [
      (CommandOption.truePeak, CommandOption.loudness), (.album, .loudness), (.limit, .loudness), (.trimKeep, .trim),
    ]
    where arguments.has(option) && !arguments.has(other) {
      throw Arguments.error(option, "goes with --\(other.name)", advice: "add it, or leave this out")
    }
    if let target = try arguments.number(
      .loudness, "a loudness from -70 to 0 LUFS", in: .loudness, where: { (-70...0).contains($0) })
    {
      let limit = try arguments.number(
        .truePeak, "a level from -60 to 20 dBTP", in: .truePeak, where: { (-60...20).contains($0) })
      finishing.loudness = Finishing.Loudness(
        targetLUFS: target, limitDecibels: limit ?? -1, isAlbum: arguments.has(.album),
        limits: arguments.has(.limit))
    }
    finishing.measuresLoudness = arguments.has(.measureLoudness)
    if arguments.has(.trim) {
      let level = try arguments.number(.trim, "a level below 0 dBFS", in: .level, where: { $0 < 0 })
      finishing.trim = Finishing.Trim(
        thresholdDecibels: level ?? -60, keptSeconds: try seconds(.trimKeep) ?? 0)
    }
    finishing.fadeInSeconds = try seconds(.fadeIn) ?? 0
    finishing.fadeOutSeconds = try seconds(.fadeOut) ?? 0
    return finishing
  }

  /// Makes the outputs of all files.
  func run(_ job: BatchJob) throws(BenchError) {
    if Self.isWorker.withLock({ $0 }) { return RenderWorker(job).serve() }
    try checkReports()
    let plan = try BatchPlan(job, beside: arguments.run.outputs)
    if !job.isConversion { try plan.checkGraphs(job) }
    var options = BatchRun.Options()
    options.journal = try journal(of: plan, job)
    options.threads = try arguments.threads(.threads) ?? AvailableCores.count
    options.workers = Aubench.program.map { RenderWorkers([$0, Self.workerWord] + Aubench.words.dropFirst()) }
    options.endsAtFailure = arguments.has(.failFast)
    let origin = origin
    let clock = ContinuousClock.now
    let progress = BatchProgress(verb, count: plan.tasks.count, arguments)
    let run = try BatchRun(plan, job, options: options, observer: progress)
    guard !arguments.has(.dryRun) else { return show(plan, run) }
    let (total, isResumed) = (
      plan.tasks.reduce(0) { $0 + $1.outputs.count }, options.journal != nil || arguments.has(.noClobber)
    )
    Interruption.settings.withLock { $0.told = { progress.interruption(of: total, isResumed: isResumed) } }
    let outcomes = run.run()
    try options.journal?.publish()
    progress.finish()
    try report(BatchReport(plan, outcomes, seconds: clock.duration(to: .now) / .seconds(1), origin: origin))
  }

  /// The run that begins now, for the head of its page: the job file, or the whole command line.
  var origin: BatchReport.Origin {
    let hasFile = arguments.command.split(separator: " ").first.map(String.init) == Command.batch.name
    let words = Aubench.words.dropFirst().map { word in
      word.contains { !$0.isASCII || $0.isWhitespace || "\"'$&|;<>()*?[]{}!#~`\\".contains($0) } || word.isEmpty
        ? "'" + word.replacing("'", with: "'\\''") + "'" : word
    }
    let job = hasFile ? arguments.operands[0] : ([Program.name] + words).joined(separator: " ")
    return BatchReport.Origin(
      job: job, startTime: Date().formatted(.iso8601), program: "\(Program.name) \(Program.version)")
  }

  /// Reports outputs that were made elsewhere: their failures are reported now.
  func reportMerged(_ merged: BatchReport) throws(BenchError) {
    tell(merged.failures)
    try report(merged)
  }

  /// Tells failures, and those in the same words once with some of their places.
  private func tell(_ failures: [BenchError]) {
    var counts: [String: Int] = [:]
    for error in failures {
      counts[error.message, default: 0] += 1
      if counts[error.message] ?? 0 <= Self.mostOfOneKind { ErrorLine.write(error.description) }
    }
    for (message, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.mostOfOneKind {
      ErrorLine.write("\(NumberText.count(count - Self.mostOfOneKind, "further output")): \(message)")
    }
  }

  private static let mostOfOneKind = 5

  /// Checks that reports can be written, before the work.
  func checkReports() throws(BenchError) {
    for option in Self.reports {
      if let path = arguments[option] { try AtomicFile(path: path, overwrites: true).discard() }
    }
  }

  /// Prints a report, writes it as the files that the line names, and ends with the code of its failures.
  func report(_ report: BatchReport) throws(BenchError) {
    arguments.print(report.json, orText: report.text)
    for (option, text) in [
      (CommandOption.batchHTML, { report.html }), (.batchJUnit, { report.junit }), (.batchCSV, { report.csv }),
    ] {
      if let path = arguments[option] { try AtomicFile.write(text(), to: path) }
    }
    arguments.run.exitCode = ExitCode.of(report.failures)
  }

  /// The journal of a batch: beside its job file, or where the line says. Nil where a dry run has none to look into.
  private func journal(of plan: BatchPlan, _ job: BatchJob) throws(BenchError) -> Journal? {
    let whole = arguments.command == Command.batch.name ? BatchJournals(ofJob: arguments.operands[0]) : nil
    let usual = whole.map { journals in job.shard.map(journals.path) ?? journals.path }
    guard let path = arguments[.journal] ?? usual else { return nil }
    if arguments.has(.dryRun), !FileSystem.exists(path) { return nil }
    let journal = try BatchJournals.open(path, job)
    // Outputs of this part that the job's own journal has need not be made again.
    if job.shard != nil, let whole, FileSystem.exists(whole.path), !ByteText.isSame(whole.path, path) {
      try journal.adopt(plan.tasks.flatMap { $0.outputs.map(\.path) }, from: whole.path)
    }
    return journal
  }

  /// Says what the run would do, as far as that shows before the first frame, and ends with the code that it would end
  /// with.
  private func show(_ plan: BatchPlan, _ run: BatchRun) {
    let forecast = BatchForecast(plan, plan.tasks.indices.map(run.forecast))
    tell(forecast.failures)
    arguments.print(forecast.json, orText: forecast.text)
    arguments.run.exitCode = ExitCode.of(forecast.failures)
  }
}
