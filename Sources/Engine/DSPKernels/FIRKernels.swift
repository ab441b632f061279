// Runs on the render thread; nothing here allocates. The arithmetic is that of `fir.h` in CKernels: the same bits
// everywhere.

import CKernels

/// A filter of finite impulse response over one plane.
public enum FIRKernels {
  /// output[n] = Σ taps[k] · input[n − k], k from 0 up, each product and sum rounded: see `fir.h`.
  ///
  /// - Parameter input: its first frame; `tapCount − 1` frames lie before it.
  public static func process(
    taps: UnsafePointer<Float>, tapCount: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    frames: Int
  ) { fir_process(taps, tapCount, input, output, frames) }
}
