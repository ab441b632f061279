// When full blocks go to the writing thread: as soon as writing them takes longer than waking that thread is worth, both
// measured on the way. A thread that does not come is done without for a while. Nothing here changes what is written.

import AudioCore

/// The decisions of the rendering thread, at each block that it has filled.
package struct SinkHandOver {
  /// Writing may take so many times a wake-up before it is handed over: each costs both threads something, and nobody
  /// waits for the blocks.
  package static let wakeUpsOfWork = 10
  /// So many blocks are handed over at the latest, or half of those that there may be.
  package static let mostBlocks = 16
  /// A thread that has been woken, and has not come when so many further blocks are full, is late.
  package static let lateBlocks = 8
  /// The rendering thread writes so many blocks before it tries the late thread again.
  package static let blocksAlone = 64

  package enum Choice: Equatable { case keep, wake, write }

  private let mostBlocks: Int
  private var writing = LowerOfTwo()
  private var wakeUp = LowerOfTwo()
  private var blocksLeftAlone = 0
  /// The full blocks with which the thread is late; nil while it is not expected.
  private var lateFrom: Int?
  /// True from a wake-up until the thread has come or is given up.
  package var isExpected: Bool { lateFrom != nil }

  /// - Parameter count: the blocks that there may be.
  package init(ofBlocks count: Int) { mostBlocks = min(Self.mostBlocks, count / 2) }

  /// The number of full blocks that are worth a wake-up.
  package var blocksOfWorth: Int {
    guard let writing = writing.value, let wakeUp = wakeUp.value else { return 1 }
    let worth = wakeUp * Double(Self.wakeUpsOfWork)
    return worth < writing * Double(mostBlocks) ? max(1, Int(clamping: (worth / writing).rounded(.up))) : mostBlocks
  }

  /// - Parameters:
  ///   - full: blocks that nobody writes yet.
  ///   - isLast: no other block can be filled before one of these is written.
  package mutating func choose(full: Int, isLast: Bool) -> Choice {
    if blocksLeftAlone > 0 {
      blocksLeftAlone -= 1
      return .write
    }
    if let lateFrom {
      guard full >= lateFrom || isLast else { return .keep }
      self.lateFrom = nil
      blocksLeftAlone = Self.blocksAlone
      return .write
    }
    // The first block tells what writing takes.
    if isLast || writing.value == nil { return .write }
    guard full >= blocksOfWorth else { return .keep }
    lateFrom = full + Self.lateBlocks
    return .wake
  }

  /// The thread has come, so many seconds after it was woken.
  package mutating func noteArrival(after seconds: Double) {
    lateFrom = nil
    wakeUp.note(seconds)
  }

  /// A block was written.
  package mutating func noteWriting(of seconds: Double) { writing.note(seconds) }

  /// The lower of two measurements: during the other one another program may have had the processor.
  private struct LowerOfTwo {
    private var last = Double.infinity
    private(set) var value: Double?

    mutating func note(_ sample: Double) {
      value = min(last, sample)
      last = sample
    }
  }
}
