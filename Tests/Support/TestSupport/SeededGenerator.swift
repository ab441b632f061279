/// SplitMix64: a small generator whose whole sequence follows from its seed (Steele, Lea and Flood, OOPSLA 2014).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Uniform noise between −amplitude and +amplitude.
  public mutating func noise(frames: Int, amplitude: Float = 0.5) -> [Float] {
    (0..<frames).map { _ in (Float(next() >> 40) / Float(1 << 23) - 1) * amplitude }
  }
}
