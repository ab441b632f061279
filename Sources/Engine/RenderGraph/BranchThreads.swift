import AudioCore
import AudioEngine
import HandOver
import Synchronization

/// Threads that render the branches of wired units: for all graphs of a process, one slice at a time. A graph that
/// finds them at work renders its branches on the thread that pulls it.
package final class BranchThreads: BranchRunner {
  private let pool: WorkerPool
  private let job = BranchJob(capacity: WiredBranches.capacity)
  private let isBusy = Atomic<Bool>(false)

  /// - Parameter threads: the calling one included; 2 or more.
  package convenience init(threads: Int) { self.init(threads: threads, rule: .measured) }

  package init(threads: Int, rule: HandOverRule) { pool = WorkerPool(workers: threads - 1, rule: rule) }

  /// The number of times that work was handed to other threads. Not while any graph renders.
  package var handOverCount: Int { pool.handOverCount }

  package func claim(costs: Plane<WorkCost>, frames: Int) -> HandOverChoice {
    guard !isBusy.exchange(true, ordering: .acquiring) else { return .plain }
    let choice = pool.choose(costs, frames: frames)
    if case .plain = choice { release() }
    return choice
  }

  package func release() { isBusy.store(false, ordering: .releasing) }

  package func run(
    _ choice: HandOverChoice, _ branches: Range<Int>, of list: any BranchList, costs: Plane<WorkCost>,
    sampleTime: Int64, frames: Int
  ) {
    job.begin(branches, of: list, sampleTime: sampleTime, frames: frames)
    if case .shared = choice {
      pool.begin(job, parts: job.activeCount, costing: costs, frames: frames)
      pool.finish()
    } else {
      pool.runAlone(job, costing: costs, frames: frames)
    }
    release()
  }
}
