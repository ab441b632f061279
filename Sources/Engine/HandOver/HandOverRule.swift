// When work is handed to other threads: where it takes one thread longer than a wake-up takes, and as long as handing
// over has gained more than it has cost. Everything is measured on the way, in ticks of the processor's counter;
// nothing here changes what is computed. Belongs to one thread at a time: the one that hands over.

import AudioCore
import CRealtime

/// The rule by which a pool decides whether to hand work over.
package enum HandOverRule: Sendable {
  /// By what the work and the hand-overs before have taken.
  case measured
  /// Always: for tests of what the threads do.
  case always
  /// As measured, by another clock and with a wake-up that is worth so many of its ticks: for tests.
  case scripted(wakeUpTicks: UInt64, now: @Sendable () -> UInt64)
}

/// The way in which a piece of work is done.
package enum HandOverChoice {
  /// By this thread, in the simplest way, without measurement.
  case plain
  /// By this thread, and measured.
  case alone
  /// By all threads.
  case shared
}

/// Lengths of time by the processor's counter.
enum ElapsedTicks {
  /// A day and more: sums of so many never overflow.
  private static let most: UInt64 = 1 << 48

  /// From one reading to a later one. 0 where the counter went back, as between two processors that do not agree, at
  /// most 2⁴⁸.
  static func between(_ start: UInt64, _ end: UInt64) -> UInt64 { end < start ? 0 : min(end - start, most) }
}

/// The time that one thread needs for a kind of work, by its length in frames.
package struct WorkCost: BitwiseCopyable {
  /// Lengths are counted by their binary digits; four may alternate.
  package static let lengths = 4
  static let samplesNeeded = 2
  /// Work is measured again on one thread after so many decisions: it may have become more.
  static let decisionsBetweenSamples = 64

  var digits = 0
  var samples = 0
  var decisions = 0
  /// The last measurement on one thread.
  var last: UInt64 = 0
  package internal(set) var ticks: UInt64 = 0

  package init() {}

  /// Work that was not measured yet, or is due to be.
  var isUnknown: Bool { samples < Self.samplesNeeded || decisions >= Self.decisionsBetweenSamples }

  /// Records the time of one thread. The lower of two measurements counts: during the other one another program may
  /// have had the processor. One that is much higher is tried again at once.
  mutating func note(alone sample: UInt64) {
    ticks = samples == 0 ? sample : min(sample, last)
    decisions = sample / 2 > ticks ? Self.decisionsBetweenSamples : 0
    last = sample
    samples += 1
  }

  /// All threads together have taken so long, this one `own` of it. They may slow one another down, so that only a
  /// lower figure says something; where one has done more than was thought to be all, it is measured again.
  mutating func note(shared sample: UInt64, own: UInt64) {
    if own > ticks { decisions = Self.decisionsBetweenSamples }
    ticks = min(ticks, sample)
  }
}

/// The measured cost of a wake-up, and what hand-overs have gained and lost.
package struct HandOverAccount {
  /// A 32nd of the work that is done without hand-overs may be lost by trying them.
  private static let shareOfLosses: Int64 = 32
  /// A late worker raises the latency by a quarter at the most: the machine may have been busy with something else.
  private static let latencyGrowth: UInt64 = 4
  /// While nothing is handed over, what a wake-up is taken to cost goes down, by so small a part at a time and of the
  /// time that passes, so that it is tried again after the machine was busy.
  private static let forgetting: UInt64 = 64
  /// It goes down to this many times what waking takes from the thread that wakes.
  private static let leastPosts: UInt64 = 8
  /// A worker on an idle machine takes no longer than this many times that.
  private static let mostPosts: UInt64 = 24

  /// From the wake-up of a sleeping worker until it runs.
  private(set) var latencyTicks: UInt64
  /// The time that the wake-up takes on the thread that wakes.
  private(set) var postTicks: UInt64 = 0
  private let isScripted: Bool
  /// Gains less losses.
  private(set) var credit: Int64 = 0

  package init(scripted ticks: UInt64?) {
    latencyTicks = ticks ?? 0
    isScripted = ticks != nil
  }

  /// The least that one thread must have to do before work is handed over: while a worker wakes up this thread goes on,
  /// and two wake-ups are taken off what is shared behind that.
  package var worthTicks: UInt64 { latencyTicks + 2 * postTicks }

  /// For so long a worker looks for further work before it sleeps: as long as a wake-up takes, and while hand-overs do
  /// not lose, long enough for what lies between two slices.
  var spinTicks: UInt64 {
    let wakeUp = min(latencyTicks, Self.mostPosts * postTicks)
    return credit >= 0 ? 4 * wakeUp : wakeUp
  }

  private var creditLimit: Int64 { Int64(clamping: 2 * worthTicks) }

  mutating func note(latency sample: UInt64) {
    guard !isScripted else { return }
    // A worker that was about to sleep comes at once: that is no wake-up, and halves the figure at the most.
    latencyTicks =
      latencyTicks == 0
      ? sample : max(latencyTicks / 2, min(sample, latencyTicks + max(1, latencyTicks / Self.latencyGrowth)))
  }

  mutating func note(post sample: UInt64) {
    guard !isScripted else { return }
    postTicks =
      postTicks == 0 || sample < postTicks ? sample : min(sample, postTicks + max(1, postTicks / Self.latencyGrowth))
  }

  /// A hand-over of work of `work` ticks. This thread has done its part in `own` and waited for `waited` besides, the
  /// others worked for `others`. It has gained what all of it took less than one thread takes alone, and no more than
  /// the others have done; where a busy machine took the processor from this thread meanwhile, perhaps for the sake of
  /// the one that it woke, it has lost.
  package mutating func note(work: UInt64, own: UInt64, others: UInt64, waited: UInt64, posts: UInt64) {
    let took = Int64(clamping: own) + Int64(clamping: waited) + Int64(clamping: posts)
    credit = min(creditLimit, credit + min(Int64(clamping: others), Int64(clamping: work) - took))
  }

  /// Work that was done without a hand-over.
  package mutating func note(alone ticks: UInt64) {
    credit = min(creditLimit, credit + Int64(clamping: ticks) / Self.shareOfLosses)
  }

  /// - Parameter isAwake: a worker is still awake from work that was worth a wake-up.
  package mutating func isWorth(_ ticks: UInt64, isAwake: Bool = false) -> Bool {
    if isAwake || ticks >= worthTicks { return credit >= 0 }
    if !isScripted {
      let least = Self.leastPosts * postTicks
      let lower = latencyTicks - min(latencyTicks, ticks) / Self.forgetting
      if lower >= least { latencyTicks = lower }
    }
    return false
  }
}
