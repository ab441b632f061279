import Glibc

/// A complex number, laid out as FFTW and C lay it out: real part, imaginary part.
@frozen public struct Complex: Hashable, Sendable {
  public var real: Double
  public var imaginary: Double

  public init(_ real: Double, _ imaginary: Double = 0) {
    self.real = real
    self.imaginary = imaginary
  }

  /// Of a magnitude and an angle in radians.
  public init(magnitude: Double, phase: Double) {
    self.init(magnitude * cos(phase), magnitude * sin(phase))
  }

  public var squaredMagnitude: Double { real * real + imaginary * imaginary }
  public var magnitude: Double { hypot(real, imaginary) }
  /// Radians, −π ... π.
  public var phase: Double { atan2(imaginary, real) }
  public var conjugate: Complex { Complex(real, -imaginary) }

  public static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
  public static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
  public static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
  public static func * (a: Complex, b: Double) -> Complex { Complex(a.real * b, a.imaginary * b) }
  public static func / (a: Complex, b: Double) -> Complex { Complex(a.real / b, a.imaginary / b) }
  /// A quotient; not a number where `b` is 0.
  public static func / (a: Complex, b: Complex) -> Complex { a * b.conjugate / b.squaredMagnitude }
  public static func += (a: inout Complex, b: Complex) { a = a + b }
}
