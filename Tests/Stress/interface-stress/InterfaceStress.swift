// Graph edits and property calls from two threads while a third renders: for ThreadSanitizer and AddressSanitizer, which
// watch it for as long as they are asked to (`make sanitize`). It checks what can be checked meanwhile: every render
// call succeeds, and every slice is what the graph was before an edit or after it, never half of each.

import AudioToolbox
import Glibc
import Synchronization
import TestSupport

@main
struct InterfaceStress {
  static func main() {
    // Branches render on workers as well.
    setenv("AUBENCH_THREADS", "3", 0)
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10
    let stage = Stage()
    let isOver = Flag()
    let threads = [
      Thread { while !isOver.isSet { stage.renderSlice() } },
      Thread {
        var dice = SeededGenerator(seed: 1)
        while !isOver.isSet { stage.editGraph(&dice) }
      },
      Thread {
        var dice = SeededGenerator(seed: 2)
        while !isOver.isSet { stage.callProperties(&dice) }
      },
    ]
    sleep(UInt32(seconds))
    isOver.set()
    for thread in threads { thread.join() }
    let failures = stage.failures.load(ordering: .relaxed)
    print(
      "\(seconds) s: \(stage.slices.load(ordering: .relaxed)) slices, \(stage.updates.load(ordering: .relaxed)) graph "
        + "updates, \(stage.calls.load(ordering: .relaxed)) property calls, \(failures) failures")
    stage.close()
    exit(failures == 0 ? 0 : 1)
  }
}

/// What two threads may look at.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

/// A thread that runs one function.
final class Thread: @unchecked Sendable {
  private let body: @Sendable () -> Void
  private var id = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    pthread_create(
      &id, nil,
      { context in
        if let context { Unmanaged<Thread>.fromOpaque(context).takeUnretainedValue().body() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func join() { pthread_join(id, nil) }
}

extension SeededGenerator {
  mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
