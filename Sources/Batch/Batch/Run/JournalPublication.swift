import AudioCore
import Journal

/// Puts a journal that is worked on as a copy back to shared storage, time and again during a run: what a machine has
/// made that dies is known so far.
final class JournalPublication: Sendable {
  private let journal: Journal
  private let next: Locked<ContinuousClock.Instant>
  private static let pauseSeconds = 30.0

  init(_ journal: Journal) {
    self.journal = journal
    next = Locked(.now + .seconds(Self.pauseSeconds))
  }

  /// Publishes if it is time to; any worker may call it. A failure is left to the next time: only the last one, at the
  /// end of the run, is reported.
  func publishWhereDue() {
    let isDue = next.withLock { next in
      guard next <= .now else { return false }
      // No other thread publishes meanwhile.
      next = .now + .seconds(1e6)
      return true
    }
    guard isDue else { return }
    let start = ContinuousClock.now
    try? journal.publish()
    let took = start.duration(to: .now)
    // A large one, which takes long, is put there less often.
    next.withLock { $0 = .now + max(.seconds(Self.pauseSeconds), took * 20) }
  }
}
