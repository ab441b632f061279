import AudioCore
import Measurement
import Testing
import TestSupport
import Verification

/// The same bits with every instruction set.
@Suite struct InstructionSetsCheckTests: CaseTrial {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  @Test("instructionSets: graphs are compared, commands are not")
  func instructionSets() throws {
    let check = #"{"check": "instructionSets"}"#
    let outcome = try verdict(
      #"{"unit": "parametricEQ", "set": {"gain": 9}}"#, check, #"{"check": "reset"}"#, more: Self.short)
    #expect(outcome.verdict == .passed)
    #expect(try verdict(ShellDevice.copy, check).verdict == .failed, "nothing was checked")
  }
}
