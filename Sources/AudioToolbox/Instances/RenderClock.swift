// Which slice a time stamp asks for: step 1 of the path of one slice. Runs on the render thread: no allocation, no lock.

import CAudioToolbox

/// The sample times of a unit's render calls, as the host gives them: any finite number, compared exactly.
///
/// Stamps that do not say a sample time go by the unit's own clock, which goes on by the frames rendered last.
package struct RenderClock {
  /// The first frame of the last slice, and how many it had.
  private var sampleTime = 0.0
  private var frames: UInt32 = 0
  /// Whether that slice is what the node's buffers hold.
  private var hasSlice = false
  /// What the stamp of the last slice said; of a clock that the stamp leaves out, 0.
  private var stated = Stated()
  /// The output buses that were pulled for the last slice, the first 64 of them.
  private var pulledBuses: UInt64 = 0
  /// How long the inputs have been flagged as silent.
  var silentFrames: Int64 = 0

  package init() {}

  private struct Stated: Equatable {
    var flags: UInt32 = 0
    var sampleTime: UInt64 = 0
    var hostTime: UInt64 = 0
    var wordClockTime: UInt64 = 0

    init() {}
    @inline(__always)
    init(_ stamp: UnsafePointer<AudioTimeStamp>) {
      flags = stamp.pointee.mFlags.rawValue
      sampleTime = stamp.pointee.mSampleTime.bitPattern
      if stamp.pointee.mFlags.contains(.hostTimeValid) { hostTime = stamp.pointee.mHostTime }
      if stamp.pointee.mFlags.contains(.wordClockTimeValid) { wordClockTime = stamp.pointee.mWordClockTime }
    }
  }

  /// A slice: whether it is to be rendered, its first frame as the host counts, and on the engine's clock.
  package struct Tick {
    package let isNew: Bool
    package let sampleTime: Double
    /// `sampleTime` rounded down; written so that no function is called for it.
    var engineTime: Int64 {
      let towardsZero = Int64(sampleTime)
      return Double(towardsZero) > sampleTime ? towardsZero - 1 : towardsZero
    }
  }

  /// Whether a stamp that says a sample time says one that frames can be counted from.
  static func accepts(_ stamp: AudioTimeStamp) -> Bool {
    // Beyond 2^53 neighbouring frames have the same number.
    !(stamp.mFlags.contains(.sampleTimeValid) || stamp.mFlags.isEmpty) || stamp.mSampleTime.magnitude <= 0x1p53
  }

  /// Makes the next slice a new one, whatever its time.
  mutating func forgetSlice() { hasSlice = false }

  /// What a time stamp means, on one of the output buses that share this clock.
  ///
  /// - A valid sample time is the slice's own.
  /// - Without one, another host time is the slice that follows the last, and the same host time the same slice.
  /// - Without either, each pull of a bus is the slice that follows the last. Another bus that is pulled with the very
  ///   same stamp shares that slice. Where no flag is set at all, as hosts leave the flags out, a sample time other than
  ///   that of the last stamp is taken for valid.
  ///
  /// - Parameters:
  ///   - stamp: one that ``accepts(_:)`` lets through.
  ///   - always: every call is a slice of its own.
  @inline(__always)
  package mutating func tick(
    _ stamp: UnsafePointer<AudioTimeStamp>, bus: UInt32, frames: UInt32, always: Bool
  ) -> Tick {
    let new = Stated(stamp)
    let flags = stamp.pointee.mFlags
    let busBit: UInt64 = bus < 64 ? 1 << UInt64(bus) : 0
    let next = sampleTime + Double(self.frames)
    var isSame: Bool
    var time = next
    if flags.contains(.sampleTimeValid) || flags.isEmpty && new.sampleTime != stated.sampleTime {
      time = stamp.pointee.mSampleTime
      isSame = time == sampleTime
    } else if flags.contains(.hostTimeValid) {
      isSame = new.hostTime == stated.hostTime
    } else {
      isSame = new == stated && frames == self.frames && busBit != 0 && pulledBuses & busBit == 0
    }
    isSame = isSame && hasSlice && !always
    if isSame {
      time = sampleTime
      pulledBuses |= busBit
      return Tick(isNew: false, sampleTime: time)
    }
    sampleTime = time
    self.frames = frames
    // No frames are no slice: the time is still to be rendered.
    hasSlice = frames > 0
    stated = new
    pulledBuses = busBit
    return Tick(isNew: true, sampleTime: time)
  }
}
