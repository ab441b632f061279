import AudioCore

/// The first difference of two texts of transcripts.
package struct TranscriptDifference: Sendable {
  /// The number of the first line that differs, from 1 on.
  package let line: Int
  /// The lines before it, and the continuation of each: `-` expected, `+` found.
  package let text: String

  /// Nil where both are the same.
  package init?(expected: String, found: String) {
    guard expected != found else { return nil }
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = found.split(separator: "\n", omittingEmptySubsequences: false)
    let same = zip(old, new).prefix { $0 == $1 }.count
    // The rest ends with the same lines in both.
    let tail = zip(old[same...].reversed(), new[same...].reversed()).prefix { $0 == $1 }.count
    line = same + 1
    func shown(_ lines: ArraySlice<Substring>, _ mark: String) -> [String] {
      let most = 12
      let rest = lines.count - most
      return lines.prefix(most).map { VisibleText.name("\(mark) \($0)") }
        + (rest > 0 ? ["\(mark) … \(NumberText.count(rest, "line")) more"] : [])
    }
    let above = old[max(0, same - 3)..<same].map { VisibleText.name("  \($0)") }
    let below = old[(old.count - tail)...].prefix(2).map { VisibleText.name("  \($0)") }
    text =
      (above + shown(old[same..<old.count - tail], "-") + shown(new[same..<new.count - tail], "+") + below)
      .joined(separator: "\n")
  }
}
