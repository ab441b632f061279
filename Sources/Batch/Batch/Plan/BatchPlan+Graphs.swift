import AudioCore
import BatchRender

extension BatchPlan {
  /// Loads each graph with each of its settings for the first and the last files that it gets: an error that both have,
  /// in the same words, is an error of the graph or the job and would fail all tasks between; it is reported before the
  /// first. Errors of one task alone (a file that is too short for a region, a row of a table) are left to the run, and
  /// so are third-party units to their own processes.
  /// - Throws: `.graph` and `.usage`.
  package func checkGraphs(_ job: BatchJob) throws(BenchError) {
    var order: [String] = []
    var ends: [String: (first: Int, last: Int)] = [:]
    for (index, task) in tasks.enumerated() {
      guard let path = task.graph else { continue }
      let key = "\(path)\0\(task.settings.map(\.description))"
      if let known = ends[key] {
        ends[key] = (known.first, index)
      } else if order.count < Self.mostChecks {
        order.append(key)
        ends[key] = (index, index)
      }
    }
    var seen: Set<String> = []
    for key in order {
      guard let (first, last) = ends[key], let path = tasks[first].graph else { continue }
      if seen.insert(path).inserted { try checkPlayers(of: tasks[first], inGraph: path) }
      guard first != last, job.otherUnits(inGraph: path).isEmpty, let mistake = mistake(job, tasks[first], path),
        mistake == self.mistake(job, tasks[last], path)
      else { continue }
      throw mistake
    }
  }

  /// The error of loading a task's graph, unless it is an error of a file.
  private func mistake(_ job: BatchJob, _ task: BatchTask, _ path: String) -> BenchError? {
    do throws(BenchError) {
      _ = try TaskRun(job: job, task: task, threads: 1, share: { _ in }).graph(path)
      return nil
    } catch {
      return error.kind == .graph || error.kind == .usage ? error : nil
    }
  }

  private static let mostChecks = 200

  /// Checks that the graph has the nodes that get files, also if it names no file for them itself.
  private func checkPlayers(of task: BatchTask, inGraph path: String) throws(BenchError) {
    let data = try JSONFile.read(path, kind: .graph, what: "graph")
    guard let document = try? JSONValue.document(data, kind: .graph), case .array(let nodes) = document["nodes"] else {
      return
    }
    let names = nodes.compactMap { node in if case .string(let name) = node["id"] { name } else { nil } }
    for (node, _) in task.inputs where !names.contains(node) {
      throw BenchError(
        .usage, at: path, "it has no node \"\(excerpt(node))\" that could get files",
        advice: nearest(to: node, in: names).first.map { "did you mean \"\($0)\"?" }
          ?? "its nodes are \(names.prefix(20).joined(separator: ", "))")
    }
  }
}
