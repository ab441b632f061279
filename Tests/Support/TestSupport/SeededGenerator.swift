import AudioCore

/// The generator of random calls and signals: all of it follows from the seed.
public typealias SeededGenerator = SplitMix64

extension SplitMix64 {
  /// Uniform noise between −amplitude and +amplitude.
  public mutating func noise(frames: Int, amplitude: Float = 0.5) -> [Float] {
    (0..<frames).map { _ in (Float(next() >> 40) / Float(1 << 23) - 1) * amplitude }
  }
}
