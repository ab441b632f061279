import AudioCore
import Journal

extension BatchPlan {
  /// The outcome of each task in a journal, without looking at its inputs: for a job whose shards were made elsewhere.
  /// - Throws: `.input` for a damaged journal.
  package func outcomes(in journal: Journal) throws(BenchError) -> [BatchRun.Outcome] {
    var outcomes: [BatchRun.Outcome] = []
    outcomes.reserveCapacity(tasks.count)
    for task in tasks { outcomes.append(try Self.outcome(of: task, in: journal)) }
    return outcomes
  }

  private static func outcome(of task: BatchTask, in journal: Journal) throws(BenchError) -> BatchRun.Outcome {
    var reports: [TaskReport] = []
    for output in task.outputs {
      func failed(_ message: String) -> BatchRun.Outcome {
        .failed(BenchError(.output, at: output.path, message, advice: "run the job, or its shard, again"))
      }
      guard let entry = try journal.entry(output.path) else { return failed("has not been made") }
      switch entry.state {
      case .failed(let error): return .failed(error)
      case .begun: return failed("was begun, and its run was killed")
      case .made:
        // Two runs may have made it, with the same bits, of which one could not say so.
        guard try journal.isUpToDate(output.path, recipe: entry.recipe), let report = TaskReport(text: entry.report)
        else { return failed("was made, and has been changed or removed since") }
        reports.append(report)
      }
    }
    return .made(reports)
  }
}
