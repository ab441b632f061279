// The path of one slice: guard. Denormal numbers cost hundreds of cycles each, so they count as zero for the length of
// a render call, on every thread that takes part, and the caller's setting comes back afterwards.

import CRealtime

/// Flush-to-zero and denormals-are-zero for the calling thread.
package enum FlushToZero {
  /// Turns both on; returns what ``leave(_:)`` takes.
  package static func enter() -> UInt64 { realtime_enter_flush_to_zero() }
  package static func leave(_ former: UInt64) { realtime_leave_flush_to_zero(former) }
}
