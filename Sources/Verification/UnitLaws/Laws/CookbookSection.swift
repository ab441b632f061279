import Glibc

/// A section of second order of the Audio EQ Cookbook, by its formulas as they are published.
struct CookbookSection {
  var b: (Double, Double, Double)
  var a: (Double, Double, Double)

  enum Width {
    case q(Double)
    /// Between −3 dB points of band-pass and notch, between midpoints of a bell; octaves.
    case octaves(Double)
    /// A shelf of slope 1.
    case slopeOne
  }

  private struct Basis {
    let cosine: Double
    let alpha: Double
    /// The denominator of a section without a gain.
    var poles: (Double, Double, Double) { (1 + alpha, -2 * cosine, 1 - alpha) }

    /// Frequencies lie at most at 0.49 of the rate.
    init(_ hertz: Double, _ width: Width, _ rate: Double) {
      let w = 2 * Double.pi * min(hertz, 0.49 * rate) / rate
      cosine = cos(w)
      switch width {
      case .q(let q): alpha = sin(w) / (2 * q)
      case .octaves(let octaves): alpha = sin(w) * sinh(log(2) / 2 * octaves * w / sin(w))
      case .slopeOne: alpha = sin(w) / 2 * sqrt(2)
      }
    }
  }

  /// Q of a width in octaves, without the warping of frequencies.
  static func q(octaves: Double) -> Double { 1 / (2 * sinh(log(2) / 2 * octaves)) }

  static func lowPass(_ hertz: Double, _ width: Width, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    let edge = 1 - basis.cosine
    return CookbookSection(
      b: (edge / 2, edge, edge / 2), a: basis.poles)
  }

  static func highPass(_ hertz: Double, _ width: Width, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    let edge = 1 + basis.cosine
    return CookbookSection(
      b: (edge / 2, -edge, edge / 2), a: basis.poles)
  }

  /// 0 dB at the centre.
  static func bandPass(_ hertz: Double, _ width: Width, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    return CookbookSection(
      b: (basis.alpha, 0, -basis.alpha), a: basis.poles)
  }

  static func notch(_ hertz: Double, _ width: Width, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    return CookbookSection(b: (1, -2 * basis.cosine, 1), a: basis.poles)
  }

  static func peaking(_ hertz: Double, _ width: Width, gain decibels: Double, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    let gain = pow(10, decibels / 40)
    return CookbookSection(
      b: (1 + basis.alpha * gain, -2 * basis.cosine, 1 - basis.alpha * gain),
      a: (1 + basis.alpha / gain, -2 * basis.cosine, 1 - basis.alpha / gain))
  }

  static func lowShelf(_ hertz: Double, _ width: Width, gain decibels: Double, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    let gain = pow(10, decibels / 40)
    let (c, root) = (basis.cosine, 2 * sqrt(gain) * basis.alpha)
    return CookbookSection(
      b: (
        gain * ((gain + 1) - (gain - 1) * c + root), 2 * gain * ((gain - 1) - (gain + 1) * c),
        gain * ((gain + 1) - (gain - 1) * c - root)
      ),
      a: ((gain + 1) + (gain - 1) * c + root, -2 * ((gain - 1) + (gain + 1) * c), (gain + 1) + (gain - 1) * c - root))
  }

  static func highShelf(_ hertz: Double, _ width: Width, gain decibels: Double, _ rate: Double) -> CookbookSection {
    let basis = Basis(hertz, width, rate)
    let gain = pow(10, decibels / 40)
    let (c, root) = (basis.cosine, 2 * sqrt(gain) * basis.alpha)
    return CookbookSection(
      b: (
        gain * ((gain + 1) + (gain - 1) * c + root), -2 * gain * ((gain - 1) + (gain + 1) * c),
        gain * ((gain + 1) + (gain - 1) * c - root)
      ),
      a: ((gain + 1) - (gain - 1) * c + root, 2 * ((gain - 1) - (gain + 1) * c), (gain + 1) - (gain - 1) * c - root))
  }
}

/// The state of a section, transposed direct form II.
struct SectionState {
  private var first = 0.0
  private var second = 0.0

  mutating func output(_ x: Double, _ section: CookbookSection) -> Double {
    let (b, a) = (section.b, section.a)
    let y = b.0 / a.0 * x + first
    first = b.1 / a.0 * x - a.1 / a.0 * y + second
    second = b.2 / a.0 * x - a.2 / a.0 * y
    return y
  }
}
