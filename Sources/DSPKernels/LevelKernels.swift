// Looking at Float32 planes: silence, peak, energy. Runs on the render thread; nothing here allocates.

/// Kernels that read `frames` contiguous samples.
public enum LevelKernels {
  /// Whether all samples are zero, of either sign.
  public static func isSilent(_ input: UnsafePointer<Float>, frames: Int) -> Bool {
    var start = 0
    while start < frames {
      let end = min(frames, start + 64)
      var bits: UInt32 = 0
      for i in start..<end { bits |= input[i].bitPattern }
      if bits & 0x7FFF_FFFF != 0 { return false }
      start = end
    }
    return true
  }

  /// max |x|; 0 for no frames. A NaN anywhere makes the result NaN: a peak that hides one would be a lie.
  public static func absolutePeak(_ input: UnsafePointer<Float>, frames: Int) -> Float {
    // Without their sign floats are ordered as their bit patterns are, with NaN above infinity.
    var peak: Int32 = 0
    for i in 0..<frames { peak = max(peak, Int32(bitPattern: input[i].bitPattern & 0x7FFF_FFFF)) }
    return Float(bitPattern: UInt32(bitPattern: peak))
  }
}

/// Σ x² of a stream in Double, whatever the slices.
///
/// Eight sums side by side: frame n of the stream is added to sum n mod 8, and ``total`` adds the eight in a fixed
/// order. So the bits depend on the stream alone, not on how it was cut.
public struct SquareSum: Sendable {
  private var lanes = SIMD8<Double>()
  /// Frames added so far.
  public private(set) var frameCount: Int64 = 0

  public init() {}

  /// Adds the squares of the `frames` samples that follow those added before.
  public mutating func add(_ input: UnsafePointer<Float>, frames: Int) {
    var sums = lanes
    var i = 0
    while i < frames {
      let lane = Int((frameCount + Int64(i)) & 7)
      if lane == 0 && i + 8 <= frames {
        let x = SIMD8<Double>(UnsafeRawPointer(input + i).loadUnaligned(as: SIMD8<Float>.self))
        sums += x * x
        i += 8
      } else {
        let x = Double(input[i])
        sums[lane] += x * x
        i += 1
      }
    }
    lanes = sums
    frameCount += Int64(frames)
  }

  /// The sum of all squares added so far.
  public var total: Double {
    let fours = lanes.lowHalf + lanes.highHalf
    let twos = fours.lowHalf + fours.highHalf
    return twos.x + twos.y
  }
}
