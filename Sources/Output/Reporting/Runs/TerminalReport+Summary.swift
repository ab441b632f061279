import Measurement
import AudioCore
import Verification

extension TerminalReport {
  /// A table of the suites, the slowest cases, what did not pass, and, as the last line, the verdict.
  public func summary(_ outcome: RunOutcome) -> String {
    var parts: [String] = []
    if outcome.cases.count > 1 || outcome.suites.count > 1 { parts.append(table(outcome)) }
    if outcome.cases.count > Self.slowestCount { parts.append(slowest(outcome)) }
    let bad = outcome.cases.filter { !$0.verdict.isGood }
    if !bad.isEmpty && outcome.cases.count > 1 { parts.append(list(bad)) }
    return parts.map { $0 + "\n" }.joined() + verdictLine(outcome) + "\n"
  }

  /// The one line that says it all. It is never cut: it is what scripts and people look for.
  public func verdictLine(_ outcome: RunOutcome) -> String {
    let style = outcome.verdict.isGood ? Style.boldGreen : color(of: outcome.verdict)
    return "\(paint(outcome.verdictLabel, style))  \(outcome.verdictSentence)"
  }

  private func table(_ outcome: RunOutcome) -> String {
    let groups = SuiteGroup.groups(of: outcome)
    let verdicts = Verdict.allCases.filter { $0 == .passed || outcome.count($0) > 0 }
    let heads = ["cases"] + verdicts.map(\.column) + ["time"]
    var rows = groups.map { group in
      ["\(group.cases.count)"] + verdicts.map { figure(group.count($0)) } + [NumberText.duration(group.seconds)]
    }
    var titles = groups.map { VisibleText.line($0.path ?? $0.name) }
    if groups.count > 1 {
      rows.append(
        ["\(outcome.cases.count)"] + verdicts.map { figure(outcome.count($0)) } + [NumberText.duration(outcome.seconds)]
      )
      titles.append("all")
    }
    let widths = heads.indices.map { column in
      ([heads[column]] + rows.map { $0[column] }).map(TextLayout.width).max() ?? 0
    }
    let figures = widths.reduce(0) { $0 + $1 + 2 }
    let longest = titles.map(TextLayout.width).max() ?? 0
    guard width - figures >= 12 else { return narrowTable(titles: titles, heads: heads, rows: rows) }
    let first = min(max(longest, 5), width - figures)

    func line(_ title: String, _ titleStyle: Style, _ cells: [String], _ style: (Int) -> Style) -> String {
      paint(TextLayout.padded(TextLayout.shortened(title, to: first), to: first), titleStyle)
        + cells.enumerated().map { column, cell in
          "  " + paint(TextLayout.rightAligned(cell, to: widths[column]), style(column))
        }.joined() + "\n"
    }
    var text = line("suite", .dim, heads) { _ in .dim }
    for (title, row) in zip(titles, rows) {
      text += line(title, .plain, row) { column in
        guard column > 0, column <= verdicts.count, row[column] != "·" else { return .plain }
        return color(of: verdicts[column - 1])
      }
    }
    return text
  }

  /// One paragraph per suite, for terminals with no room for columns.
  private func narrowTable(titles: [String], heads: [String], rows: [[String]]) -> String {
    zip(titles, rows).map { title, row in
      let figures = zip(heads, row).filter { $1 != "·" }.map { "\($1) \($0)" }.joined(separator: ", ")
      return TextLayout.shortened(title, to: width) + "\n"
        + TextLayout.wrapped(figures, to: width - 2).map { "  \($0)\n" }.joined()
    }.joined()
  }

  private func figure(_ count: Int) -> String { count == 0 ? "·" : "\(count)" }

  private func slowest(_ outcome: RunOutcome) -> String {
    let sorted = outcome.slowest
    guard let longest = sorted.first?.seconds else { return "" }
    var text = paint("slowest cases", .dim) + "\n"
    let barWidth = width >= 70 ? 20 : 0
    for one in sorted.prefix(Self.slowestCount) {
      let time = TextLayout.rightAligned(NumberText.duration(one.seconds), to: 12)
      let cells = max(1, Int(clamping: (one.seconds / longest * Double(barWidth)).rounded()))
      let bar = barWidth == 0 ? "" : TextLayout.padded(String(repeating: "▇", count: cells), to: barWidth) + "  "
      let room = width - 14 - (barWidth == 0 ? 0 : barWidth + 2)
      text += "\(time)  \(paint(bar, .dim))\(TextLayout.shortened(VisibleText.line(one.id), to: room))\n"
    }
    return text
  }

  /// A line each for what did not pass: details were shown when it happened, and may have scrolled away.
  private func list(_ bad: [CaseOutcome]) -> String {
    let shown = bad.prefix(20)
    let labelWidth = shown.map { $0.verdict.label.count }.max() ?? 0
    var text = paint("not passed", .dim) + "\n"
    for one in shown {
      let label = paint(TextLayout.padded(one.verdict.label, to: labelWidth), color(of: one.verdict))
      let id = VisibleText.line(one.id)
      let room = width - labelWidth - 4
      let reason = one.reason.map { VisibleText.line($0) } ?? ""
      let idWidth = min(TextLayout.width(id), room)
      let rest = room - idWidth - 2
      text += "  \(label)  \(paint(TextLayout.shortened(id, to: idWidth), .bold))"
      text += rest >= 16 && !reason.isEmpty ? "  \(TextLayout.cut(reason, to: rest))\n" : "\n"
    }
    if bad.count > shown.count { text += "  … and \(bad.count - shown.count) more\n" }
    return text
  }
}
