import AudioCore
import Measurement
import Plotting
import Verification

extension CheckOutcome {
  /// ``overlayFigure()`` with a heading, for a file of its own.
  func overlayFigure(device: String) -> Figure? {
    guard var figure = overlayFigure(), let overlay else { return nil }
    let channel = overlay.actual.channel.map { ", channel \($0)" } ?? ""
    let short = found.split(separator: ";").first.map(String.init) ?? found
    figure.title = "\(id) of \(device)\(channel)"
    figure.subtitle = "\(short); expected: \(expected)"
    return figure
  }

  /// The measured curve over the expected one and the limits, with crosses at points beyond them; below, the
  /// difference, which shows narrow limits. Nil without an overlay.
  func overlayFigure() -> Figure? {
    guard let overlay else { return nil }
    let bounds = Bounds(overlay)
    let outside = overlay.actual.points.filter(bounds.excludes)
    func crosses(_ value: (Curve.Point) -> Double) -> [PlotSeries] {
      let name = "outside, or not a number: \(NumberText.count(outside.count, "point"))"
      // A value that is not a number is marked at the lower edge.
      return outside.isEmpty
        ? []
        : [
          PlotSeries(
            name, x: outside.map(\.x), y: outside.map { $0.y.isNaN ? -.infinity : value($0) }, role: .violation,
            mark: .crosses)
        ]
    }
    let actual = overlay.actual
    var panel = Panel(
      x: .init(actual.x), y: .init(actual.y), series: [PlotSeries("found", actual)] + crosses(\.y),
      bands: [bounds.band { _ in 0 }].compactMap { $0 }, relativeHeight: 1.2)
    if let band = actual.errorBand("found") { panel.bands.append(band) }
    var panels = [panel]
    if let expected = bounds.expected {
      panels[0].series.append(PlotSeries("expected", overlay.expected ?? actual, role: .expected))
      func truth(_ x: Double) -> Double { expected.value(at: x) ?? .nan }
      var difference = actual
      difference.y.name = "found − expected"
      difference.points = actual.points.map { Curve.Point($0.x, $0.y - truth($0.x), uncertainty: $0.uncertainty) }
      var axis = PlotAxis(difference.y)
      // The limits say how close to look.
      axis.smallestSpan = nil
      panels.append(
        Panel(
          x: .init(actual.x), y: axis, series: [PlotSeries("found", difference)] + crosses { $0.y - truth($0.x) },
          bands: [bounds.band(less: truth)].compactMap { $0 }, markers: [PlotMarker(.y(0))], relativeHeight: 0.8))
    }
    // The whole curve may reach far beyond what is judged.
    let judged = (overlay.expected ?? overlay.lower ?? overlay.upper)?.points.map(\.x) ?? []
    if let low = judged.min(), let high = judged.max(), low < high, low > 0, panels[0].x.scale == .logarithmic {
      for index in panels.indices { panels[index].x.range = low / 1.2...high * 1.2 }
    }
    if let worst = readings.first(where: { $0.id.hasSuffix("Difference") }), let place = worst.at["frequency"] {
      // Above the panel: within it, words would lie on the curve or on the limits.
      panels[panels.count - 1].title = "largest difference at the upright line"
      panels[panels.count - 1].markers.append(PlotMarker(.x(place)))
    }
    return Figure("", panels: panels)
  }
}

/// The limits of a curve, also between its points where they are known there.
private struct Bounds {
  let expected: Interpolation?
  private let lower: Interpolation?
  private let upper: Interpolation?
  /// The corners of the limits, and of the curve that they are laid around.
  private let places: [Double]

  init(_ overlay: CheckOutcome.Overlay) {
    func line(_ curve: Curve?) -> Interpolation? { curve.map { Interpolation($0.points) } }
    (expected, lower, upper) = (line(overlay.expected), line(overlay.lower), line(overlay.upper))
    let curves = [overlay.lower, overlay.upper] + (overlay.expected == nil ? [] : [overlay.actual])
    places = Set(curves.flatMap { $0?.points.map(\.x) ?? [] }).sorted()
  }

  func excludes(_ point: Curve.Point) -> Bool {
    if point.y.isNaN || point.y == .infinity { return lower != nil || upper != nil }
    if let limit = lower?.value(at: point.x), point.y < limit { return true }
    if let limit = upper?.value(at: point.x), point.y > limit { return true }
    return false
  }

  /// The mask, or how far from the expected one may be.
  func band(less truth: (Double) -> Double) -> PlotBand? {
    guard lower != nil || upper != nil else { return nil }
    // Without a limit on a side there is no bound on it.
    func values(_ limit: Interpolation?, _ none: Double) -> [Double] {
      places.map { x in
        guard let limit else { return none }
        return (limit.value(at: x) ?? .nan) - truth(x)
      }
    }
    return PlotBand("allowed", x: places, lower: values(lower, -.infinity), upper: values(upper, .infinity))
  }
}
