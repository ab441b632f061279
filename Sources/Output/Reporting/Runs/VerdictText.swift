import Measurement
import AudioCore
import Verification

/// The names of verdicts.
extension Verdict {
  /// Before a case: four to eight letters.
  var label: String {
    switch self {
    case .passed: "PASS"
    case .skipped: "SKIP"
    case .unblessed: "UNBLESSED"
    case .failed: "FAIL"
    case .crashed: "CRASH"
    case .timedOut: "TIMEOUT"
    case .error: "ERROR"
    }
  }

  /// After a number: "3 failed".
  var participle: String {
    switch self {
    case .passed, .skipped, .unblessed, .failed, .crashed: rawValue
    case .timedOut: "timed out"
    case .error: "could not be run"
    }
  }

  /// Verdicts that call for attention come first, `passed` last.
  static let inSentences: [Verdict] = [.failed, .crashed, .timedOut, .error, .unblessed, .skipped, .passed]

  /// As the head of a narrow column.
  var column: String { self == .error ? "error" : participle }
}

extension RunOutcome {
  /// "PASS", "UNBLESSED" where nothing is worse than that, "FAIL".
  var verdictLabel: String {
    switch verdict {
    case .passed, .skipped: "PASS"
    case .unblessed: "UNBLESSED"
    case .failed, .crashed, .timedOut, .error: "FAIL"
    }
  }

  /// The verdicts that there are, in the order of reports.
  var present: [Verdict] { Verdict.inSentences.filter { count($0) > 0 } }

  /// Cases whose time is known, those that took longest first.
  var slowest: [CaseOutcome] {
    cases.filter { $0.seconds.isFinite && $0.seconds > 0 }.sorted { $0.seconds > $1.seconds }
  }

  /// The rest of the last line, after the label: "212 cases in 9.3 s".
  var verdictSentence: String {
    let time = "in \(NumberText.duration(seconds))"
    guard !cases.isEmpty else { return "no case was run \(time)" }
    let all = NumberText.count(cases.count, "case")
    let present = present.filter { $0 != .passed }
    guard let first = present.first else { return "\(all) \(time)" }
    if cases.allSatisfy({ $0.verdict == .skipped }) { return "nothing was checked: \(all) skipped, \(time)" }
    guard !verdict.isGood else { return "\(all), \(count(.skipped)) of them skipped, \(time)" }
    let others = present.dropFirst().map { "\(count($0)) \($0.participle)" }
    return (["\(count(first)) of \(all) \(first.participle)"] + others).joined(separator: ", ") + ", \(time)"
  }
}

extension CaseOutcome {
  /// The suite's name, as the id begins; empty where it has none.
  var suiteName: String {
    guard let slash = id.firstIndex(of: "/") else { return "" }
    return String(id[..<slash])
  }

  /// The id without the suite's name.
  var name: String {
    guard let slash = id.firstIndex(of: "/"), id.index(after: slash) < id.endIndex else { return id }
    return String(id[id.index(after: slash)...])
  }

  /// Checks that did not pass, the worst first.
  var badChecks: [CheckOutcome] {
    Verdict.allCases.reversed().flatMap { verdict in
      verdict.isGood ? [] : checks.filter { $0.verdict == verdict }
    }
  }

  /// Why, in one line: the message, or what the worst check found.
  var reason: String? { message ?? badChecks.first.map { "\($0.id): \($0.found)" } }

  /// Sound files that were written, with what they are.
  package var sounds: [(title: String, path: String)] {
    [("actual", files.actual), ("expected", files.expected), ("difference", files.difference)]
      .compactMap { title, path in path.map { (title, $0) } }
  }
}

/// The cases of one suite file.
struct SuiteGroup {
  /// Nil for cases that belong to no file of the run.
  let path: String?
  /// The name before the slash in the ids of its cases, or the file's without its extension.
  let name: String
  let cases: [CaseOutcome]

  var seconds: Double { cases.reduce(0) { $0 + ($1.seconds.isFinite ? $1.seconds : 0) } }
  func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }

  /// One group per suite file, in the run's order, also where it has no case; then one per name that is left.
  static func groups(of outcome: RunOutcome) -> [SuiteGroup] {
    let stems = outcome.suites.map(stem)
    var members = Array(repeating: [CaseOutcome](), count: outcome.suites.count)
    var strays: [String: [CaseOutcome]] = [:]
    var strayNames: [String] = []
    let paths = Dictionary(
      outcome.suites.enumerated().map { (ByteText.bytes($1), $0) }, uniquingKeysWith: { first, _ in first })
    let names = Dictionary(stems.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for one in outcome.cases {
      if let index = one.suitePath.flatMap({ paths[ByteText.bytes($0)] })
        ?? (one.suitePath == nil ? names[one.suiteName] : nil)
      {
        members[index].append(one)
      } else {
        let key = one.suitePath ?? one.suiteName
        if strays[key] == nil { strayNames.append(key) }
        strays[key, default: []].append(one)
      }
    }
    return outcome.suites.indices.map { index in
      SuiteGroup(
        path: outcome.suites[index], name: members[index].first?.suiteName.nonEmpty ?? stems[index],
        cases: members[index])
    }
      + strayNames.map { key in
        let cases = strays[key] ?? []
        return SuiteGroup(path: cases.first?.suitePath, name: cases.first?.suiteName.nonEmpty ?? "cases", cases: cases)
      }
  }

  private static func stem(_ path: String) -> String {
    let file = FileName.last(of: path)
    return FileName.stem(of: file).isEmpty ? file : FileName.stem(of: file)
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
