import AudioCore
import Glibc
import Synchronization

/// The clock of host times: nanoseconds that never jump.
package enum MonotonicClock {
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// - Returns: true if there was still time to sleep.
  static func sleep(until deadline: UInt64) -> Bool {
    guard now() < deadline else { return false }
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME_LINUX, &time, nil) == EINTR {}
    return true
  }

  /// A macro of `<time.h>` that the importer leaves out.
  private static let TIMER_ABSTIME_LINUX: Int32 = 1
}

/// The host's time for programs: `CLOCK_MONOTONIC`, or under a scenario whose clock is not the wall's, that one's.
package enum HostClock {
  /// The host time at which a scenario begins: an hour, as zero would mean an unknown time.
  static let scenarioStart: UInt64 = 3_600_000_000_000
  /// 0: the machine's clock holds.
  private static let scenarioTime = Atomic<UInt64>(0)

  package static func now() -> UInt64 {
    let time = scenarioTime.load(ordering: .relaxed)
    return time != 0 ? time : MonotonicClock.now()
  }

  /// - Parameter nanoseconds: nil: the machine's clock holds again.
  static func set(_ nanoseconds: UInt64?) { scenarioTime.store(nanoseconds ?? 0, ordering: .relaxed) }
}
