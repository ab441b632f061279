import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Other cases must leave no trace.
@Suite struct OrderCheckTests: CheckTrial {
  @Test("order: a device on which other cases leave a trace fails")
  func order() throws {
    let text = #"{"check": "order"}"#
    #expect(try check(text, on: identity).verdict == .passed)
    let outcome = try check(text, on: tiring(after: 1))
    #expect(outcome.verdict == .failed && outcome.found.hasPrefix("after b: "), "\(outcome.found)")
  }
}
