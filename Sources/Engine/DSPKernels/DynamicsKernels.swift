// Runs on the render thread; nothing here allocates. The arithmetic is that of `dynamics.h` in CKernels: the same bits
// everywhere.

import AudioCore
import CKernels

/// The curve of a compressor and expander: decibels, but for the slope.
public struct DynamicsCurve {
  private let curve: dynamics_curve

  /// - Parameters:
  ///   - headRoomDecibels: above 0; how far above the threshold the loudest come out.
  ///   - expansionSlope: decibels of a gain by each decibel below the expansion's threshold.
  public init(
    thresholdDecibels: Double, headRoomDecibels: Double, expansionThresholdDecibels: Double, expansionSlope: Double,
    gainDecibels: Double
  ) {
    curve = dynamics_curve(
      threshold: thresholdDecibels, head_room: headRoomDecibels, expansion_threshold: expansionThresholdDecibels,
      expansion_slope: expansionSlope, gain: gainDecibels)
  }

  /// The linear gains of linear levels, and the decibels of them that compress; 1e-14 of a neper within `dynamics.h`'s
  /// formula.
  public func findGains(
    _ levels: Plane<Double>, gains: Plane<Double>,
    compressions: Plane<Double>, count: Int
  ) {
    dynamics_gains(levels.start(of: count), gains.start(of: count), compressions.start(of: count), count, curve)
  }
}
