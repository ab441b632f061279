import Foundation
import FoundationXML
import TestSupport
import Reporting
import Testing
import Verification

@Suite("Reports: JUnit XML")
struct ReportJUnitTests {
  private func parsed(_ outcome: RunOutcome) throws -> XMLElement {
    let document = try XMLDocument(data: Data(JUnitReport.text(outcome).utf8))
    return try #require(document.rootElement())
  }

  private func children(_ element: XMLElement) -> [XMLElement] {
    (element.children ?? []).compactMap { $0 as? XMLElement }
  }

  /// Elements, what may be in them in which order, and their attributes: Jenkins' junit-10 schema, which the manual of
  /// pytest quotes at `record_xml_attribute`.
  private static let schema: [String: (order: [String], attributes: Set<String>)] = [
    "testsuites": (["testsuite"], ["name", "time", "tests", "failures", "disabled", "errors"]),
    "testsuite": (
      ["properties", "testcase", "system-out", "system-err"],
      [
        "name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package",
      ]
    ),
    "properties": (["property"], []), "property": ([], ["name", "value"]),
    "testcase": (
      ["skipped", "error", "failure", "system-out", "system-err"],
      ["name", "assertions", "time", "classname", "status"]
    ),
    "failure": ([], ["type", "message"]), "error": ([], ["type", "message"]), "skipped": ([], ["type", "message"]),
    "system-out": ([], []), "system-err": ([], []),
  ]

  private func check(_ element: XMLElement) throws {
    let name = try #require(element.name)
    let rule = try #require(Self.schema[name], "\(name) is no element of JUnit XML")
    for attribute in element.attributes ?? [] {
      #expect(rule.attributes.contains(attribute.name ?? ""), "\(name) has an attribute \(attribute.name ?? "")")
    }
    let places = children(element).map { rule.order.firstIndex(of: $0.name ?? "") ?? -1 }
    #expect(!places.contains(-1) && places == places.sorted(), "\(name) has \(children(element).map(\.name))")
    for child in children(element) { try check(child) }
  }

  @Test("elements, their order and their attributes are those that Jenkins' schema allows")
  func holdsTheSchema() throws {
    try check(try parsed(ReportFixture.everything()))
  }

  @Test("each suite file is a testsuite, and a missing golden is a failure, a crash an error")
  func verdicts() throws {
    let suites = children(try parsed(ReportFixture.everything()))
    #expect(suites.map { $0.attribute(forName: "name")?.stringValue }.prefix(2) == ["equalizers", "mixers"])
    #expect(suites.count == 4)
    let counts = suites.map { suite in
      ["tests", "failures", "errors", "skipped"].map { suite.attribute(forName: $0)?.stringValue ?? "" }
    }
    #expect(counts == [["2", "1", "0", "0"], ["5", "2", "2", "1"], ["0", "0", "0", "0"], ["1", "0", "1", "0"]])
    let mixers = children(suites[1]).filter { $0.name == "testcase" }
    #expect(mixers.map { children($0).first?.name } == ["skipped", "failure", "error", "error", "failure"])
    #expect(mixers[1].elements(forName: "failure").first?.attribute(forName: "type")?.stringValue == "unblessed")
    #expect(mixers[3].elements(forName: "error").first?.attribute(forName: "type")?.stringValue == "timedOut")
    #expect(mixers[0].attribute(forName: "classname")?.stringValue == "aubench.mixers")
    #expect(suites[0].attribute(forName: "timestamp")?.stringValue == "2026-03-01T09:30:00")
  }

  @Test("a failure says all that the terminal says, and its files stand in lines of their own")
  func failureText() throws {
    let folder = TemporaryFolder()
    let files = ReportFixture.files(in: folder)
    let test = try #require(
      children(children(try parsed(ReportFixture.everything(files: files)))[0]).last { $0.name == "testcase" })
    let failure = try #require(test.elements(forName: "failure").first)
    #expect(failure.attribute(forName: "message")?.stringValue == "response: worst at 12.1 kHz: −0.31 dB")
    for part in ["±0.1 dB", "frame 4711", "channel 1", "eq", "aubench verify suites/equalizers.json", "analytic curve"]
    {
      #expect(failure.stringValue?.contains(part) == true, "no \(part)")
    }
    let lines = test.elements(forName: "system-out").first?.stringValue?.split(separator: "\n").map(String.init) ?? []
    #expect(lines.filter { $0.hasPrefix("[[ATTACHMENT|") && $0.hasSuffix("]]") }.count == 4)
    #expect(lines.contains("[[ATTACHMENT|\(folder.file("actual.wav"))]]"))
    #expect(lines.first { $0.hasPrefix("[[") } == "[[ATTACHMENT|\(folder.file("residual.svg"))]]")
  }

  @Test("hostile texts come back as texts, without the characters that XML 1.0 forbids")
  func hostileTexts() throws {
    let text = JUnitReport.text(ReportFixture.everything())
    // XML 1.0, production 2: Char.
    let forbidden = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: false
      default: true
      }
    }
    #expect(forbidden.isEmpty)
    let crashed = children(children(try parsed(ReportFixture.everything()))[1])[3]
    #expect(crashed.attribute(forName: "name")?.stringValue == ReportFixture.script)
    let error = try #require(crashed.elements(forName: "error").first?.stringValue)
    #expect(error.contains("]]> & 'single' \"double\" \\u{01}\\u{08}\\u{1B}[31mred"))
    #expect(error.contains(ReportFixture.image) && error.contains("🎧"))
  }

  @Test("times are decimal numbers of seconds, also where one was not measured")
  func times() throws {
    for suite in children(try parsed(ReportFixture.everything())) {
      for element in [suite] + children(suite).filter({ $0.name == "testcase" }) {
        let time = try #require(element.attribute(forName: "time")?.stringValue)
        #expect(time.wholeMatch(of: /[0-9]+\.[0-9]+/) != nil, "\(time)")
      }
    }
  }
}
