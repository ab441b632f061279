import TestSupport
import Testing

@Suite("Tests are found by the name of what they test")
struct TestNameTests {
  /// What is tested by its base class, or beside another unit in one file.
  private static let testedAs = [
    "LowPassFilter": "FilterEffect", "HighPassFilter": "FilterEffect", "BandPassFilter": "FilterEffect",
    "LowShelfFilter": "FilterEffect", "HighShelfFilter": "FilterEffect", "ParametricEQ": "FilterEffect",
    "NewTimePitch": "TimePitch",
  ]

  private static func types(in file: String, _ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
    Set(try Repository.text(file).matches(of: pattern).map { String($0.output.1) })
  }

  @Test("every unit and every check has a test file whose name begins with its type's")
  func unitsAndChecks() throws {
    let units = try Self.types(
      in: "Sources/Engine/BuiltInUnits/ComponentRegistry+BuiltIn.swift", /(\w+)\.(?:c|legacyC)omponent\b/)
    let checks = try Self.types(
      in: "Sources/Verification/Verification/Checks/CheckReader.swift", /CheckType\((\w+)\.self\)/)
    #expect(units.count >= 32 && checks.count >= 12)
    let tests = try Repository.files(below: "Tests", suffix: "Tests.swift").compactMap { $0.split(separator: "/").last }
    for type in units.union(checks).union(["DeviceOutput"]).sorted() {
      let name = Self.testedAs[type] ?? type
      #expect(tests.contains { $0.hasPrefix(name) }, "no file \(name)….swift tests \(type)")
    }
    #expect(Set(Self.testedAs.keys).isSubset(of: units))
  }
}
