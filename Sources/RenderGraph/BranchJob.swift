// Steps 4 to 9 of the path of one slice, for the branches that render ahead. Runs on the calling thread and the workers
// together, in two rounds: before the render call files are read, in it branches are rendered, without allocation, lock
// or file. Who has read a branch's files renders it, while they are in its cache; who has done its own takes what is left.

import AudioCore
import AudioUnits
import CRealtime
import Glibc
import Synchronization

/// The branches of a plan, rendered for one slice by as many threads as take part.
final class BranchJob: @unchecked Sendable {
  private unowned(unsafe) var plan: RenderPlan
  private var sampleTime: Int64 = 0
  private var frames = 0
  private let next = Atomic<Int>(0)
  private let stateMemory: FlatMemory<BranchState>
  private var states: UnsafeMutablePointer<BranchState> { stateMemory.start }
  private let count: Int

  private enum Round { case reading, rendering }
  private var round = Round.rendering

  struct BranchState: ~Copyable {
    let isClaimed = Atomic<Bool>(false)
    let isDone = Atomic<Bool>(true)
    let status = Atomic<Int32>(0)
    var isActive = false
    /// The thread that read for it last.
    var reader = 0
  }

  init(_ plan: RenderPlan) {
    self.plan = plan
    count = plan.branches.count
    stateMemory = FlatMemory(count: count) { _ in BranchState() }
  }

  /// Readies the job to read what branches need for `frames` frames.
  func beginReading(frames: Int) {
    round = .reading
    self.frames = frames
    next.store(0, ordering: .releasing)
  }

  /// Readies the job for a slice; ``RenderPlan/walkActivity()`` has said which nodes take part.
  func begin(sampleTime: Int64, frames: Int) {
    round = .rendering
    self.sampleTime = sampleTime
    self.frames = frames
    for index in 0..<count {
      states[index].isActive = plan.isActive[plan.branches[index].head]
      states[index].isClaimed.store(!states[index].isActive, ordering: .relaxed)
      states[index].isDone.store(!states[index].isActive, ordering: .relaxed)
      states[index].status.store(0, ordering: .relaxed)
      plan.branches[index].buffer.clear(at: sampleTime)
    }
  }

  /// One thread's share of the round: all that it can get.
  func run(thread: Int) {
    switch round {
    case .reading:
      while true {
        let index = next.add(1, ordering: .acquiringAndReleasing).oldValue
        guard index < count else { return }
        states[index].reader = thread
        for source in plan.branches[index].sources { source.prefetch(frames: frames) }
      }
    case .rendering:
      for index in 0..<count where states[index].reader == thread { renderIfFree(index) }
      for index in 0..<count { renderIfFree(index) }
    }
  }

  /// Renders a branch that nobody has claimed, after what it needs.
  private func renderIfFree(_ index: Int) {
    guard !states[index].isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for need in plan.branches[index].needs {
      // What nobody has begun is begun here: a thread never waits for work that is still to be taken.
      renderIfFree(need)
      waitFor(need)
    }
    render(index)
    states[index].isDone.store(true, ordering: .releasing)
  }

  private func waitFor(_ index: Int) {
    var turns = 0
    while !states[index].isDone.load(ordering: .acquiring) {
      turns += 1
      if turns < 2000 { realtime_spin_pause() } else { sched_yield() }
    }
  }

  private func render(_ index: Int) {
    let branch = plan.branches[index]
    let node = plan.nodes[branch.head]
    let former = FlushToZero.enter()
    defer {
      node.target = nil
      FlushToZero.leave(former)
    }
    do throws(AudioStatus) {
      var done = 0
      while done < frames {
        let step = min(plan.stepFrames, frames - done)
        node.target = branch.buffer.tail()
        let output = try node.render(bus: 0, sampleTime: sampleTime + Int64(done), frames: step)
        branch.buffer.append(output, frames: step)
        done += step
      }
    } catch {
      states[index].status.store(error.rawValue, ordering: .relaxed)
    }
  }

  /// What the first branch that failed, in order, has failed with.
  func check() throws(AudioStatus) {
    for index in 0..<count {
      let status = states[index].status.load(ordering: .relaxed)
      if status != 0 { throw AudioStatus(rawValue: status) }
    }
  }
}
