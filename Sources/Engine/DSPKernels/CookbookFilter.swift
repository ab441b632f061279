// Filter designs of the Audio EQ Cookbook (R. Bristow-Johnson; W3C note "Audio EQ Cookbook"), in Double.
// Called when a parameter changes or on the grid of a ramp, never per frame; it neither allocates nor fails.
// Which unit takes which design is the project's own choice: reference "Definitions", Filters.

import Glibc

/// Second-order sections by their meaning. All functions take the centre, corner or midpoint frequency in hertz and the
/// sample rate in hertz (above 0).
///
/// Any finite value gives a section that does not run away, for units keep parameters as they were given: what lies
/// outside is clamped to ``highestFrequency(sampleRate:)`` and 1e-6 × the sample rate, to a width above 0 and an alpha
/// of 1e-12 to 1e100, and to gains of ±120 dB. All of it is wider than what any unit's table allows.
public enum CookbookFilter {
  /// The width, from which the cookbook's alpha follows.
  public enum Width: Hashable, Sendable {
    /// alpha = sin w0 / (2 Q); Q above 0.
    case q(Double)
    /// alpha = sin w0 · sinh(ln 2 / 2 · B · w0 / sin w0); B in octaves, above 0: between −3 dB points for band-pass and
    /// notch, between midpoint gains for peaking.
    case bandwidthOctaves(Double)
    /// alpha = sin w0 / √2: a shelf as steep as it can be without a bump.
    case shelfSlope1

    /// Q = 1 / (2 sinh(ln 2 / 2 · B)), for the "resonant" types whose width is given in octaves.
    public static func q(fromBandwidthOctaves octaves: Double) -> Width {
      .q(1 / (2 * sinh(M_LN2 / 2 * max(octaves, CookbookFilter.smallestWidth))))
    }
  }

  /// 0.49 × the sample rate: no design goes above.
  public static func highestFrequency(sampleRate: Double) -> Double { 0.49 * sampleRate }
  /// 10⁻⁶ × the sample rate: below it the poles lie so close to 1 that Double cannot tell them from it.
  public static func lowestFrequency(sampleRate: Double) -> Double { 1e-6 * sampleRate }
  /// The largest gain or loss of a section, in dB.
  public static let largestGainDecibels = 120.0
  private static let smallestWidth = 1e-9

  /// A bell: `gainDecibels` at the frequency, 0 dB far away.
  public static func peaking(
    atHertz hertz: Double, sampleRate: Double, width: Width, gainDecibels: Double
  ) -> BiquadCoefficients {
    let p = Prototype(hertz, sampleRate, width)
    let a = amplitude(gainDecibels)
    return section(
      b0: 1 + p.alpha * a, b1: -2 * p.cosine, b2: 1 - p.alpha * a,
      a0: 1 + p.alpha / a, a1: -2 * p.cosine, a2: 1 - p.alpha / a)
  }

  /// 0 dB below the frequency, −12 dB per octave above; Q (linear) is the gain at it.
  public static func lowPass(atHertz hertz: Double, sampleRate: Double, width: Width) -> BiquadCoefficients {
    let p = Prototype(hertz, sampleRate, width)
    return p.section(b0: p.versine / 2, b1: p.versine, b2: p.versine / 2)
  }

  /// 0 dB above the frequency, −12 dB per octave below; Q (linear) is the gain at it.
  public static func highPass(atHertz hertz: Double, sampleRate: Double, width: Width) -> BiquadCoefficients {
    let p = Prototype(hertz, sampleRate, width)
    return p.section(b0: p.vercosine / 2, b1: -p.vercosine, b2: p.vercosine / 2)
  }

  /// 0 dB at the frequency, falling on both sides.
  public static func bandPass(atHertz hertz: Double, sampleRate: Double, width: Width) -> BiquadCoefficients {
    let p = Prototype(hertz, sampleRate, width)
    return p.section(b0: p.alpha, b1: 0, b2: -p.alpha)
  }

  /// Nothing at the frequency, 0 dB far away.
  public static func notch(atHertz hertz: Double, sampleRate: Double, width: Width) -> BiquadCoefficients {
    let p = Prototype(hertz, sampleRate, width)
    return p.section(b0: 1, b1: -2 * p.cosine, b2: 1)
  }

  /// `gainDecibels` below the frequency, half of it at it, 0 dB above.
  public static func lowShelf(
    atHertz hertz: Double, sampleRate: Double, width: Width, gainDecibels: Double
  ) -> BiquadCoefficients {
    let (near, far, a) = shelf(hertz, sampleRate, width, gainDecibels)
    return section(
      b0: a * near.0, b1: 2 * a * near.1, b2: a * near.2, a0: far.0, a1: -2 * far.1, a2: far.2)
  }

  /// `gainDecibels` above the frequency, half of it at it, 0 dB below.
  public static func highShelf(
    atHertz hertz: Double, sampleRate: Double, width: Width, gainDecibels: Double
  ) -> BiquadCoefficients {
    let (near, far, a) = shelf(hertz, sampleRate, width, gainDecibels)
    return section(
      b0: a * far.0, b1: -2 * a * far.1, b2: a * far.2, a0: near.0, a1: 2 * near.1, a2: near.2)
  }

  /// The two polynomials that both shelves are quotients of, and the cookbook's A. Their middle terms come without the
  /// 2.
  private static func shelf(
    _ hertz: Double, _ sampleRate: Double, _ width: Width, _ gainDecibels: Double
  ) -> (near: (Double, Double, Double), far: (Double, Double, Double), a: Double) {
    let p = Prototype(hertz, sampleRate, width)
    let a = amplitude(gainDecibels)
    let v = p.versine
    let slope = 2 * a.squareRoot() * p.alpha
    return (
      (2 + (a - 1) * v + slope, (a + 1) * v - 2, 2 + (a - 1) * v - slope),
      (2 * a - (a - 1) * v + slope, 2 * a - (a + 1) * v, 2 * a - (a - 1) * v - slope), a
    )
  }

  /// The cookbook's A: the square root of the linear gain.
  private static func amplitude(_ decibels: Double) -> Double {
    pow(10, min(largestGainDecibels, max(-largestGainDecibels, decibels)) / 40)
  }

  private static func section(
    b0: Double, b1: Double, b2: Double, a0: Double, a1: Double, a2: Double
  ) -> BiquadCoefficients {
    BiquadCoefficients(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
  }

  /// The first step of every design. The only place where frequencies and widths are clamped.
  private struct Prototype {
    let cosine: Double
    /// 1 − cos w0 as 2·sin²(w0/2): at 20 Hz and 192 kHz the difference would keep nine digits of sixteen.
    let versine: Double
    /// 1 + cos w0 as 2·cos²(w0/2), for the same reason at the upper end.
    let vercosine: Double
    let alpha: Double

    init(_ hertz: Double, _ sampleRate: Double, _ width: Width) {
      precondition(sampleRate > 0)
      let bounded = max(
        CookbookFilter.lowestFrequency(sampleRate: sampleRate),
        min(hertz, CookbookFilter.highestFrequency(sampleRate: sampleRate)))
      let w0 = 2 * Double.pi * bounded / sampleRate
      let sine = sin(w0)
      let halfSine = sin(w0 / 2)
      let halfCosine = cos(w0 / 2)
      cosine = cos(w0)
      versine = 2 * halfSine * halfSine
      vercosine = 2 * halfCosine * halfCosine
      let wished =
        switch width {
        case .q(let q): sine / (2 * max(q, CookbookFilter.smallestWidth))
        case .bandwidthOctaves(let octaves):
          sine * sinh(M_LN2 / 2 * max(octaves, CookbookFilter.smallestWidth) * w0 / sine)
        case .shelfSlope1: sine * 0.5.squareRoot()
        }
      alpha = min(1e100, max(1e-12, wished))
    }

    /// The designs without gain share their poles.
    func section(b0: Double, b1: Double, b2: Double) -> BiquadCoefficients {
      CookbookFilter.section(b0: b0, b1: b1, b2: b2, a0: 1 + alpha, a1: -2 * cosine, a2: 1 - alpha)
    }
  }
}
