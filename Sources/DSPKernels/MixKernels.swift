// Elementwise arithmetic on Float32 planes: copying, gain, mixing, ramps, crossfades.
// Runs on the render thread; nothing here allocates. Loops are written so that they vectorise; every product is rounded
// before the sum that takes it (no fused operation), so the bits depend on the values alone.

/// Kernels on `frames` contiguous samples. An output is either the very same memory as an input or overlaps none.
public enum MixKernels {
  /// output = input.
  @inlinable
  public static func copy(_ output: UnsafeMutablePointer<Float>, _ input: UnsafePointer<Float>, frames: Int) {
    if UnsafePointer(output) != input { output.update(from: input, count: frames) }
  }

  /// output = 0.
  @inlinable
  public static func clear(_ output: UnsafeMutablePointer<Float>, frames: Int) {
    output.update(repeating: 0, count: frames)
  }

  /// output = input × gain. A gain of 1 copies every bit.
  public static func scale(
    _ output: UnsafeMutablePointer<Float>, _ input: UnsafePointer<Float>, gain: Float, frames: Int
  ) {
    if gain == 1 {
      copy(output, input, frames: frames)
    } else if input == UnsafePointer(output) {
      // Two names of one memory would keep the loop from going by vectors.
      for i in 0..<frames { output[i] *= gain }
    } else {
      for i in 0..<frames { output[i] = input[i] * gain }
    }
  }

  /// output = output + input × gain: the product is rounded, then the sum.
  public static func accumulate(
    _ output: UnsafeMutablePointer<Float>, _ input: UnsafePointer<Float>, gain: Float, frames: Int
  ) {
    for i in 0..<frames { output[i] = output[i] + input[i] * gain }
  }

  /// output = input × ramp, the first frame being at `position` frames from the ramp's first.
  public static func scaleRamp(
    _ output: UnsafeMutablePointer<Float>, _ input: UnsafePointer<Float>, ramp: LinearRamp, position: Int64,
    frames: Int
  ) {
    let (before, moving, after) = ramp.parts(position: position, frames: frames)
    if before > 0 { scale(output, input, gain: Float(ramp.start), frames: before) }
    if moving > 0 {
      let start = ramp.start
      let change = ramp.end - ramp.start
      let duration = Double(ramp.durationFrames)
      let movingOutput = output + before
      let movingInput = input + before
      let first = Double(position + Int64(before))
      // A slice has fewer than 2^31 frames; vectors convert Int32 to Double in one instruction, Int64 they do not.
      for i in 0..<Int32(moving) {
        let gain = Float(start + change * (first + Double(i)) / duration)
        movingOutput[Int(i)] = movingInput[Int(i)] * gain
      }
    }
    if after > 0 {
      scale(output + before + moving, input + before + moving, gain: Float(ramp.end), frames: after)
    }
  }

  /// output = output + input × ramp, the first frame being at `position` frames from the ramp's first.
  public static func accumulateRamp(
    _ output: UnsafeMutablePointer<Float>, _ input: UnsafePointer<Float>, ramp: LinearRamp, position: Int64,
    frames: Int
  ) {
    let (before, moving, after) = ramp.parts(position: position, frames: frames)
    if before > 0 { accumulate(output, input, gain: Float(ramp.start), frames: before) }
    if moving > 0 {
      let start = ramp.start
      let change = ramp.end - ramp.start
      let duration = Double(ramp.durationFrames)
      let movingOutput = output + before
      let movingInput = input + before
      let first = Double(position + Int64(before))
      for i in 0..<Int32(moving) {
        let gain = Float(start + change * (first + Double(i)) / duration)
        movingOutput[Int(i)] = movingOutput[Int(i)] + movingInput[Int(i)] * gain
      }
    }
    if after > 0 {
      accumulate(output + before + moving, input + before + moving, gain: Float(ramp.end), frames: after)
    }
  }

  /// From one signal to another in a straight line: output = old × (1 − w) + new × w with w = position / duration.
  ///
  /// Both weights are computed in Double and rounded to Float, both products are rounded, then their sum. From
  /// `durationFrames` on the output is exactly `new`, at position 0 and before exactly `old` (as long as both are finite).
  public static func crossfade(
    _ output: UnsafeMutablePointer<Float>, from old: UnsafePointer<Float>, to new: UnsafePointer<Float>,
    durationFrames: Int64, position: Int64, frames: Int
  ) {
    let (before, moving, after) = LinearRamp(from: 0, to: 1, durationFrames: durationFrames)
      .parts(position: position, frames: frames)
    if before > 0 { copy(output, old, frames: before) }
    if moving > 0 {
      let movingOutput = output + before
      let movingOld = old + before
      let movingNew = new + before
      let first = Double(position + Int64(before))
      let duration = Double(durationFrames)
      for i in 0..<Int32(moving) {
        let weight = (first + Double(i)) / duration
        movingOutput[Int(i)] = movingOld[Int(i)] * Float(1 - weight) + movingNew[Int(i)] * Float(weight)
      }
    }
    let done = before + moving
    if after > 0 { copy(output + done, new + done, frames: after) }
  }
}
