// Threads that render branches beside the calling thread. They wait in short spins, then yield, then sleep, so that a
// slice of a few hundred microseconds costs no system call, and an idle render costs no time.

import AudioCore
import CRealtime
import Glibc
import Synchronization

/// Threads that run a job together with the calling thread.
///
/// Each thread takes its share of a job until nothing of it is left.
final class WorkerPool: @unchecked Sendable {
  /// What the workers run; set by ``run(_:)`` before they are woken, and valid until it returns.
  private var job: Unmanaged<BranchJob>?
  private let generation = Atomic<Int>(0)
  private let busy = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  /// One for each worker: a post for one must not wake another.
  private let slots: [WorkerSlot]
  private var threads: [JoinedThread] = []

  /// The semaphore of one worker, and whether the worker is waiting on it.
  private final class WorkerSlot: Sendable {
    let isWaiting = Atomic<Bool>(false)
    let wake = Semaphore()
  }

  private static let spins = 2000
  private static let yields = 200

  /// - Parameter workers: threads beside the calling one, 0 or more. Fewer where the system gives no more.
  init(workers: Int) {
    slots = (0..<workers).map { _ in WorkerSlot() }
    for (index, slot) in slots.enumerated() {
      guard let thread = JoinedThread(of: self, { $0.work(slot, number: index + 1) }) else { break }
      threads.append(thread)
    }
  }

  deinit {
    isClosed.store(true, ordering: .releasing)
    generation.add(1, ordering: .sequentiallyConsistent)
    for slot in slots { slot.wake.signal() }
    for thread in threads { thread.join() }
  }

  /// Runs a job on all threads and returns when all are through with it. Allocates nothing.
  func run(_ job: BranchJob) {
    begin(job)
    finish()
  }

  /// Lets the workers begin a job and returns at once; ``finish()`` must follow before anything else is begun.
  func begin(_ job: BranchJob) {
    precondition(self.job == nil)
    self.job = Unmanaged.passUnretained(job)
    busy.store(threads.count, ordering: .relaxed)
    generation.add(1, ordering: .sequentiallyConsistent)
    for index in 0..<threads.count where slots[index].isWaiting.load(ordering: .sequentiallyConsistent) {
      slots[index].wake.signal()
    }
  }

  /// Takes part in the job that was begun, if any, and returns when all are through with it.
  func finish() {
    guard let job else { return }
    job._withUnsafeGuaranteedRef { $0.run(thread: 0) }
    var turns = 0
    while busy.load(ordering: .acquiring) > 0 {
      turns += 1
      if turns < Self.spins { realtime_spin_pause() } else { sched_yield() }
    }
    self.job = nil
  }

  private func work(_ slot: WorkerSlot, number: Int) {
    var seen = 0
    while true {
      seen = waitForJob(after: seen, in: slot)
      if isClosed.load(ordering: .acquiring) { return }
      job?._withUnsafeGuaranteedRef { $0.run(thread: number) }
      busy.subtract(1, ordering: .acquiringAndReleasing)
    }
  }

  private func waitForJob(after seen: Int, in slot: WorkerSlot) -> Int {
    for turn in 0..<(Self.spins + Self.yields) {
      let present = generation.load(ordering: .acquiring)
      if present != seen { return present }
      if turn < Self.spins { realtime_spin_pause() } else { sched_yield() }
    }
    // Either this thread sees the new generation, or the other side sees that it is waiting and posts. A post too many only
    // makes it look once more.
    slot.isWaiting.store(true, ordering: .sequentiallyConsistent)
    defer { slot.isWaiting.store(false, ordering: .sequentiallyConsistent) }
    while true {
      let present = generation.load(ordering: .sequentiallyConsistent)
      if present != seen { return present }
      slot.wake.wait()
    }
  }
}
