import AudioCore
import BatchRender

/// The inputs of a batch's outputs: every file with every row, setting and graph, in order. Each is computed on
/// request: there may be millions.
struct BatchCombinations {
  /// The inputs of one output, before it has a name.
  struct Combination {
    var files: [(node: String, file: BatchFile)] = []
    var graph: String?
    var settings: [WrittenSetting] = []
    /// The values of places of names, except for those that files define.
    var values = NameValues()
    /// The row of the table, from 1 on; nil: there is none.
    fileprivate(set) var row: Int?

    /// The name in errors.
    var place: String { files.first?.file.path ?? graph ?? "" }
  }

  let count: Int
  private let job: BatchJob
  /// The groups of files for each source that is a list of files.
  private let lists: [(node: String, groups: [[BatchFile]])]

  private static let most = 10_000_000

  /// - Throws: `.usage` where there would be too many, or files have no place over which they could be summed.
  init(_ job: BatchJob) throws(BenchError) {
    self.job = job
    var lists: [(node: String, groups: [[BatchFile]])] = []
    for case (let node, .files(let files)) in job.sources {
      let groups =
        if let place = job.summedPlace { try Self.groups(of: files, over: place) } else { files.map { [$0] } }
      lists.append((node, groups))
    }
    self.lists = lists
    var count = MemoryBudget.product(job.rows?.count ?? 1, max(1, job.graphs.count))
    for list in lists { count = MemoryBudget.product(count, list.groups.count) }
    for axis in job.axes { count = MemoryBudget.product(count, axis.settings.count) }
    self.count = count
    guard count <= Self.most else {
      throw BenchError(.usage, "the batch would have more than \(Self.most) outputs")
    }
  }

  /// The rows change last, the graphs first.
  subscript(index: Int) -> Combination {
    var rest = index
    func next(_ count: Int) -> Int {
      defer { rest /= count }
      return rest % count
    }
    var one = Combination()
    var own: [String: String] = [:]
    if !job.graphs.isEmpty {
      let path = job.graphs[next(job.graphs.count)]
      one.graph = path
      own["graph"] = FileName.stem(of: FileName.last(of: path))
    }
    var settings: [[WrittenSetting]] = []
    for axis in job.axes.reversed() {
      let setting = axis.settings[next(axis.settings.count)]
      settings.append(setting.values)
      // If two axes have the same name the later one counts, and the graph before all.
      if own[axis.name] == nil { own[axis.name] = setting.name }
    }
    var files: [[(node: String, file: BatchFile)]] = []
    for (node, groups) in lists.reversed() { files.append(groups[next(groups.count)].map { (node, $0) }) }
    var row: BatchJob.Row?
    if let rows = job.rows {
      let number = next(rows.count)
      row = rows[number]
      one.row = number + 1
      one.files = rows[number].files
      one.settings = rows[number].settings
    }
    one.files += files.reversed().flatMap { $0 }
    one.settings += settings.reversed().flatMap { $0 }
    one.values = NameValues(own, row: row)
    return one
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
}

extension BatchCombinations.Combination {
  /// Checks that there is something to make an output from. A conversion has one input, and several only if files are
  /// summed; a graph may have none, as it may have files of its own, but then a row must set something else. A
  /// conversion has one input, and several only where files are summed; a graph may have none, as it may have files of
  /// its own, but then a row says something else that it is to do.
  /// - Throws: `.usage`.
  func check(_ job: BatchJob) throws(BenchError) {
    let place = row.map { "table, row \($0)" } ?? "inputs"
    if let empty = files.first(where: { $0.file.path.isEmpty }) {
      throw BenchError(
        .usage, at: place,
        "the name of the \(empty.node.isEmpty ? "input" : "file for \"\(excerpt(empty.node))\"") is empty",
        advice: "write a file into the row, or take the row out")
    }
    let count = files.count + job.sources.count { $0.source.isNamed }
    if job.isConversion {
      guard count > 0 else {
        throw BenchError(
          .usage, at: place, "there is no input to be converted",
          advice: job.adviceForInputs("\"input\"", "{\"COLUMN\": \"input\"}"))
      }
      // Those that have no player are what is converted.
      let inputs = files.count { $0.node.isEmpty } + job.sources.count { $0.node.isEmpty && $0.source.isNamed }
      guard inputs < 2 || job.summedPlace != nil else {
        throw BenchError(
          .usage, at: place, "\(inputs) inputs are given for one output of a conversion",
          advice: "name one column \"input\", or \"inputs\" without a table; files are added up by \"sum\"")
      }
    } else if row != nil, count == 0, settings.isEmpty {
      throw BenchError(
        .usage, at: place, "it has neither a file for a player of the graph nor a parameter",
        advice: job.adviceForInputs("as the player", "{\"COLUMN\": \"voice\"}"))
    }
  }
}

extension BatchJob.Source {
  fileprivate var isNamed: Bool { if case .named = self { true } else { false } }
}

extension BatchJob {
  /// Advice on how to assign the columns of a table.
  fileprivate func adviceForInputs(_ name: String, _ binding: String) -> String {
    guard let columns = rows?.first?.columns else { return "write \"inputs\": \"in/**/*.wav\"" }
    if let advice = tableAdvice { return advice }
    let names = columns.names.prefix(20).map(excerpt).joined(separator: ", ")
    return "call a column \(name), or write \"columns\": \(binding); its columns are \(names)"
  }
}
