// Runs on the render thread; nothing here allocates. The arithmetic is that of `sine.h` in CKernels: the same bits
// everywhere.

import AudioCore
import CKernels

/// Sines of any phases.
public enum SineKernels {
  /// output[n] = gains[n] · sin(2π · turns[n]), in double up to the last rounding.
  ///
  /// - Parameter turns: −2^50 to 2^50.
  public static func process(
    turns: Plane<Double>, gains: Plane<Double>, output: Plane<Float>, frames: Int
  ) { sine_process(turns.start(of: frames), gains.start(of: frames), output.start(of: frames), frames) }
}
