import Glibc

/// The magnitude of a chain of second-order sections, by another way than a unit renders them: the analogue prototypes
/// of the Audio EQ Cookbook at s = i·tan(ω/2)/tan(ω₀/2), which the bilinear transform makes of z = e^(iω). No
/// coefficients are made.
public struct AnalogResponse: Sendable {
  /// c₀ + c₁·s + c₂·s² above and below the line.
  private struct Section {
    let hertz: Double
    let above: (Double, Double, Double)
    let below: (Double, Double, Double)
  }

  /// The width of a section.
  public enum Width: Sendable {
    /// 1/Q.
    case damping(Double)
    /// Between half-gain points, kept by the transform: 1/Q = 2·sinh(ln 2/2 · B · ω₀/sin ω₀).
    case octaves(Double)
  }

  private let sampleRate: Double
  private var sections: [Section] = []
  /// A gain of all frequencies, beside the sections.
  public var gainDecibels = 0.0

  /// Flat at 0 dB until sections are added.
  /// - Parameter sampleRate: hertz.
  public init(sampleRate: Double) { self.sampleRate = sampleRate }

  // Frequencies are clamped to 0.49 of the rate, as the units do.
  private func centre(_ hertz: Double) -> Double { min(hertz, 0.49 * sampleRate) }

  private func damping(_ width: Width, _ hertz: Double) -> Double {
    switch width {
    case .damping(let damping): return damping
    case .octaves(let octaves):
      let omega = 2 * Double.pi * centre(hertz) / sampleRate
      return 2 * sinh(M_LN2 / 2 * octaves * omega / sin(omega))
    }
  }

  private mutating func add(
    _ hertz: Double, _ above: (Double, Double, Double), over below: (Double, Double, Double)
  ) {
    sections.append(Section(hertz: centre(hertz), above: above, below: below))
  }

  /// Adds 1 / (1 + d·s + s²), d = 1/Q: falls by 12 dB per octave above `hertz`.
  public mutating func lowPass(_ hertz: Double, _ width: Width) {
    add(hertz, (1, 0, 0), over: (1, damping(width, hertz), 1))
  }

  /// Adds s² / (1 + d·s + s²), d = 1/Q: falls by 12 dB per octave below `hertz`.
  public mutating func highPass(_ hertz: Double, _ width: Width) {
    add(hertz, (0, 0, 1), over: (1, damping(width, hertz), 1))
  }

  /// 0 dB at the centre.
  public mutating func bandPass(_ hertz: Double, _ width: Width) {
    let damping = damping(width, hertz)
    add(hertz, (0, damping, 0), over: (1, damping, 1))
  }

  /// Adds (1 + s²) / (1 + d·s + s²), d = 1/Q: nothing at `hertz`, 0 dB far away.
  public mutating func notch(_ hertz: Double, _ width: Width) {
    add(hertz, (1, 0, 1), over: (1, damping(width, hertz), 1))
  }

  /// Adds (1 + d·a·s + s²) / (1 + d/a·s + s²), d = 1/Q, a = 10^(gain/40): the gain at `hertz`, 0 dB far away.
  public mutating func peaking(_ hertz: Double, _ width: Width, gainDecibels: Double) {
    let (damping, a) = (damping(width, hertz), pow(10, gainDecibels / 40))
    add(hertz, (1, damping * a, 1), over: (1, damping / a, 1))
  }

  /// Adds a·(a + √a·d·s + s²) / (1 + √a·d·s + a·s²), d = 1/Q, a = 10^(gain/40): the gain far below `hertz`, half of its
  /// decibels at `hertz`, 0 dB far above.
  public mutating func lowShelf(_ hertz: Double, _ width: Width, gainDecibels: Double) {
    let (damping, a) = (damping(width, hertz), pow(10, gainDecibels / 40))
    let middle = a.squareRoot() * damping
    add(hertz, (a * a, a * middle, a), over: (1, middle, a))
  }

  /// Adds a·(1 + √a·d·s + a·s²) / (a + √a·d·s + s²), d = 1/Q, a = 10^(gain/40): the gain far above `hertz`, half of its
  /// decibels at `hertz`, 0 dB far below.
  public mutating func highShelf(_ hertz: Double, _ width: Width, gainDecibels: Double) {
    let (damping, a) = (damping(width, hertz), pow(10, gainDecibels / 40))
    let middle = a.squareRoot() * damping
    add(hertz, (a, a * middle, a * a), over: (a, middle, 1))
  }

  /// The magnitude in dB; nil above half the rate.
  public func magnitudeDecibels(atHertz hertz: Double) -> Double? {
    guard hertz > 0, hertz < sampleRate / 2 else { return nil }
    return sections.reduce(gainDecibels) { decibels, section in
      let x = tan(.pi * hertz / sampleRate) / tan(.pi * section.hertz / sampleRate)
      // At s = i·x: s² = −x².
      func power(_ c: (Double, Double, Double)) -> Double {
        let (real, imaginary) = (c.0 - c.2 * x * x, c.1 * x)
        return real * real + imaginary * imaginary
      }
      return decibels + 10 * log10(power(section.above) / power(section.below))
    }
  }
}
