// Work on a long signal block by block, by as many threads as there are: read, worked on, written. Not for render
// threads: it waits.

import AudioCore

/// The work on each block. Block b lies in slot b modulo `slotCount` from its reading until it is written.
package protocol BlockWork: AnyObject {
  /// The number of parts of a block that can be worked on side by side; 0 if a block is written as it was read.
  var partCount: Int { get }
  /// True when a part needs the same part of the block before to be done.
  var hasOrderedParts: Bool { get }
  /// Reads a block, in order; one at a time.
  func read(_ block: Int) throws(BenchError)
  /// Works on a part of a block that has been read; beside other parts, and beside reading and writing of other blocks.
  func work(_ block: Int, part: Int)
  /// Writes a block all of whose parts are done, in order; one at a time.
  func write(_ block: Int) throws(BenchError)
}

/// Takes blocks through their three steps. Each thread does what can be done next: writes, else works, else reads.
package final class BlockPipeline: @unchecked Sendable {
  private let work: any BlockWork
  private let blockCount: Int
  private let slotCount: Int
  private let threadCount: Int
  private var state: State
  private let lock = ConditionLock()

  /// The progress of the blocks. Guarded by the lock.
  private struct State {
    var readCount = 0
    var writtenCount = 0
    var isReading = false
    var isWriting = false
    /// True while reading waits until half of the slots are free: a thread that read at each free slot would sleep and
    /// wake once a block.
    var isFull = false
    /// Threads that have found nothing to do.
    var waitingCount = 0
    /// The parts that a thread has taken, and those that are done, of the blocks that have been read and not written,
    /// by slot.
    var taken: [Int]
    var done: [Int]
    /// With ordered parts: how many blocks each part is done of.
    var orderedDone: [Int]
    var failure: BenchError?
  }

  /// Slots that keep so many threads busy.
  package static func slotCount(threads: Int) -> Int { threads == 1 ? 1 : 2 * threads + 2 }

  /// - Parameters:
  ///   - blocks: the number of blocks.
  ///   - slots: the number of blocks that may be under way.
  ///   - threads: with the calling one; 1 or more.
  package init(_ work: any BlockWork, blocks: Int, slots: Int, threads: Int) {
    self.work = work
    blockCount = blocks
    slotCount = slots
    threadCount = threads
    state = State(
      taken: Array(repeating: 0, count: slots), done: Array(repeating: 0, count: slots),
      orderedDone: Array(repeating: 0, count: work.partCount))
  }

  /// Runs to the end, or to the first error; then no thread is at work any more.
  ///
  /// - Parameter progress: called on the calling thread at the start and now and then, with the blocks that are
  ///   written.
  /// - Throws: the first error of a step or `progress`.
  package func run(progress: (_ blocks: Int) throws(BenchError) -> Void) throws(BenchError) {
    var helpers: [JoinedThread] = []
    for _ in 1..<max(1, threadCount) {
      guard let helper = JoinedThread(of: self, { $0.takePart { _ in } }) else { break }
      helpers.append(helper)
    }
    takePart(progress)
    for helper in helpers { helper.join() }
    if let failure = state.failure { throw failure }
  }

  private enum Step {
    case write(Int)
    case work(Int, part: Int)
    case read(Int)
  }

  /// Takes steps until nothing is left to be done.
  private func takePart(_ progress: (Int) throws(BenchError) -> Void) {
    var failure: BenchError?
    do throws(BenchError) { try progress(0) } catch { failure = error }
    lock.lock()
    if let failure { state.failure = failure }
    while state.failure == nil && state.writtenCount < blockCount {
      guard let step = nextStep() else {
        state.waitingCount += 1
        lock.wait()
        state.waitingCount -= 1
        continue
      }
      begin(step)
      // Whoever wakes sees to the next one.
      if state.waitingCount > 0 && nextStep() != nil { lock.signal() }
      let written = state.writtenCount
      lock.unlock()
      var failure: BenchError?
      do throws(BenchError) {
        try take(step)
        try progress(written)
      } catch {
        failure = error
      }
      lock.lock()
      finish(step)
      if state.failure == nil { state.failure = failure }
    }
    lock.broadcast()
    lock.unlock()
  }

  /// The next step that can be done; nil if others must finish something first.
  private func nextStep() -> Step? {
    let written = state.writtenCount
    if !state.isWriting, written < state.readCount, state.done[written % slotCount] == work.partCount {
      return .write(written)
    }
    for block in written..<state.readCount {
      let part = state.taken[block % slotCount]
      guard part < work.partCount, !work.hasOrderedParts || state.orderedDone[part] == block else { continue }
      return .work(block, part: part)
    }
    let next = state.readCount
    if !state.isReading, next < blockCount, next - written <= (state.isFull ? slotCount / 2 : slotCount - 1) {
      return .read(next)
    }
    return nil
  }

  private func begin(_ step: Step) {
    switch step {
    case .write: state.isWriting = true
    case .work(let block, _): state.taken[block % slotCount] += 1
    case .read:
      state.isReading = true
      state.isFull = false
    }
  }

  private func take(_ step: Step) throws(BenchError) {
    switch step {
    case .write(let block): try work.write(block)
    case .work(let block, let part): work.work(block, part: part)
    case .read(let block): try work.read(block)
    }
  }

  private func finish(_ step: Step) {
    switch step {
    case .write:
      state.isWriting = false
      state.writtenCount += 1
    case .work(let block, let part):
      state.done[block % slotCount] += 1
      if work.hasOrderedParts { state.orderedDone[part] = block + 1 }
    case .read(let block):
      state.isReading = false
      state.taken[block % slotCount] = 0
      state.done[block % slotCount] = 0
      state.readCount += 1
      state.isFull = state.readCount - state.writtenCount == slotCount
    }
  }
}
