import AudioCore
import Glibc

/// Frequencies at which curves are read.
public enum FrequencyGrid {
  /// Points with equal ratios from `lowHertz` to `highHertz`, both among them exactly.
  ///
  /// - Parameter count: 2 or more; `lowHertz` above 0, below `highHertz`.
  public static func logarithmic(from lowHertz: Double, to highHertz: Double, count: Int) -> [Double] {
    precondition(lowHertz > 0 && lowHertz < highHertz && count >= 2)
    let octaves = log2(highHertz / lowHertz)
    return (0..<count).map { index in
      switch index {
      case 0: lowHertz
      case count - 1: highHertz
      default: lowHertz * exp2(octaves * Double(index) / Double(count - 1))
      }
    }
  }

  /// Points with equal ratios from `lowHertz` to `highHertz`, at least `perOctave` in each octave.
  public static func logarithmic(from lowHertz: Double, to highHertz: Double, perOctave: Double) -> [Double] {
    precondition(lowHertz > 0 && lowHertz < highHertz && perOctave > 0)
    let steps = (log2(highHertz / lowHertz) * perOctave - 1e-9).rounded(.up)
    return logarithmic(from: lowHertz, to: highHertz, count: max(1, Int(clamping: steps)) + 1)
  }

  /// One band of a filter bank by fractions of an octave.
  public struct Band: Hashable, Sendable {
    /// The exact middle in Hertz, from which the edges follow.
    public let centreHertz: Double
    /// The lower edge in Hertz: the centre ÷ 10^(1/20).
    public let lowHertz: Double
    /// The upper edge in Hertz: the centre × 10^(1/20), where the next band begins.
    public let highHertz: Double
    /// The middle as it is named: 31.5, 1000, 12500.
    public let nominalHertz: Double
  }

  /// The third-octave bands of IEC 61260-1:2014 with base 10 whose exact middles lie within a range: middles
  /// 1000·G^(x/3), edges G^(±1/6) from them, G = 10^(3/10).
  public static func thirdOctaves(_ rangeHertz: ClosedRange<Double> = 19...21_000) -> [Band] {
    precondition(rangeHertz.lowerBound > 0)
    // G^(x/3) = 10^(x/10).
    let first = Int(clamping: (10 * log10(rangeHertz.lowerBound / 1_000) - 1e-9).rounded(.up))
    let last = Int(clamping: (10 * log10(rangeHertz.upperBound / 1_000) + 1e-9).rounded(.down))
    guard first <= last else { return [] }
    return (first...last).map { step in
      let centre = 1_000 * pow(10, Double(step) / 10)
      return Band(
        centreHertz: centre, lowHertz: centre * pow(10, -0.05), highHertz: centre * pow(10, 0.05),
        nominalHertz: nominal(step))
    }
  }

  /// The names of the middles (IEC 61260-1, table E.1), in each decade alike.
  private static func nominal(_ step: Int) -> Double {
    let names = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8]
    let (decade, index) = (Int(clamping: (Double(step) / 10).rounded(.down)), ((step % 10) + 10) % 10)
    // Division by a power of ten is exact where multiplication by its inverse is not.
    return decade >= -3 ? names[index] * pow(10, Double(decade + 3)) : names[index] / pow(10, Double(-decade - 3))
  }
}
