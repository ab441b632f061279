// Runs on the render thread; nothing here allocates. The arithmetic is that of `limiter.h` in CKernels: the same bits
// everywhere.

import AudioCore
import CKernels

/// The descent of a limiter's gain to a peak.
public enum LimiterKernels {
  /// gains[peak − k] = min(gains[peak − k], needed + rise · k) for k of a range, up to where a gain lies on or below the
  /// line.
  ///
  /// - Parameter peak: the peak's own frame; behind the last gain where the range goes on from the end of a ring.
  /// - Returns: true if it ended before the range's end.
  public static func lower(
    _ gains: Plane<Float>, before peak: Int, _ range: Range<Int>, needed: Float, rise: Float
  ) -> Bool {
    assert(range.isEmpty || (peak >= range.upperBound - 1 && peak - range.lowerBound < gains.count))
    return limiter_lower(gains.start + peak, range.lowerBound, range.upperBound, needed, rise)
  }
}
