import AudioCore
import Glibc

/// A window for spectra: periodic (DFT-even), its largest value 1.
public enum Window: Hashable, Sendable {
  case rectangular
  /// 0.5 − 0.5·cos: the usual one for Welch spectra of sound.
  case hann
  /// Four terms, side lobes at −92 dB (Harris 1978).
  case blackmanHarris
  /// Seven terms, side lobes at −180 dB (Albrecht 2001): for tones beside which very little is looked for.
  case blackmanHarris7
  /// Five terms of ISO 18431-2: a tone between two bins reads within 0.01 dB of its level.
  case flatTop
  /// Kaiser's, by its β: more is broader with lower side lobes.
  case kaiser(beta: Double)

  /// The window's values.
  public func samples(_ count: Int) -> [Double] {
    precondition(count > 0)
    if case .kaiser(let beta) = self {
      let scale = Self.bessel0(beta)
      return (0..<count).map { index in
        let x = 2 * Double(index) / Double(count) - 1
        return Self.bessel0(beta * max(0, 1 - x * x).squareRoot()) / scale
      }
    }
    let terms = cosineTerms
    return (0..<count).map { index in
      var sum = 0.0
      for (order, term) in terms.enumerated() {
        sum += term * cos(2 * Double.pi * Double(order * index % count) / Double(count))
      }
      return sum
    }
  }

  /// Bins from the middle of a tone's main lobe to its edge.
  public var mainLobeHalfWidth: Int {
    switch self {
    case .kaiser(let beta): Int(clamping: (1 + (beta / .pi) * (beta / .pi)).squareRoot().rounded(.up))
    default: cosineTerms.count
    }
  }

  /// a₀ + a₁·cos(2πn/N) + …; signs included.
  package var cosineTerms: [Double] {
    switch self {
    case .rectangular: [1]
    case .hann: [0.5, -0.5]
    case .blackmanHarris: [0.35875, -0.48829, 0.14128, -0.01168]
    case .blackmanHarris7:
      [
        0.27105140069342, -0.43329793923448, 0.21812299954311, -0.06592544638803, 0.01081174209837, -0.00077658482522,
        0.00001388721735,
      ]
    case .flatTop: [0.2155789, -0.4166316, 0.2772632, -0.0835790, 0.0069474]
    case .kaiser: []
    }
  }

  /// The modified Bessel function of the first kind and order 0, by its series.
  private static func bessel0(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    var order = 1.0
    while term > sum * 1e-17 {
      term *= (x / 2 / order) * (x / 2 / order)
      sum += term
      order += 1
    }
    return sum
  }
}
