import AudioCore
import Measurement
import Testing
import TestSupport
import Verification

/// Errors that a case asks for.
@Suite struct FailsCheckTests: CaseTrial {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  @Test("fails: an error with its words passes; another error, or none, does not")
  func fails() throws {
    let check = #"{"check": "fails", "says": ["cutof", "no such parameter"]}"#
    #expect(try verdict(#"{"unit": "lowPassFilter", "set": {"cutof": 1}}"#, check).verdict == .passed)
    let other = try verdict(#"{"unit": "lowPassFilter", "bnds": []}"#, check)
    #expect(other.verdict == .failed && other.checks[0].found.contains("bnds"))
    let none = try verdict(#"{"unit": "lowPassFilter"}"#, check, more: Self.short)
    #expect(none.verdict == .failed && none.checks[0].found.hasPrefix("it renders"))
    let command = #"{"command": ["sh", "-c", "echo no luck >&2; exit 3", "{in}", "{out}"]}"#
    #expect(try verdict(command, #"{"check": "fails", "says": ["code 3", "no luck"]}"#).verdict == .passed)
  }
}
