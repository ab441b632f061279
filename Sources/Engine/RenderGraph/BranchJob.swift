// The path of one slice: pull, input, notify, parameters, work and convert, for the branches that render ahead. Runs on
// the calling thread and the workers together, in two rounds: before the render call files are read, in it branches are
// rendered, without allocation, lock or file. Who has read a branch's files renders it, while they are in its cache;
// who has done its own takes what is left.

import AudioCore
import AudioEngine
import HandOver
import Synchronization

/// Branches rendered for one slice by as many threads as take part.
final class BranchJob: SharedWork, @unchecked Sendable {
  private unowned(unsafe) var list: (any BranchList)?
  private var branches = 0..<0
  private var sampleTime: Int64 = 0
  private var frames = 0
  private let next = Atomic<Int>(0)
  private let states: FlatMemory<BranchState>
  /// Branches that take part in the slice.
  private(set) var activeCount = 0

  private enum Round { case reading, rendering }
  private var round = Round.rendering

  struct BranchState: ~Copyable {
    let isClaimed = Atomic<Bool>(false)
    let isDone = Atomic<Bool>(true)
    let status = Atomic<Int32>(0)
    /// The thread that read for it last, or rendered it.
    let thread = Atomic<Int>(0)
  }

  /// - Parameter capacity: the most branches of a list.
  init(capacity: Int) { states = FlatMemory(count: capacity) { _ in BranchState() } }

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
    activeCount = 0
    for index in branches {
      let isActive = list.isActive(index)
      if isActive { activeCount += 1 }
      states[index].isClaimed.store(!isActive, ordering: .relaxed)
      states[index].isDone.store(!isActive, ordering: .relaxed)
      states[index].status.store(0, ordering: .relaxed)
    }
  }

  override func run(thread: Int, of pool: WorkerPool) -> Bool {
    guard let list else { return true }
    switch round {
    case .reading:
      while true {
        let index = next.add(1, ordering: .acquiringAndReleasing).oldValue
        guard index < branches.upperBound else { return true }
        states[index].thread.store(thread, ordering: .relaxed)
        list.prefetch(index, frames: frames)
      }
    case .rendering:
      for index in branches where states[index].thread.load(ordering: .relaxed) == thread && !isClaimed(index) {
        _ = renderIfReady(index, list, thread: thread, of: pool)
      }
      // A thread waits only where all that is left needs what others are at work on.
      while true {
        var isWhole = true
        var hasGoneOn = false
        for index in branches where !isClaimed(index) {
          if renderIfReady(index, list, thread: thread, of: pool) { hasGoneOn = true } else { isWhole = false }
        }
        if isWhole || !hasGoneOn { return isWhole }
      }
    }
  }

  private func isClaimed(_ index: Int) -> Bool { states[index].isClaimed.load(ordering: .relaxed) }

  /// Renders a branch, unless another thread has taken it.
  ///
  /// - Returns: false where it needs branches that are not done.
  private func renderIfReady(_ index: Int, _ list: any BranchList, thread: Int, of pool: WorkerPool) -> Bool {
    var turn = 0
    while let need = list.need(turn, of: index) {
      guard states[need].isDone.load(ordering: .acquiring) else { return false }
      turn += 1
    }
    guard !states[index].isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return true }
    states[index].thread.store(thread, ordering: .relaxed)
    let former = FlushToZero.enter()
    let status = list.render(index, sampleTime: sampleTime, frames: frames)
    FlushToZero.leave(former)
    if status != .noError { states[index].status.store(status.rawValue, ordering: .relaxed) }
    states[index].isDone.store(true, ordering: .releasing)
    pool.noteProgress()
    return true
  }

  /// Throws the status of the first branch, in order, that failed.
  func check() throws(AudioStatus) {
    for index in branches {
      let status = states[index].status.load(ordering: .relaxed)
      if status != 0 { throw AudioStatus(status) }
    }
  }
}
