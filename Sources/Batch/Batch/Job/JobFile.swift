import AudioCore
import BatchRender
import FoundationEssentials
import SampleRate
import SoundFile
import Tags

/// Reads job files, version 1: a batch in JSON. The schema is `docs/job-file.schema.json`.
package struct JobFile {
  private let folder: String
  private let graphOptions: GraphFile.Options

  /// The job of a file.
  /// - Parameter graphOptions: the available units, in the options for graph files.
  /// - Throws: `.usage` for what is wrong in the file, naming its key; `.input` for files that it names.
  package static func load(_ path: String, graphOptions: GraphFile.Options) throws(BenchError) -> BatchJob {
    let data = try JSONFile.read(path, kind: .usage, what: "job")
    let document: JSONValue
    do throws(BenchError) { document = try JSONValue.document(data, kind: .usage) } catch { throw error.inside(path) }
    let file = JobFile(folder: FileName.folderPrefix(of: path), graphOptions: graphOptions)
    do throws(BenchError) {
      return try file.job(document)
    } catch {
      throw error.kind == .usage ? error.inside(path) : error
    }
  }

  private func job(_ document: JSONValue) throws(BenchError) -> BatchJob {
    var top = try JSONObject(document, at: "", folder: folder, kind: .usage)
    _ = top.take("$schema")
    let version = try top.take(JobKeys.version)
    guard version == 1 else {
      throw top.error("version", "this program reads version 1, the file has version \(version)")
    }
    var job = BatchJob(output: try template(try top.take(JobKeys.output), "output"))
    job.folder = folder
    job.isOfFile = true
    job.graph = graphOptions
    job.graphs = try texts(try top.take(JobKeys.graph), "graph").map { FileName.path($0, in: folder) }
    job.summedPlace = try top.take(JobKeys.sum)
    let bindings = try top.object("columns")
    if let path = try top.take(JobKeys.table) {
      let table = try CommaSeparatedValues(path: FileName.path(path, in: folder))
      job.tableAdvice = table.separatorAdvice
      job.rows = try rows(of: table, bindings, job)
    } else if bindings != nil {
      throw top.error("columns", "there is no table that has them", advice: "name one by \"table\"")
    }
    if let inputs = try top.take(JobKeys.inputs) { try addSources(inputs, to: &job) }
    guard job.rows != nil || !job.sources.isEmpty else {
      throw top.error("inputs", "the key is missing", advice: "write \"inputs\": \"in/**/*.wav\"")
    }
    if let set = try top.object("set") { job.graph.writtenSettings = try settings(set) }
    if let axes = try top.object("settings") { job.axes = try self.axes(axes) }
    if job.isConversion, !job.graph.writtenSettings.isEmpty || !job.axes.isEmpty {
      throw top.error(
        job.axes.isEmpty ? "set" : "settings", "a conversion has no parameters",
        advice: "name the graph that has them: \"graph\"")
    }
    if job.summedPlace != nil, !job.isConversion {
      throw top.error(
        "sum", "files are summed in conversions only", advice: "give the graph a mixer and a player for each")
    }
    if let split = try top.take(JobKeys.split) {
      job.split =
        split == CuePoints.ownMarkers ? try NameTemplate(split, at: "key \"split\"") : try template(split, "split")
    }
    try takeTags(&top, &job)
    try JobKeys.takeOutput(&top, &job)
    try JobKeys.takeConversion(&top, &job)
    try JobKeys.takeRender(&top, &job)
    try JobKeys.takeFinishing(&top, &job.finishing)
    job.retries = try top.take(JobKeys.retries)
    try top.finish()
    return job
  }

  private func takeTags(_ top: inout JSONObject, _ job: inout BatchJob) throws(BenchError) {
    if var tags = try top.object("tags") {
      for (name, value) in tags.takeAll() {
        guard case .string(let text) = value, TagNames.isValid(name) else {
          throw tags.error(name, "expected a text for the name of a tag", advice: "write \"title\": \"{name}\"")
        }
        job.tags.append((name, try NameTemplate(text, at: "key \"\(excerpt(name))\"")))
      }
    }
    if let cover = try top.take(JobKeys.cover) {
      if cover == "none" {
        (job.conversion.tags.cover, job.render.tags.cover) = (.removed, .removed)
      } else {
        job.cover = try template(cover, "cover")
      }
    }
  }

  private func template(_ text: String, _ key: String) throws(BenchError) -> NameTemplate {
    try NameTemplate(text, in: folder, at: "key \"\(key)\"")
  }

  /// One text, or a list of them.
  private func texts(_ value: JSONValue?, _ key: String) throws(BenchError) -> [String] {
    guard let value else { return [] }
    var holder = try JSONObject(
      .object([key: { if case .string = value { .array([value]) } else { value } }()]), at: "", kind: .usage)
    return try JSONForm<[String]>.texts.take(&holder, key) ?? []
  }

  /// `inputs`: texts of a conversion, or texts for each player.
  private func addSources(_ value: JSONValue, to job: inout BatchJob) throws(BenchError) {
    guard case .object = value else {
      guard job.isConversion else {
        throw BenchError(
          .usage, at: "key \"inputs\"", "a graph has players, each with files of its own",
          advice: "write \"inputs\": {\"voice\": \"in/*.wav\"}")
      }
      return try job.addSource("", try texts(value, "inputs"), folder: folder)
    }
    guard !job.isConversion else {
      throw BenchError(.usage, at: "key \"inputs\"", "a conversion has no players", advice: "write a text or a list")
    }
    var object = try JSONObject(value, at: "key \"inputs\"", kind: .usage)
    var players: [(node: String, texts: [String])] = []
    for (node, value) in object.takeAll() { players.append((node, try texts(value, node))) }
    // Files that go along with others come behind them.
    let hasPlaces = { (texts: [String]) in texts.contains { $0.utf8.contains(UInt8(ascii: "{")) } }
    for (node, texts) in players.filter({ !hasPlaces($0.texts) }) + players.filter({ hasPlaces($0.texts) }) {
      try job.addSource(node, texts, folder: folder)
    }
  }

  /// Rows of a table: files and parameters by the names of columns.
  private func rows(
    of table: CommaSeparatedValues, _ bindings: JSONObject?, _ job: BatchJob
  ) throws(BenchError) -> [BatchJob.Row] {
    let columns = BatchJob.Columns(table.columns)
    let targets = try targets(of: table, try Self.bound(table, bindings), job)
    var rows: [BatchJob.Row] = []
    rows.reserveCapacity(table.rows.count)
    for values in table.rows {
      var row = BatchJob.Row(columns, values)
      for (index, target) in targets {
        let value = values[index]
        if target.contains(".") {
          let place = "column \"\(excerpt(table.columns[index]))\""
          if !value.isEmpty { row.settings.append(try setting(target, value, at: place)) }
        } else {
          let path = value.isEmpty ? "" : FileName.path(value, in: folder)
          row.files.append((job.isConversion ? "" : target, BatchFile(path: path)))
        }
      }
      rows.append(row)
    }
    return rows
  }

  /// The targets of columns that the job binds by name.
  private static func bound(
    _ table: CommaSeparatedValues, _ bindings: JSONObject?
  ) throws(BenchError) -> [String: String] {
    guard var bindings else { return [:] }
    let columns = BatchJob.Columns(table.columns)
    var bound: [String: String] = [:]
    for (column, value) in bindings.takeAll() {
      guard case .string(let target) = value, !target.isEmpty else {
        let found = if case .string = value { "an empty one" } else { value.kind }
        throw bindings.error(column, "expected a text, found \(found)", advice: "write a player or node.parameter")
      }
      guard columns.index(of: column) != nil else {
        let near = nearest(to: column, in: Array(table.columns.prefix(1000))).first
        let names = table.columns.prefix(20).map(excerpt).joined(separator: ", ")
        throw bindings.error(
          column, "the table has no column of this name",
          advice: table.separatorAdvice ?? near.map { "did you mean \"\($0)\"?" } ?? "it has \(names)")
      }
      bound[column] = target
    }
    return bound
  }

  /// The players and parameters that columns are for, by their places in a row.
  private func targets(
    of table: CommaSeparatedValues, _ bound: [String: String], _ job: BatchJob
  ) throws(BenchError) -> [(index: Int, target: String)] {
    // A column that is called like what it is for needs no binding. A conversion has no parameters: a point in a name
    // means nothing.
    var targets: [(index: Int, target: String)] = []
    for (index, column) in table.columns.enumerated() {
      // One column that holds all names of a table with other signs between its values is none of them.
      let isParameter = column.contains(".") && !job.isConversion && table.separatorAdvice == nil
      let isNamed = column == "input" || isParameter
      guard let target = bound[column] ?? (isNamed ? column : nil) else { continue }
      if job.isConversion, target != "input" {
        throw BenchError(
          .usage, at: "key \"columns\"", "\"\(excerpt(target))\" would be of a graph, and the job has none",
          advice: "bind the column to \"input\", or name the graph: \"graph\"")
      }
      targets.append((index, target))
    }
    return targets
  }

  private func axes(_ object: JSONObject) throws(BenchError) -> [BatchJob.Axis] {
    var object = object
    var axes: [BatchJob.Axis] = []
    for (name, value) in object.takeAll() {
      var choices = try object.part(value, at: "key \"\(excerpt(name))\"")
      var settings: [(name: String, values: [WrittenSetting])] = []
      for (choice, value) in choices.takeAll() {
        settings.append((choice, try self.settings(try choices.part(value, at: "key \"\(excerpt(choice))\""))))
      }
      guard !settings.isEmpty else { throw object.error(name, "it has no settings") }
      axes.append(BatchJob.Axis(name: name, settings: settings))
    }
    return axes
  }

  /// `{"eq.gain@band:0": -3, "mix.volume": "-6dB"}`
  private func settings(_ object: JSONObject) throws(BenchError) -> [WrittenSetting] {
    var object = object
    var settings: [WrittenSetting] = []
    for (key, value) in object.takeAll() {
      switch value {
      case .string(let text): settings.append(try setting(key, text, at: object.place))
      case .number(let number): settings.append(try setting(key, "\(number)", at: object.place))
      default: throw object.error(key, "expected a number or a text with a unit, found \(value.kind)")
      }
    }
    return settings
  }

  private func setting(_ key: String, _ text: String, at place: String) throws(BenchError) -> WrittenSetting {
    do throws(BenchError) {
      return try WrittenSetting(key: key, text: text)
    } catch {
      throw error.inside(place)
    }
  }
}
