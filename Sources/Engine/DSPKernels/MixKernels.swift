// Elementwise arithmetic on Float32 planes: copying, gain, mixing, ramps, crossfades.
// Runs on the render thread; nothing here allocates. Every product is rounded
// before the sum that takes it (no fused operation), so the bits depend on the values alone.

import AudioCore
import CKernels

/// Kernels on `frames` contiguous samples. An output is either the very same memory as an input or overlaps none.
public enum MixKernels {
  /// output = input.
  @inlinable
  public static func copy(_ output: Plane<Float>, _ input: Plane<Float>, frames: Int) {
    if output.start != input.start { output.update(from: input, count: frames) }
  }

  /// output = 0.
  @inlinable
  public static func clear(_ output: Plane<Float>, frames: Int) {
    output.update(repeating: 0, count: frames)
  }

  /// output = input × gain. A gain of 1 copies every bit.
  public static func scale(
    _ output: Plane<Float>, _ input: Plane<Float>, gain: Float, frames: Int
  ) {
    if gain == 1 {
      copy(output, input, frames: frames)
    } else {
      mix_scale(output.start(of: frames), input.start(of: frames), gain, frames)
    }
  }

  /// output = output + input × gain: the product is rounded, then the sum.
  public static func accumulate(
    _ output: Plane<Float>, _ input: Plane<Float>, gain: Float, frames: Int
  ) {
    mix_accumulate(output.start(of: frames), input.start(of: frames), gain, frames)
  }

  /// output = input × ramp, the first frame being at `position` frames from the ramp's first.
  public static func scaleRamp(
    _ output: Plane<Float>, _ input: Plane<Float>, ramp: LinearRamp, position: Int64,
    frames: Int
  ) {
    inParts(of: ramp, position: position, frames: frames) { place, gain, count in
      scale(output + place, input + place, gain: Float(gain), frames: count)
    } moving: { i, gain in
      output[i] = input[i] * Float(gain)
    }
  }

  /// output = output + input × ramp, the first frame being at `position` frames from the ramp's first.
  public static func accumulateRamp(
    _ output: Plane<Float>, _ input: Plane<Float>, ramp: LinearRamp, position: Int64,
    frames: Int
  ) {
    inParts(of: ramp, position: position, frames: frames) { place, gain, count in
      accumulate(output + place, input + place, gain: Float(gain), frames: count)
    } moving: { i, gain in
      output[i] = output[i] + input[i] * Float(gain)
    }
  }

  /// From one signal to another in a straight line: output = old × (1 − w) + new × w with w = position / duration.
  ///
  /// Both weights are computed in Double and rounded to Float, both products are rounded, then their sum. From
  /// `durationFrames` on the output is exactly `new`, at position 0 and before exactly `old` (as long as both are
  /// finite).
  public static func crossfade(
    _ output: Plane<Float>, from old: Plane<Float>, to new: Plane<Float>,
    durationFrames: Int64, position: Int64, frames: Int
  ) {
    let weights = LinearRamp(from: 0, to: 1, durationFrames: durationFrames)
    inParts(of: weights, position: position, frames: frames) { place, weight, count in
      copy(output + place, (weight == 0 ? old : new) + place, frames: count)
    } moving: { i, weight in
      output[i] = old[i] * Float(1 - weight) + new[i] * Float(weight)
    }
  }

  /// Splits frames into those in front of a ramp and behind it, as wholes with the ramp's value there, and those on it,
  /// frame by frame.
  @inline(__always)
  private static func inParts(
    of ramp: LinearRamp, position: Int64, frames: Int,
    steady: (_ place: Int, _ value: Double, _ count: Int) -> Void, moving: (_ frame: Int, _ value: Double) -> Void
  ) {
    let parts = ramp.parts(position: position, frames: frames)
    if parts.before > 0 { steady(0, ramp.start, parts.before) }
    if parts.moving > 0 {
      let start = ramp.start
      let change = ramp.end - ramp.start
      let duration = Double(ramp.durationFrames)
      let first = Double(position + Int64(parts.before))
      // A slice has fewer than 2^31 frames; vectors convert Int32 to Double in one instruction, Int64 they do not. A
      // sum that could trap would keep the loop from going by vectors.
      for i in 0..<Int32(parts.moving) {
        moving(parts.before &+ Int(i), start + change * (first + Double(i)) / duration)
      }
    }
    if parts.after > 0 { steady(frames - parts.after, ramp.end, parts.after) }
  }
}
