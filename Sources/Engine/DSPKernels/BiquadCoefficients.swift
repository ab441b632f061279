import Glibc

/// One second-order section, H(z) = (b0 + b1·z⁻¹ + b2·z⁻²) / (1 + a1·z⁻¹ + a2·z⁻²): a0 is already divided out.
public struct BiquadCoefficients: Hashable, Sendable {
  /// Times the input.
  public var b0: Double
  /// Times the input one frame back.
  public var b1: Double
  /// Times the input two frames back.
  public var b2: Double
  /// Times the output one frame back, which is subtracted.
  public var a1: Double
  /// Times the output two frames back, which is subtracted.
  public var a2: Double

  /// A section with a0 divided out; whether it is stable is not looked at.
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
  /// From e^jw·(b0 + b1·e^−jw + b2·e^−2jw) = (b0 + b2)·cos w + b1 + j·(b0 − b2)·sin w, with cos w = 1 − 2·sin²(w/2),
  /// which loses no digits far below the sample rate and resolves a notch.
  /// - Parameters:
  ///   - hertz: any; the response repeats every `sampleRate` and is even.
  ///   - sampleRate: hertz, above 0.
  public func magnitude(atHertz hertz: Double, sampleRate: Double) -> Double {
    precondition(sampleRate > 0)
    let w = 2 * Double.pi * hertz / sampleRate
    let halfSine = sin(w / 2)
    func factor(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      hypot((c0 + c1 + c2) - 2 * (c0 + c2) * halfSine * halfSine, (c0 - c2) * sin(w))
    }
    return factor(b0, b1, b2) / factor(1, a1, a2)
  }
}
