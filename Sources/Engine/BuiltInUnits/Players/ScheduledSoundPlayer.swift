import AudioCore
import AudioEngine

/// The sound player: plays slices of samples from memory at the times for which they are scheduled while it plays.
///
/// Slices are Float32, a buffer for each channel, at the rate of the output. Nothing sounds before a start time is set; from
/// then on the player's time follows the puller's clock, as that of the ``ScheduledFilePlayer`` does.
///
/// Slices are played one behind another, in the order in which they were scheduled; they are not mixed. A slice with a time
/// has its frames at that time: what of it lies in the past when its turn comes is left out, and it is said to be late. One
/// without a time begins with its first frame right behind the slice before it. One that interrupts does not wait for its
/// turn: at its time, or at the next loop point from then on, it ends all that was scheduled before it, and begins.
/// Where Apple leaves open how slices with times that overlap are played, that is this project's definition.
///
/// A slice may be scheduled on any thread, also from inside a call that says that another has ended.
public final class ScheduledSoundPlayer: Unit, @unchecked Sendable {
  /// `augn sspl appl`: for programs of the C interface and of Swift. A graph file has no samples to schedule.
  public static let component = Component(
    ComponentDescription(type: .generator, subType: "sspl"), shortName: "scheduledSoundPlayer",
    name: "Apple: AUScheduledSoundPlayer",
    summary: "Plays slices of samples at the times for which they are scheduled while it plays."
  ) { ScheduledSoundPlayer() }

  /// What is kept while there is no render half, and across it.
  private struct State: Sendable {
    var waiting: [ScheduledSliceEntry] = []
    /// The start time as it was set; the inner nil: the next slice.
    var start: Double??
  }
  private let state = Locked(State())
  private var player: ScheduledSoundPlayerProcessor? { node?.processor as? ScheduledSoundPlayerProcessor }

  /// A player without slices and start time: silence.
  public init() { super.init(Self.component, inputs: 0, outputs: 1) }

  /// Adds a slice behind those that are scheduled.
  ///
  /// - Throws: `.invalidPropertyValue` unless it has as many channels as the output, or for a negative number of frames.
  public func schedule(_ slice: ScheduledSlice) throws(AudioStatus) {
    guard takes(slice) else { throw .invalidPropertyValue }
    let entry = ScheduledSliceEntry(slice)
    if let player {
      player.schedule(entry)
    } else {
      state.withLock { $0.waiting.append(entry) }
    }
  }

  /// True where a slice has as many channels as the output, and no negative number of frames.
  package func takes(_ slice: ScheduledSlice) -> Bool {
    slice.planes.count == outputs[0].format.channelCount && slice.frames >= 0
  }

  /// Sets when the player's time begins: at a frame of the puller's clock, or with the next slice. A time that has passed is
  /// the next slice's. While it plays, the count begins anew and the slice that sounds goes on.
  ///
  /// - Parameter sampleTime: rounded to a frame; nil, −1, or a number that is not finite: the next slice.
  public func setStartTime(sampleTime: Double?) {
    let wanted = sampleTime.flatMap { $0.isFinite && $0 != -1 ? $0 : nil }
    state.withLock { $0.start = .some(wanted) }
    player?.setStart(wanted.map(ScheduleClock.frame))
  }

  /// The start time that was set last, −1 for the next slice; nil: none since the last reset.
  public var startTime: Double? { state.withLock { $0.start.map { $0 ?? -1 } } }

  /// Frames of the output since the start; −1 before it.
  public var currentPlayTime: Int64 { player?.playTime ?? -1 }

  /// Empties the schedule; every slice that waits ends on this thread. A new start time is needed.
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

  private func dropWaiting() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.start = nil
      return state.waiting
    }
    for entry in waiting { entry.tell(.ended(.dropped)) }
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let player = ScheduledSoundPlayerProcessor(channelCount: outputs[0].format.channelCount)
    let (waiting, start) = state.withLock { state in
      defer { state.waiting = [] }
      return (state.waiting, state.start)
    }
    for entry in waiting { player.schedule(entry) }
    if let start { player.setStart(start.map(ScheduleClock.frame)) }
    return player
  }
}

extension ScheduledSoundPlayer: SchedulePlayer {}
