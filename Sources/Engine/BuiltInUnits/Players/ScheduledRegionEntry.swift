// The edit side of a scheduled file player queues an entry for each region; the render side plays them and returns them
// to be freed. Neither side waits for the other, and the render side frees nothing.

import AudioEngine
import HandOver

/// A scheduled region, as the render side plays it.
final class ScheduledRegionEntry: Parcel {
  /// The place of its frames in the stream that is read ahead, and their number; nil: without end.
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
