import AudioCore
import Batch
import BatchRender
import Measurement
import Reporting

extension CommandOption {
  static let outputName = CommandOption(
    "output", letter: "o", value: .required("NAME"), completion: .newFile,
    "every argument is an input; the name of each output, as 'out/{folder}/{name}.flac'")
  static let dryRun = CommandOption("dry-run", "of several outputs: print what would be made of what, and make nothing")
  static let failFast = CommandOption("fail-fast", "of several outputs: begin no more once one has failed")
}

/// What `render` and `convert` have in common where they make many files: plan, progress, report.
struct BatchCommand {
  static let options: [CommandOption] = [.dryRun, .failFast]

  static let help = HelpSection(
    title: "Many files",
    text: """
      An input may be a pattern in quotes ('in/**/*.wav': * and ? within a name, ** for any folders), a folder (the sound \
      files in it and below), or a list (@LIST, a name on each line). An output's name has places: {name} and {extension} of \
      the input, {folder} below the first wildcard, {index} from 1 on ({index:4} with four digits); {{ is a brace. Files are \
      worked on side by side, as many as there are threads. One that fails is told and the others go on; the program ends \
      with the code of that failure, or with 11 where several failed in several ways. With --no-clobber outputs that are there \
      are left as they are, which is no failure.
      """)

  /// Whether a line asks for many outputs: it says `-o` of inputs, as `convert` may, or names its output or an input by more
  /// than one file's name.
  static func isAsked(for arguments: Arguments) -> Bool {
    guard let name = arguments[.outputName] else { return false }
    return arguments.command == "convert" || name.contains("{")
      || arguments.all(.input).contains { text in
        guard let file = Arguments.pair(text)?.value, !FileSystem.exists(file) else { return false }
        return PathPattern(file) != nil || file.hasPrefix("@")
      }
  }

  let arguments: Arguments
  let verb: String

  /// Makes the outputs of all files.
  /// - Parameter name: of the outputs, with places.
  func run(
    _ sources: [(node: String, source: BatchPlan.Source)], name: String, work: @escaping BatchRun.Work
  ) throws(BenchError) {
    let plan = try BatchPlan(
      sources, output: try NameTemplate(name, at: "option --output"), beside: arguments.run.outputs)
    guard !arguments.has(.dryRun) else { return show(plan) }
    let clock = ContinuousClock.now
    let progress = BatchProgress(verb, count: plan.tasks.count, arguments)
    let run = BatchRun(
      plan, threads: try arguments.threads(.threads) ?? AvailableCores.count, endsAtFailure: arguments.has(.failFast),
      replaces: !arguments.has(.noClobber), work: work, told: progress.add)
    let report = BatchReport(plan, run.run(), seconds: clock.duration(to: .now) / .seconds(1))
    progress.erase()
    arguments.print(report.json, orText: report.text)
    arguments.run.exitCode = ExitCode.of(report.failures)
  }

  private func show(_ plan: BatchPlan) {
    arguments.print(
      JSONValue(["tasks": plan.tasks.map(\.json)]), orText: plan.tasks.map { $0.text + "\n" }.joined())
  }
}
