import AudioCore

/// The layout of a figure, in CSS pixels from the upper left corner.
struct FigureLayout {
  struct Box: Hashable {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
    var width: Double { right - left }
    var height: Double { bottom - top }
    var middle: (x: Double, y: Double) { ((left + right) / 2, (top + bottom) / 2) }
  }

  struct PanelPlace {
    var frame: Box
    var scales: PanelScales
    var x: AxisTicks
    var y: AxisTicks
    var colour: AxisTicks?
    /// True when the x axis is labelled here.
    var labelsX: Bool
    /// The lines of text above the frame.
    var heading: [String]

    /// From a value to pixels.
    func across(_ value: Double) -> Double { frame.left + scales.x.position(value) * frame.width }
    func down(_ value: Double) -> Double { frame.bottom - scales.y.position(value) * frame.height }
  }

  struct LegendPlace {
    var entry: PlotStyles.Entry
    var label: String
    var left: Double
    /// The middle of the row.
    var y: Double
  }

  static let textSize = 14.0
  static let smallSize = 12.5
  static let titleSize = 18.0
  static let swatch = 38.0
  static let headingLines = 3
  static let headingStep = 18.0

  let width: Double
  private(set) var height = 0.0
  private(set) var title: [String] = []
  private(set) var subtitle: [String] = []
  private(set) var legend: [LegendPlace] = []
  private(set) var panels: [PanelPlace] = []
  let left: Double

  init(_ figure: Figure) {
    let wanted = figure.size.map {
      Figure.Size(width: $0.width.clamped(to: 320...8000), height: $0.height.clamped(to: 200...8000))
    }
    width = Double(wanted?.width ?? 1000)
    let scales = PanelScales.of(figure)
    let hasMap = figure.panels.contains { $0.map != nil }
    // Ticks need the frame's height, the frame's left edge the ticks' width: a first guess of the height will do.
    let yTicks = zip(figure.panels, scales).map { AxisTicks($0.y, $1.y, count: 8) }
    let widest = yTicks.flatMap(\.major).map { TextMetrics.width($0.label, size: Self.textSize) }.max() ?? 0
    left = 14 + 24 + max(30, widest) + 10
    let hasRight = figure.panels.contains { $0.y.right != nil }
    let right = width - (hasMap ? 118 : hasRight ? 72 : 28)

    var y = 16.0
    title = TextMetrics.wrapped(
      VisibleText.line(figure.title), width: right - left, size: Self.titleSize * 1.05, lines: 3)
    subtitle = TextMetrics.wrapped(
      VisibleText.line(figure.subtitle), width: right - left, size: Self.textSize, lines: 3)
    y += Double(title.count) * 24 + Double(subtitle.count) * 19 + (title.isEmpty && subtitle.isEmpty ? 4 : 8)
    y = placeLegend(PlotStyles(figure.panels).legend, top: y, right: right)
    placePanels(figure, scales, wantedHeight: wanted.map { Double($0.height) }, top: y, right: right)
  }

  private mutating func placePanels(
    _ figure: Figure, _ scales: [PanelScales], wantedHeight: Double?, top: Double, right: Double
  ) {
    // Circles lie beside each other.
    let isRow = !figure.panels.isEmpty && figure.panels.allSatisfy(\.isPolar)
    let side = (right - left) / Double(max(1, figure.panels.count))
    let labels = figure.panels.indices.map { index in
      !figure.sharesX || index == figure.panels.count - 1 || !figure.panels[index].x.isAlike(figure.panels[index + 1].x)
    }
    let headings = figure.panels.map {
      TextMetrics.wrapped(
        VisibleText.line($0.heading), width: isRow ? side : right - left, size: Self.textSize, lines: Self.headingLines)
    }
    let above = headings.map { $0.isEmpty ? 8.0 : 28 + Self.headingStep * Double($0.count - 1) }
    let frames: [Box]
    if isRow {
      height = (wantedHeight ?? (top + min(side, 440) + 70)).rounded()
      frames = above.enumerated().map { index, above in
        Box(
          left: left + side * Double(index), top: top + above, right: left + side * Double(index + 1),
          bottom: height - 36)
      }
    } else {
      frames = columnFrames(
        figure.panels, above: above, below: labels.map { $0 ? 62 : 12 }, wantedHeight: wantedHeight, top: top,
        right: right)
    }
    for (index, panel) in figure.panels.enumerated() {
      let (frame, scale) = (frames[index], scales[index])
      panels.append(
        PanelPlace(
          frame: frame, scales: scale, x: AxisTicks(panel.x, scale.x, count: Int(clamping: frame.width / 54)),
          y: AxisTicks(panel.y, scale.y, count: Int(clamping: frame.height / 34).clamped(to: 3...12)),
          colour: panel.map.flatMap { map in
            scale.colour.map { AxisTicks(map.colour, $0, count: Int(clamping: frame.height / 34).clamped(to: 2...12)) }
          },
          labelsX: labels[index], heading: headings[index]))
    }
  }

  /// Frames below each other, by their panels' parts of the height.
  /// - Parameters:
  ///   - above: the room above each frame.
  ///   - below: the room below it.
  private mutating func columnFrames(
    _ panels: [Panel], above: [Double], below: [Double], wantedHeight: Double?, top: Double, right: Double
  ) -> [Box] {
    let parts = panels.map { $0.relativeHeight.isFinite ? $0.relativeHeight.clamped(to: 0.1...10) : 1 }
    let allParts = parts.reduce(0, +)
    let single = panels.count == 1 ? 440.0 : panels.count == 2 ? 300 : 230
    let fixed = top + above.reduce(0, +) + below.reduce(0, +) + 4
    height = wantedHeight ?? (fixed + single * allParts).rounded()
    let unit = max(40, (height - fixed) / max(0.1, allParts))
    let needed = fixed + unit * allParts
    if wantedHeight == nil || needed > height { height = needed.rounded() }
    var y = top
    return panels.indices.map { index in
      let frame = Box(left: left, top: y + above[index], right: right, bottom: y + above[index] + unit * parts[index])
      y = frame.bottom + below[index]
      return frame
    }
  }

  /// Rows from left to right; answers where they end.
  private mutating func placeLegend(_ entries: [PlotStyles.Entry], top: Double, right: Double) -> Double {
    let shown = entries.count > Self.mostEntries ? Array(entries.prefix(Self.mostEntries - 1)) : entries
    guard !shown.isEmpty else { return top }
    var labels = shown.map {
      TextMetrics.shortened(VisibleText.line($0.name), width: (right - left) * 0.6, size: Self.smallSize)
    }
    var all = shown
    if shown.count < entries.count {
      all.append(PlotStyles.Entry(name: "", style: PlotStyle(.auxiliary, 0), kind: .curve(.line)))
      labels.append("and \(entries.count - shown.count) more")
    }
    var (x, y) = (left, top + 8)
    for (entry, label) in zip(all, labels) {
      let need = Self.swatch + 8 + TextMetrics.width(label, size: Self.smallSize)
      if x > left, x + need > right {
        x = left
        y += 20
      }
      legend.append(LegendPlace(entry: entry, label: label, left: x, y: y))
      x += need + 24
    }
    return y + 12
  }

  private static let mostEntries = 32
}
