import AudioCore
import BatchRender
import Processes

/// Has a process of its own render a subject with its calls watched.
package enum WatchRun {
  private static let patienceSeconds = 300.0

  /// - Parameters:
  ///   - words: the command that starts a bench worker that watches.
  ///   - library: `libaubench-watch.so`.
  /// - Throws: the error of the graph; `.deviceCrash` if the process ends.
  package static func report(
    _ subject: BenchSubject, _ order: WatchOrder, words: [String], library: String
  ) throws(BenchError) -> WatchReport {
    let place = words[0]
    let worker: WorkerProcess
    do {
      worker = try WorkerProcess(words, environment: ["LD_PRELOAD": library])
    } catch {
      throw BenchError(.render, at: place, "cannot be started: \(error.reason)")
    }
    worker.send(Array(JSONMessage.data(subject)))
    worker.send(Array(JSONMessage.data(order)))
    guard
      case .watched(var report) = try BenchAnswer.from(worker, patienceSeconds, at: place)
    else {
      throw BenchError(.render, at: place, "its process does not say what its render calls did")
    }
    StackNames.resolve(&report)
    return report
  }
}
