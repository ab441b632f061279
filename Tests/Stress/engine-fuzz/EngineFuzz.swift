// Random calls of AVFAudio's classes, from one thread or several that share an engine: `engine-fuzz SEED CALLS THREADS`.
// It ends with 0 where nothing crashed or hung and no render gave a number that is none; `make fuzz` runs much of it.
// Calls that end a process by the documentation (misuse) are not made.

import AVFAudio
import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport

@main struct EngineFuzz {
  /// Seconds without a finished call on a thread before that is called a hang.
  private static let patience = 120

  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard numbers.count == 3, (1...16).contains(numbers[2]) else { fail("usage: engine-fuzz SEED CALLS THREADS", 2) }
    let (seed, calls, threadCount) = (numbers[0], Int(clamping: numbers[1]), Int(numbers[2]))
    // A call that would fill the machine's memory fails here.
    if ProcessInfo.processInfo.environment["INTERFACE_FUZZ_UNCAPPED"] == nil {
      var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }
    let folder = TemporaryFolder()
    let path = folder.path
    let shared = try SharedEngine(seed: seed)
    let counts = (0..<threadCount).map { _ in CallCount() }
    watch(counts)
    DispatchQueue.concurrentPerform(iterations: threadCount) { index in
      var calls = calls / threadCount
      let thread = FuzzThread(
        shared, renders: index == 0, isAlone: threadCount == 1, folder: path, seed: seed &+ UInt64(index) &* 0x9E37_79B9
      )
      while calls > 0 {
        thread.call()
        counts[index].add()
        calls -= 1
      }
      thread.end()
      counts[index].end()
    }
    withExtendedLifetime(folder) {}
    if let bad = shared.notFinite { fail("a render gave \(bad)", 1) }
    print("\(counts.map(\.value).reduce(0, +)) calls, \(shared.renderedFrames) frames")
  }

  private static func watch(_ counts: [CallCount]) {
    Thread.detachNewThread {
      while true {
        let before = counts.map(\.value)
        sleep(UInt32(patience))
        for (count, former) in zip(counts, before) where !count.isOver && count.value == former {
          fail("a call has not come back for \(patience) s", 3)
        }
      }
    }
  }

  static func fail(_ text: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data("engine-fuzz: \(text)\n".utf8))
    exit(code)
  }
}

/// Finished calls of a thread.
final class CallCount: Sendable {
  private let count = Atomic<Int>(0)
  private let over = Atomic<Bool>(false)
  func add() { count.add(1, ordering: .relaxed) }
  func end() { over.store(true, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
  var isOver: Bool { over.load(ordering: .relaxed) }
}
