import AudioEngine
import BuiltInUnits
import Foundation
import Measurement
import TestSupport
import Testing
import VerificationTesting

@Suite("Examples of the documentation")
struct DocumentationExampleTests {
  /// An example in the comment of a type.
  private struct Example {
    let type: String
    let language: String
    let lines: [String]
  }

  private static let examples: [Example] = {
    var found: [Example] = []
    for file in (try? Repository.files(below: "Sources", suffix: ".swift")) ?? [] {
      guard let text = try? Repository.text(file), text.contains("/// ```") else { continue }
      var comment: [String] = []
      for line in text.split(separator: "\n") {
        if line.hasPrefix("///") {
          comment.append(String(line.dropFirst(4)))
        } else {
          if let type = line.firstMatch(of: /^(?:\w+ )*(?:class|struct|enum|protocol) (\w+)/)?.output.1 {
            found += examples(String(type), comment)
          }
          comment = []
        }
      }
    }
    return found.sorted { $0.type < $1.type }
  }()

  private static func examples(_ type: String, _ comment: [String]) -> [Example] {
    comment.indices.filter { comment[$0].hasPrefix("```") && comment[$0].count > 3 }.map { start in
      Example(
        type: type, language: String(comment[start].dropFirst(3)),
        lines: Array(comment[(start + 1)...].prefix { $0 != "```" }))
    }
  }

  private func expectExample(of type: String, in language: String) {
    let found = Self.examples.filter { $0.type == type && $0.language == language }
    #expect(!found.isEmpty, "the comment of \(type) has no example in \(language)")
    for example in found { #expect((3...10).contains(example.lines.count), "\(type): 3 to 10 lines") }
  }

  /// The types of these files that conform to one of the protocols.
  private func types(below folder: String, conformingTo protocols: String) throws -> [String] {
    let pattern = try Regex(#"(?:struct|class) (\w+): (?:\#(protocols))\b"#)
    return try Repository.files(below: folder, suffix: ".swift").flatMap { file in
      try Repository.text(file).matches(of: pattern).compactMap { $0.output[1].substring.map(String.init) }
    }
  }

  @Test("Every unit has one")
  func units() {
    let components = [ComponentRegistry.builtIn, .hosted, .scriptedOutputs, .devices].flatMap(\.components)
    for type in Set(components.map { String(describing: type(of: $0.make())) }) {
      expectExample(of: type, in: "swift")
    }
  }

  @Test("Every measurement has one")
  func measurements() throws {
    let files = try Repository.files(below: "Sources/Analysis/Measurement", suffix: ".swift")
    let types = try files.flatMap { file in
      try Repository.text(file).matches(
        of: /\/\/\/ ``(\w+)``.*\n(?:  \/\/\/.*\n)*  public static let \w+ = MeasurementKind\(/
      ).map { String($0.output.1) }
    }
    #expect(types.count == MeasurementKind.allCases.count, "the comment of a kind begins with its measurement")
    for type in types { expectExample(of: type, in: "swift") }
  }

  @Test("Every comparator and every check has one")
  func checks() throws {
    let comparators = try types(
      below: "Sources/Verification/Verification/Comparison", conformingTo: "SignalComparator|StreamingComparator")
    #expect(comparators.count == ComparatorKind.all.count)
    for type in comparators { expectExample(of: type, in: "swift") }
    let checks = try types(below: "Sources/Verification/Verification/Checks", conformingTo: "SuiteCheck")
    #expect(checks.count == CheckReader.kinds.count)
    for type in checks { expectExample(of: type, in: "json") }
  }

  @Test("Those in Swift are the functions of the target DocumentationTests, which compiles and runs them")
  func areCompiled() throws {
    var lines = [
      "// The examples of the documentation, as a user would compile them: the target sees no `package` declarations.",
      "// Made of the comments in Sources by `make held PART=tests`; DocumentationExampleTests compares the two.", "",
    ]
    let modules = [
      "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "DeviceUnits", "Foundation", "GraphMeasurement",
      "Hardware", "Measurement", "RenderGraph", "Testing", "Verification", "VerificationTesting",
    ]
    lines += modules.map { "import \($0)" }
    lines += ["", "@Suite(\"Examples of the documentation\")", "struct DocumentationExamples {"]
    for example in Self.examples where example.language == "swift" {
      if lines.last == "  }" { lines.append("") }
      lines.append("  @Test func \(example.type.prefix(1).lowercased())\(example.type.dropFirst())() throws {")
      lines += example.lines.map { $0.isEmpty ? "" : "    \($0)" } + ["  }"]
    }
    let made = lines.joined(separator: "\n") + "\n}\n"
    let file = "Tests/Verification/DocumentationTests/DocumentationExamples.swift"
    if HeldText.isMadeAnew {
      try made.write(toFile: "\(Repository.path)/\(file)", atomically: true, encoding: .utf8)
    } else {
      #expect(try Repository.text(file) == made, "make held PART=tests")
    }
  }

  @Test("Those of checks are cases that pass")
  func casesPass() throws {
    let folder = try SuiteFolder()
    let cases = Self.examples.filter { $0.language == "json" }.map { $0.lines.joined(separator: "\n") }
    try folder.write(#"{"version": 1, "cases": [\#(cases.joined(separator: ","))]}"#, "suite.json")
    let suite = try SuiteFile(path: folder.file("suite.json"))
    #expect(suite.cases.count > CheckReader.kinds.count - 1)
    for (index, testCase) in suite.cases.enumerated() {
      #expect(cases[index].contains(#""check": "\#(testCase.name)""#) || testCase.name == "finite")
      var runner = CaseRunner()
      if testCase.name == "golden" {
        runner.policy = GoldenPolicy(.missing, reason: "an example")
        _ = runner.run(testCase, of: suite)
        runner.policy = GoldenPolicy()
      }
      let outcome = runner.run(testCase, of: suite)
      #expect(outcome.verdict.isGood, "\(testCase.name): \(outcome)")
    }
  }

  @Test("No other example is written in the sources")
  func allAreFound() throws {
    let count = try Repository.files(below: "Sources", suffix: ".swift").reduce(0) { count, file in
      count + (try Repository.text(file).matches(of: /\/\/\/ ```[a-z]+\n/).count)
    }
    #expect(count == Self.examples.count)
  }
}
