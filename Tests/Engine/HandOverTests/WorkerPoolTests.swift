import AudioCore
import Glibc
import HandOver
import Synchronization
import TestSupport
import Testing

@Suite("Threads take parts of a work that is open, and nobody waits for one that comes late")
struct WorkerPoolTests {
  /// Parts that are counted as they are done; each needs the one `distance` before it.
  private final class Parts: SharedWork, @unchecked Sendable {
    let claimed: FlatMemory<Part>
    let distance: Int
    let body: @Sendable (_ thread: Int) -> Void
    struct Part: ~Copyable {
      let isTaken = Atomic<Bool>(false)
      let times = Atomic<Int>(0)
      let isDone = Atomic<Bool>(false)
    }

    init(_ count: Int, distance: Int = .max, _ body: @escaping @Sendable (_ thread: Int) -> Void = { _ in }) {
      claimed = FlatMemory(count: count) { _ in Part() }
      self.distance = distance
      self.body = body
    }

    var times: [Int] { (0..<claimed.count).map { claimed[$0].times.load(ordering: .acquiring) } }

    override func run(thread: Int, of pool: WorkerPool) -> Bool {
      var isWhole = true
      for place in 0..<claimed.count where !claimed[place].isTaken.load(ordering: .relaxed) {
        if place >= distance && !claimed[place - distance].isDone.load(ordering: .acquiring) {
          isWhole = false
          continue
        }
        guard !claimed[place].isTaken.exchange(true, ordering: .acquiringAndReleasing) else { continue }
        body(thread)
        claimed[place].times.add(1, ordering: .relaxed)
        claimed[place].isDone.store(true, ordering: .releasing)
        pool.noteProgress()
      }
      return isWhole
    }
  }

  /// Figures of one kind of work.
  private final class Costs {
    let memory = FlatMemory<WorkCost>(repeating: WorkCost(), count: WorkCost.lengths)
  }

  @Test("each part is done once, by any number of threads and whatever needs what", arguments: [0, 1, 2, 5])
  func once(workers: Int) {
    let pool = WorkerPool(workers: workers, rule: .always)
    let costs = Costs()
    for turn in 0..<2000 {
      let count = turn % 23
      let work = Parts(count, distance: [1, 3, 7, .max][turn % 4])
      pool.begin(work, parts: count, costing: costs.memory.all, frames: 64)
      if turn % 5 == 0 { sched_yield() }
      pool.finish()
      #expect(work.times == Array(repeating: 1, count: count))
    }
    #expect(pool.handOverCount == 2000)
  }

  /// Holds a worker back in front of the work that it has been woken for: there it asks for the time.
  private final class Gate: Sendable {
    let isShut = Atomic<Bool>(true)
    let wasReached = Semaphore()
    let open = Semaphore()
    let owner = pthread_self()

    func now() -> UInt64 {
      if pthread_equal(owner, pthread_self()) == 0, isShut.load(ordering: .sequentiallyConsistent) {
        wasReached.signal()
        open.wait()
      }
      return 1
    }
  }

  @Test("a worker that comes late is not waited for, finds the work closed, and touches nothing of it")
  func late() {
    let gate = Gate()
    let pool = WorkerPool(workers: 1, rule: .scripted(wakeUpTicks: 1, now: { gate.now() }))
    let costs = Costs()
    let byOthers = Atomic<Int>(0)
    weak var first: Parts?
    do {
      let work = Parts(5) { if $0 != 0 { byOthers.add(1, ordering: .sequentiallyConsistent) } }
      first = work
      pool.begin(work, parts: 5, costing: costs.memory.all, frames: 64)
      gate.wasReached.wait()
      // The only worker is on its way, and will be for as long as this thread wants.
      pool.finish()
      #expect(work.times == [1, 1, 1, 1, 1])
    }
    #expect(first == nil, "what was worked on may go while the worker is still on its way")
    // Many further works come and go before it does.
    for _ in 0..<100 {
      let work = Parts(3) { if $0 != 0 { byOthers.add(1, ordering: .sequentiallyConsistent) } }
      pool.begin(work, parts: 3, costing: costs.memory.all, frames: 64)
      pool.finish()
      #expect(work.times == [1, 1, 1])
    }
    let partsByOthers = byOthers.load(ordering: .sequentiallyConsistent)
    #expect(partsByOthers == 0)
    gate.isShut.store(false, ordering: .sequentiallyConsistent)
    gate.open.signal()
    // Now it takes part again: this thread's own part ends when the worker has begun one.
    let met = Semaphore()
    let work = Parts(2) { if $0 == 0 { met.wait() } else { met.signal() } }
    pool.begin(work, parts: 2, costing: costs.memory.all, frames: 64)
    pool.finish()
    #expect(work.times == [1, 1])
  }

  @Test("a worker that has taken a part is waited for")
  func inside() {
    let pool = WorkerPool(workers: 1, rule: .always)
    let costs = Costs()
    for _ in 0..<200 {
      let taken = Semaphore()
      let isDone = Atomic<Bool>(false)
      let work = Parts(2) { thread in
        if thread == 0 {
          taken.wait()
        } else {
          taken.signal()
          for _ in 0..<20 { sched_yield() }
          isDone.store(true, ordering: .relaxed)
        }
      }
      pool.begin(work, parts: 2, costing: costs.memory.all, frames: 64)
      pool.finish()
      let wasDone = isDone.load(ordering: .relaxed)
      #expect(wasDone)
    }
  }

  /// A clock that work itself moves on.
  private final class Clock: Sendable {
    let ticks = Atomic<UInt64>(0)
    func add(_ count: UInt64) { ticks.add(count, ordering: .sequentiallyConsistent) }
  }

  private func handOvers(workTicks: UInt64, wakeUpTicks: UInt64, works: Int) -> Int {
    let clock = Clock()
    let pool = WorkerPool(
      workers: 1,
      rule: .scripted(wakeUpTicks: wakeUpTicks, now: { clock.ticks.load(ordering: .sequentiallyConsistent) }))
    let costs = Costs()
    for _ in 0..<works {
      let work = Parts(10) { _ in clock.add(workTicks / 10) }
      switch pool.choose(costs.memory.all, frames: 512) {
      case .plain: _ = work.run(thread: 0, of: pool)
      case .alone: pool.runAlone(work, costing: costs.memory.all, frames: 512)
      case .shared:
        pool.begin(work, parts: 10, costing: costs.memory.all, frames: 512)
        pool.finish()
      }
      #expect(work.times == Array(repeating: 1, count: 10))
    }
    return pool.handOverCount
  }

  @Test("no work is handed over that takes one thread less than a wake-up takes; longer work is")
  func worth() {
    for ticks: UInt64 in [0, 10, 500, 990] { #expect(handOvers(workTicks: ticks, wakeUpTicks: 1000, works: 1000) == 0) }
    #expect(handOvers(workTicks: 20_000, wakeUpTicks: 1000, works: 1000) > 0)
  }

  @Test("a counter that goes back or far ahead, as processors that do not agree read it, ends nothing")
  func oddCounter() {
    let turns = Atomic<UInt64>(1)
    let pool = WorkerPool(
      workers: 1,
      rule: .scripted(
        wakeUpTicks: 1,
        now: { turns.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue &* 0xBF58_476D_1CE4_E5B9 }))
    let costs = Costs()
    for _ in 0..<1000 {
      let work = Parts(10)
      switch pool.choose(costs.memory.all, frames: 512) {
      case .plain: _ = work.run(thread: 0, of: pool)
      case .alone: pool.runAlone(work, costing: costs.memory.all, frames: 512)
      case .shared:
        pool.begin(work, parts: 10, costing: costs.memory.all, frames: 512)
        pool.finish()
      }
      #expect(work.times == Array(repeating: 1, count: 10))
    }
  }

  @Test("work that is not worth a wake-up goes to workers that are awake from other work, twice at the most")
  func rides() {
    let clock = Clock()
    let pool = WorkerPool(
      workers: 1, rule: .scripted(wakeUpTicks: 1000, now: { clock.ticks.load(ordering: .sequentiallyConsistent) }))
    let (large, small) = (Costs(), Costs())
    var largeCount = 0
    for turn in 0..<1000 {
      let isLarge = turn % 10 == 0
      let costs = isLarge ? large.memory.all : small.memory.all
      let work = Parts(10) { _ in clock.add(isLarge ? 2000 : 10) }
      switch pool.choose(costs, frames: 512) {
      case .plain: _ = work.run(thread: 0, of: pool)
      case .alone: pool.runAlone(work, costing: costs, frames: 512)
      case .shared:
        if isLarge { largeCount += 1 }
        pool.begin(work, parts: 10, costing: costs, frames: 512)
        pool.finish()
      }
      #expect(work.times == Array(repeating: 1, count: 10))
    }
    #expect(largeCount > 0)
    #expect(pool.handOverCount <= 3 * largeCount)
  }

  @Test("each length of a work has a cost of its own")
  func lengths() {
    let clock = Clock()
    let pool = WorkerPool(
      workers: 0, rule: .scripted(wakeUpTicks: 1000, now: { clock.ticks.load(ordering: .sequentiallyConsistent) }))
    let costs = Costs()
    func choice(_ frames: Int) -> HandOverChoice {
      let choice = pool.choose(costs.memory.all, frames: frames)
      if case .alone = choice {
        pool.runAlone(Parts(1) { _ in clock.add(UInt64(10 * frames)) }, costing: costs.memory.all, frames: frames)
      }
      return choice
    }
    for turn in 0..<60 {
      for frames in [64, 512, 1] {
        switch (choice(frames), turn < 2, frames) {
        case (.alone, true, _), (.plain, false, 64), (.plain, false, 1), (.shared, false, 512): break
        case (let choice, _, _): Issue.record("turn \(turn), \(frames) frames: \(choice)")
        }
      }
    }
  }

  @Test("hand-overs that lose time are tried less and less: they cost a 32nd of the work at the most, and one try")
  func losses() {
    var account = HandOverAccount(scripted: 100)
    let (work, waited): (UInt64, UInt64) = (1000, 5000)
    var tries = 0
    let works = 10_000
    for _ in 0..<works {
      if account.isWorth(work) {
        tries += 1
        account.note(work: work, own: work, others: 0, waited: waited, posts: 0)
      } else {
        account.note(alone: work)
      }
    }
    #expect(tries > 10)
    #expect(tries * Int(waited) <= works * Int(work) / 32 + Int(waited))
  }

  @Test("hand-overs that gain time go on")
  func gains() {
    var account = HandOverAccount(scripted: 100)
    for _ in 0..<1000 {
      let isWorth = account.isWorth(1000)
      #expect(isWorth)
      account.note(work: 1000, own: 500, others: 500, waited: 20, posts: 10)
    }
  }
}
