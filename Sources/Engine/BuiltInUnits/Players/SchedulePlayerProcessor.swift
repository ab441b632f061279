// The path of one slice: work. The render half of players with a schedule: the start time, and the queue of entries
// between the edit side and the render thread. `process` runs on the render thread: no allocation, no lock.

import AudioCore
import AudioEngine
import HandOver

/// Follows a player's clock, and has its subclass play the entries.
class SchedulePlayerProcessor: Processor {
  /// Entries on their way to the render side, and finished ones on their way back.
  final let incoming = ParcelQueue()
  final let retired = ParcelQueue()

  // The render side's own.
  /// The entries that are to be played, in the order in which they were scheduled.
  final var line = ParcelChain()
  final var clock = ScheduleClock()

  /// - Parameter frame: on the puller's clock; nil: the first frame of the next slice.
  final func setStart(_ frame: Int64?) { clock.setStart(frame) }

  /// Frames of the player's time that have passed; −1 before its start.
  final var playTime: Int64 { clock.playTime }

  final override func process(_ piece: RenderPiece) throws(AudioStatus) {
    // No frames are no slice.
    guard piece.frames > 0 else { return }
    takeIncoming()
    // Differences of times must be numbers; a clock that stands at a bound finds the player going on.
    let sampleTime = min(max(piece.sampleTime, -ScheduleClock.latestTime), ScheduleClock.latestTime)
    if let former = clock.takeStart(at: sampleTime) { beginAnew(after: former) }
    guard let wanted = clock.wantedPosition(at: sampleTime) else { return piece.clear(from: 0, frames: piece.frames) }
    // In front of the start, and where a jump of the clock has passed over something.
    let quiet = Int(min(Int64(piece.frames), max(0, -wanted)))
    piece.clear(from: 0, frames: quiet)
    if wanted > clock.position { try play(wanted - clock.position, into: nil, from: 0) }
    guard quiet < piece.frames else { return }
    try play(Int64(piece.frames - quiet), into: piece, from: quiet)
    clock.showPosition()
  }

  /// Takes over the entries that were scheduled meanwhile.
  func takeIncoming() {
    if !incoming.isEmpty { line.append(incoming.takeAll()) }
  }

  /// Moves the entries that have begun: the count begins anew at 0, and what sounds goes on from where it is.
  /// - Parameter former: the player's time until now.
  func beginAnew(after former: Int64) {}

  /// Plays the next frames, or passes over them where there is no piece.
  func play(_ frames: Int64, into piece: RenderPiece?, from first: Int) throws(AudioStatus) {}
}
