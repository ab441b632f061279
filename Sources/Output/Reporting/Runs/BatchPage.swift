import AudioCore
import Batch
import Measurement
import Plotting

/// The report of a batch as one page that needs nothing else: no network, no files beside it, and scripts only for
/// sorting.
///
/// Failures come first, each with its reason; then the rest in the order of the plan. Columns that are empty in all
/// rows are left out. ``Markup`` escapes every text of a user, and a content security policy is set too.
struct BatchPage {
  private let report: BatchReport
  private let rows: [BatchReport.Row]

  init(_ report: BatchReport) {
    self.report = report
    let order = ["failed", "left"]
    func rank(_ row: BatchReport.Row) -> Int { order.firstIndex(of: row.status) ?? order.count }
    rows = report.rows.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
      .map(\.element)
  }

  var text: String {
    let failed = rows.count { $0.error != nil }
    let isBad = failed > 0 || rows.contains { $0.status == "left" }
    let stamp = failed > 0 ? "\(failed) FAILED" : isBad ? "NOT FINISHED" : "ALL MADE"
    let style = """

      body{max-width:1500px}.made .status{color:var(--good)}.failed .status{color:var(--bad);font-weight:600}
      .left .status{color:var(--stop)}.failed td:first-child{font-weight:600}.warning{display:block;color:var(--new)}

      """
    return HTMLPage.document(
      title: "\(stamp): \(title)", sources: "script-src '\(SortableTable.scriptHash)'; ",
      style: SortableTable.style + style,
      body: """
        <header class="top \(isBad ? "bad" : "good")">
        <h1><span class="stamp">\(stamp)</span> <span>\(title)</span></h1>
        <p class="facts">\(facts)</p>
        <p>\(report.countsLine)\(report.soundLine.isEmpty ? "" : ", \(report.soundLine)")</p>
        </header>
        <main>
        \(table.markup)
        </main>
        <script>\(Markup(trusted: SortableTable.script))</script>
        """
    ).text
  }

  private var title: String {
    guard let job = report.origin?.job else { return "Batch" }
    return "Batch \(VisibleText.line(job))"
  }

  private var facts: String {
    let origin = report.origin
    return [
      origin?.program ?? "", origin.map { "begun \($0.startTime)" } ?? "",
      report.elapsedSeconds.map { "took \(NumberText.duration($0))" } ?? "",
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  // MARK: Table

  /// A column of what is known of outputs that are there.
  private struct Figure: Sendable {
    let title: String
    var isNumber = true
    let cell: @Sendable (TaskReport) -> (text: String, value: Double)?
  }

  private static let figures: [Figure] = [
    Figure(title: "length") { (NumberText.clockTime($0.seconds), $0.seconds) },
    Figure(title: "Hz") { (NumberText.short($0.sampleRate), $0.sampleRate) },
    Figure(title: "channels") { ("\($0.channels)", Double($0.channels)) },
    Figure(title: "layout", isNumber: false) { $0.layout.map { ($0, 0) } },
    Figure(title: "format", isNumber: false) { ($0.format, 0) },
    Figure(title: "size") { (NumberText.bytes($0.bytes), Double($0.bytes)) },
    // The peak of a sound with samples that are not finite is not known.
    Figure(title: "peak dBFS") { report in
      guard report.nonFinite == nil, !report.peakDecibels.isEmpty else { return nil }
      return level(report.peakDecibels.compactMap(\.self).max() ?? -.infinity)
    },
    Figure(title: "not finite") { $0.nonFinite.map { ("\($0.count)", Double($0.count)) } },
    Figure(title: "clipped") { $0.clippedSamples > 0 ? ("\($0.clippedSamples)", Double($0.clippedSamples)) : nil },
    Figure(title: "LUFS") { $0.loudnessLUFS.flatMap(level) },
    Figure(title: "dBTP") { $0.truePeakDecibels.flatMap(level) },
    Figure(title: "gain dB") { $0.gainDecibels.flatMap(level) },
    Figure(title: "limited dB") { $0.limitedDecibels.flatMap(level) },
    Figure(title: "limited %") { $0.limitedShare.map { (NumberText.fixed($0 * 100, 1), $0) } },
    Figure(title: "above limit dB") { $0.excessDecibels.flatMap(level) },
    Figure(title: "short of target dB") { $0.shortfallDecibels.flatMap { $0 == 0 ? nil : level($0) } },
  ]

  private static func level(_ decibels: Double) -> (text: String, value: Double)? {
    guard decibels.isFinite else { return decibels.isNaN ? nil : (NumberText.decimal(decibels, digits: 2), decibels) }
    return (NumberText.fixed(decibels, 2).replacing("-", with: "−"), decibels)
  }

  private var table: SortableTable {
    let shown = Self.figures.filter { figure in
      rows.contains { $0.error == nil && $0.report.flatMap(figure.cell) != nil }
    }
    let columns =
      [SortableTable.Column(title: "output"), SortableTable.Column(title: "status")]
      + shown.map { SortableTable.Column(title: $0.title, isNumber: $0.isNumber) }
    return SortableTable(
      columns: columns + (shown.isEmpty ? [SortableTable.Column(title: "message")] : []),
      rows: rows.map { row($0, shown) })
  }

  private func row(_ row: BatchReport.Row, _ shown: [Figure]) -> SortableTable.Row {
    let warnings: [Markup] = (row.report?.warnings ?? []).map { "<span class=\"warning\">\($0)</span>" }
    var cells = [
      SortableTable.Cell(content: "\(VisibleText.name(row.path))\(warnings)"),
      SortableTable.Cell(content: "<span class=\"status\">\(Self.words[row.status] ?? row.status)</span>"),
    ]
    if row.error != nil || shown.isEmpty {
      cells.append(
        SortableTable.Cell(content: "\(row.error?.description ?? "")", columns: max(1, shown.count)))
    } else {
      cells += shown.map { figure in
        guard let cell = row.report.flatMap(figure.cell) else { return SortableTable.Cell(content: "") }
        return SortableTable.Cell(content: "\(cell.text)", value: cell.value)
      }
    }
    return SortableTable.Row(kind: row.status, cells: cells)
  }

  private static let words = ["current": "up to date", "present": "there already", "left": "not begun"]
}
