// Triangular dither for the way to integers.
// Runs on any thread, the render thread too: a value type without state.
// Formula: SplitMix64 by counter; Lipshitz, Wannamaker and Vanderkooy, "Quantization and Dither", JAES 40 (1992).

import AudioCore
import CKernels

/// Triangular noise of two steps peak to peak (−1 < value < 1, in steps of the integer), one stream per channel.
///
/// Each value is a pure function of seed, channel and absolute frame number, so that a file comes out the same however
/// it was cut into slices. Mean 0, variance 1/6 step²: the sum of two uniform values of variance 1/12 each. With the
/// rounding that follows, the whole error has variance 1/4 step², whatever the signal.
public struct DitherGenerator: Hashable, Sendable {
  /// Any number; another one gives other noise.
  public let seed: UInt64

  /// The same noise for the same seed, in every process and on every machine.
  public init(seed: UInt64) { self.seed = seed }

  /// Writes `count` values of stream `channel`, from frame `firstFrame` on.
  public func fill(_ noise: Plane<Double>, channel: Int, firstFrame: Int64, count: Int) {
    precondition(channel >= 0 && count >= 0)
    ckpcm_dither(key(of: channel), firstFrame, noise.start(of: count), count)
  }

  /// One value.
  public func value(channel: Int, frame: Int64) -> Double {
    var noise = 0.0
    ckpcm_dither(key(of: channel), frame, &noise, 1)
    return noise
  }

  /// Seed and channel mixed, so that no two streams are one another moved by a few frames.
  private func key(of channel: Int) -> UInt64 {
    var word = seed ^ (UInt64(channel) &+ 1) &* 0xD6E8_FEB8_6659_FD93
    word = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
    word = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return word ^ (word >> 32)
  }
}
