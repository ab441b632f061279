import AudioCore

/// A command of the program: its table, its help, and what it does.
struct Command: Sendable {
  /// One word, or two: `batch merge`.
  let name: String
  /// One line for the list of commands; no full stop.
  let summary: String
  /// A paragraph or two.
  let description: String
  let operands: [Operand]
  let options: [CommandOption]
  let examples: [Example]
  /// Exit codes of its own, beside those that every command can end with: see ``ExitCode/table``.
  let exitCodes: Set<Int32>
  /// Tables and remarks behind the options.
  let notes: @Sendable () -> [HelpSection]
  /// Returns true if the words behind an operand belong to it: the arguments of a program that is run. Nil: never.
  let isFollowedByItsOwn: (@Sendable (_ operand: String) -> Bool)?
  /// The end of the error "stopped by SIGINT ".
  let interruption: String
  let run: @Sendable (Arguments) throws(BenchError) -> Void

  static let usualInterruption = "before the end; nothing was written"

  struct Example: Sendable {
    let line: String
    let meaning: String
    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  /// - Parameter plansMemory: true if the memory depends on the size of its input, and is planned with a budget.
  init(
    _ name: String, _ summary: String, description: String, operands: [Operand], options: [CommandOption],
    examples: [Example], exitCodes: Set<Int32>, notes: @escaping @Sendable () -> [HelpSection] = { [] },
    interruption: String = Command.usualInterruption, plansMemory: Bool = true,
    isFollowedByItsOwn: (@Sendable (String) -> Bool)? = nil,
    run: @escaping @Sendable (Arguments) throws(BenchError) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.description = description
    self.operands = operands
    self.options = options + (plansMemory ? [.memory] : []) + [.help]
    self.examples = examples
    self.exitCodes = exitCodes
    self.notes = notes
    self.interruption = interruption
    self.isFollowedByItsOwn = isFollowedByItsOwn
    self.run = run
  }

  /// `aubench render GRAPH -o OUT [OPTION]…`
  var synopsis: String {
    var parts = ["aubench", name]
    // The words behind a program belong to the program.
    if isFollowedByItsOwn != nil { return (parts + ["[OPTION]..."] + operands.map(\.form)).joined(separator: " ") }
    parts += operands.map(\.form)
    // A picture may go to the terminal as well; a sound file must have a name.
    if has(.output) { parts.append("-o OUT") } else if has(.picture) { parts.append("[-o OUT]") }
    return (parts + ["[OPTION]..."]).joined(separator: " ")
  }

  /// Every command, in the order in which help shows them.
  static let all: [Command] = [
    .render, .convert, .batch, .batchMerge, .batchSubmit, .measure, .bench, .verify, .compare, .plot, .trace, .describe,
    .units,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// The command that a line begins with, and how many words name it. `batch merge` is a command of its own, and no
  /// job.
  static func leading(_ words: [String]) -> (command: Command, words: Int)? {
    for count in [2, 1] where words.count >= count {
      if let command = named(words.prefix(count).joined(separator: " ")) { return (command, count) }
    }
    return nil
  }

  /// The second words of commands of several words, by the first word.
  static var endings: [String: [String]] {
    var endings: [String: [String]] = [:]
    for command in all {
      let words = command.name.split(separator: " ").map { String($0) }
      if words.count > 1 { endings[words[0], default: []].append(words[1]) }
    }
    return endings
  }
}

/// A part of a help text: remarks, or a list of terms and what they mean.
struct HelpSection: Sendable {
  let title: String
  var text = ""
  /// A table whose first row is its head; columns are lined up.
  var table: [[String]] = []
  /// Terms with explanations.
  var terms: [(term: String, meaning: String)] = []
}
