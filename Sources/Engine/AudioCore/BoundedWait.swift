import Glibc

/// A wait for what another thread does in a moment: by giving way, then by short sleeps, for a second at most. By the
/// clock, as the signals of a program may end every sleep early.
package struct BoundedWait {
  /// The number of yields before it sleeps.
  private static let yields = 200

  private var turns = 0
  private var end: ContinuousClock.Instant?

  package init() {}

  /// Lets other threads run. Answers false, at once, when the second is over.
  package mutating func pause() -> Bool {
    let now = ContinuousClock.now
    let end = end ?? now + .seconds(1)
    self.end = end
    guard now < end else { return false }
    turns += 1
    if turns < Self.yields { sched_yield() } else { usleep(100) }
    return true
  }
}
