import AudioCore
import Foundation
import Verification

/// A run as JUnit XML, as CI servers read it.
///
/// One testsuite per suite file, with the elements and attributes that Jenkins' schema allows, in its order. A golden
/// that is missing is a failure; a crash, a timeout and a case that could not be run are errors. GitLab takes the
/// classname for the suite's name, shows the text of a failure but not its message attribute, and with Jenkins reads
/// files from `[[ATTACHMENT|path]]` lines: the pictures come first, as one of the readers stops at the first.
public enum JUnitReport {
  /// The document, in UTF-8.
  public static func text(_ outcome: RunOutcome) -> String {
    let attributes = [("name", "aubench verify"), ("time", seconds(outcome.seconds))]
    let suites = SuiteGroup.groups(of: outcome).enumerated().map { suite($1, number: $0, of: outcome) }
    return XMLElement(
      "testsuites", attributes + counts(outcome.cases).filter { $0.0 != "skipped" }, children: suites
    ).document
  }

  /// - Throws: `.output` where the file cannot be written; nothing is left of it then.
  public static func write(_ outcome: RunOutcome, to path: String) throws(BenchError) {
    try AtomicFile.write(text(outcome), to: path)
  }

  private static func suite(_ group: SuiteGroup, number: Int, of outcome: RunOutcome) -> XMLElement {
    var attributes = [("name", group.name)] + counts(group.cases)
    attributes += [("time", seconds(group.seconds)), ("id", "\(number)")]
    // Without the zone: the schemas want an xs:dateTime without one, in UTC.
    if let start = outcome.startTime {
      attributes.append(("timestamp", start.hasSuffix("Z") ? String(start.dropLast()) : start))
    }
    var facts = [("program", outcome.program)]
    if let path = group.path { facts.append(("suite", path)) }
    facts += outcome.machine.map { ($0.name, $0.value) }
    let properties = facts.map { XMLElement("property", [("name", $0), ("value", $1)]) }
    return XMLElement(
      "testsuite", attributes,
      children: [XMLElement("properties", children: properties)]
        + group.cases.map { testCase($0, suiteName: group.name) })
  }

  private static func testCase(_ outcome: CaseOutcome, suiteName: String) -> XMLElement {
    var test = XMLElement(
      "testcase",
      [("name", outcome.name), ("classname", "aubench.\(suiteName)"), ("time", seconds(outcome.seconds))])
    let reason = outcome.reason.map(VisibleText.line) ?? outcome.verdict.participle
    // Attributes are shown on one line; the text has all of it.
    let summary = TextLayout.cut(reason, to: 500)
    switch outcome.verdict {
    case .passed: break
    case .skipped: test.children.append(XMLElement("skipped", [("message", summary)], text: reason))
    case .unblessed, .failed:
      let type = outcome.verdict == .failed ? outcome.badChecks.first?.id ?? "failed" : outcome.verdict.rawValue
      test.children.append(XMLElement("failure", [("message", summary), ("type", type)], text: details(of: outcome)))
    case .crashed, .timedOut, .error:
      test.children.append(
        XMLElement("error", [("message", summary), ("type", outcome.verdict.rawValue)], text: details(of: outcome)))
    }
    let output = systemOutput(of: outcome)
    if !output.isEmpty { test.children.append(XMLElement("system-out", text: output)) }
    if let log = outcome.log, !log.isEmpty {
      test.children.append(XMLElement("system-err", text: VisibleText.ofLog(log)))
    }
    return test
  }

  /// All about a case that is not good, in lines.
  private static func details(of outcome: CaseOutcome) -> String {
    var lines: [String] = []
    if let message = outcome.message { lines.append(message) }
    for check in outcome.badChecks {
      lines += ["\(check.id): \(check.verdict.participle)", "  expected: \(check.expected)", "  found: \(check.found)"]
      if let limit = check.limit { lines.append("  limit: \(limit)") }
      if let place = check.firstFailure { lines.append("  fails first at: \(place.description)") }
    }
    if let node = outcome.firstDifferentNode { lines.append("first node that differs: \(node)") }
    if let command = outcome.command { lines.append("run alone: \(command)") }
    return lines.joined(separator: "\n")
  }

  private static func systemOutput(of outcome: CaseOutcome) -> String {
    guard !outcome.verdict.isGood else { return "" }
    var lines = ["device: \(VisibleText.line(outcome.device))"]
    for check in outcome.checks {
      let examined = check.examined.map { " (\($0.text))" } ?? ""
      lines.append("\(check.verdict.label) \(VisibleText.line(check.id)): \(VisibleText.line(check.found))\(examined)")
    }
    let pictures = outcome.files.pictures.map(\.path)
    let sounds = [outcome.files.difference, outcome.files.actual, outcome.files.expected].compactMap { $0 }
    return (lines + (pictures + sounds).map { "[[ATTACHMENT|\($0)]]" }).joined(separator: "\n")
  }

  private static func counts(_ cases: [CaseOutcome]) -> [(String, String)] {
    func count(_ verdicts: Verdict...) -> String { "\(cases.count { verdicts.contains($0.verdict) })" }
    return [
      ("tests", "\(cases.count)"), ("failures", count(.failed, .unblessed)),
      ("errors", count(.crashed, .timedOut, .error)), ("skipped", count(.skipped)),
    ]
  }

  private static func seconds(_ value: Double) -> String {
    String(format: "%.6f", locale: nil, value.isFinite ? max(0, value) : 0)
  }
}
