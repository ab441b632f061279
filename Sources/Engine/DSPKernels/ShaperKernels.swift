// Runs on the render thread; nothing here allocates. The arithmetic is that of `shaper.h` in CKernels: the same bits
// everywhere.

import AudioCore
import CKernels

/// The functions of a distortion for single samples, in place. Formulas: `shaper.h`.
public enum ShaperKernels {
  /// The sum of a linear, a squared and a cubic term, mixed with the sample. The square's mean is between `former` and
  /// `means`, a part of the way; nil: without the square.
  public static func polynomial(
    _ samples: Plane<Float>, linear: Plane<Float>, squared: Plane<Float>,
    cubic: Plane<Float>, mix: Plane<Float>,
    means: (former: Plane<Float>, present: Plane<Float>)?, part: Float, frames: Int
  ) {
    shaper_polynomial(
      samples.start(of: frames), linear.start(of: frames), squared.start(of: frames), cubic.start(of: frames),
      mix.start(of: frames), means?.former.start(of: frames), means?.present.start(of: frames), part, frames)
  }

  /// Sines and cosines at each frame, and those of the angle by which samples are further on.
  public typealias Oscillator = (
    sines: Plane<Float>, cosines: Plane<Float>, sine: Float, cosine: Float
  )

  /// A product with two sines, of which `balance` is the other's share, mixed with the sample.
  public static func modulate(
    _ samples: Plane<Float>, _ one: Oscillator, _ other: Oscillator, balance: Plane<Float>,
    mix: Plane<Float>, frames: Int
  ) {
    func named(_ oscillator: Oscillator) -> shaper_oscillator {
      shaper_oscillator(
        sines: oscillator.sines.start(of: frames), cosines: oscillator.cosines.start(of: frames), sine: oscillator.sine,
        cosine: oscillator.cosine)
    }
    shaper_modulate(
      samples.start(of: frames), named(one), named(other), balance.start(of: frames), mix.start(of: frames), frames)
  }

  /// u(27 + u²)/(27 + 9u²) of u = gain · x, cut at −3 and 3.
  public static func clip(_ samples: Plane<Float>, gain: Plane<Float>, frames: Int) {
    shaper_clip(samples.start(of: frames), gain.start(of: frames), frames)
  }

  /// An echo that comes back: read at `from`, or of a share on the way from there to `to`, and written. None overlaps
  /// another.
  ///
  /// - Parameter most: the largest size of inputs, which louder ones count as; NaN counts as 0.
  public static func echo(
    _ input: Plane<Float>, output: Plane<Float>, write: Plane<Float>,
    from: Plane<Float>, to: Plane<Float>, share: Plane<Float>?,
    feedback: Plane<Float>, mix: Plane<Float>, most: Float, frames: Int
  ) {
    shaper_echo(
      input.start(of: frames), output.start(of: frames), write.start(of: frames), from.start(of: frames),
      to.start(of: frames), share?.start(of: frames), feedback.start(of: frames), mix.start(of: frames), most, frames)
  }
}
