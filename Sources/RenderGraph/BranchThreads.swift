import AudioUnits

/// Threads that render the branches of wired units, for one domain.
package final class BranchThreads: BranchRunner {
  private let pool: WorkerPool
  private let job = BranchJob(capacity: WiredBranches.capacity)

  /// - Parameter threads: the calling one included; 2 or more.
  package init(threads: Int) { pool = WorkerPool(workers: threads - 1) }

  package func run(_ branches: Range<Int>, of list: any BranchList, sampleTime: Int64, frames: Int) {
    job.begin(branches, of: list, sampleTime: sampleTime, frames: frames)
    pool.run(job)
  }
}
