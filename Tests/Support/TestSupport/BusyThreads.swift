import Glibc

/// Threads that keep the machine busy while a test looks for races; ended by ``stop()`` or with the object.
public final class BusyThreads: Sendable {
  private let threads: [LoopingThread]

  public init(count: Int) {
    threads = (0..<count).map { _ in
      var word: UInt64 = 1
      return LoopingThread {
        // Uneven bursts, so that the other threads are put aside at ever other places.
        for _ in 0..<(word % 20_000) { word = word &* 6_364_136_223_846_793_005 &+ 1 }
        word |= 1
        if word % 3 == 0 { sched_yield() }
        word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      }
    }
  }

  public func stop() { for thread in threads { thread.stop() } }
}
