import Glibc

/// A complex number, laid out as FFTW and C lay it out: real part, imaginary part.
@frozen public struct Complex: Hashable, Sendable {
  /// In bin k of a transform: Σ x[n]·cos(2πkn/N).
  public var real: Double
  /// In bin k of a transform: −Σ x[n]·sin(2πkn/N).
  public var imaginary: Double

  /// `real` + i·`imaginary`; a real number unless the second is given.
  public init(_ real: Double, _ imaginary: Double = 0) {
    self.real = real
    self.imaginary = imaginary
  }

  /// Makes a number from a magnitude and an angle in radians.
  public init(magnitude: Double, phase: Double) {
    self.init(magnitude * cos(phase), magnitude * sin(phase))
  }

  /// re² + im²: a power, without the root of ``magnitude``.
  public var squaredMagnitude: Double { real * real + imaginary * imaginary }
  /// √(re² + im²), without overflow on the way.
  public var magnitude: Double { hypot(real, imaginary) }
  /// Radians, −π ... π.
  public var phase: Double { atan2(imaginary, real) }
  /// The number with the same magnitude and the opposite phase.
  public var conjugate: Complex { Complex(real, -imaginary) }

  public static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
  public static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
  /// (ac − bd) + i·(ad + bc); infinite parts are not treated apart.
  public static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
  /// Both parts times `b`.
  public static func * (a: Complex, b: Double) -> Complex { Complex(a.real * b, a.imaginary * b) }
  /// Both parts over `b`; not finite where `b` is 0.
  public static func / (a: Complex, b: Double) -> Complex { Complex(a.real / b, a.imaginary / b) }
  /// A quotient; not a number where `b` is 0.
  public static func / (a: Complex, b: Complex) -> Complex { a * b.conjugate / b.squaredMagnitude }
  public static func += (a: inout Complex, b: Complex) { a = a + b }
}
