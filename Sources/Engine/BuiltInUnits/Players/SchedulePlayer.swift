import AudioCore
import AudioEngine

/// A player whose time begins at a start time, and that a reset on the edit side empties at once: the
/// ``ScheduledFilePlayer`` and the ``ScheduledSoundPlayer``.
public class SchedulePlayer: Unit, @unchecked Sendable {
  /// The start time as it was set, kept without a render half too; the inner nil: the next slice.
  private let start = Locked<Double??>(nil)
  private var player: SchedulePlayerProcessor? { node?.processor as? SchedulePlayerProcessor }

  init(_ component: Component) { super.init(component, inputs: 0, outputs: 1) }

  /// Sets when the player's time begins: at a frame of the puller's clock, or with the next slice. A time that has
  /// passed is the next slice's. While it plays, the count begins anew, and the region or slice that sounds goes on.
  ///
  /// - Parameter sampleTime: rounded to a frame; nil, −1, or a number that is not finite: the next slice.
  public func setStartTime(sampleTime: Double?) {
    let wanted = sampleTime.flatMap { $0.isFinite && $0 != -1 ? $0 : nil }
    start.withLock { $0 = .some(wanted) }
    player?.setStart(wanted.map(ScheduleClock.frame))
  }

  /// The start time that was set last, −1 for the next slice; nil: none since the last reset.
  public var startTime: Double? { start.withLock { $0.map { $0 ?? -1 } } }

  /// Frames of the output since the start; −1 before it.
  public var currentPlayTime: Int64 { player?.playTime ?? -1 }

  /// Gives a new render half the start time.
  func handStart(to player: SchedulePlayerProcessor) {
    if let start = start.withLock({ $0 }) { player.setStart(start.map(ScheduleClock.frame)) }
  }

  /// Empties the schedule; every entry that waits ends on this thread. A new start time is needed.
  public override func reset() {
    super.reset()
    dropWaiting()
  }

  /// As a reset does, drops the schedule.
  public override func uninitialize() {
    player?.reset()
    super.uninitialize()
    dropWaiting()
  }

  /// Drops the start time and, in subclasses, the entries that wait for a render half.
  func dropWaiting() { start.withLock { $0 = nil } }
}
