import AudioUnits
import Synchronization

/// Threads that render the branches of wired units: for all graphs of a process, one slice at a time. A graph that finds them at work
/// renders its branches on the thread that pulls it.
package final class BranchThreads: BranchRunner, @unchecked Sendable {
  private let pool: WorkerPool
  private let job = BranchJob(capacity: WiredBranches.capacity)
  private let isBusy = Atomic<Bool>(false)

  /// - Parameter threads: the calling one included; 2 or more.
  package init(threads: Int) { pool = WorkerPool(workers: threads - 1) }

  package func run(_ branches: Range<Int>, of list: any BranchList, sampleTime: Int64, frames: Int) {
    guard !isBusy.exchange(true, ordering: .acquiring) else {
      for branch in branches where list.isActive(branch) {
        _ = list.render(branch, sampleTime: sampleTime, frames: frames)
      }
      return
    }
    job.begin(branches, of: list, sampleTime: sampleTime, frames: frames)
    pool.run(job)
    isBusy.store(false, ordering: .releasing)
  }
}
