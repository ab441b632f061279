// Graph edits and property calls from two threads while a third renders: for ThreadSanitizer and AddressSanitizer,
// which watch it for as long as requested (`make sanitize`). It checks what can be checked meanwhile: every render call
// succeeds, and every slice is what the graph was before an edit or after it, never half of each.

import AudioToolbox
import Glibc
import TestSupport

@main
struct InterfaceStress {
  static func main() {
    // Branches render on workers as well.
    setenv("AUBENCH_THREADS", "3", 0)
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10
    let stage = Stage()
    var edits = SeededGenerator(seed: 1)
    var properties = SeededGenerator(seed: 2)
    let threads = [
      LoopingThread { stage.renderSlice() },
      LoopingThread {
        stage.editGraph(&edits)
        stage.rest(&edits)
      },
      LoopingThread {
        stage.callProperties(&properties)
        stage.rest(&properties)
      },
    ]
    // Nothing to wait for: the program runs for the given time.
    sleep(UInt32(seconds))
    for thread in threads { thread.stop() }
    let failures = stage.failures.load(ordering: .relaxed)
    print(
      "\(seconds) s: \(stage.slices.load(ordering: .relaxed)) slices, \(stage.updates.load(ordering: .relaxed)) graph "
        + "updates, \(stage.calls.load(ordering: .relaxed)) property calls, \(failures) failures")
    stage.close()
    exit(failures == 0 ? 0 : 1)
  }
}

extension SeededGenerator {
  mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
