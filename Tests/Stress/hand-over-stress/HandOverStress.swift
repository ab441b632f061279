// The promises of the hand-over, from several threads at once: `hand-over-stress [SECONDS]`. Built with ThreadSanitizer
// it finds out whether anything is read while it is written; by itself, whether anything is lost, doubled, out of order
// or never freed.

import AudioCore
import Dispatch
import Glibc
import HandOver
import Synchronization
import TestSupport

@main
struct HandOverStress {
  static func main() {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 5
    let parts: [(String, (Deadline) -> Int)] = [
      ("queue", queue), ("mailbox", mailbox), ("ring", ring), ("workers", workers),
    ]
    for (name, part) in parts {
      let handedOver = part(Deadline(seconds: seconds / Double(parts.count)))
      demand(handedOver > 1000, "\(name): only \(handedOver) were handed over")
      demand(Numbered.alive.load(ordering: .sequentiallyConsistent) == 0, "\(name): some were never freed")
      print("\(name): \(handedOver) handed over")
    }
  }

  /// Three threads put parcels down, alone and in rows; one takes them and sends them home, where all three free them.
  static func queue(_ deadline: Deadline) -> Int {
    let shared = Queues()
    let running = Atomic<Int>(3)
    let taken = Atomic<Int>(0)
    onThreads(4) { thread in
      if thread < 3 {
        var number = 0
        while !deadline.isOver {
          let length = 1 + number % 5
          shared.out.put(ParcelChain((0..<length).map { Numbered(thread, number + $0, of: length - $0) }))
          number += length
          if number % 7 == 0 { _ = shared.home.takeAll() }
        }
        running.subtract(1, ordering: .sequentiallyConsistent)
        return
      }
      var next = [0, 0, 0]
      var (row, rowThread) = (0, 0)
      while true {
        let isLast = running.load(ordering: .sequentiallyConsistent) == 0
        let chain = shared.out.takeAll()
        chain.forEach {
          let parcel = unsafeDowncast($0, to: Numbered.self)
          demand(parcel.number == next[parcel.thread], "a parcel is missing or out of order")
          demand(row == 0 || (parcel.thread == rowThread && parcel.length == row), "a row was torn apart")
          (row, rowThread) = (parcel.length - 1, parcel.thread)
          next[parcel.thread] += 1
        }
        demand(row == 0, "half a row was taken")
        shared.home.put(chain)
        if isLast { break }
      }
      taken.store(next.reduce(0, +), ordering: .sequentiallyConsistent)
    }
    _ = shared.home.takeAll()
    return taken.load(ordering: .sequentiallyConsistent)
  }

  /// Two threads send; one takes over and reads all of what it has.
  static func mailbox(_ deadline: Deadline) -> Int {
    let adopted = Atomic<Int>(0)
    do {
      let mailbox = Mailbox(Numbered(0, 0, of: 1))
      onThreads(3) { thread in
        if thread < 2 {
          var number = 1
          while !deadline.isOver {
            mailbox.send(Numbered(thread, number, of: number))
            number += 1
            if number % 3 == 0 { mailbox.collect() }
          }
          return
        }
        var last = [0, 0]
        while !deadline.isOver {
          let isNew = mailbox.adopt()
          mailbox.present._withUnsafeGuaranteedRef { parcel in
            let parcel = unsafeDowncast(parcel, to: Numbered.self)
            demand(parcel.isWhole, "half a parcel was taken over")
            demand(parcel.number >= last[parcel.thread], "an older parcel took the place of a newer one")
            last[parcel.thread] = parcel.number
          }
          if isNew { adopted.add(1, ordering: .relaxed) }
        }
      }
    }
    return adopted.load(ordering: .sequentiallyConsistent)
  }

  /// Three threads write batches into a ring that is often full; one takes them.
  static func ring(_ deadline: Deadline) -> Int {
    let ring = BatchRing(capacity: 64)
    let values = Places(ring.capacity)
    let running = Atomic<Int>(3)
    let taken = Atomic<Int>(0)
    onThreads(4) { thread in
      if thread < 3 {
        var number = 0
        while !deadline.isOver {
          let length = 1 + number % 9
          guard let first = ring.claim(length) else {
            sched_yield()
            continue
          }
          for index in 0..<length {
            values[ring.place(of: first + UInt64(index))] = (thread, number + index, length - index)
          }
          ring.publish(first, count: length)
          number += length
        }
        running.subtract(1, ordering: .sequentiallyConsistent)
        return
      }
      var next = [0, 0, 0]
      var (left, leftThread) = (0, 0)
      while true {
        let isLast = running.load(ordering: .sequentiallyConsistent) == 0
        ring.drain { place in
          let value = values[place]
          demand(value.number == next[value.thread], "an entry is missing or out of order")
          demand(left == 0 || (value.thread == leftThread && value.left == left), "a batch was torn apart")
          (left, leftThread) = (value.left - 1, value.thread)
          next[value.thread] += 1
        }
        demand(left == 0, "half a batch was taken")
        if isLast { break }
      }
      demand(!ring.isInUse, "an empty ring is in use")
      taken.store(next.reduce(0, +), ordering: .sequentiallyConsistent)
    }
    return taken.load(ordering: .sequentiallyConsistent)
  }

  /// One thread hands works over, one right after another, to three that come when they come; each work goes as soon as
  /// it is done.
  static func workers(_ deadline: Deadline) -> Int {
    let costs = FlatMemory<WorkCost>(repeating: WorkCost(), count: WorkCost.lengths)
    var number = 0
    // However busy the machine is, some thousand.
    while !deadline.isOver || number < 2000 {
      // A pool is ended while its workers are on their way, too.
      let pool = WorkerPool(workers: 3, rule: number % 2 == 0 ? .always : .measured)
      for turn in 0..<200 {
        let work = Steps(turn % 11, distance: 1 + turn % 4)
        pool.begin(work, parts: work.count, costing: costs.all, frames: 64)
        switch turn % 5 {
        case 0: sched_yield()
        case 1: usleep(UInt32(turn))
        default: break
        }
        // Some are closed before all of it is done: the rest stays undone.
        if turn % 13 == 12 { pool.close() } else { pool.finish() }
        demand(work.isRight(isWhole: turn % 13 != 12), "a part is missing, or was done before what it needs")
        number += 1
      }
    }
    return number
  }

  static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { index in OwnThread { body(index) } }
    for thread in threads { thread.join() }
  }
}

func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError("hand-over-stress: " + message()) }
}

/// The end of a part, which every thread asks for.
struct Deadline: Sendable {
  private let end: Double
  init(seconds: Double) { end = Self.now + seconds }
  var isOver: Bool { Self.now >= end }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

final class Queues: Sendable {
  let out = ParcelQueue()
  let home = ParcelQueue()
}

/// The contents of a ring's places: as plain memory, so that the sanitizer sees accesses.
final class Places: @unchecked Sendable {
  typealias Value = (thread: Int, number: Int, left: Int)
  private let memory: UnsafeMutablePointer<Value>
  init(_ count: Int) {
    memory = .allocate(capacity: count)
    memory.initialize(repeating: (0, 0, 0), count: count)
  }
  deinit { memory.deallocate() }
  subscript(place: Int) -> Value {
    get { memory[place] }
    set { memory[place] = newValue }
  }
}

/// A work each of whose parts adds one to what the part `distance` before it has left: in plain memory, so that the
/// sanitizer sees who touches it, and after it is gone.
final class Steps: SharedWork, @unchecked Sendable {
  struct Part: ~Copyable {
    let isTaken = Atomic<Bool>(false)
    let isDone = Atomic<Bool>(false)
  }
  let count: Int
  private let distance: Int
  private let parts: FlatMemory<Part>
  private let values: FlatMemory<Int>

  init(_ count: Int, distance: Int) {
    self.count = count
    self.distance = distance
    parts = FlatMemory(count: count) { _ in Part() }
    values = FlatMemory(repeating: 0, count: count)
  }

  override func run(thread: Int, of pool: WorkerPool) -> Bool {
    var isWhole = true
    for place in 0..<count where !parts[place].isTaken.load(ordering: .relaxed) {
      if place >= distance && !parts[place - distance].isDone.load(ordering: .acquiring) {
        isWhole = false
        continue
      }
      guard !parts[place].isTaken.exchange(true, ordering: .acquiringAndReleasing) else { continue }
      values[place] = (place < distance ? 0 : values[place - distance]) + 1
      parts[place].isDone.store(true, ordering: .releasing)
      pool.noteProgress()
    }
    return isWhole
  }

  func isRight(isWhole: Bool) -> Bool {
    (0..<count).allSatisfy { values[$0] == $0 / distance + 1 || !isWhole && values[$0] == 0 }
  }
}

/// A parcel with its maker and its number, written to as an object that no other thread has yet.
final class Numbered: Parcel {
  static let alive = Atomic<Int>(0)
  let thread: Int
  let number: Int
  let length: Int
  private var copies: [Int]

  init(_ thread: Int, _ number: Int, of length: Int) {
    self.thread = thread
    self.number = number
    self.length = length
    copies = [0, 0, 0, 0]
    super.init()
    for index in copies.indices { copies[index] = number }
    Self.alive.add(1, ordering: .relaxed)
  }

  deinit { Self.alive.subtract(1, ordering: .sequentiallyConsistent) }

  var isWhole: Bool { copies.allSatisfy { $0 == number } }
}
