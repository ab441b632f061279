// Looking at Float32 planes: their peak. Runs on the render thread; nothing here allocates.

import CKernels

/// Kernels that read `frames` contiguous samples.
public enum LevelKernels {
  /// max |x|; 0 for no frames. A NaN anywhere makes the result NaN: a peak that hides one would be a lie.
  public static func absolutePeak(_ input: UnsafePointer<Float>, frames: Int) -> Float {
    levels_absolute_peak(input, frames)
  }
}
