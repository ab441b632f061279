import Glibc

/// A complex number, for what tests compute of responses.
struct Complex {
  var re = 0.0
  var im = 0.0
  var magnitude: Double { (re * re + im * im).squareRoot() }
  static func / (a: Complex, b: Complex) -> Complex {
    let square = b.re * b.re + b.im * b.im
    return Complex(re: (a.re * b.re + a.im * b.im) / square, im: (a.im * b.re - a.re * b.im) / square)
  }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
  }
  static func - (a: Complex, b: Complex) -> Complex { Complex(re: a.re - b.re, im: a.im - b.im) }

  /// The Fourier transform of a signal at one frequency, term by term.
  static func spectrum(_ samples: [Float], at hertz: Double, sampleRate: Double) -> Complex {
    var sum = Complex()
    for (frame, sample) in samples.enumerated() {
      let angle = -2 * Double.pi * hertz * Double(frame) / sampleRate
      sum.re += Double(sample) * cos(angle)
      sum.im += Double(sample) * sin(angle)
    }
    return sum
  }
}
