// Runs on the render thread; nothing here allocates. The arithmetic is that of `shaper.h` in CKernels: the same bits
// everywhere.

import CKernels

/// The functions of a distortion for single samples, in place. Formulas: `shaper.h`.
public enum ShaperKernels {
  /// The sum of a linear, a squared and a cubic term, mixed with the sample. The square's mean is between `former` and
  /// `means`, a part of the way; nil: without the square.
  public static func polynomial(
    _ samples: UnsafeMutablePointer<Float>, linear: UnsafePointer<Float>, squared: UnsafePointer<Float>,
    cubic: UnsafePointer<Float>, mix: UnsafePointer<Float>,
    means: (former: UnsafePointer<Float>, present: UnsafePointer<Float>)?, part: Float, frames: Int
  ) { shaper_polynomial(samples, linear, squared, cubic, mix, means?.former, means?.present, part, frames) }

  /// Sines and cosines at each frame, and those of the angle by which samples are further on.
  public typealias Oscillator = (
    sines: UnsafePointer<Float>, cosines: UnsafePointer<Float>, sine: Float, cosine: Float
  )

  /// A product with two sines, of which `balance` is the other's share, mixed with the sample.
  public static func modulate(
    _ samples: UnsafeMutablePointer<Float>, _ one: Oscillator, _ other: Oscillator, balance: UnsafePointer<Float>,
    mix: UnsafePointer<Float>, frames: Int
  ) {
    func named(_ oscillator: Oscillator) -> shaper_oscillator {
      shaper_oscillator(
        sines: oscillator.sines, cosines: oscillator.cosines, sine: oscillator.sine, cosine: oscillator.cosine)
    }
    shaper_modulate(samples, named(one), named(other), balance, mix, frames)
  }

  /// u(27 + u²)/(27 + 9u²) of u = gain · x, cut at −3 and 3.
  public static func clip(_ samples: UnsafeMutablePointer<Float>, gain: UnsafePointer<Float>, frames: Int) {
    shaper_clip(samples, gain, frames)
  }

  /// An echo that comes back: read at `from`, or of a share on the way from there to `to`, and written. None overlaps
  /// another.
  ///
  /// - Parameter most: the largest size of inputs, which louder ones count as; NaN counts as 0.
  public static func echo(
    _ input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, write: UnsafeMutablePointer<Float>,
    from: UnsafePointer<Float>, to: UnsafePointer<Float>, share: UnsafePointer<Float>?,
    feedback: UnsafePointer<Float>, mix: UnsafePointer<Float>, most: Float, frames: Int
  ) { shaper_echo(input, output, write, from, to, share, feedback, mix, most, frames) }
}
