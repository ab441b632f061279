import AudioCore
import Measurement
import Testing
import TestSupport
import Verification

/// Cases that are made of the rows of a matrix.
@Suite struct CaseMatrixTests {
  @Test("A matrix of rows makes the cases of each")
  func rows() throws {
    let suite = try SuiteFolder().suite(
      #"""
      {"id": "{a}-{b}", "matrix": [{"a": 1, "b": [2, 3]}, {"a": "x", "b": true}], "device": {"unit": "iPodEQ"},
       "checks": [{"check": "reset"}]}
      """#)
    #expect(suite.cases.map(\.name) == ["1-2", "1-3", "x-true"])
  }
}
