import Measurement
import Plotting
import Verification

extension CheckOutcome {
  /// What was found over what was expected and what is allowed; below, the difference, in which narrow limits are seen.
  /// Nil without an overlay.
  func overlayFigure(device: String) -> Figure? {
    guard let overlay else { return nil }
    let actual = overlay.actual
    var panel = Panel(
      x: .init(actual.x), y: .init(actual.y), series: [PlotSeries("found", actual)],
      bands: [Self.allowed(overlay, less: nil)].compactMap { $0 }, relativeHeight: 1.2)
    if let band = actual.errorBand("found") { panel.bands.append(band) }
    var panels = [panel]
    if let expected = overlay.expected {
      panels[0].series.append(PlotSeries("expected", expected, role: .expected))
      panels.append(Self.difference(overlay, expected))
    }
    // The whole curve may reach far beyond what is judged.
    let judged = (overlay.expected ?? overlay.lower ?? overlay.upper)?.points.map(\.x) ?? []
    if let low = judged.min(), let high = judged.max(), low < high, low > 0, panels[0].x.scale == .logarithmic {
      for index in panels.indices { panels[index].x.range = low / 1.2...high * 1.2 }
    }
    if let worst = readings.first(where: { $0.id.hasSuffix("Difference") }), let place = worst.at["frequency"] {
      panels[panels.count - 1].markers.append(PlotMarker(.x(place), "largest difference"))
    }
    let channel = actual.channel.map { ", channel \($0)" } ?? ""
    let short = found.split(separator: ";").first.map(String.init) ?? found
    return Figure("\(id) of \(device)\(channel)", subtitle: "\(short); expected: \(expected)", panels: panels)
  }

  private static func difference(_ overlay: Overlay, _ expected: Curve) -> Panel {
    let truth = Dictionary(expected.points.map { ($0.x, $0.y) }) { first, _ in first }
    var difference = overlay.actual
    difference.points = overlay.actual.points.compactMap { point in
      truth[point.x].map { Curve.Point(point.x, point.y - $0, uncertainty: point.uncertainty) }
    }
    difference.y.name = "found − expected"
    var axis = PlotAxis(difference.y)
    // The limits say how close to look.
    axis.smallestSpan = nil
    return Panel(
      x: .init(difference.x), y: axis, series: [PlotSeries("found", difference)],
      bands: [allowed(overlay, less: truth)].compactMap { $0 }, relativeHeight: 0.8)
  }

  /// The mask, or how far from the expected one may be.
  private static func allowed(_ overlay: Overlay, less truth: [Double: Double]?) -> PlotBand? {
    guard let some = overlay.lower ?? overlay.upper else { return nil }
    func values(_ curve: Curve?, or missing: Double) -> [Double] {
      let known = Dictionary((curve?.points ?? []).map { ($0.x, $0.y) }) { first, _ in first }
      return some.points.map { point in
        let limit = curve == nil ? missing : known[point.x] ?? .nan
        return limit - (truth == nil ? 0 : truth?[point.x] ?? .nan)
      }
    }
    return PlotBand(
      "allowed", x: some.points.map(\.x), lower: values(overlay.lower, or: -.infinity),
      upper: values(overlay.upper, or: .infinity))
  }
}
