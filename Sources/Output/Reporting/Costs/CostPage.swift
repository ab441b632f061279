import AudioCore
import Bench
import Plotting

/// The costs of renders as one page without external files: figures, pictures, and their history.
package struct CostPage {
  private let report: CostReport?
  private let history: CostHistory?

  package init(_ report: CostReport, _ history: CostHistory?) { (self.report, self.history) = (report, history) }

  /// Makes the page of a history alone.
  package init(_ history: CostHistory) { (report, self.history) = (nil, history) }

  package var text: String {
    let title = report.map { "\(VisibleText.name($0.title)): the cost of a render" } ?? "The cost of renders, over time"
    return HTMLPage.document(
      title: title,
      style: "\ntd.number{text-align:right}th{text-align:left}td,th{padding:2px 14px 2px 0}pre{overflow-x:auto}",
      body: """
        <header class="top"><h1><span>\(title)</span></h1>
        <p class="facts">\(report?.machine.text ?? history?.text ?? "")</p></header>
        <main>
        \(report.map(sections))\(history.map(sections))</main>
        """
    ).text
  }

  private func sections(_ report: CostReport) -> Markup {
    let figures = CostFigures(report)
    var sections = Self.section("Render calls", Self.table([CostReport.head] + report.results.map(report.row)))
    if !report.curves.isEmpty {
      sections += Self.section(
        "Growth", SVGFigure(figures.growth).element(name: "Cost over \(report.varied ?? "")"))
    }
    sections += Self.section(
      "How long render calls take", SVGFigure(figures.sliceTimes).element(name: "Times of render calls"))
    if let nodes = figures.nodes, let result = report.results.first(where: { !$0.nodes.isEmpty }) {
      sections += Self.section(
        "Nodes",
        nodes.element(name: "Shares of the nodes")
          + Self.table([CostReport.nodeHead] + report.nodeRows(of: result)))
    }
    let watches: [Markup] = report.watches.compactMap { watch in
      watch.report.map { _ in "<pre>\(VisibleText.name(watch.title)): \(watch.text(showsAll: true))</pre>\n" }
    }
    if !watches.isEmpty {
      var all: Markup = ""
      for watch in watches { all += watch }
      sections += Self.section("In a realtime thread", all)
    }
    return sections
  }

  private func sections(_ history: CostHistory) -> Markup {
    // For a history alone the head of the page has its text.
    var courses: Markup = report == nil ? "" : "<p>\(history.text)</p>"
    courses += Self.table(
      [["", "runs", "last", "", "against the run before"]]
        + history.courses.map { course in
          [
            course.name, "\(course.medians.count)", CostReport.number(course.medians.last ?? 0), course.unit,
            course.change,
          ]
        })
    for course in history.courses where course.medians.count > 1 {
      courses += SVGFigure(course.figure).element(name: course.name)
    }
    return Self.section("Over time", courses)
  }

  private static func section(_ title: String, _ content: Markup) -> Markup {
    "<section><h2>\(title)</h2>\n\(content)\n</section>\n"
  }

  /// The first row is the head, the first column names.
  private static func table(_ rows: [[String]]) -> Markup {
    let lines: [Markup] = rows.enumerated().map { index, row in
      let cells: [Markup] = row.enumerated().map { column, text in
        index == 0 || column == 0
          ? "<th scope=\"\(Markup(trusted: index == 0 ? "col" : "row"))\">\(text)</th>"
          : "<td class=\"number\">\(text)</td>"
      }
      return "<tr>\(cells)</tr>\n"
    }
    return "<table>\(lines)</table>"
  }
}
