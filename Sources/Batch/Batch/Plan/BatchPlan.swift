import AudioCore
import BatchRender
import Digests

/// Everything that a batch is to make, in order: made out, and found to be without contradictions, before the first
/// file is touched.
package struct BatchPlan: Sendable {
  package let tasks: [BatchTask]

  /// - Parameter files: knows what else the program reads and writes.
  /// - Throws: `.usage` where two outputs have one name, an output is an input, a place of a name is not known, or a
  ///   task has no input; `.input` for what says where files are cut.
  package init(_ job: BatchJob, beside files: OutputFiles) throws(BenchError) {
    var tasks: [BatchTask] = []
    let combinations = try BatchCombinations(job)
    // By the digests of the outputs' names, of which there may be millions.
    var makers: [Digest: Int] = [:]
    for index in 0..<combinations.count {
      let combination = combinations[index]
      let first = combination.files.first?.file
      let place = combination.place
      var values = combination.values
      values.merge(first?.fields ?? [:])
      values["index"] = String(index + 1)
      try combination.check(job)
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
      var cuePath: String? = if let split = job.split { try split.name(values, at: place) } else { nil }
      let isOwn = cuePath == CuePoints.ownMarkers && first != nil
      if isOwn { cuePath = first?.path }
      let pieces: [CuePoints.Piece]? =
        if let cuePath { try CuePoints(path: cuePath, isSound: isOwn).pieces } else { nil }
      let outputs = try Self.outputs(job, values, pieces, at: place)
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

  private static func outputs(
    _ job: BatchJob, _ values: NameValues, _ pieces: [CuePoints.Piece]?, at place: String
  ) throws(BenchError) -> [BatchTask.Output] {
    guard let pieces else {
      return [
        BatchTask.Output(path: try job.output.name(values, at: place), cut: nil, tags: try job.tags(values, at: place))
      ]
    }
    var outputs: [BatchTask.Output] = []
    for (index, piece) in pieces.enumerated() {
      let track = ["track": String(index + 1)]
      let texts = values.merging(piece.fields).merging(track)
      let path = try job.output.name(
        values.merging(piece.fields.mapValues(NameTemplate.plain)).merging(track), at: place)
      // Fields of a sheet become tags, which players show.
      var tags = ["TRACKNUMBER": String(index + 1)]
      for (field, tag) in CuePoints.tags {
        if let text = piece.fields[field], !text.isEmpty { tags[tag] = text }
      }
      tags.merge(try job.tags(texts, at: place)) { $1 }
      outputs.append(BatchTask.Output(path: path, cut: (piece.start, piece.end), tags: tags))
    }
    return outputs
  }

  /// - Throws: `.usage` where an output would replace an input, or be another output under another name.
  private func check(_ files: OutputFiles, _ job: BatchJob) throws(BenchError) {
    var folder = FileIdentity.Folder()
    for path in job.graphs { files.willRead(path, in: &folder) }
    for task in tasks { for input in task.inputs { files.willRead(input.path, in: &folder) } }
    for task in tasks {
      for path in [task.cuePath, task.coverPath] { if let path { files.willRead(path, in: &folder) } }
    }
    for task in tasks { for output in task.outputs { try files.writes(output.path, in: &folder) } }
  }
}
