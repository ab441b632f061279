import AudioCore
import Measurement
import Plotting
import Verification

/// A run as one page that needs nothing else: no network, no files beside it, no server.
///
/// Cases that did not pass come first, open; the rest is folded, by suite. Works without scripts too (without filters),
/// from `file://`, with the keyboard, in light and dark, and on paper. `Markup` escapes every text of a user, and a
/// content security policy is set too.
public enum HTMLReport {
  /// Cases that are open when the page is.
  static let openCases = 12
  /// Bytes of curves that are drawn for cases that passed; the JSON report has all of them.
  static let curveBudget = 4 << 20

  /// The page. Files are read from where the outcome says; links are relative to `path` where it is given.
  public static func text(_ outcome: RunOutcome, path: String? = nil) -> String {
    var page = HTMLCases(embedding: Embedding(pagePath: path), curveBudget: curveBudget)
    let bad = Verdict.inSentences.filter { !$0.isGood }
      .flatMap { verdict in outcome.cases.filter { $0.verdict == verdict } }
    var sections: Markup = ""
    if !bad.isEmpty {
      let cases = bad.enumerated().map { page.markup($1, isOpen: $0 < openCases) }
      sections += section("Needs attention", detail: NumberText.count(bad.count, "case"), cases)
    }
    for group in SuiteGroup.groups(of: outcome) {
      let good = group.cases.filter(\.verdict.isGood)
      let detail =
        group.cases.isEmpty
        ? "no case was run"
        : "\(good.count) of \(NumberText.count(group.cases.count, "case")) fine, "
          + "\(NumberText.duration(group.seconds)) in all"
      sections += section(group.path ?? group.name, detail: detail, good.map { page.markup($0, isOpen: false) })
    }
    return document(outcome, sections).text
  }

  /// - Throws: `.output` where the file cannot be written; nothing is left of it then.
  public static func write(_ outcome: RunOutcome, to path: String) throws(BenchError) {
    try AtomicFile.write(text(outcome, path: path), to: path)
  }

  private static func document(_ outcome: RunOutcome, _ sections: Markup) -> Markup {
    HTMLPage.document(
      title: "\(outcome.verdictLabel): \(outcome.verdictSentence)",
      sources: "script-src '\(HTMLPage.scriptHash)'; img-src data:; media-src data:; ",
      attributes: " data-cases=\"\(outcome.cases.count)\"",
      body: """
        \(header(outcome))
        \(filters(outcome))
        <main id="cases">
        \(sections)
        <p class="nothing" hidden>No case matches. <button type="button" data-reset>Show all</button></p>
        </main>
        \(footer(outcome))
        <script>\(Markup(trusted: HTMLPage.script))</script>
        """)
  }

  private static func header(_ outcome: RunOutcome) -> Markup {
    let kind = outcome.verdict.isGood ? "good" : outcome.verdict == .unblessed ? "unblessed" : "bad"
    let facts = [
      outcome.program, outcome.startTime ?? "", outcome.suites.count > 1 ? "\(outcome.suites.count) suites" : "",
    ].filter { !$0.isEmpty }.joined(separator: " · ")
    let shares: [Markup] = outcome.present.map { verdict in
      """
      <i class="v-\(verdict.rawValue)" style="flex-grow:\(outcome.count(verdict))" \
      title="\(outcome.count(verdict)) \(verdict.participle)"></i>
      """
    }
    return """
      <header class="top \(kind)">
      <h1><span class="stamp">\(outcome.verdictLabel)</span> <span>\(outcome.verdictSentence)</span></h1>
      <p class="facts">\(facts)</p>
      <div class="shares" aria-hidden="true">\(shares)</div>
      </header>
      """
  }

  private static func filters(_ outcome: RunOutcome) -> Markup {
    func button(_ key: String, _ text: String, _ count: Int, isOn: Bool) -> Markup {
      """
      <button type="button" data-show="\(key)" aria-pressed="\(isOn ? "true" : "false")">\
      \(text) <b>\(count)</b></button>
      """
    }
    let buttons = outcome.present.map { button($0.rawValue, $0.column, outcome.count($0), isOn: false) }
    return """
      <nav class="filters" aria-label="Which cases are shown">
      <div role="group" aria-label="Verdict">\
      \(button("all", "all", outcome.cases.count, isOn: true))\(buttons)</div>
      <input type="search" placeholder="Search  ( / )" aria-label="Search in the cases" spellcheck="false">
      <div role="group" aria-label="Open and close"><button type="button" data-fold="open">Open shown</button>\
      <button type="button" data-fold="close">Close all</button></div>
      <output class="shown" aria-live="polite"></output>
      </nav>
      """
  }

  private static func section(_ title: String, detail: String, _ cases: [Markup]) -> Markup {
    """
    <section><h2>\(VisibleText.line(title)) <small>\(detail)</small></h2>
    \(cases)
    </section>

    """
  }

  private static func footer(_ outcome: RunOutcome) -> Markup {
    let slowest = outcome.slowest.prefix(10)
    let longest = slowest.first?.seconds ?? 1
    let rows: [Markup] = slowest.map { one in
      """
      <tr><td class="number">\(NumberText.duration(one.seconds))</td>\
      <td class="bar"><i style="width:\(Int(clamping: one.seconds / longest * 100))%"></i></td>\
      <td><a href="#\(HTMLCases.anchor(one.id))">\(VisibleText.line(one.id))</a></td></tr>
      """
    }
    let facts: [Markup] = outcome.machine.map { "<tr><th scope=\"row\">\($0.name)</th><td>\($0.value)</td></tr>" }
    let slowTable: Markup =
      slowest.count < 2 ? "" : "<section><h2>Slowest</h2><table class=\"slow\">\(rows)</table></section>"
    let machine: Markup =
      facts.isEmpty ? "" : "<section><h2>Machine</h2><table class=\"facts\">\(facts)</table></section>"
    return """
      <footer>\(slowTable)\(machine)
      <p class="keys"><kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous case, <kbd>Enter</kbd> open or \
      close, <kbd>Esc</kbd> show all</p></footer>
      """
  }
}
