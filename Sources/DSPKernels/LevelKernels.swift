// Looking at Float32 planes: their peak. Runs on the render thread; nothing here allocates.

/// Kernels that read `frames` contiguous samples.
public enum LevelKernels {
  /// max |x|; 0 for no frames. A NaN anywhere makes the result NaN: a peak that hides one would be a lie.
  public static func absolutePeak(_ input: UnsafePointer<Float>, frames: Int) -> Float {
    // Without their sign floats are ordered as their bit patterns are, with NaN above infinity.
    var peak: Int32 = 0
    for i in 0..<frames { peak = max(peak, Int32(bitPattern: input[i].bitPattern & 0x7FFF_FFFF)) }
    return Float(bitPattern: UInt32(bitPattern: peak))
  }
}
