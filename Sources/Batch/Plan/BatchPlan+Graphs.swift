import AudioCore
import BatchRender

extension BatchPlan {
  /// Loads each graph once with each of its settings, for the first files that it gets: what is wrong in a graph or a job fails
  /// all of its tasks, and is told before the first. Files are not judged here, and third-party units are left to their own
  /// processes.
  /// - Throws: `.graph` and `.usage`.
  package func checkGraphs(_ job: BatchJob) throws(BenchError) {
    var seen: Set<String> = []
    for task in tasks {
      guard let path = task.graph, seen.count < Self.mostChecks,
        seen.insert("\(path)\0\(task.settings.map(\.description))").inserted
      else { continue }
      try checkPlayers(of: task, inGraph: path)
      guard job.otherUnits(inGraph: path).isEmpty else { continue }
      do throws(BenchError) {
        _ = try TaskRun(job: job, task: task, threads: 1, share: { _ in }).graph(path)
      } catch {
        if error.kind == .graph || error.kind == .usage { throw error }
      }
    }
  }

  private static let mostChecks = 200

  /// That the graph has the nodes that get files, also where it names none for them itself.
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
