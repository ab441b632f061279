import AudioCore
import Measurement
import TestSupport
import Testing
import Verification

@Suite("Units are held to their laws")
struct LawCheckTests {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  private func outcome(_ device: String, _ check: String = #"{"check": "law"}"#) throws -> CaseOutcome {
    let suite = try folder.suite(caseText("a", device, checks: check))
    return CaseRunner().run(suite.cases[0], of: suite)
  }

  @Test("A filter is its law, in slices of any length and through edits")
  func holds() throws {
    let device = #"{"unit": "parametricEQ", "set": {"gain": 9}, "edits": [{"frame": 500, "reset": true}], "tail": 100}"#
    let outcome = try outcome(device, #"{"check": "law", "slices": [1, 37, 500]}"#)
    #expect(outcome.verdict == .passed, "\(outcome)")
    #expect(outcome.checks[0].examined?.renders == 2)
  }

  @Test("A law that is not kept to the limit fails, with the place and a device that has nothing more to leave out")
  func fails() throws {
    // No float comes so near to a law in double precision.
    let device =
      #"{"unit": "delay", "set": {"delayTime": 0.001, "feedback": 90}, "edits": [{"frame": 9, "bypass": false}]}"#
    let outcome = try outcome(device, #"{"check": "law", "within": -190}"#)
    let check = try #require(outcome.checks.first)
    #expect(check.verdict == .failed && check.firstFailure != nil)
    #expect(check.found.contains("the law gives") && check.found.contains("still with"), "\(check.found)")
    #expect(!check.found.contains("bypass"), "\(check.found)")
  }

  @Test("Devices without a law are errors")
  func unknown() throws {
    let command = try outcome(#"{"command": ["cp", "{in}", "{out}"]}"#)
    #expect(command.checks.first?.found.contains("only units and graphs have laws") ?? false, "\(command)")
  }

  @Test("A key that a law does not know is refused, not left out")
  func refused() throws {
    let mixer = try outcome(#"{"unit": "multichannelMixer", "quality": "fast"}"#)
    #expect(mixer.checks.first?.found.contains("knows no key \"quality\"") ?? false, "\(mixer)")
  }

  @Test("A cross makes a case of each unit and seed, the same each time")
  func cross() throws {
    func names(_ cross: String) throws -> [String] {
      let path = try folder.write(#"{"version": 1, "cases": [{"cross": \#(cross)}]}"#, "suite.json")
      return try SuiteFile(path: path).cases.map(\.name)
    }
    let two = #"{"units": ["delay", "merger"], "seeds": [3, 4]}"#
    #expect(try names(two) == ["delay-3", "delay-4", "merger-3", "merger-4"])
    for wrong in [
      #"{"units": ["delya"], "seeds": [1, 2]}"#, #"{"units": ["delay"]}"#, #"{"units": ["delay"], "seeds": [2, 1]}"#,
      #"{"units": ["delay"], "seeds": [1, 20000]}"#, #"{"units": ["delay"], "seeds": [0.5, 2]}"#,
    ] {
      #expect(throws: BenchError.self, "\(wrong)") { _ = try names(wrong) }
    }
  }
}
