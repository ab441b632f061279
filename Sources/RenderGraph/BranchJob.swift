// Steps 4 to 9 of the path of one slice, for the branches that render ahead. Runs on the calling thread and the workers
// together, in two rounds: before the render call files are read, in it branches are rendered, without allocation, lock
// or file. Who has read a branch's files renders it, while they are in its cache; who has done its own takes what is left.

import AudioCore
import AudioUnits
import CRealtime
import Glibc
import Synchronization

/// Branches rendered for one slice by as many threads as take part.
final class BranchJob: @unchecked Sendable {
  private unowned(unsafe) var list: (any BranchList)?
  private var branches = 0..<0
  private var sampleTime: Int64 = 0
  private var frames = 0
  private let next = Atomic<Int>(0)
  private let stateMemory: FlatMemory<BranchState>
  private var states: UnsafeMutablePointer<BranchState> { stateMemory.start }

  private enum Round { case reading, rendering }
  private var round = Round.rendering

  struct BranchState: ~Copyable {
    let isClaimed = Atomic<Bool>(false)
    let isDone = Atomic<Bool>(true)
    let status = Atomic<Int32>(0)
    /// The thread that read for it last, or rendered it.
    let thread = Atomic<Int>(0)
  }

  /// - Parameter capacity: of a list's branches, the most.
  init(capacity: Int) { stateMemory = FlatMemory(count: capacity) { _ in BranchState() } }

  /// Readies the job to read what branches need for `frames` frames.
  func beginReading(_ branches: Range<Int>, of list: any BranchList, frames: Int) {
    round = .reading
    (self.list, self.branches, self.frames) = (list, branches, frames)
    next.store(branches.lowerBound, ordering: .releasing)
  }

  /// Readies the job for a slice. The list has chosen the branches that are active.
  func begin(_ branches: Range<Int>, of list: any BranchList, sampleTime: Int64, frames: Int) {
    round = .rendering
    (self.list, self.branches, self.sampleTime, self.frames) = (list, branches, sampleTime, frames)
    for index in branches {
      let isActive = list.isActive(index)
      states[index].isClaimed.store(!isActive, ordering: .relaxed)
      states[index].isDone.store(!isActive, ordering: .relaxed)
      states[index].status.store(0, ordering: .relaxed)
    }
  }

  /// One thread's share of the round: all that it can get.
  func run(thread: Int) {
    guard let list else { return }
    switch round {
    case .reading:
      while true {
        let index = next.add(1, ordering: .acquiringAndReleasing).oldValue
        guard index < branches.upperBound else { return }
        states[index].thread.store(thread, ordering: .relaxed)
        list.prefetch(index, frames: frames)
      }
    case .rendering:
      for index in branches where states[index].thread.load(ordering: .relaxed) == thread {
        renderIfFree(index, list, thread: thread)
      }
      for index in branches { renderIfFree(index, list, thread: thread) }
    }
  }

  /// Renders a branch that no thread has claimed, after what it needs.
  private func renderIfFree(_ index: Int, _ list: any BranchList, thread: Int) {
    guard !states[index].isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    states[index].thread.store(thread, ordering: .relaxed)
    var turn = 0
    while let need = list.need(turn, of: index) {
      // A branch that is not begun is begun here: a thread never waits for work that is still to be taken.
      renderIfFree(need, list, thread: thread)
      waitFor(need)
      turn += 1
    }
    let former = FlushToZero.enter()
    let status = list.render(index, sampleTime: sampleTime, frames: frames)
    FlushToZero.leave(former)
    if status != .noError { states[index].status.store(status.rawValue, ordering: .relaxed) }
    states[index].isDone.store(true, ordering: .releasing)
  }

  private func waitFor(_ index: Int) {
    var turns = 0
    while !states[index].isDone.load(ordering: .acquiring) {
      turns += 1
      if turns < 2000 { realtime_spin_pause() } else { sched_yield() }
    }
  }

  /// What the first branch that failed, in order, has failed with.
  func check() throws(AudioStatus) {
    for index in branches {
      let status = states[index].status.load(ordering: .relaxed)
      if status != 0 { throw AudioStatus(status) }
    }
  }
}
