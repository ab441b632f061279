import Glibc

/// One second-order section, H(z) = (b0 + b1·z⁻¹ + b2·z⁻²) / (1 + a1·z⁻¹ + a2·z⁻²): a0 is already divided out.
public struct BiquadCoefficients: Hashable, Sendable {
  public var b0: Double
  public var b1: Double
  public var b2: Double
  public var a1: Double
  public var a2: Double

  public init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    self.b0 = b0
    self.b1 = b1
    self.b2 = b2
    self.a1 = a1
    self.a2 = a2
  }

  /// Puts out what comes in.
  public static let identity = BiquadCoefficients(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

  /// Linear gain at a frequency: |H(e^jw)|, w = 2π · hertz / sampleRate.
  ///
  /// Computed from φ = sin²(w/2), |b0 + b1·z⁻¹ + b2·z⁻²|² = (b0 + b1 + b2)² − 4(b0·b1 + 4·b0·b2 + b1·b2)·φ + 16·b0·b2·φ²
  /// (R. Bristow-Johnson, on the Audio EQ Cookbook), which stays exact far below the sample rate.
  /// - Parameters:
  ///   - hertz: any; the response repeats every `sampleRate` and is even.
  ///   - sampleRate: hertz, above 0.
  public func magnitude(atHertz hertz: Double, sampleRate: Double) -> Double {
    precondition(sampleRate > 0)
    let halfSine = sin(Double.pi * hertz / sampleRate)
    let phi = halfSine * halfSine
    let numerator = Self.squaredMagnitude(b0, b1, b2, phi)
    let denominator = Self.squaredMagnitude(1, a1, a2, phi)
    return (numerator / denominator).squareRoot()
  }

  private static func squaredMagnitude(_ c0: Double, _ c1: Double, _ c2: Double, _ phi: Double) -> Double {
    let sum = c0 + c1 + c2
    // Rounding may leave a hair below zero at a notch.
    return max(0, sum * sum - 4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2) * phi + 16 * c0 * c2 * phi * phi)
  }
}
