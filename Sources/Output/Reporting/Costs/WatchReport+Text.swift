import AudioCore
import Bench

extension WatchReport {
  /// Findings that a summary shows.
  private static let shownFindings = 5
  /// Above which a summary tells of denormals.
  private static let slowDenormals = 1.1
  /// Frames of a stack that are shown.
  private static let shownFrames = 12

  /// - Parameter showsAll: all findings with their whole stacks, in place of a summary.
  func text(showsAll: Bool) -> String {
    let watched = Kind.allCases.filter { kinds.contains($0) && $0 != .denormal && $0 != .release }.map(\.rawValue)
    let calls = NumberText.count(self.calls, "render call")
    guard !watched.isEmpty else { return "\(calls) could not be watched here\n" }
    var text: String
    if violations.isEmpty {
      text = "\(calls): no \(watched.joined(separator: ", no "))\n"
    } else {
      text = "\(calls) did what a realtime thread must not do:\n"
      text += Self.lines(merged.filter { $0.kind != .denormal && counts($0) }, showsAll: showsAll)
    }
    let others = findings.filter { $0.kind != .denormal && !counts($0) }
    if !others.isEmpty {
      let nodes = Set(others.compactMap(\.node)).sorted().map { VisibleText.name($0) }.joined(separator: " and ")
      text += "not counted: what the bench's own \(nodes) did, at \(NumberText.count(others.count, "place"))\n"
      if showsAll { text += Self.lines(merged.filter { $0.kind != .denormal && !counts($0) }, showsAll: true) }
    }
    let missing = Kind.allCases.filter { !kinds.contains($0) }.map(\.rawValue)
    if !missing.isEmpty { text += "\(missing.joined(separator: " and ")) cannot be found on this machine\n" }
    if let denormalFactor, showsAll || denormalFactor > Self.slowDenormals {
      let nodes = Set(denormals.compactMap(\.node)).sorted().map { VisibleText.name($0) }.joined(separator: ", ")
      text +=
        "\(nodes.isEmpty ? "it" : nodes) computes with denormals: \(NumberText.fixed(denormalFactor, 2)) times as long in a host that "
        + "does not flush them to zero, as this program does\n"
      if showsAll { text += Self.lines(merged.filter { $0.kind == .denormal }, showsAll: true) }
    }
    if lost > 0 { text += "and \(lost) more, for which there was no room\n" }
    return text
  }

  private static func lines(_ findings: [Finding], showsAll: Bool) -> String {
    var text = ""
    for finding in showsAll ? findings : Array(findings.prefix(shownFindings)) {
      let place = finding.node.map { "in \(VisibleText.name($0))" } ?? "between nodes"
      var line = "  \(finding.kind.rawValue) \(place): "
      if !finding.function.isEmpty { line += "\(finding.function), " }
      line += finding.count == 1 ? "once" : "\(finding.count) times"
      if finding.bytes > 0 { line += ", \(finding.bytes / finding.count) bytes each" }
      if finding.isOfFirstCallAlone { line += ", in the first call only" }
      text += line + "\n"
      for frame in frames(of: finding) { text += "    \(frame.text)\n" }
    }
    if !showsAll, findings.count > shownFindings {
      text += "  and \(findings.count - shownFindings) more: --realtime shows all, with their stacks\n"
    }
    return text
  }

  /// Those down to where this program has called something else; of a finding in this program itself, the innermost.
  private static func frames(of finding: Finding) -> [Frame] {
    let own = finding.stack.last?.module
    let others = finding.stack.prefix { $0.module != own }
    return Array(others.isEmpty ? finding.stack.prefix(shownFrames / 2) : others.prefix(shownFrames))
  }

  var json: JSONValue {
    JSONValue([
      "watched": kinds.map(\.rawValue), "calls": calls, "frames": Int(frames), "violations": violations.count,
      "denormalFactor": denormalFactor, "lost": Int(lost),
      "findings": merged.map { finding in
        JSONValue([
          "kind": finding.kind.rawValue, "node": finding.node, "function": finding.function,
          "count": Int(finding.count),
          "bytes": Int(finding.bytes), "isCounted": counts(finding), "isOfFirstCallAlone": finding.isOfFirstCallAlone,
          "stack": finding.stack.map(\.text),
        ])
      },
    ])
  }
}

extension WatchReport.Frame {
  /// `biquad (kernels.c:40, libunit.so)`, or as much of it as is known.
  var text: String {
    let module = FileName.last(of: module)
    let place = [line, module.isEmpty ? nil : module].compactMap { $0 }.joined(separator: ", ")
    return VisibleText.line("\(name ?? "0x" + String(offset, radix: 16))\(place.isEmpty ? "" : " (\(place))")")
  }
}
