// The path of one slice: work. The source of a player's graph: copies what its stream has read ahead. `process` runs on
// the hardware's thread: no allocation, no lock; where nothing was read in time it waits for the reading thread.

import AudioCore
import AudioEngine
import BuiltInUnits
import HandOver
import Synchronization

/// A generator that plays a player's stream, and silence behind its end.
final class PlayerUnit: AudioEngine.Unit, @unchecked Sendable {
  static let component = Component(
    ComponentDescription(type: .generator, subType: "plyr", manufacturer: "swft"), shortName: "playerUnit",
    name: "Swift: Player", summary: "The stream of an audio player."
  ) { preconditionFailure("a source belongs to a player") }

  let processor: PlayerUnitProcessor

  /// - Parameter sampleRate: hertz, the hardware's.
  init(_ stream: PlayerStream, channelCount: Int, sampleRate: Double) {
    processor = PlayerUnitProcessor(stream, channelCount: channelCount, sampleRate: sampleRate)
    super.init(Self.component, inputs: 0, outputs: 1)
  }

  override var channelCapabilities: [ChannelCapability] { [ChannelCapability(inputChannels: 0, outputChannels: -1)] }
  override func makeProcessor() throws(AudioStatus) -> Processor { processor }
}

/// The render half of a ``PlayerUnit``.
final class PlayerUnitProcessor: Processor {
  private let streams: Mailbox
  /// The level of each channel, in front of rate, volume and pan.
  let meters: [ChannelMeter]
  let isMetered = Atomic<Bool>(false)
  private let shownPosition: Atomic<Int64>
  private let isFailed = Atomic<Bool>(false)

  // The render side's own.
  /// The frame of the stream that comes next, counted on behind its end.
  private(set) var position: Int64
  /// Frames that have been given since the beginning, of all streams.
  private(set) var given: Int64 = 0

  init(_ stream: PlayerStream, channelCount: Int, sampleRate: Double) {
    streams = Mailbox(stream)
    position = stream.origin
    shownPosition = Atomic(stream.origin)
    meters = (0..<channelCount).map { _ in ChannelMeter(sampleRate: sampleRate, floorDecibels: PlayerMeters.floor) }
  }

  // MARK: Edit side

  /// Lets another stream take over with the next slice.
  func send(_ stream: PlayerStream) {
    isFailed.store(false, ordering: .relaxed)
    streams.send(stream)
  }

  /// The frame of the stream that was reached. Any thread.
  var reached: Int64 { shownPosition.load(ordering: .acquiring) }

  /// True when the stream could not be read at ``reached``. Any thread.
  var hasFailed: Bool { isFailed.load(ordering: .acquiring) }

  // MARK: Render side

  private var stream: PlayerStream {
    streams.present._withUnsafeGuaranteedRef { unsafeDowncast($0, to: PlayerStream.self) }
  }

  /// The frame behind the last one; nil: there is none.
  var end: Int64? { hasFailed ? position : stream.end }

  /// The frame that a stream begins with: nothing in front of it is played.
  var origin: Int64 { stream.origin }

  /// Takes over a stream that was sent. In front of a slice.
  func adopt() {
    guard streams.adopt() else { return }
    let stream = stream
    position = stream.continues ? max(position, stream.origin) : stream.origin
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let stream = stream
    let left = hasFailed ? 0 : stream.end.map { max(0, $0 - position) } ?? .max
    var count = Int(min(Int64(piece.frames), left))
    if count > 0 {
      do throws(AudioStatus) {
        try stream.readAhead.copy(
          from: position - stream.origin, frames: count, into: piece.outputs[0].planes, offset: piece.offset)
      } catch {
        // Frames in front of the damage are played.
        count = Int(min(Int64(count), max(0, stream.readAhead.position - (position - stream.origin))))
        isFailed.store(true, ordering: .releasing)
      }
    }
    for channel in 0..<piece.outputs[0].count {
      let samples = piece.output(channel)
      if count < piece.frames { (samples + count).update(repeating: 0, count: piece.frames - count) }
      if isMetered.load(ordering: .relaxed), channel < meters.count {
        meters[channel].measure(samples, frames: piece.frames)
      }
    }
    // Behind damage time stands still, so that it can be told where that is.
    position += Int64(hasFailed ? count : piece.frames)
    given += Int64(piece.frames)
    shownPosition.store(position, ordering: .releasing)
  }
}
