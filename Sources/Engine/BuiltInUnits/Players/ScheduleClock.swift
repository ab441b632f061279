// The time of a player with a schedule. Any thread sets the start; the rest is the render thread's: no allocation, no
// lock.

import AudioCore
import AudioEngine
import Synchronization

/// When a player's time begins, and how far it has come. The time follows the puller's clock; a clock that jumps back
/// finds it going on with the next frame.
struct ScheduleClock: ~Copyable {
  /// A start time that the render side has not taken over: an output frame, or one of the two words below.
  private let wantedStart = Atomic<Int64>(nothing)
  private static let nothing = Int64.min
  private static let nextSlice = Int64.max
  /// Later sample times count as this one; the earliest is its negative.
  static let latestTime: Int64 = 1 << 60
  private let shownPlayTime = Atomic<Int64>(-1)

  // The render side's own.
  /// The frame of the puller's clock at which the player's time begins; nil: it does not.
  private(set) var start: Int64?
  /// The frame of the player's time to be played next.
  var position: Int64 = 0

  // MARK: Edit side

  /// - Parameter frame: on the puller's clock; nil: the first frame of the next slice.
  func setStart(_ frame: Int64?) { wantedStart.store(frame ?? Self.nextSlice, ordering: .relaxed) }

  /// The frame of a sample time, in the range of those that count.
  static func frame(_ sampleTime: Double) -> Int64 {
    Int64(clamping: min(max(sampleTime.rounded(), -Double(latestTime)), Double(latestTime)))
  }

  /// Frames of the player's time that have passed; −1 before its start.
  var playTime: Int64 { shownPlayTime.load(ordering: .relaxed) }

  /// Forgets the start. Not while the render thread is in a call.
  mutating func reset() {
    wantedStart.store(Self.nothing, ordering: .relaxed)
    start = nil
    position = 0
    shownPlayTime.store(-1, ordering: .relaxed)
  }

  // MARK: Render side

  /// Takes over a start that was set. A time that has passed is the present one: late, and nothing is left out.
  ///
  /// - Returns: the player's time before it began anew; nil: no start was set.
  mutating func takeStart(at sampleTime: Int64) -> Int64? {
    guard wantedStart.load(ordering: .relaxed) != Self.nothing else { return nil }
    let wanted = wantedStart.exchange(Self.nothing, ordering: .relaxed)
    start = wanted == Self.nextSlice ? sampleTime : max(sampleTime, wanted)
    defer { position = 0 }
    shownPlayTime.store(-1, ordering: .relaxed)
    return position
  }

  /// The frame of the player's time at a sample time; nil: there is no start.
  mutating func wantedPosition(at sampleTime: Int64) -> Int64? {
    guard let start else { return nil }
    let wanted = sampleTime - start
    // No time is so long that a jump could lead there: the clock goes to and fro between its bounds.
    if (position > 0 && wanted < position) || wanted > 2 * Self.latestTime {
      self.start = sampleTime - position
      return position
    }
    return wanted
  }

  /// Shows what has been played, unless a completion has reset the player meanwhile.
  func showPosition() {
    if start != nil { shownPlayTime.store(position, ordering: .relaxed) }
  }
}
