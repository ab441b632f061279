import AudioCore
import Bench
import Glibc
import Plotting

/// Pictures of what renders cost: how it grows, or how long render calls take; and the nodes' shares.
package struct CostFigures {
  private let report: CostReport

  package init(_ report: CostReport) { self.report = report }

  /// Without the folder.
  private var name: String {
    let titles = Set(report.results.map(\.one.title))
    return titles.count == 1 ? VisibleText.name(FileName.last(of: report.title)) : "\(titles.count) subjects"
  }

  /// Curves that one picture holds.
  private static let mostCurves = 8

  /// The main one.
  var main: Figure { report.curves.isEmpty ? sliceTimes : growth }

  // MARK: Growth

  var growth: Figure {
    var panels = [panel("the whole", report.curves.map { ($0.name, $0) })]
    for curve in report.curves.prefix(1) where !(curve.results[0].nodes.isEmpty) {
      let names = curve.results[0].nodes.map(\.name).filter { name in
        curve.results.allSatisfy { $0.nodes.contains { $0.name == name } }
      }
      let cost = { (result: BenchRun.Result, name: String) in
        result.nodes.first { $0.name == name }?.frame.median ?? .nan
      }
      let dearest = names.sorted { a, b in
        (curve.results.map { cost($0, a) }.max() ?? 0) > (curve.results.map { cost($0, b) }.max() ?? 0)
      }
      guard names.count > 1 else { continue }
      panels.append(
        Panel(
          "nodes that all have" + (names.count > Self.mostCurves ? ", the dearest" : ""), x: axis(curve),
          y: PlotAxis("cost", unit: "ns a frame"),
          series: dearest.prefix(Self.mostCurves).map { name in
            PlotSeries(VisibleText.name(name), x: curve.x, y: curve.results.map { cost($0, name) })
          }))
    }
    return Figure(
      "\(name): cost over \(report.varied ?? "")", subtitle: report.machine.processor,
      panels: panels)
  }

  private func axis(_ curve: CostReport.Curve) -> PlotAxis {
    PlotAxis(report.varied ?? "", scale: Self.scale(curve.x))
  }

  private static func scale(_ values: [Double]) -> PlotAxis.Scale {
    guard let low = values.min(), let high = values.max(), low > 0 else { return .linear }
    return high / low > 8 ? .logarithmic : .linear
  }

  private func panel(_ title: String, _ curves: [(name: String, curve: CostReport.Curve)]) -> Panel {
    let isWhole = report.isWhole(report.curves[0])
    var panel = Panel(
      title, x: axis(report.curves[0]),
      y: PlotAxis(
        "cost", unit: isWhole ? "ms" : "ns a frame",
        scale: Self.scale(report.curves.flatMap(\.results).map { Statistics.quantile($0.growingCosts.sorted(), 0.5) })))
    for (name, curve) in curves.prefix(Self.mostCurves) {
      let scale = isWhole ? 1e-6 : 1
      let figures = curve.results.map { Statistics($0.growingCosts) }
      panel.bands.append(
        PlotBand(
          "", x: curve.x, lower: figures.map { $0.interval.lowerBound * scale },
          upper: figures.map { $0.interval.upperBound * scale }, role: .actual))
      panel.series.append(
        PlotSeries(
          name.isEmpty ? "measured" : VisibleText.name(name), x: curve.x, y: figures.map { $0.median * scale },
          mark: .dots))
      if let fit = curve.growth, fit.kind != .irregular, let low = curve.x.min(), let high = curve.x.max() {
        let x = (0...100).map { low * pow(high / low, Double($0) / 100) }
        panel.series.append(
          PlotSeries(report.law(fit, of: curve), x: x, y: x.map { fit.value(at: $0) * scale }, role: .expected))
      }
    }
    return panel
  }

  // MARK: Render calls

  /// Bins for each doubling of the time.
  private static let binsPerOctave = 12.0

  var sliceTimes: Figure {
    var panel = Panel(
      x: PlotAxis("a render call", unit: "µs", scale: .logarithmic),
      y: PlotAxis("share of the calls in a twelfth of an octave", unit: "%", scale: .logarithmic))
    for result in report.results.prefix(Self.mostCurves) {
      var bins: [Int: Int] = [:]
      for time in result.slices where time > 0 {
        bins[Int(clamping: (log2(Double(time)) * Self.binsPerOctave).rounded(.down)), default: 0] += 1
      }
      guard let low = bins.keys.min(), let high = bins.keys.max() else { continue }
      // The outline of bars.
      var (x, y): ([Double], [Double]) = ([], [])
      for bin in (low - 1)...(high + 1) {
        // An empty bin is drawn as half a call, as 0 has no place on a logarithmic axis: the rare calls are of
        // interest.
        let share = 100 * max(0.5, Double(bins[bin] ?? 0)) / Double(result.slices.count)
        for edge in [bin, bin + 1] {
          x.append(exp2(Double(edge) / Self.binsPerOctave) / 1000)
          y.append(share)
        }
      }
      panel.series.append(PlotSeries(result.name, x: x, y: y))
      if report.results.count == 1 {
        let slices = result.slices.map(Double.init)
        panel.markers = CostReport.quantiles.map {
          PlotMarker(.x(Statistics.quantile(slices, $0.share) / 1000), $0.name)
        }
      }
    }
    return Figure(
      "\(name): how long render calls take", subtitle: report.machine.processor,
      panels: [panel])
  }

  // MARK: Nodes

  /// The tree map of the first case that has nodes; nil if none has.
  var nodes: TreeMap? {
    guard let result = report.results.first(where: { !$0.nodes.isEmpty }) else { return nil }
    // As in the table: what is not given there has no area here.
    let all = result.nodesTogether
    guard all > 0 else { return nil }
    return TreeMap(
      "\(VisibleText.name(FileName.last(of: result.one.title))): what its nodes cost",
      subtitle: "\(result.name); areas are times; \(CostReport.number(all)) ns a frame in all",
      parts: result.nodes.filter { !result.isNoisy($0.frame) }.map { node in
        TreeMap.Part(
          name: VisibleText.name(node.name), value: max(0, node.frame.median),
          detail: "\(CostReport.number(node.frame.median)) ns, \(CostReport.percent(node.frame.median / all))")
      })
  }

  // MARK: Output

  /// For a terminal.
  package var chart: String { MeasurementPictures.chart(main) }

  /// Writes the main picture under a path, and the nodes' shares beside it. The paths.
  package func write(to path: String) throws(BenchError) -> [String] {
    try main.write(to: path, withData: false)
    guard let nodes else { return [path] }
    let second = MeasurementPictures.path(path, ["nodes"])
    try nodes.write(to: second)
    return [path, second]
  }
}
