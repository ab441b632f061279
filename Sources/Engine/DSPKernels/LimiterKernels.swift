// Runs on the render thread; nothing here allocates. The arithmetic is that of `limiter.h` in CKernels: the same bits
// everywhere.

import CKernels

/// The descent of a limiter's gain to a peak.
public enum LimiterKernels {
  /// gains[−k] = min(gains[−k], needed + rise · k) for k of a range, up to where a gain lies on or below the line.
  ///
  /// - Parameter gains: the peak's own frame, if the range begins at 1.
  /// - Returns: true if it ended before the range's end.
  public static func lower(
    _ gains: UnsafeMutablePointer<Float>, _ range: Range<Int>, needed: Float, rise: Float
  ) -> Bool { limiter_lower(gains, range.lowerBound, range.upperBound, needed, rise) }
}
