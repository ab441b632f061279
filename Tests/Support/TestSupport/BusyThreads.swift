import Glibc
import Synchronization

/// Threads that keep the machine busy while a test looks for races; ended by ``stop()`` or with the object.
public final class BusyThreads: @unchecked Sendable {
  private final class Flag: Sendable { let isOver = Atomic<Bool>(false) }
  private let flag = Flag()
  private var threads: [pthread_t] = []

  public init(count: Int) {
    for _ in 0..<count {
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          let flag = Unmanaged<Flag>.fromOpaque(context).takeRetainedValue()
          // Uneven bursts, so that the other threads are put aside at ever other places.
          var word: UInt64 = 1
          while !flag.isOver.load(ordering: .relaxed) {
            for _ in 0..<(word % 20_000) { word = word &* 6_364_136_223_846_793_005 &+ 1 }
            word |= 1
            if word % 3 == 0 { sched_yield() }
            word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          }
          return nil
        }, Unmanaged.passRetained(flag).toOpaque())
      if status == 0 { threads.append(thread) }
    }
  }

  public func stop() {
    flag.isOver.store(true, ordering: .relaxed)
    for thread in threads { pthread_join(thread, nil) }
    threads = []
  }

  deinit { stop() }
}
