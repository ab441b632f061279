import AudioCore
import BatchRender
import Foundation
import Verification

/// The files that a line reads and writes, declared before any work: no output of any command replaces one of its
/// inputs, whatever either is called.
enum FileRoles {
  /// Declares the files of a command line, with all that its graphs and suites name.
  /// - Throws: `.usage` where an output is an input, or two outputs are one file.
  static func declare(_ command: Command, _ arguments: Arguments) throws(BenchError) {
    let outputs = arguments.run.outputs
    var written: [String] = []
    // For many files the plan of the batch declares them.
    let isBatch = BatchCommand.isAsked(for: arguments)
    let operands = arguments.operands.enumerated().map { index, word in
      (command.operands[min(index, command.operands.count - 1)].completion, word)
    }.filter { role, _ in
      if case .newFile = role { return !isBatch }
      return true
    }
    let values = arguments.options.compactMap { option, value in
      value.map { (option.completion, file(of: option, $0)) }
    }.filter { role, _ in
      if case .newFile = role { return !isBatch }
      return true
    }
    for (role, path) in operands + values {
      switch role {
      case .newFile: written.append(path)
      case .file: read(path, outputs)
      default: break
      }
    }
    if let keys = arguments[.keys] { read(text: Data(keys.utf8), folder: "", outputs) }
    for path in written where path != "-" { try outputs.writes(path) }
  }

  /// A file that is read, and what a graph or a suite names besides.
  private static func read(_ path: String, _ outputs: OutputFiles) {
    guard outputs.reads(path), let data = document(path) else { return }
    read(text: data, folder: FileName.folderPrefix(of: path), outputs)
  }

  private static func read(text: Data, folder: String, _ outputs: OutputFiles) {
    guard let document = try? JSONValue.document(text, kind: .usage) else { return }
    for name in document.fileTexts { read(FileName.path(name, in: folder), outputs) }
  }

  /// Declares the files that cases of suites name: their values are known only when matrices are expanded.
  static func read(_ suite: SuiteFile, _ outputs: OutputFiles) {
    let folder = FileName.folderPrefix(of: suite.path)
    for name in suite.fileTexts { read(FileName.path(name, in: folder), outputs) }
  }

  /// `NODE=FILE` or `FILE`.
  private static func file(of option: CommandOption, _ value: String) -> String {
    guard case .required(let form) = option.value, form.contains("=") else { return value }
    return Arguments.pair(value)?.value ?? value
  }

  /// The bytes of a file that may be JSON.
  private static func document(_ path: String) -> Data? {
    guard let data = try? JSONFile.read(path, kind: .usage, what: ""), data.first(where: { $0 > 0x20 }) == 0x7B else {
      return nil
    }
    return data
  }
}

extension FileRoles {
  /// Declares what a run of suites reads and writes besides its reports: goldens, and the files of failed cases.
  static func declare(
    _ selection: [(suite: SuiteFile, testCase: TestCase)], _ runner: SuiteRunner, _ outputs: OutputFiles
  ) throws(BenchError) {
    var listing = GoldenListing()
    for (suite, testCase) in selection {
      // A golden that is made anew is an output too, but for that of a suite that compares with its own goldens.
      let isMade = runner.policy.mode != .never && !suite.goldens.isGolden(testCase.goldenName)
      for golden in listing.files(of: testCase.goldenName, in: suite.goldens) {
        if isMade { try outputs.check(golden) }
        outputs.willRead(golden)
      }
    }
    guard let top = runner.artifactFolder else { return }
    for (_, testCase) in selection {
      try outputs.clears(
        CaseRunner.artifactFolder(of: testCase.id, in: top), endings: CaseRunner.artifactEndings)
    }
  }
}
