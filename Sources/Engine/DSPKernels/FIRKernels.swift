// Runs on the render thread; nothing here allocates. The arithmetic is that of `fir.h` in CKernels: the same bits
// everywhere.

import AudioCore
import CKernels

/// A filter of finite impulse response over one plane.
public enum FIRKernels {
  /// output[n] = Σ taps[k] · input[n − k], k from 0 up, each product and sum rounded: see `fir.h`.
  ///
  /// - Parameter input: the `tapCount − 1` frames before the first, then `frames` frames.
  public static func process(
    taps: Plane<Float>, input: Plane<Float>, output: Plane<Float>,
    frames: Int
  ) {
    let history = taps.count - 1
    fir_process(taps.start, taps.count, input.start(of: history + frames) + history, output.start(of: frames), frames)
  }
}
