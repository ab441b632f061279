import AudioCore
import BatchRender
import Digests

/// Everything that a batch is to make, in order: made out, and found to be without contradictions, before the first file is
/// touched.
package struct BatchPlan: Sendable {
  package let tasks: [BatchTask]

  private static let most = 10_000_000

  /// What one output is made of, before it has a name.
  private struct Combination {
    var files: [(node: String, file: BatchFile)] = []
    var graph: String?
    var settings: [WrittenSetting] = []
    var fields: [String: String] = [:]

    /// What it is called in errors.
    var place: String { files.first?.file.path ?? graph ?? "" }
  }

  /// - Parameter files: knows what else the program reads and writes.
  /// - Throws: `.usage` where two outputs have one name, an output is an input, or a place of a name is not known; `.input`
  ///   for what says where files are cut.
  package init(_ job: BatchJob, beside files: OutputFiles) throws(BenchError) {
    var tasks: [BatchTask] = []
    let combinations = try Self.combinations(job)
    // By the digests of the outputs' names, of which there may be millions.
    var makers: [Digest: Int] = [:]
    for (index, combination) in combinations.enumerated() {
      let first = combination.files.first?.file
      let place = combination.place
      var values = combination.fields.merging(first?.fields ?? [:]) { $1 }
      values["index"] = String(index + 1)
      if first == nil, let missing = job.output.fields.first(where: { values[$0] == nil }) {
        throw BenchError(
          .usage, at: "{\(missing)}", "no input is given that outputs could be named after",
          advice: "give the files of a player: --input NODE='in/*.wav'")
      }
      for (node, file) in combination.files where !node.isEmpty {
        for (field, value) in file.fields where field != "path" { values["\(node).\(field)"] = value }
      }
      var inputs = combination.files.map { (node: $0.node, path: $0.file.path) }
      for case (let node, .named(let template)) in job.sources {
        inputs.append((node, try template.name(values, at: place)))
      }
      let cuePath: String? = if let split = job.split { try split.name(values, at: place) } else { nil }
      let outputs = try Self.outputs(job, values, cuePath, at: place)
      for output in outputs {
        let name = Fingerprint.digest(of: ByteText.bytes(output.path))
        guard let other = makers.updateValue(index, forKey: name).map({ combinations[$0].place }) else { continue }
        throw BenchError(
          .usage, at: output.path,
          ByteText.isSame(other, place)
            ? "\(other) would become this file twice" : "\(other) and \(place) would both become this file",
          advice: job.split != nil
            ? "put {track} into the name"
            : "put \((job.axes.map { "{\($0.name)}" } + ["{folder}", "{index}"]).joined(separator: ", ")) or {extension} into the name"
        )
      }
      let task = BatchTask(
        inputs: inputs, graph: combination.graph, settings: combination.settings, outputs: outputs,
        cuePath: cuePath, coverPath: try job.cover?.name(values, at: place),
        album: job.finishing.loudness?.isAlbum ?? false ? FileName.folder(of: outputs[0].path) : nil)
      // Contradictions are found among all of them, whichever are made here.
      if job.shard?.has(task, folder: job.folder) ?? true { tasks.append(task) }
    }
    self.tasks = tasks
    try check(files, job)
  }

  /// Every file with every row, setting and graph.
  private static func combinations(_ job: BatchJob) throws(BenchError) -> [Combination] {
    var all = [Combination()]
    func times(_ count: Int, _ more: (Combination) throws(BenchError) -> [Combination]) throws(BenchError) {
      guard MemoryBudget.product(all.count, count) <= most else {
        throw BenchError(.usage, "the batch would have more than \(most) outputs")
      }
      var next: [Combination] = []
      next.reserveCapacity(all.count * count)
      for one in all { next += try more(one) }
      all = next
    }
    if let rows = job.rows {
      try times(rows.count) { one in
        rows.map { row in
          var one = one
          one.files += row.files
          one.settings += row.settings
          one.fields.merge(row.fields) { $1 }
          return one
        }
      }
    }
    for case (let node, .files(let files)) in job.sources {
      if let place = job.summedPlace {
        let groups = try groups(of: files, over: place)
        try times(groups.count) { one in
          groups.map { group in
            var one = one
            one.files += group.map { (node, $0) }
            return one
          }
        }
      } else {
        try times(files.count) { one in
          files.map { file in
            var one = one
            one.files.append((node, file))
            return one
          }
        }
      }
    }
    for axis in job.axes {
      try times(axis.settings.count) { one in
        axis.settings.map { setting in
          var one = one
          one.settings += setting.values
          one.fields[axis.name] = setting.name
          return one
        }
      }
    }
    if !job.graphs.isEmpty {
      try times(job.graphs.count) { one in
        job.graphs.map { path in
          var one = one
          one.graph = path
          one.fields["graph"] = FileName.stem(of: FileName.last(of: path))
          return one
        }
      }
    }
    return all
  }

  /// Files that differ in one place alone belong together, in the order of their names.
  private static func groups(of files: [BatchFile], over place: String) throws(BenchError) -> [[BatchFile]] {
    var order: [String] = []
    var groups: [String: [BatchFile]] = [:]
    for file in files {
      guard file.captures[place] != nil else {
        throw BenchError(
          .usage, at: file.path, "its pattern has no place {\(place)} over which it could be summed",
          advice: "write the inputs as stems/{song}-{\(place)}.wav")
      }
      let others = file.captures.filter { $0.key != place }
      let key = ([file.folder] + others.keys.sorted().map { others[$0] ?? "" }).joined(separator: "\0")
      if groups[key] == nil { order.append(key) }
      // The name of one of several would be as good as any: the output is named by what they have in common.
      groups[key, default: []].append(BatchFile(path: file.path, folder: file.folder, captures: others))
    }
    return order.compactMap { groups[$0] }
  }

  private static func outputs(
    _ job: BatchJob, _ values: [String: String], _ cuePath: String?, at place: String
  ) throws(BenchError) -> [BatchTask.Output] {
    guard let cuePath else {
      return [
        BatchTask.Output(path: try job.output.name(values, at: place), cut: nil, tags: try job.tags(values, at: place))
      ]
    }
    let pieces = try CuePoints(path: cuePath).pieces
    var outputs: [BatchTask.Output] = []
    for (index, piece) in pieces.enumerated() {
      var texts = values.merging(piece.fields) { $1 }
      texts["track"] = String(index + 1)
      let path = try job.output.name(
        values.merging(piece.fields.mapValues(NameTemplate.plain)) { $1 }.merging(["track": String(index + 1)]) { $1 },
        at: place)
      // What a sheet says of its tracks is what players show of them.
      var tags = ["TRACKNUMBER": String(index + 1)]
      for (field, tag) in [("title", "TITLE"), ("performer", "ARTIST"), ("album", "ALBUM"), ("isrc", "ISRC")] {
        if let text = piece.fields[field], !text.isEmpty { tags[tag] = text }
      }
      tags.merge(try job.tags(texts, at: place)) { $1 }
      outputs.append(BatchTask.Output(path: path, cut: (piece.start, piece.end), tags: tags))
    }
    return outputs
  }

  /// - Throws: `.usage` where an output would replace an input, or be another output under another name.
  private func check(_ files: OutputFiles, _ job: BatchJob) throws(BenchError) {
    for path in job.graphs { files.willRead(path) }
    for task in tasks {
      for input in task.inputs { files.willRead(input.path) }
      for path in [task.cuePath, task.coverPath] { if let path { files.willRead(path) } }
    }
    for task in tasks { for output in task.outputs { try files.writes(output.path) } }
  }
}
