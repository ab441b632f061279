// libsndfile keeps its reason for a refusal once for the whole process, until the next opening on any thread. So openings
// that may go on side by side share a gate, and one that was refused is tried again alone, where its reason is its own.
// The reason is set behind the last read, so no thread is in the gate while bytes are read or written: they may come
// from a client's callback, which opens files itself or waits for a thread that does.

import Glibc

/// A readers-writer lock around libsndfile's openings.
final class OpeningGate: @unchecked Sendable {
  enum Way { case shared, alone }

  /// The gate of the library, which all its users in this process share.
  static let libsndfile = OpeningGate()

  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  private init() { pthread_rwlock_init(lock, nil) }

  /// Runs an opening: beside others that share the gate, or while no other is inside.
  func inside<Result>(_ way: Way, _ attempt: () -> Result) -> Result {
    enter(way)
    defer { pthread_rwlock_unlock(lock) }
    return attempt()
  }

  /// Runs the access to bytes of an opening that is inside, while it is outside.
  func outside<Result>(_ way: Way, _ reach: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    pthread_rwlock_unlock(lock)
    defer { enter(way) }
    return try reach()
  }

  private func enter(_ way: Way) {
    switch way {
    case .shared: pthread_rwlock_rdlock(lock)
    case .alone: pthread_rwlock_wrlock(lock)
    }
  }
}
