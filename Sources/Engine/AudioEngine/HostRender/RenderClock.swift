// The slice that a unit of a C host rendered last. Read and written on the thread that renders the unit.

import AudioCore

/// The last slice of a unit, as the host counts.
package struct RenderClock {
  /// The first frame of the last slice, and its length.
  package var sampleTime = 0.0
  package var frames: UInt32 = 0
  /// True while the node's buffers hold that slice.
  package var hasSlice = false
  /// The times in the stamp of the last slice; 0 for one that the stamp leaves out.
  package var stated = Stated()
  /// The output buses that were pulled for the last slice, the first 64 of them.
  package var pulledBuses: UInt64 = 0
  /// For how many frames the inputs have been flagged as silent.
  package var silentFrames: Int64 = 0

  package init() {}

  package struct Stated: Equatable {
    package var flags: UInt32 = 0
    package var sampleTime: UInt64 = 0
    package var hostTime: UInt64 = 0
    package var wordClockTime: UInt64 = 0

    package init() {}
  }

  /// Makes the next slice a new one, whatever its time.
  package mutating func forgetSlice() { hasSlice = false }

  /// True when the last slice is the one that a call asks for.
  @inline(__always)
  func hasSlice(of call: HostCall) -> Bool { hasSlice && sampleTime == call.sampleTime }

  /// Takes over the slice of the unit that pulls this one, on the same stamp.
  @inline(__always)
  mutating func follow(_ reader: RenderClock, frames: Int) {
    sampleTime = reader.sampleTime
    self.frames = UInt32(truncatingIfNeeded: frames)
    // No frames are no slice: the time is still to be rendered.
    hasSlice = frames > 0
    stated = reader.stated
    pulledBuses = 1
  }
}
