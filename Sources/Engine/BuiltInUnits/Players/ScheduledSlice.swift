// The entries of a scheduled sound player. The edit side queues them, the render side plays them and returns them to be
// freed; neither waits for the other.

import AudioCore
import AudioEngine
import HandOver

/// Samples in memory that a ``ScheduledSoundPlayer`` is to play at some time.
public struct ScheduledSlice: @unchecked Sendable {
  /// The way in which a slice ends those scheduled before it.
  public enum Interrupt: Hashable, Sendable {
    /// At its time, in the middle of what sounds.
    case atItsTime
    /// From its time on where what sounds comes to its end or, in a loop, to its end and beginning.
    case atLoopPoint
  }

  /// The end of a slice.
  public enum End: Hashable, Sendable {
    /// Its last frame has been rendered, or its time has passed.
    case played
    /// Another slice has interrupted it.
    case interrupted
    /// A reset has dropped it, or the player was uninitialized.
    case dropped
  }

  /// The events of a slice, in this order.
  public enum Event: Hashable, Sendable {
    /// Frames in front of what is played are left out, as they come too late.
    case isLate
    /// Its first frame is about to be rendered.
    case began
    /// Nothing more is done with it, and its memory is free.
    case ended(End)
  }

  /// By channel; read while the slice is played.
  let planes: [Plane<Float>]
  /// The number of frames, 0 or more.
  public let frames: Int
  /// The output frame at which it begins, counted from the player's start; nil: right behind what was scheduled before
  /// it.
  public var sampleTime: Int64?
  /// True when it is played over and over until another interrupts it.
  public var isLooped: Bool
  /// Set when it ends those scheduled before it.
  public var interrupt: Interrupt?
  /// Called for each event: in a render call on the render thread, but for what a reset drops.
  public var progress: (@Sendable (Event) -> Void)?
  /// Keeps the memory.
  private let owner: any Sendable

  /// A slice of samples, which are copied.
  /// - Parameters:
  ///   - samples: by channel, at least one, all of one length.
  ///   - sampleTime: its first frame on the player's clock; nil: behind the slice before.
  ///   - isLooped: true where it plays again and again.
  ///   - interrupt: the way to end slices that are under way; nil: it waits for them.
  ///   - progress: called when it begins and when it ends.
  /// - Precondition: that.
  public init(
    _ samples: [[Float]], sampleTime: Int64? = nil, isLooped: Bool = false, interrupt: Interrupt? = nil,
    progress: (@Sendable (Event) -> Void)? = nil
  ) {
    precondition(!samples.isEmpty && samples.allSatisfy { $0.count == samples[0].count })
    let buffer = StreamBuffer(
      format: StreamFormat(sampleRate: 44_100, channelCount: samples.count), frameCapacity: samples[0].count)
    for (channel, list) in samples.enumerated() { buffer.bus.planes[channel].update(from: list) }
    self.init(
      planes: samples.indices.map { buffer.bus.planes[$0] }, frames: samples[0].count,
      sampleTime: sampleTime, isLooped: isLooped, interrupt: interrupt, owner: buffer, progress: progress)
  }

  /// A slice in memory of the caller's, which must stay until the event ``Event/ended(_:)``.
  package init(
    planes: [Plane<Float>], frames: Int, sampleTime: Int64?, isLooped: Bool, interrupt: Interrupt?,
    owner: any Sendable, progress: (@Sendable (Event) -> Void)?
  ) {
    self.planes = planes
    self.frames = frames
    self.sampleTime = sampleTime
    self.isLooped = isLooped
    self.interrupt = interrupt
    self.owner = owner
    self.progress = progress
  }
}

/// A scheduled slice, as the render side plays it.
final class ScheduledSliceEntry: Parcel {
  let frames: Int64
  let sampleTime: Int64?
  let isLooped: Bool
  let interrupt: ScheduledSlice.Interrupt?
  let channelCount: Int
  let planes: FlatMemory<Plane<Float>>
  private let progress: (@Sendable (ScheduledSlice.Event) -> Void)?
  private let slice: ScheduledSlice

  // Render side only.
  /// The time of its first frame in the player's time, once it is first in line or has interrupted others; nil: not
  /// yet.
  var begin: Int64?
  /// When it may interrupt what is before it, once it has been seen.
  var interruptTime: Int64?
  /// True when any of its frames were rendered.
  var hasBegun = false

  init(_ slice: ScheduledSlice) {
    self.slice = slice
    frames = Int64(slice.frames)
    sampleTime = slice.sampleTime
    isLooped = slice.isLooped && slice.frames > 0
    interrupt = slice.interrupt
    channelCount = slice.planes.count
    planes = FlatMemory(count: slice.planes.count) { slice.planes[$0] }
    progress = slice.progress
  }

  func tell(_ event: ScheduledSlice.Event) { progress?(event) }
}
