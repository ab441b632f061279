// Steps 4 to 9 of the path of one slice, for the branches that render ahead. Runs on the calling thread and the workers
// together: no allocation, no lock; a branch waits only for branches below it, which others have begun.

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
  private let states: UnsafeMutablePointer<BranchState>
  private let count: Int

  private struct BranchState: ~Copyable {
    let isDone = Atomic<Bool>(true)
    let status = Atomic<Int32>(0)
    var isActive = false
  }

  init(_ plan: RenderPlan) {
    self.plan = plan
    count = plan.branches.count
    states = .allocate(capacity: max(1, count))
    for index in 0..<count { (states + index).initialize(to: BranchState()) }
  }

  deinit {
    states.deinitialize(count: count)
    states.deallocate()
  }

  /// Readies the job for a slice; ``RenderPlan/walkActivity()`` has said which nodes take part.
  func begin(sampleTime: Int64, frames: Int) {
    self.sampleTime = sampleTime
    self.frames = frames
    for index in 0..<count {
      states[index].isActive = plan.isActive[plan.branches[index].head]
      states[index].isDone.store(!states[index].isActive, ordering: .relaxed)
      states[index].status.store(0, ordering: .relaxed)
      plan.branches[index].buffer.clear(at: sampleTime)
    }
    next.store(0, ordering: .releasing)
  }

  /// Takes branches, in order, until none is left. Needed branches come first, so that somebody has begun them.
  func run() {
    while true {
      let index = next.add(1, ordering: .acquiringAndReleasing).oldValue
      guard index < count else { return }
      guard states[index].isActive else { continue }
      for need in plan.branches[index].needs { waitFor(need) }
      render(index)
      states[index].isDone.store(true, ordering: .releasing)
    }
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
    for source in branch.sources { source.prefetch(frames: frames) }
    let node = plan.nodes[branch.head]
    defer { node.target = nil }
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
