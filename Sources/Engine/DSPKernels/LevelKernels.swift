// Looking at planes: their peak, and whether all of it is finite. Runs on the render thread; nothing here allocates.

import AudioCore
import CKernels

/// Kernels that read `frames` contiguous samples.
public enum LevelKernels {
  /// max |x|; 0 for no frames. A NaN anywhere makes the result NaN: a peak that hides one would be a lie.
  public static func absolutePeak(_ input: Plane<Float>, frames: Int) -> Float {
    levels_absolute_peak(input.start(of: frames), frames)
  }

  /// True where no sample is NaN or infinite. A fraction of the time that copying the samples takes.
  public static func isFinite(_ input: Plane<Float>, frames: Int) -> Bool {
    absolutePeak(input, frames: frames).isFinite
  }

  /// As ``isFinite(_:frames:)-(Plane<Float>,_)``.
  public static func isFinite(_ input: Plane<Double>, frames: Int) -> Bool {
    // An exponent of all ones, and no other, overflows into the sign's place when one is added to it.
    var seen: UInt64 = 0
    for frame in 0..<frames { seen |= (input[frame].bitPattern & 0x7FF0_0000_0000_0000) &+ 0x0010_0000_0000_0000 }
    return seen >> 63 == 0
  }

  /// Samples that are NaN or infinite.
  static func nonFiniteCount<Sample: BinaryFloatingPoint>(_ input: Plane<Sample>, frames: Int) -> Int {
    var count = 0
    for frame in 0..<frames where !input[frame].isFinite { count += 1 }
    return count
  }
}
