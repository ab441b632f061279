// Between the edit side of a scheduled file player, which makes tickets, and its render side, which follows them and
// hands them back: neither waits for the other, and the render side frees nothing.

import HandOver

/// What the render side knows of a scheduled region.
final class RegionTicket: Parcel, @unchecked Sendable {
  /// Where its frames lie in the stream that is read ahead, and how many they are; nil: without end.
  let streamStart: Int64
  let frames: Int64?
  /// When it is to begin, in frames from the player's start.
  let sampleTime: Int64?
  let completion: (@Sendable (ScheduledRegion.End) -> Void)?
  /// When it really begins, once it is first in line. Render side only.
  var begin: Int64?

  init(
    streamStart: Int64, frames: Int64?, sampleTime: Int64?, completion: (@Sendable (ScheduledRegion.End) -> Void)?
  ) {
    self.streamStart = streamStart
    self.frames = frames
    self.sampleTime = sampleTime
    self.completion = completion
  }
}
