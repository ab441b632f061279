import TestSupport
import Testing

@Suite("Tests are found by the name of what they test")
struct TestNameTests {
  /// Units that are tested through their base class, or beside another unit of one file.
  private static let unitsTestedAs = [
    "LowPassFilter": "FilterEffect", "HighPassFilter": "FilterEffect", "BandPassFilter": "FilterEffect",
    "LowShelfFilter": "FilterEffect", "HighShelfFilter": "FilterEffect", "ParametricEQ": "FilterEffect",
    "NewTimePitch": "TimePitch",
  ]

  /// Files of the render path that are tested through what uses them: the tests that would fail first.
  private static let renderFilesTestedAs = [
    "BranchBuffer": "BranchThreads", "BranchList": "BranchThreads", "BusMemory": "UnitMemory", "CellRamp": "Delay",
    "FlushToZero": "BenchWatch", "FrameStream": "FilePlayer", "NodeMeter": "Bench", "NodeState": "RenderNode",
    "ParameterCourses": "ParameterSchedule", "Processor": "UnitState", "ReadAhead": "FilePlayer",
    "RenderCallback": "InputSlot", "SlabPool": "UnitMemory",
    "HostCall": "TimeStamp", "HostState": "InterfaceEquality", "InputFeed": "InputSource",
    "NodeState+Silence": "RenderSilence", "NodeState+Wire": "Wire", "RenderClock": "TimeStamp",
    "RenderDomain": "AUGraphUpdate", "SharedValue": "AUGraphUpdate", "WiredBranches": "Wire",
  ]

  private static func tests() throws -> [Substring] {
    try Repository.files(below: "Tests", suffix: "Tests.swift").compactMap { $0.split(separator: "/").last }
  }

  private static func types(in file: String, _ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
    Set(try Repository.text(file).matches(of: pattern).map { String($0.output.1) })
  }

  private func expectTests(of names: Set<String>, testedAs others: [String: String]) throws {
    let tests = try Self.tests()
    for name in names.sorted() {
      let wanted = others[name] ?? String(name.prefix { $0 != "+" })
      #expect(tests.contains { $0.hasPrefix(wanted) }, "no file \(wanted)…Tests.swift tests \(name)")
    }
    #expect(Set(others.keys).isSubset(of: names), "what is listed is there")
  }

  @Test("every unit and every check has a test file whose name begins with its type's")
  func unitsAndChecks() throws {
    let units = try Self.types(
      in: "Sources/Engine/BuiltInUnits/ComponentRegistry+BuiltIn.swift", /(\w+)\.(?:c|legacyC)omponent\b/)
    let checks = try Self.types(
      in: "Sources/Verification/Verification/Checks/CheckReader.swift", /CheckType\((\w+)\.self\)/)
    #expect(units.count >= 32 && checks.count >= 12)
    try expectTests(of: units.union(checks).union(["DeviceOutput"]), testedAs: Self.unitsTestedAs)
  }

  @Test("every file of the render path has one too, or it is said which tests would fail first")
  func renderPath() throws {
    let files = try ["AudioEngine/Render", "AudioEngine/HostRender", "RenderGraph"].flatMap {
      try Repository.files(below: "Sources/Engine/\($0)", suffix: ".swift")
    }
    let names = files.compactMap { $0.split(separator: "/").last?.dropLast(6) }.map(String.init)
    #expect(names.count >= 30)
    try expectTests(of: Set(names), testedAs: Self.renderFilesTestedAs)
  }
}
