import AudioCore
import AudioEngine

/// The sound player: plays slices of samples from memory at the times for which they are scheduled while it plays.
///
/// Slices are Float32, a buffer for each channel, at the rate of the output. Nothing sounds before a start time is set;
/// from then on the player's time follows the puller's clock, as that of the ``ScheduledFilePlayer`` does.
///
/// Slices are played one behind another, in the order in which they were scheduled; they are not mixed. A slice with a
/// time has its frames at that time: frames that lie in the past when its turn comes are left out, and it is reported
/// as late. One without a time begins with its first frame right behind the slice before it. One that interrupts does
/// not wait for its turn: at its time, or at the next loop point from then on, it ends all that was scheduled before
/// it, and begins. Apple leaves open how slices with times that overlap are played; this is this project's definition.
///
/// A slice may be scheduled on any thread, also from inside a call that says that another has ended.
///
/// ```swift
/// let player = ScheduledSoundPlayer()
/// let click = [[Float](repeating: 0.5, count: 16), [Float](repeating: 0.5, count: 16)]
/// for beat in 0..<4 { try player.schedule(ScheduledSlice(click, sampleTime: Int64(beat * 22_050))) }
/// player.setStartTime(sampleTime: 0)
/// let graph = Graph(sampleRate: 44_100)
/// try graph.connect(graph.add(player), to: graph.add(GenericOutput()))
/// ```
public final class ScheduledSoundPlayer: SchedulePlayer, @unchecked Sendable {
  /// `augn sspl appl`: for programs of the C interface and of Swift. A graph file has no samples to schedule.
  package static let component = Component(
    ComponentDescription(type: .generator, subType: "sspl"), shortName: "scheduledSoundPlayer",
    name: "Apple: AUScheduledSoundPlayer",
    summary: "Plays slices of samples at the times for which they are scheduled while it plays."
  ) { ScheduledSoundPlayer() }

  /// The slices that wait for a render half.
  private let waiting = Locked<[ScheduledSliceEntry]>([])
  private var player: ScheduledSoundPlayerProcessor? { node?.processor as? ScheduledSoundPlayerProcessor }

  /// A player without slices and start time: silence.
  public init() { super.init(Self.component) }

  /// Adds a slice behind those that are scheduled.
  ///
  /// - Throws: `.invalidPropertyValue` unless it has as many channels as the output, or for a negative number of
  ///   frames.
  public func schedule(_ slice: ScheduledSlice) throws(AudioStatus) {
    guard takes(slice) else { throw .invalidPropertyValue }
    let entry = ScheduledSliceEntry(slice)
    if let player {
      player.schedule(entry)
    } else {
      waiting.withLock { $0.append(entry) }
    }
  }

  /// True where a slice has as many channels as the output, and no negative number of frames.
  package func takes(_ slice: ScheduledSlice) -> Bool {
    slice.planes.count == outputs[0].format.channelCount && slice.frames >= 0
  }

  override func dropWaiting() {
    super.dropWaiting()
    for entry in takeWaiting() { entry.tell(.ended(.dropped)) }
  }

  private func takeWaiting() -> [ScheduledSliceEntry] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let player = ScheduledSoundPlayerProcessor(channelCount: outputs[0].format.channelCount)
    for entry in takeWaiting() { player.schedule(entry) }
    handStart(to: player)
    return player
  }
}
