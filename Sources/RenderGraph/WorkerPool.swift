// Threads that render branches beside the calling thread. They wait in short spins, then yield, then sleep, so that a
// slice of a few hundred microseconds costs no system call, and an idle render costs no time.

import AudioUnits
import CRealtime
import Glibc
import Synchronization

/// Some threads that run the same job together with the thread that asks.
///
/// A job is a function of no arguments that takes pieces of work from a shared counter until none is left.
final class WorkerPool: @unchecked Sendable {
  /// What the workers run; set by ``run(_:)`` before they are woken, and valid until it returns.
  private var job: Unmanaged<BranchJob>?
  private let generation = Atomic<Int>(0)
  private let busy = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  private let sleepers = Atomic<Int>(0)
  private let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var threads: [pthread_t] = []

  private static let spins = 2000
  private static let yields = 200

  /// - Parameter workers: threads beside the calling one, 0 or more. Fewer where the system gives no more.
  init(workers: Int) {
    sem_init(wake, 0, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    for _ in 0..<workers {
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<WorkerPool>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.work() }
          return nil
        }, context)
      guard status == 0 else { break }
      threads.append(thread)
    }
  }

  deinit {
    isClosed.store(true, ordering: .releasing)
    generation.add(1, ordering: .sequentiallyConsistent)
    for _ in threads { sem_post(wake) }
    for thread in threads { pthread_join(thread, nil) }
    sem_destroy(wake)
    wake.deallocate()
  }

  /// Runs a job on all threads and returns when all are through with it. Allocates nothing.
  func run(_ job: BranchJob) {
    self.job = Unmanaged.passUnretained(job)
    busy.store(threads.count, ordering: .relaxed)
    generation.add(1, ordering: .sequentiallyConsistent)
    let asleep = sleepers.load(ordering: .sequentiallyConsistent)
    for _ in 0..<asleep { sem_post(wake) }
    job.run()
    var turns = 0
    while busy.load(ordering: .acquiring) > 0 {
      turns += 1
      if turns < Self.spins { realtime_spin_pause() } else { sched_yield() }
    }
    self.job = nil
  }

  private func work() {
    let former = FlushToZero.enter()
    defer { FlushToZero.leave(former) }
    var seen = 0
    while true {
      seen = waitForJob(after: seen)
      if isClosed.load(ordering: .acquiring) { return }
      job?._withUnsafeGuaranteedRef { $0.run() }
      busy.subtract(1, ordering: .acquiringAndReleasing)
    }
  }

  private func waitForJob(after seen: Int) -> Int {
    for turn in 0..<(Self.spins + Self.yields) {
      let present = generation.load(ordering: .acquiring)
      if present != seen { return present }
      if turn < Self.spins { realtime_spin_pause() } else { sched_yield() }
    }
    sleepers.add(1, ordering: .sequentiallyConsistent)
    defer { sleepers.subtract(1, ordering: .sequentiallyConsistent) }
    while true {
      let present = generation.load(ordering: .sequentiallyConsistent)
      if present != seen { return present }
      sem_wait(wake)
    }
  }
}
