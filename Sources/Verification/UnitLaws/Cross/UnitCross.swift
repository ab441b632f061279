import Glibc

/// The cross of units with what surrounds them, for suites.
public enum UnitCross {
  /// Units that can be crossed.
  public static var units: [String] { UnitLawList.all.map { $0.unit }.filter { $0 != GenericOutputLaw.unit } }

  /// A case of a suite as JSON has it: the same for a unit and a seed on every machine. Nil for a unit without a law.
  public static func testCase(unit: String, seed: Int) -> LawValue? {
    UnitLawList.law(of: unit).map { CrossDraw.testCase($0, seed: seed) }
  }
}

func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
