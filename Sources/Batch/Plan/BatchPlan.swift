import AudioCore

/// One output that a batch makes.
package struct BatchTask: Sendable {
  /// The file for each player, by its node; that of a conversion has no node.
  package let inputs: [(node: String, path: String)]
  package let output: String
}

/// Everything that a batch is to make, in order: made out, and found to be without contradictions, before the first file is touched.
package struct BatchPlan: Sendable {
  /// What files a player gets.
  package enum Source: Sendable {
    /// Each of them: with several such players, every file of one with every file of the others.
    case files([BatchFile])
    /// The one that is named after the first player's.
    case named(NameTemplate)
  }

  package let tasks: [BatchTask]

  /// - Parameters:
  ///   - sources: by node; the first one's files give `{name}`, `{folder}` and `{extension}`, all of them `{node.name}` and so on.
  ///   - output: may also ask for `{index}`, from 1 on.
  ///   - fields: further places of the template, the same for all.
  ///   - files: knows what else the program reads and writes.
  /// - Throws: `.usage` where two outputs have one name, or an output is an input.
  package init(
    _ sources: [(node: String, source: Source)], output: NameTemplate, fields: [String: String] = [:],
    beside files: OutputFiles
  ) throws(BenchError) {
    var combinations: [[(node: String, file: BatchFile)]] = [[]]
    for case (let node, .files(let files)) in sources {
      guard MemoryBudget.product(combinations.count, files.count) <= Self.most else {
        throw BenchError(.usage, "the batch would have more than \(Self.most) outputs")
      }
      combinations = combinations.flatMap { chosen in files.map { chosen + [(node, $0)] } }
    }
    var tasks: [BatchTask] = []
    var makers: [[UInt8]: String] = [:]
    for (index, files) in combinations.enumerated() {
      guard let first = files.first else {
        throw BenchError(
          .usage, at: output.fields.first.map { "{\($0)}" } ?? "",
          "no input is given that outputs could be named after",
          advice: "give the files of a player: --input NODE='in/*.wav'")
      }
      var values = fields.merging(first.file.fields) { $1 }
      values["index"] = String(index + 1)
      for (node, file) in files where !node.isEmpty {
        for (field, value) in file.fields { values["\(node).\(field)"] = value }
      }
      var inputs = files.map { (node: $0.node, path: $0.file.path) }
      for case (let node, .named(let template)) in sources {
        inputs.append((node, try template.name(values, at: first.file.path)))
      }
      let name = try output.name(values, at: first.file.path)
      if let other = makers.updateValue(first.file.path, forKey: Array(name.utf8)) {
        throw BenchError(
          .usage, at: name, "\(other) and \(first.file.path) would both become this file",
          advice: "put {folder}, {index} or {extension} into the name")
      }
      tasks.append(BatchTask(inputs: inputs, output: name))
    }
    self.tasks = tasks
    try check(files)
  }

  private static let most = 10_000_000

  /// - Throws: `.usage` where an output would replace an input, or be another output under another name.
  private func check(_ files: OutputFiles) throws(BenchError) {
    for task in tasks { for input in task.inputs { files.willRead(input.path) } }
    for task in tasks { try files.writes(task.output) }
  }
}
