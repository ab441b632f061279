// libsndfile keeps its reason for a refusal once for the whole process, until the next opening on any thread. So openings
// that may go on side by side share a gate, and one that was refused is tried again alone, where its reason is its own.

import Glibc

/// A readers-writer lock around libsndfile's openings.
final class OpeningGate: @unchecked Sendable {
  /// The gate of the library, which all its users in this process share.
  static let libsndfile = OpeningGate()

  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  private init() { pthread_rwlock_init(lock, nil) }

  /// Runs an opening beside others.
  func shared<Result>(_ attempt: () -> Result) -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return attempt()
  }

  /// Runs an opening while there is no other.
  func alone<Result>(_ attempt: () -> Result) -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return attempt()
  }
}
