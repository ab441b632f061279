import AudioCore
import Foundation
import Measurement
import TestSupport
import Testing
import Verification

@Suite("What a suite would notice")
struct SensitivityTests {
  /// The answers of the only case of a suite, with a golden made on the spot.
  private func answers(
    _ checks: String, device: String = #"{"unit": "parametricEQ", "set": {"gain": 6}}"#, frames: Int = 6000,
    of perturbations: [Perturbation] = Perturbation.allCases
  ) throws -> [Perturbation: SensitivityAnalysis.Answer] {
    let folder = TemporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder.file("golden")) }
    let path = folder.write(
      """
      {"version": 1, "goldens": "golden", "cases": [{"id": "case", "device": \(device),
        "stimulus": {"type": "noise", "frames": \(frames)}, "checks": \(checks)}]}
      """, to: "suite.json")
    let suite = try SuiteFile(path: path)
    var runner = CaseRunner()
    runner.policy = GoldenPolicy(.missing, reason: "for this test")
    #expect(runner.run(suite.cases[0], of: suite).verdict == .passed)
    var analysis = SensitivityAnalysis()
    analysis.perturbations = perturbations
    let row = analysis.row(suite.cases[0], of: suite)
    return try #require(row.answers, "\(row.message ?? "")")
  }

  @Test("A golden held bit for bit notices every perturbation that can be heard")
  func exactGolden() throws {
    let answers = try answers(#"[{"check": "golden"}]"#)
    for perturbation in Perturbation.allCases where perturbation != .ramp {
      #expect(answers[perturbation] == .noticed(by: ["golden"]), "\(perturbation)")
    }
    #expect(answers[.ramp] == .notApplicable)
  }

  @Test("A loose limit misses what is smaller, and the analysis says so")
  func looseLimit() throws {
    let answers = try answers(#"[{"check": "golden", "loudness": 0.5}]"#, frames: 48_000)
    for missed in [Perturbation.gain, .frame, .lastBit, .polarity, .coefficient] {
      #expect(answers[missed] == .missed, "\(missed)")
    }
  }

  @Test("A response check notices a gain, and not a turned polarity")
  func response() throws {
    let answers = try answers(#"[{"check": "response", "within": 0.01}]"#, of: [.gain, .polarity])
    #expect(answers[.gain] == .noticed(by: ["response"]))
    #expect(answers[.polarity] == .missed)
  }

  @Test("A ramp that is dropped is noticed")
  func ramp() throws {
    let device = """
      {"unit": "multichannelMixer", "ramp": [{"parameter": "volume@input:0", "points": [[0, 0], [5000, 1]]}]}
      """
    #expect(try answers(#"[{"check": "golden"}]"#, device: device)[.ramp] == .noticed(by: ["golden"]))
  }

  @Test("State that is lost at the edge of a slice is noticed by the check of slices alone")
  func sliceEdge() throws {
    #expect(try answers(#"[{"check": "slices"}]"#)[.edge] == .noticed(by: ["slices"]))
  }

  @Test("Of a case that does not pass as it is nothing is said")
  func failingCase() throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"version": 1, "cases": [{"id": "case", "device": {"unit": "parametricEQ"}, "checks": [{"check": "golden"}]}]}
      """, to: "suite.json")
    let suite = try SuiteFile(path: path)
    let row = SensitivityAnalysis().row(suite.cases[0], of: suite)
    #expect(row.answers == nil && row.message?.contains("does not pass as it is: golden") == true)
  }

  @Test(
    "A case that checks nothing does not pass as it is; one that has to fail is left out",
    arguments: [
      (#"{"formula": "0"}"#, #"{"check": "length", "channels": 2}"#, "does not pass as it is: nothing was checked"),
      (
        #"{"command": ["cp", "{in}", "{out}"]}"#, #"{"check": "slices"}"#, "does not pass as it is: nothing was checked"
      ),
      (#"{"unit": "reverb", "channels": 9}"#, #"{"check": "fails", "says": ["channels"]}"#, "skipped: it has to fail"),
    ])
  func nothingChecked(device: String, check: String, message: String) throws {
    let folder = TemporaryFolder()
    let text = #"{"version": 1, "cases": [{"id": "case", "device": \#(device), "checks": [\#(check)]}]}"#
    let suite = try SuiteFile(path: folder.write(text, to: "suite.json"))
    let row = SensitivityAnalysis().row(suite.cases[0], of: suite)
    #expect(row.answers == nil && row.message?.contains(message) == true, "\(row)")
  }
}
