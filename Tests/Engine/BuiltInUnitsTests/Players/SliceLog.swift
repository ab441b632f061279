import AudioEngine
import BuiltInUnits
import Synchronization

/// The events of a test's slices, in order.
final class SliceLog: Sendable {
  private let entries = Mutex<[String]>([])

  func note(_ name: String) -> @Sendable (ScheduledSlice.Event) -> Void {
    { [self] event in
      let said =
        switch event {
        case .isLate: "late"
        case .began: "began"
        case .ended(let end): "\(end)"
        }
      entries.withLock { $0.append("\(name) \(said)") }
    }
  }

  /// All since the last time.
  func take() -> [String] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
