// Threads that work beside the calling thread. Work is open for a while: workers that come in time take parts of it,
// and those that come later find it closed and leave. Workers that have not come are not waited for; those that have
// taken a part are. `begin`, `finish` and `runAlone` belong to one thread at a time, which may be a render thread: they
// allocate nothing.
//
// The gate is one word: the generation of the work, whether it is open, and how many workers are inside. A worker goes
// in by raising that number if the word is still "open" in the generation that it has seen, so that it cannot enter
// work that was closed or is another by now. The contents of work are read only inside, and stay until no worker is: a
// late worker touches the pool's own memory alone.

import AudioCore
import CRealtime
import Glibc
import Synchronization

/// Work in parts that several threads may take.
open class SharedWork {
  public init() {}

  /// Takes parts until none is left that can be taken now. ``WorkerPool/noteProgress()`` is called for each part that
  /// is done.
  ///
  /// - Parameter thread: 0 is the one that handed the work over.
  /// - Returns: false where parts are left that need some which other threads are at work on.
  open func run(thread: Int, of pool: WorkerPool) -> Bool { true }
}

/// Threads that take parts of a work together with the calling thread.
public final class WorkerPool: @unchecked Sendable {
  private static let openBit: UInt64 = 1 << 15
  /// The owner sleeps until the last worker has left.
  private static let sleepBit: UInt64 = 1 << 14
  private static let insideMask: UInt64 = sleepBit - 1
  private static let generationStep: UInt64 = 1 << 16

  private let gate = Atomic<UInt64>(0)
  /// The work that workers take parts of: written while no worker can be inside, read inside.
  private var work: Unmanaged<SharedWork>?
  private let progress = Atomic<UInt64>(0)
  private let othersTicks = Atomic<UInt64>(0)
  private let allLeft = Semaphore()
  private let isClosed = Atomic<Bool>(false)
  /// From a wake-up until the worker ran: what was measured last, 0 once it was read.
  private let latency = Atomic<UInt64>(0)
  /// For so long a worker looks for further work before it sleeps, and the owner for workers to leave.
  private let spinTicks = Atomic<UInt64>(0)
  /// For so long a worker waits for parts that need others: no longer than one thread needs for all.
  private let blockedTicks = Atomic<UInt64>(0)
  private let slots: [WorkerSlot]
  private var threads: [JoinedThread] = []

  private let rule: HandOverRule
  private var account: HandOverAccount
  private var cost: Plane<WorkCost>?
  private var postsTicks: UInt64 = 0
  /// The number of works that may still be handed to workers that are awake, though none of them would be worth a
  /// wake-up.
  private var rides = 0
  private static let ridesOfWork = 2
  /// The number of times that work was begun for all threads.
  package private(set) var handOverCount = 0

  /// The semaphore of one worker, and whether the worker is waiting on it.
  private final class WorkerSlot: Sendable {
    let isWaiting = Atomic<Bool>(false)
    let postedAt = Atomic<UInt64>(0)
    let wake = Semaphore()
  }

  /// - Parameter workers: threads beside the calling one, 0 or more. Fewer where the system gives no more.
  public convenience init(workers: Int) { self.init(workers: workers, rule: .measured) }

  package init(workers: Int, rule: HandOverRule) {
    precondition(workers < Self.insideMask)
    self.rule = rule
    let scriptedTicks: UInt64? = if case .scripted(let ticks, _) = rule { ticks } else { nil }
    account = HandOverAccount(scripted: scriptedTicks)
    slots = (0..<workers).map { _ in WorkerSlot() }
    for (index, slot) in slots.enumerated() {
      guard let thread = JoinedThread(of: self, { $0.serve(slot, number: index + 1) }) else { break }
      threads.append(thread)
    }
    if case .measured = rule { measureWakeUp() }
  }

  deinit {
    close()
    isClosed.store(true, ordering: .sequentiallyConsistent)
    gate.add(Self.generationStep, ordering: .sequentiallyConsistent)
    for slot in slots { slot.wake.signal() }
    for thread in threads { thread.join() }
  }

  // MARK: Deciding

  private func now() -> UInt64 {
    if case .scripted(_, let now) = rule { return now() }
    return realtime_ticks()
  }

  /// Chooses the way in which work is done.
  ///
  /// - Parameter costs: ``WorkCost/lengths`` of them, those of this kind of work.
  package func choose(_ costs: Plane<WorkCost>, frames: Int) -> HandOverChoice {
    if case .always = rule { return .shared }
    let measured = latency.exchange(0, ordering: .relaxed)
    if measured > 0 { account.note(latency: measured) }
    let cost = Self.cost(costs, frames: frames)
    if cost[0].isUnknown { return .alone }
    cost[0].decisions += 1
    let isAwake = rides > 0 && !slots[0].isWaiting.load(ordering: .relaxed)
    if account.isWorth(cost[0].ticks, isAwake: isAwake) { return .shared }
    account.note(alone: cost[0].ticks)
    return .plain
  }

  private static func cost(_ costs: Plane<WorkCost>, frames: Int) -> Plane<WorkCost> {
    let digits = Int.bitWidth - frames.leadingZeroBitCount
    let cost = costs + digits % WorkCost.lengths
    if cost[0].digits != digits {
      cost[0] = WorkCost()
      cost[0].digits = digits
    }
    return cost
  }

  // MARK: Working

  /// Does all of a work on this thread, and measures it.
  package func runAlone(_ work: SharedWork, costing costs: Plane<WorkCost>, frames: Int) {
    precondition(self.work == nil)
    let start = now()
    while !work.run(thread: 0, of: self) {}
    let ticks = ElapsedTicks.between(start, now())
    Self.cost(costs, frames: frames)[0].note(alone: ticks)
    account.note(alone: ticks)
  }

  /// Opens a work for the workers, wakes those that sleep, and returns at once; ``finish()`` must follow before
  /// anything else is begun. The work must stay until then.
  ///
  /// - Parameter parts: the most threads that can be at work on it.
  package func begin(_ work: SharedWork, parts: Int, costing costs: Plane<WorkCost>, frames: Int) {
    precondition(self.work == nil)
    let cost = Self.cost(costs, frames: frames)
    self.cost = cost
    rides = threads.isEmpty ? 0 : cost[0].ticks >= account.worthTicks ? Self.ridesOfWork : max(0, rides - 1)
    blockedTicks.store(max(account.latencyTicks, cost[0].ticks), ordering: .relaxed)
    offer(work, parts: parts)
    handOverCount += 1
  }

  private func offer(_ work: SharedWork, parts: Int) {
    self.work = .passUnretained(work)
    othersTicks.store(0, ordering: .relaxed)
    let generation = (gate.load(ordering: .relaxed) & ~(Self.generationStep - 1)) &+ Self.generationStep
    gate.store(generation | Self.openBit, ordering: .sequentiallyConsistent)
    postsTicks = 0
    for index in 0..<min(threads.count, max(0, parts - 1)) {
      let slot = slots[index]
      // One wake-up for each sleep: a worker that is on its way is not woken again.
      guard slot.isWaiting.load(ordering: .sequentiallyConsistent),
        slot.isWaiting.exchange(false, ordering: .sequentiallyConsistent)
      else { continue }
      let start = realtime_ticks()
      slot.postedAt.store(start, ordering: .relaxed)
      slot.wake.signal()
      let ticks = ElapsedTicks.between(start, realtime_ticks())
      account.note(post: ticks)
      postsTicks &+= ticks
    }
  }

  /// Takes part in the work that was begun, if any, and returns when all of it is done.
  package func finish() {
    guard let work else { return }
    let start = now()
    var own: UInt64 = 0
    var isDone = false
    func takePart() {
      let begun = now()
      isDone = work._withUnsafeGuaranteedRef { $0.run(thread: 0, of: self) }
      own += ElapsedTicks.between(begun, now())
    }
    repeat {
      let seen = progress.load(ordering: .acquiring)
      takePart()
      if isDone { break }
      // The rest needs the results of another thread.
      let limit = blockedTicks.load(ordering: .relaxed)
      guard spin(for: limit, while: { progress.load(ordering: .acquiring) == seen }) else { break }
    } while true
    close()
    // No other thread is at work any more: the rest can be done.
    while !isDone { takePart() }
    let others = othersTicks.load(ordering: .relaxed)
    let waited = ElapsedTicks.between(own, ElapsedTicks.between(start, now()))
    guard let cost else { return }
    account.note(work: cost[0].ticks, own: own, others: others, waited: waited, posts: postsTicks)
    cost[0].note(shared: own &+ others, own: own)
    spinTicks.store(account.spinTicks, ordering: .relaxed)
    self.cost = nil
  }

  /// Lets no further worker in, and returns when those inside have left. Unfinished parts stay undone.
  package func close() {
    guard work != nil else { return }
    let closed = gate.bitwiseAnd(~Self.openBit, ordering: .acquiringAndReleasing).newValue
    if closed & Self.insideMask > 0 {
      let limit = spinTicks.load(ordering: .relaxed)
      if !spin(for: limit, while: { gate.load(ordering: .acquiring) & Self.insideMask > 0 }) {
        // One of them has lost the processor: this thread gives its own away as well.
        let present = gate.bitwiseOr(Self.sleepBit, ordering: .acquiringAndReleasing).newValue
        if present & Self.insideMask > 0 { allLeft.wait() }
      }
      _ = gate.load(ordering: .acquiring)
    }
    work = nil
  }

  /// A part is done.
  public func noteProgress() { progress.add(1, ordering: .releasing) }

  /// - Returns: true if the condition has ended in time.
  private func spin(for ticks: UInt64, while condition: () -> Bool) -> Bool {
    guard condition() else { return true }
    let start = realtime_ticks()
    repeat {
      realtime_spin_pause()
      if !condition() { return true }
    } while realtime_ticks() &- start < ticks
    return false
  }

  // MARK: The workers

  private func serve(_ slot: WorkerSlot, number: Int) {
    var seen: UInt64 = 0
    while true {
      seen = waitForWork(after: seen, in: slot)
      if isClosed.load(ordering: .acquiring) { return }
      takePart(of: seen, number: number)
    }
  }

  private func takePart(of generation: UInt64, number: Int) {
    while true {
      let before = progress.load(ordering: .acquiring)
      let start = now()
      guard enter(generation) else { return }
      let isDone = work.map { $0._withUnsafeGuaranteedRef { $0.run(thread: number, of: self) } } ?? true
      othersTicks.add(ElapsedTicks.between(start, now()), ordering: .relaxed)
      leave()
      if isDone { return }
      // Outside: whoever closes the gate need not wait for a thread that only waits.
      let isFree = spin(for: blockedTicks.load(ordering: .relaxed)) {
        progress.load(ordering: .acquiring) == before && isOpen(generation)
      }
      guard isFree else { return }
    }
  }

  private func isOpen(_ generation: UInt64) -> Bool {
    let word = gate.load(ordering: .acquiring)
    return word & ~(Self.generationStep - 1) == generation && word & Self.openBit != 0
  }

  private func enter(_ generation: UInt64) -> Bool {
    var word = gate.load(ordering: .relaxed)
    while word & ~(Self.generationStep - 1) == generation && word & Self.openBit != 0 {
      let (isIn, present) = gate.weakCompareExchange(
        expected: word, desired: word + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isIn { return true }
      word = present
    }
    return false
  }

  private func leave() {
    let former = gate.subtract(1, ordering: .acquiringAndReleasing).oldValue
    if former & Self.sleepBit != 0 && former & Self.insideMask == 1 { allLeft.signal() }
  }

  private func waitForWork(after seen: UInt64, in slot: WorkerSlot) -> UInt64 {
    func generation() -> UInt64 { gate.load(ordering: .sequentiallyConsistent) & ~(Self.generationStep - 1) }
    if spin(for: spinTicks.load(ordering: .relaxed), while: { generation() == seen }) { return generation() }
    while true {
      // Either this thread sees the new generation, or the other side sees that it is waiting and posts.
      slot.isWaiting.store(true, ordering: .sequentiallyConsistent)
      if generation() != seen && slot.isWaiting.exchange(false, ordering: .sequentiallyConsistent) {
        return generation()
      }
      slot.wake.wait()
      latency.store(
        max(1, ElapsedTicks.between(slot.postedAt.load(ordering: .relaxed), realtime_ticks())), ordering: .relaxed)
      let present = generation()
      if present != seen || isClosed.load(ordering: .acquiring) { return present }
    }
  }

  // MARK: The first figures

  /// Wakes a worker some times, as long as it comes within a millisecond.
  private func measureWakeUp() {
    guard !threads.isEmpty else { return }
    let nothing = SharedWork()
    let start = ContinuousClock.now
    let first = realtime_ticks()
    func wait(while condition: () -> Bool) -> Bool {
      while condition() {
        guard start.duration(to: .now) < .milliseconds(1) else { return false }
        realtime_spin_pause()
      }
      return true
    }
    for _ in 0..<3 {
      guard wait(while: { !slots[0].isWaiting.load(ordering: .sequentiallyConsistent) }) else { break }
      offer(nothing, parts: 2)
      let hasCome = wait(while: { latency.load(ordering: .relaxed) == 0 })
      close()
      guard hasCome else { break }
      account.note(latency: latency.exchange(0, ordering: .relaxed))
    }
    spinTicks.store(account.spinTicks, ordering: .relaxed)
    // None came: for now that is what a wake-up takes. Who knows nothing does not spin for it.
    if account.latencyTicks == 0 { account.note(latency: ElapsedTicks.between(first, realtime_ticks())) }
  }
}
