import AudioCore

/// Gives each worker its next task, and its number of threads. Tasks that have failed may come back.
final class WorkQueue: @unchecked Sendable {
  struct Item: Sendable {
    /// The worker that took it, from 0 on.
    let worker: Int
    let task: Int
    /// The number of failed attempts before.
    let attempt: Int
    /// 1 and more.
    let threads: Int
    /// A task that will be taken soon, if any is left.
    let next: Int?
  }

  private let lock = ConditionLock()
  // Under the lock.
  private var waiting: [(task: Int, attempt: Int)]
  private var next = 0
  private var busy = 0
  private var sizeLeft: Int64
  private var isClosed = false

  private let sizes: [Int64]
  private let threads: Int

  /// - Parameters:
  ///   - order: the tasks in order, the first first.
  ///   - sizes: the sizes of all tasks, in some unit of work.
  ///   - threads: the threads of all workers together.
  init(_ order: [Int], sizes: [Int64], threads: Int) {
    waiting = order.map { ($0, 0) }
    sizeLeft = order.reduce(0) { $0 + sizes[$1] }
    (self.sizes, self.threads) = (sizes, threads)
  }

  /// Waits where the only tasks that are left are under way and may come back; nil: there are none any more.
  func take(worker: Int) -> Item? {
    lock.lock()
    defer { lock.unlock() }
    while !isClosed && next == waiting.count && busy > 0 { lock.wait() }
    guard !isClosed, next < waiting.count else { return nil }
    let (task, attempt) = waiting[next]
    // A task that is more than one thread's share of all that is left, or one of the last few, gets several threads.
    let share = Double(sizes[task]) / Double(max(1, sizeLeft)) * Double(threads)
    let few = Double(threads) / Double(waiting.count - next + busy)
    next += 1
    busy += 1
    sizeLeft -= sizes[task]
    return Item(
      worker: worker, task: task, attempt: attempt,
      threads: max(1, min(threads, Int(clamping: max(share, few).rounded()))),
      // The ones before it are begun at about this moment.
      next: next + threads - 1 < waiting.count ? waiting[next + threads - 1].task : nil)
  }

  /// A task that was taken is over, or comes back at the end.
  func finish(_ item: Item, comesBack: Bool) {
    lock.lock()
    defer { lock.unlock() }
    busy -= 1
    if comesBack {
      waiting.append((item.task, item.attempt + 1))
      sizeLeft += sizes[item.task]
    }
    lock.broadcast()
  }

  /// No task is begun any more.
  func close() {
    lock.lock()
    defer { lock.unlock() }
    isClosed = true
    lock.broadcast()
  }
}
