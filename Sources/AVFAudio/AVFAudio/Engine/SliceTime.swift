import AVFAudioFiles
import AudioCore

/// The moment of a slice: its first frame on the engine's clock, and on the host's where there is hardware.
struct SliceTime {
  let sampleTime: Int64
  /// Hertz.
  let sampleRate: Double
  /// Nanoseconds of the host's clock; 0: a program renders, and there is none.
  let hostTime: UInt64
  /// Frames of the slice.
  let frames: Int

  /// The first frame at another rate: the nearest.
  func frame(atRate rate: Double) -> Int64 {
    AVAudioTime(sampleTime: sampleTime, atRate: sampleRate).frame(atRate: rate) ?? 0
  }

  /// The host's time of a frame at a rate; 0: not known.
  func hostTime(ofFrame frame: Int64, atRate rate: Double) -> UInt64 {
    guard hostTime > 0, rate > 0 else { return 0 }
    let seconds = Double(frame) / rate - Double(sampleTime) / sampleRate
    guard let ticks = Int64(exactly: (seconds * 1e9).rounded()) else { return 0 }
    return hostTime &+ UInt64(bitPattern: ticks)
  }

  /// The frame at a rate at which the host's time is another one, the nearest; nil without a host's time.
  func frame(atHostTime time: UInt64, rate: Double) -> Int64? {
    guard hostTime > 0 else { return nil }
    let seconds = Double(Int64(bitPattern: time &- hostTime)) / 1e9 + Double(sampleTime) / sampleRate
    return Int64(exactly: (seconds * rate).rounded())
  }

  /// A frame as the program sees it: with the host's time where that is known.
  func time(frame: Int64, rate: Double) -> AVAudioTime {
    let host = hostTime(ofFrame: frame, atRate: rate)
    return host == 0
      ? AVAudioTime(sampleTime: frame, atRate: rate)
      : AVAudioTime(hostTime: host, sampleTime: frame, atRate: rate)
  }
}
