// The path of one slice: caller. Finds the slice that a time stamp means. Runs on the render thread: no allocation, no
// lock.

import AudioCore
import AudioEngine
import CAudioToolbox

extension RenderClock.Stated {
  @inline(__always)
  fileprivate init(_ stamp: UnsafePointer<AudioTimeStamp>) {
    self.init()
    flags = stamp.pointee.mFlags.rawValue
    sampleTime = stamp.pointee.mSampleTime.bitPattern
    if stamp.pointee.mFlags.contains(.hostTimeValid) { hostTime = stamp.pointee.mHostTime }
    if stamp.pointee.mFlags.contains(.wordClockTimeValid) { wordClockTime = stamp.pointee.mWordClockTime }
  }
}

/// The sample times of a unit's render calls, as the host gives them: any finite number, compared exactly.
///
/// Stamps that do not say a sample time go by the unit's own clock, which goes on by the frames rendered last.
extension RenderClock {
  /// A slice: its first frame as the host counts and on the engine's clock; new when it is still to be rendered.
  package struct Tick {
    package let isNew: Bool
    package let sampleTime: Double
    /// `sampleTime` rounded down; written so that no function is called for it.
    var engineTime: Int64 {
      let towardsZero = Int64(clamping: sampleTime)
      return Double(towardsZero) > sampleTime ? towardsZero - 1 : towardsZero
    }
  }

  /// True for a stamp without a sample time, and for one from whose sample time frames can be counted.
  static func accepts(_ stamp: AudioTimeStamp) -> Bool {
    // Beyond 2^53 neighbouring frames have the same number.
    !(stamp.mFlags.contains(.sampleTimeValid) || stamp.mFlags.isEmpty) || stamp.mSampleTime.magnitude <= 0x1p53
  }

  /// Finds the slice that a time stamp means, on one of the output buses that share this clock.
  ///
  /// - A valid sample time is the slice's own.
  /// - Without one, another host time is the slice that follows the last, and the same host time the same slice.
  /// - Without either, each pull of a bus is the slice that follows the last. Another bus that is pulled with the very
  ///   same stamp shares that slice. If no flag is set at all, as hosts leave the flags out, a sample time other than
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
