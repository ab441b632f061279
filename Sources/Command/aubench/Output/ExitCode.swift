import AudioCore
import Glibc
import Verification

/// The exit codes of the program.
enum ExitCode {
  /// A comparison or verification that failed: no error, a result.
  static let checkFailed: Int32 = 7

  /// Outputs of one run failed in different ways.
  static let severalFailures: Int32 = 11

  /// A third-party component crashed in this process.
  static let componentCrash: Int32 = 139
  /// The exit codes that any command can have.
  static let ofEveryCommand: Set<Int32> = [0, 1, 2, 128]

  /// The codes of a command with their meaning.
  static func table(of command: Command) -> [(code: Int32, meaning: String)] {
    table.filter { ofEveryCommand.union(command.exitCodes).contains($0.code) }
  }

  /// The codes with their meaning, for the help and the manual.
  static let table: [(code: Int32, meaning: String)] = [
    (0, "all went well"),
    (
      1,
      "an error inside aubench, or standard output could not be written: then no output and no report is, either, but "
        + "goldens and files of failed cases can be"
    ),
    (2, "a wrong option or argument, or an output that would replace an input"),
    (3, "the graph cannot run: the file is not a graph, or the graph is wrong"),
    (4, "an input sound file is missing, damaged or of an unknown kind"),
    (5, "an output file cannot be written"),
    (6, "the render failed while running"),
    (checkFailed, "a check failed: what was compared is not the same"),
    (8, "a golden is missing or out of date: nothing failed, but something was not checked"),
    (9, "a device under test crashed or took too long, or a third-party component ended the process"),
    (10, "a suite is wrong, or a case could not be run"),
    (severalFailures, "several of many files failed, not all with the same error"),
    (
      128,
      "and more: stopped by signal number n - 128, so 130 for Ctrl-C. Nothing is left of the output (of many, those that are "
        + "whole stay), of temporary files and of processes. 141 where the reader of standard output has gone"
    ),
    (componentCrash, "a third-party component crashed (SIGSEGV; 134 for SIGABRT); standard error names it"),
  ]

  static func of(_ verdict: Verdict) -> Int32 {
    switch verdict {
    case .passed, .skipped: 0
    case .failed: checkFailed
    case .unblessed: 8
    case .crashed, .timedOut: 9
    case .error: 10
    }
  }

  /// The exit code for the failures of a batch: that of their kind, if they have the same.
  static func of(_ errors: [BenchError]) -> Int32 {
    let codes = Set(errors.map { of($0) })
    return codes.count > 1 ? severalFailures : codes.first ?? 0
  }

  static func of(_ error: BenchError) -> Int32 {
    switch error.kind {
    case .usage: 2
    case .graph: 3
    case .input: 4
    case .output: 5
    case .render: 6
    case .suite: 10
    case .deviceCrash, .deviceTimeout: 9
    // Signals end the program elsewhere: see Interruption.
    case .interrupted: 128 + SIGINT
    }
  }
}
