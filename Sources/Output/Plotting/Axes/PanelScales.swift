/// The settled axes of one panel.
package struct PanelScales {
  package var x: AxisScale
  package var y: AxisScale
  /// The scale of the map's colours, if there is one.
  package var colour: AxisScale?
  /// The text for a panel without anything to show; nil if there is something.
  package var emptiness: String?

  /// Those of all panels of a figure; panels that share x have one range.
  package static func of(_ figure: Figure) -> [PanelScales] {
    var ranges = figure.panels.map { xRange($0) }
    if figure.sharesX {
      for index in ranges.indices {
        for other in figure.panels.indices
        where other != index && figure.panels[other].x.isAlike(figure.panels[index].x) {
          ranges[index].add(xRange(figure.panels[other]))
        }
      }
    }
    return zip(figure.panels, ranges).map { panel, range in
      let x = range.tight(panel.x)
      let y = yRange(panel, x)
      let isMap = panel.map.map { $0.columnCount > 0 && $0.rowCount > 0 } ?? false
      return PanelScales(
        x: x, y: isMap ? y.tight(panel.y) : y.rounded(panel.y), colour: panel.map.map(colourScale),
        emptiness: emptiness(panel, y))
    }
  }

  private static func emptiness(_ panel: Panel, _ y: AxisRange) -> String? {
    if let map = panel.map, panel.series.isEmpty {
      if map.values.allSatisfy({ $0.isNaN }) { return "no values to show" }
      // Silence has a picture, of one colour, but that may be anything.
      return map.values.allSatisfy { $0 == -.infinity } ? "every value is \u{2212}\u{221E}" : nil
    }
    if !y.isEmpty || panel.markers.contains(where: \.isLine) { return nil }
    let values = panel.series.flatMap(\.y)
    return values.contains(-.infinity) ? "every value is \u{2212}\u{221E}" : "no values to show"
  }

  package static func of(_ panel: Panel) -> PanelScales { of(Figure("", panels: [panel]))[0] }

  private static func xRange(_ panel: Panel) -> AxisRange {
    var range = AxisRange()
    for series in panel.series {
      for (x, y) in zip(series.x, series.y) where !y.isNaN { range.add(x, on: panel.x) }
    }
    for band in panel.bands { range.add(band.x, on: panel.x) }
    if let map = panel.map, map.columnCount > 0 {
      let edges = map.x.edges(map.columnCount)
      range.add(edges.low, on: panel.x)
      range.add(edges.high, on: panel.x)
    }
    if range.isEmpty {
      for marker in panel.markers {
        if case .point(let x, _) = marker.place { range.add(x, on: panel.x) }
        if case .x(let x) = marker.place { range.add(x, on: panel.x) }
      }
    }
    return range
  }

  /// The range of the values within the x range.
  private static func yRange(_ panel: Panel, _ x: AxisScale) -> AxisRange {
    var range = AxisRange()
    for series in panel.series {
      for (place, value) in zip(series.x, series.y) where x.contains(place) { range.add(value, on: panel.y) }
    }
    for band in panel.bands {
      for (index, place) in band.x.enumerated() where x.contains(place) {
        range.add(band.lower[index], on: panel.y)
        range.add(band.upper[index], on: panel.y)
      }
    }
    if let map = panel.map, map.rowCount > 0 {
      let edges = map.y.edges(map.rowCount)
      // A logarithmic axis has no place for the lower half of a cell around 0.
      range.add(
        panel.y.scale == .logarithmic && edges.low <= 0 ? map.y.middle(1, of: map.rowCount) : edges.low, on: panel.y)
      range.add(edges.high, on: panel.y)
    }
    for marker in panel.markers {
      if case .y(let y) = marker.place { range.add(y, on: panel.y) }
      if case .point(let place, let y) = marker.place, x.contains(place) { range.add(y, on: panel.y) }
    }
    return range
  }

  private static func colourScale(_ map: HeatMap) -> AxisScale {
    var range = AxisRange()
    for value in map.values { range.add(Double(value), on: map.colour) }
    return range.rounded(map.colour)
  }
}

extension PlotAxis {
  /// True when two panels' axes can be one.
  func isAlike(_ other: PlotAxis) -> Bool {
    label == other.label && unit == other.unit && scale == other.scale && ticks == other.ticks && range == other.range
      && named == other.named
  }
}

extension PlotMarker {
  var isLine: Bool {
    if case .point = place { return false }
    return true
  }
}
