// The time of a callback on the device: what a cycle says of it, between two cycles too. `note` runs on the device's
// thread: no allocation and no lock there.

import AudioCore
import CAudioToolbox
import Hardware
import Synchronization

/// A moment as a program gives it: by the sample time, the host time, or both.
struct DeviceMoment {
  let sampleTime: Double?
  let hostTime: UInt64?

  init(sampleTime: Double?, hostTime: UInt64?) {
    self.sampleTime = sampleTime
    self.hostTime = hostTime
  }

  /// - Throws: 'nope' where the time says neither, or is no number.
  init(_ time: AudioTimeStamp) throws(AudioStatus) {
    sampleTime = time.mFlags.contains(.sampleTimeValid) ? time.mSampleTime : nil
    hostTime = time.mFlags.contains(.hostTimeValid) ? time.mHostTime : nil
    guard sampleTime != nil || hostTime != nil, sampleTime?.isFinite ?? true else {
      throw AudioStatus(kAudioHardwareIllegalOperationError)
    }
  }
}

/// The clock of one callback.
final class CallbackClock: Sendable {
  private let hardware: SimulatedHardware
  /// The beginning of the next cycle; read again if the count has changed meanwhile.
  private let count = Atomic<UInt64>(0)
  private let frame = Atomic<Int64>(0)
  private let host = Atomic<UInt64>(0)
  private let scalar = Atomic<UInt64>(Double(1).bitPattern)

  init(_ hardware: SimulatedHardware) { self.hardware = hardware }

  /// True behind the first cycle.
  var hasBegun: Bool { count.load(ordering: .acquiring) > 1 }

  /// A cycle has been heard and filled.
  func note(_ cycle: DeviceCycle, sampleRate: Double) {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let nanoseconds = Double(cycle.frames) / sampleRate * 1e9 * cycle.time.rateScalar
    frame.store(cycle.time.sampleTime + Int64(cycle.frames), ordering: .releasing)
    host.store(cycle.time.hostTime &+ UInt64(clamping: nanoseconds.rounded()), ordering: .releasing)
    scalar.store(cycle.time.rateScalar.bitPattern, ordering: .releasing)
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  /// The moment with which the next cycle begins.
  private var next: DeviceTime {
    while true {
      let before = count.load(ordering: .acquiring)
      let time = DeviceTime(
        sampleTime: frame.load(ordering: .acquiring), hostTime: host.load(ordering: .acquiring),
        rateScalar: Double(bitPattern: scalar.load(ordering: .acquiring)))
      if before & 1 == 0, count.load(ordering: .acquiring) == before { return time }
    }
  }

  /// Now. By a clock that is not the wall's no time passes between two cycles.
  var present: DeviceTime {
    let next = next
    return hardware.configuration.clock == .real ? time(of: hardware.hostTime, from: next) : next
  }

  /// A moment by all measures; the sample time counts where both are given.
  func time(of moment: DeviceMoment) -> DeviceTime {
    let next = next
    guard let sampleTime = moment.sampleTime else { return time(of: moment.hostTime ?? next.hostTime, from: next) }
    let nanoseconds = (sampleTime - Double(next.sampleTime)) * nanosecondsPerFrame(next)
    return DeviceTime(
      sampleTime: Int64(clamping: sampleTime.rounded()),
      hostTime: UInt64(clamping: (Double(next.hostTime) + nanoseconds).rounded()), rateScalar: next.rateScalar)
  }

  /// The host's time of a moment of this clock; nil where it is not given by sample time.
  func hostTime(of moment: DeviceMoment) -> UInt64? {
    moment.sampleTime == nil ? nil : time(of: moment).hostTime
  }

  /// The beginning of a cycle: the first one at a moment or behind it, of those to come. Nil in front of the first.
  func boundary(at moment: DeviceMoment) -> AudioTimeStamp? {
    guard hasBegun else { return nil }
    let next = next
    let wanted = time(of: moment).sampleTime
    let frames = Int64(max(1, hardware.configuration.bufferFrames))
    let (distance, overflow) = wanted.subtractingReportingOverflow(next.sampleTime)
    guard !overflow, distance < .max - frames else { return nil }
    let cycles = max(0, (distance + frames - 1) / frames)
    return AudioTimeStamp(
      time(of: DeviceMoment(sampleTime: Double(next.sampleTime) + Double(cycles * frames), hostTime: nil)))
  }

  private func time(of hostTime: UInt64, from next: DeviceTime) -> DeviceTime {
    let nanoseconds = hostTime >= next.hostTime ? Double(hostTime - next.hostTime) : -Double(next.hostTime - hostTime)
    return DeviceTime(
      sampleTime: Int64(clamping: (Double(next.sampleTime) + nanoseconds / nanosecondsPerFrame(next)).rounded()),
      hostTime: hostTime, rateScalar: next.rateScalar)
  }

  private func nanosecondsPerFrame(_ time: DeviceTime) -> Double {
    1e9 / hardware.configuration.sampleRate * time.rateScalar
  }
}
