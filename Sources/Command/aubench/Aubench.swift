import AudioCore
import AudioEngine
import AudioToolbox
import AudioUnits
import Batch
import BatchRender
import Bench
import Glibc
import Hardware
import Processes
import Reporting
import Verification

/// The program: finds the command, runs it, and turns errors into messages and exit codes.
@main struct Aubench {
  static func main() {
    StandardOutput.takePlaces()
    if isWatched { WatchedRun.begin() }
    var words = Self.words
    if words.dropFirst().first == BatchCommand.workerWord {
      words.remove(at: 1)
      BatchCommand.isWorker.withLock { $0 = true }
    }
    // A process that is ended by a signal reports it, except the process of one case or of a batch's renders: its end
    // is a result for its parent.
    let isWorker =
      BatchCommand.isWorker.withLock { $0 }
      || [VerifyCommand.caseWord, BenchWorker.word, BenchWorker.countWord, BenchWorker.watchWord]
        .contains(words.dropFirst().first ?? "")
    if !isWorker { ProcessWitnesses.make { ForeignCode.Watch() } }
    if isWorker { ProgramEnd.leaveSignals() } else { Interruption.prepare() }
    if isWorker { WatchedRun.beginWork() } else if !isWatched { WatchedRun.prepare() }
    // A line that cannot be parsed may ask for JSON all the same.
    Interruption.settings.withLock { $0.wantsJSON = words.prefix { $0 != "--" }.contains("--json") }
    do {
      let code = try run(words)
      OutputStream.endAwaited()
      ProgramEnd.leave(code)
    } catch {
      ProgramEnd.settle()
      OutputStream.endAwaited()
      ProgressBar.erase()
      let (wantsJSON, code) = (Interruption.settings.withLock(\.wantsJSON), ExitCode.of(error))
      ErrorOutput.report(error, asJSON: wantsJSON, exitCode: code)
      ProgramEnd.leave(code)
    }
  }

  /// The command line, byte by byte as it was given: names of files need not be UTF-8.
  static var words: [String] {
    let words = givenWords
    return isWatched ? Array(words.prefix(1) + words.dropFirst(2)) : words
  }
  private static var givenWords: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0].map { ByteText.string(cString: $0) } }
  }
  /// True where this is the second process of a command with third-party code.
  static let isWatched = givenWords.dropFirst().first == WatchedRun.word

  /// The file of this program; nil where the system does not say.
  static var program: String? { FileSystem.aim(ofLink: "/proc/self/exe") }

  /// The program's own options; two are for those who build it.
  static let options: [CommandOption] = [.help, .version]
  private static let hiddenOptions: [CommandOption] = [.printCompletion, .printManual]

  /// Answers the exit code.
  private static func run(_ words: [String]) throws(BenchError) -> Int32 {
    if try serve(words) { return 0 }
    let own = try OptionParser(options: options + hiddenOptions, command: "").parse(words)
    if try answer(own) { return 0 }
    let (command, wordCount) = try find(own.operands)
    var parser = OptionParser(options: command.options, command: command.name)
    if let isFollowedByItsOwn = command.isFollowedByItsOwn { parser.isFollowedByItsOwn = isFollowedByItsOwn }
    let arguments = try parser.parse(Array(own.operands.dropFirst(wordCount - 1)))
    Interruption.settings.withLock { $0 = .init(wantsJSON: arguments.has(.json), told: { command.interruption }) }
    if arguments.has(.help) {
      StandardOutput.print(HelpText.of(command))
      return 0
    }
    OutputStream.standardOutput.withLock { $0 = StandardOutput.descriptor }
    try limitMemory(arguments)
    try EnvironmentVariables.check()
    try check(arguments.operands, of: command)
    try FileRoles.declare(command, arguments)
    try command.run(arguments)
    // All is reported and all outputs are complete: only their names are missing.
    try arguments.run.outputs.publish()
    return arguments.run.exitCode
  }

  /// Works for the process of this program that started this one.
  /// - Returns: false if it was started in another way.
  private static func serve(_ words: [String]) throws(BenchError) -> Bool {
    // The process of one case of a suite, which `verify` starts.
    if words.count > 2, words[1] == VerifyCommand.caseWord,
      let request = CaseRequest(arguments: Array(words.dropFirst(2)))
    {
      try request.run(options: GraphArguments.thirdPartyUnits, pictures: CasePictures.draw)
      return true
    }
    // The process of one render of a bench, which `bench` starts.
    if words.count == 2, words[1] == BenchWorker.word {
      BenchWorker.serve(options: GraphArguments.thirdPartyUnits)
      return true
    }
    if words.count == 2, words[1] == BenchWorker.watchWord {
      BenchWorker.watch(options: GraphArguments.thirdPartyUnits)
      return true
    }
    if words.count == 3, words[1] == BenchWorker.countWord, let slices = Int(words[2]) {
      try BenchWorker.render(slices: slices, options: GraphArguments.thirdPartyUnits)
      return true
    }
    return false
  }

  /// Answers the options of the program itself, and `help`.
  /// - Returns: false: a command is named.
  private static func answer(_ own: Arguments) throws(BenchError) -> Bool {
    for (option, value) in own.options {
      switch option.name {
      case CommandOption.help.name: StandardOutput.print(HelpText.program)
      case CommandOption.version.name: StandardOutput.print("aubench \(Program.version)\n")
      case CommandOption.printCompletion.name: StandardOutput.print(try completion(value ?? ""))
      default: StandardOutput.print(try manual(value ?? ""))
      }
      return true
    }
    guard let name = own.operands.first else {
      throw BenchError(.usage, "no command is named", advice: "\"aubench --help\" lists them")
    }
    if name == "help" {
      let asked = Array(own.operands.dropFirst())
      if asked.count == 1, let topic = FileKeysText.Topic(rawValue: asked[0]) {
        StandardOutput.print(FileKeysText(topic).text)
        return true
      }
      StandardOutput.print(asked.isEmpty ? HelpText.program : HelpText.of(try find(asked).command))
      return true
    }
    return false
  }

  /// Says for this process and those that it starts how much memory they may plan for, before anyone asks.
  private static func limitMemory(_ arguments: Arguments) throws(BenchError) {
    let variable = MemoryBudget.environmentVariable
    guard let size = arguments[.memory] ?? FileSystem.environment(variable) else { return }
    guard MemoryBudget.bytes(of: size) != nil else {
      throw BenchError(
        .usage,
        at: arguments.has(.memory) ? "option --\(CommandOption.memory.name)" : "environment variable \(variable)",
        "\"\(size)\" is not a size of memory", advice: "write it as 4G, 512M or 1.5GiB")
    }
    setenv(variable, size, 1)
  }

  private static func manual(_ form: String) throws(BenchError) -> String {
    switch form {
    case "markdown": return MarkdownManual.text
    case "units": return UnitsPage.text
    case "graph-schema": return GraphSchema.document(.ofGraphFiles).indentedText
    case "job-schema": return JobKeys.schema.indentedText
    case "scenario-schema": return ScenarioFile.schema.indentedText
    case "suite-schema": return SuiteSchema.document(.ofGraphFiles).indentedText
    default:
      throw Arguments.error(
        .printManual, "there is none as \"\(form)\"",
        advice: "choose markdown, units, graph-schema, job-schema, scenario-schema or suite-schema")
    }
  }

  private static func completion(_ shell: String) throws(BenchError) -> String {
    switch shell {
    case "bash": return BashCompletion.text
    case "zsh": return ZshCompletion.text
    default:
      throw Arguments.error(.printCompletion, "there is none for \"\(shell)\"", advice: "choose bash or zsh")
    }
  }

  private static func find(_ words: [String]) throws(BenchError) -> (command: Command, words: Int) {
    if let found = Command.leading(words) { return found }
    let name = words[0]
    let near = nearest(to: name, in: Command.all.map(\.name) + ["help"] + FileKeysText.Topic.allCases.map(\.rawValue))
    throw BenchError(
      .usage, at: "\"\(name)\"", "there is no such command",
      advice: near.isEmpty ? "\"aubench --help\" lists them" : "did you mean \(near.joined(separator: " or "))?")
  }

  private static func check(_ operands: [String], of command: Command) throws(BenchError) {
    let required = command.operands.filter(\.isRequired)
    if operands.count < required.count {
      throw BenchError(
        .usage, at: command.name, "\(required[operands.count].name) is missing", advice: "write \(command.synopsis)")
    }
    if operands.count > command.operands.count, !(command.operands.last?.isRepeatable ?? false) {
      let surplus = operands[command.operands.count]
      throw BenchError(
        .usage, at: command.name, "\"\(surplus)\" is one word too many",
        advice: OptionSynonyms.advice(forOperand: surplus, of: command) ?? "write \(command.synopsis)")
    }
    if let empty = zip(command.operands, operands).first(where: { $0.1.isEmpty }) {
      throw BenchError(.usage, at: command.name, "\(empty.0.name) is empty")
    }
  }
}
