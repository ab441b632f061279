import Foundation
import Measurement
import TestSupport
import Reporting
import Testing
import Verification

@Suite("Reports: JSON")
struct ReportJSONTests {
  private func parsed(_ outcome: RunOutcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(JSONReport.text(outcome).utf8)) as? [String: Any])
  }

  private func firstCheck(_ run: [String: Any], case index: Int) throws -> [String: Any] {
    let cases = try #require(run["cases"] as? [[String: Any]])
    return try #require((cases[index]["checks"] as? [[String: Any]])?.first)
  }

  @Test("what is written is as the published schema says, with every verdict and hostile texts")
  func holdsTheSchema() throws {
    let schema = try ReportSchema(try Repository.text("docs/verify-report.schema.json"))
    let run = try parsed(ReportFixture.everything())
    #expect(schema.violations(run) == [])
    // The check itself can fail.
    var wrong = run
    wrong["verdict"] = "fine"
    wrong["extra"] = 1
    wrong["machine"] = nil
    #expect(schema.violations(wrong).count == 3)
  }

  @Test("texts come back as they were, control characters too")
  func textsComeBack() throws {
    let outcome = ReportFixture.everything()
    let cases = try #require(try parsed(outcome)["cases"] as? [[String: Any]])
    #expect(cases.map { $0["id"] as? String } == outcome.cases.map(\.id))
    #expect(cases.map { $0["message"] as? String } == outcome.cases.map(\.message))
    #expect(cases.map { $0["standardError"] as? String } == outcome.cases.map(\.log))
  }

  @Test("numbers are numbers, and what is not finite is null with a text beside it")
  func nonFiniteNumbers() throws {
    let run = try parsed(ReportFixture.everything())
    let readings = try #require(try firstCheck(run, case: 3)["readings"] as? [[String: Any]])
    #expect(readings[0]["value"] as? Double == -0.31)
    #expect(readings[0]["valueText"] == nil)
    #expect(readings[1]["isBelowFloor"] as? Bool == true)
    #expect(readings[2]["value"] is NSNull)
    #expect(readings[2]["valueText"] as? String == "nan")
    #expect(readings[3]["valueText"] as? String == "-inf")
    #expect((readings[3]["at"] as? [String: Double]) == ["frequency": 997])
    let cases = try #require(run["cases"] as? [[String: Any]])
    #expect(cases[6]["seconds"] is NSNull)
    #expect(cases[6]["secondsText"] as? String == "nan")
  }

  @Test("curves are columns of one length, whose nulls are named by index")
  func curves() throws {
    let overlay = try #require(
      try firstCheck(parsed(ReportFixture.everything()), case: 3)["overlay"] as? [String: [String: Any]])
    let actual = try #require(overlay["actual"])
    let x = try #require(actual["x"] as? [Any])
    let y = try #require(actual["y"] as? [Any])
    #expect(x.count == 400 && y.count == 400)
    #expect(x[0] as? Double == 20)
    #expect(y[100] is NSNull && y[101] is NSNull && !(y[102] is NSNull))
    #expect(actual["yText"] as? [String: String] == ["100": "nan", "101": "-inf"])
    #expect((actual["xAxis"] as? [String: String]) == ["name": "frequency", "unit": "Hz"])
    #expect(Set(overlay.keys) == ["actual", "expected", "lower", "upper"])
  }

  @Test("counts name every verdict, and cases are counted with the suite file they are of")
  func countsAndSuites() throws {
    let run = try parsed(ReportFixture.everything())
    #expect(
      run["counts"] as? [String: Int]
        == ["passed": 1, "skipped": 1, "unblessed": 1, "failed": 2, "crashed": 1, "timedOut": 1, "error": 1])
    let suites = try #require(run["suites"] as? [[String: Any]])
    #expect(suites.map { $0["cases"] as? Int } == [2, 5, 0, 1])
    #expect(suites.map { $0["path"] as? String }.last == .some(nil))
    #expect(run["verdict"] as? String == "error")
  }

  @Test("the same outcome gives the same bytes")
  func isReproducible() {
    #expect(JSONReport.text(ReportFixture.everything()) == JSONReport.text(ReportFixture.everything()))
  }
}
