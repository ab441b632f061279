import AudioCore
/// One panel on its way to text: canvas, axes, labels.
struct TerminalFrame {
  let panel: Panel
  let scales: PanelScales
  let y: AxisTicks
  let x: AxisTicks
  /// Characters left of the axis.
  let margin: Int
  let columns: Int
  let rows: Int
  let chart: TerminalChart

  func lines() -> [String] {
    let canvas = drawn()
    let labels = Dictionary(y.major.map { (row($0.value), $0.label) }) { first, _ in first }
    var xColumns: [Int: String] = [:]
    for tick in x.major { xColumns[column(tick.value)] = tick.label }
    let (bar, tick) = chart.usesUnicode ? ("│", "┤") : ("|", "+")
    var lines: [String] = []
    for row in 0..<rows {
      let label = chart.shown(labels[row] ?? "").prefix(margin)
      var line = String(repeating: " ", count: margin - label.count) + label + " " + (labels[row] == nil ? bar : tick)
      line += cells(canvas, row, isGrid: labels[row] != nil, xColumns)
      lines.append(line)
    }
    lines.append(axisLine(xColumns))
    lines.append(tickLine(xColumns))
    let title = chart.fitted(panel.x.title(unit: x.unit), columns)
    lines.append(String(repeating: " ", count: margin + 2 + max(0, (columns - title.count) / 2)) + title)
    if let emptiness = scales.emptiness {
      let text = chart.shown(chart.usesUnicode ? emptiness : emptiness.replacing("\u{221E}", with: "inf"))
      lines[rows / 2] = Self.centred(text, in: lines[rows / 2], width: chart.width)
    }
    return lines
  }

  private static func centred(_ text: String, in line: String, width: Int) -> String {
    let characters = Array(line) + Array(repeating: " ", count: max(0, width - line.count))
    let start = max(0, (width - text.count) / 2)
    return String(characters[..<start]) + text + String(characters.dropFirst(start + text.count))
  }

  private func row(_ value: Double) -> Int {
    Int(clamping: ((1 - scales.y.position(value)) * Double(rows - 1)).rounded())
  }

  private func column(_ value: Double) -> Int {
    Int(clamping: (scales.x.position(value) * Double(columns - 1)).rounded())
  }

  /// Adjacent cells of one curve share one colour sequence.
  private func cells(_ canvas: BrailleCanvas, _ row: Int, isGrid: Bool, _ ticks: [Int: String]) -> String {
    var line = ""
    var run = ""
    var owner = -1
    for column in 0..<columns {
      let shown = canvas.character(
        column: column, row: row, mark: chart.mark, hasDots: { $0 == 0 || chart.usesColours })
      let next = shown == nil ? -1 : canvas.owner(column: column, row: row)
      if next != owner {
        line += owner < 0 ? run : chart.paint(run, owner)
        run = ""
        owner = next
      }
      let isDot = panel.map == nil && (isGrid && column % 2 == 0 || ticks[column] != nil && row % 2 == 0)
      run.append(shown ?? (isDot ? (chart.usesUnicode ? "·" : ".") : " "))
    }
    return line + (owner < 0 ? run : chart.paint(run, owner))
  }

  private func axisLine(_ ticks: [Int: String]) -> String {
    let (corner, line, tick): (String, Character, Character) = chart.usesUnicode ? ("└", "─", "┬") : ("+", "-", "+")
    let cells = (0..<columns).map { ticks[$0] == nil ? line : tick }
    return String(repeating: " ", count: margin + 1) + corner + String(cells)
  }

  /// Labels centred below their ticks; one that would touch its neighbour is left out.
  private func tickLine(_ ticks: [Int: String]) -> String {
    var line = [Character](repeating: " ", count: margin + 2 + columns)
    var free = 0
    for (column, label) in ticks.sorted(by: { $0.key < $1.key }) {
      let label = chart.shown(label)
      var start = margin + 2 + column - (label.count - 1) / 2
      start = min(start, line.count - label.count)
      guard start >= free, start + label.count <= line.count else { continue }
      for (index, character) in label.enumerated() { line[start + index] = character }
      free = start + label.count + 1
    }
    return String(line)
  }

  private func drawn() -> BrailleCanvas {
    var canvas = BrailleCanvas(columns: columns, rows: rows, isBraille: chart.usesUnicode)
    if let map = panel.map { draw(map, &canvas) }
    let decimation = Decimation(x: scales.x, y: scales.y, columns: canvas.width * 2)
    // The last that is drawn stays on top.
    for (index, curve) in TerminalCurve.all(panel).enumerated().reversed() {
      switch curve {
      case .band(let band):
        for strip in decimation.strips(band) { draw(strip, isSolid: band.isSolid, index, &canvas) }
      case .series(let series):
        let isLine = series.mark == .line || series.mark == .markedLine
        draw(decimation.lines(series), joinsPoints: isLine, shares: isLine && series.role == .actual, index, &canvas)
      }
    }
    return canvas
  }

  /// A point in dots; at most a panel beyond the edges.
  private func place(_ point: Decimation.Point, _ canvas: BrailleCanvas) -> (x: Int, y: Int) {
    (
      Int(clamping: (point.x.clamped(to: -1...2) * Double(canvas.width - 1)).rounded()),
      Int(clamping: ((1 - point.y.clamped(to: -1...2)) * Double(canvas.height - 1)).rounded())
    )
  }

  private func draw(
    _ lines: [[Decimation.Point]], joinsPoints: Bool, shares: Bool, _ index: Int, _ canvas: inout BrailleCanvas
  ) {
    if index > 0, !chart.usesColours {
      mark(lines, shares: shares, index, &canvas)
      return
    }
    for line in lines {
      let places = line.map { place($0, canvas) }
      if joinsPoints, places.count > 1 {
        for (a, b) in zip(places, places.dropFirst()) { canvas.line(a, b, owner: index, shares: shares) }
      } else {
        for place in places { canvas.set(place.x, place.y, owner: index) }
      }
    }
  }

  /// Without colours, curves after the first are rows of marks, one in each column.
  private func mark(_ lines: [[Decimation.Point]], shares: Bool, _ index: Int, _ canvas: inout BrailleCanvas) {
    for line in lines {
      var next = line.startIndex
      for column in 0..<columns {
        let at = Double(column) / Double(max(1, columns - 1))
        while next + 1 < line.count, line[next + 1].x <= at { next += 1 }
        guard let first = line.first, let last = line.last, at >= first.x - 0.5 / Double(columns),
          at <= last.x + 0.5 / Double(columns)
        else { continue }
        let (a, b) = (line[next], line[min(next + 1, line.count - 1)])
        let part = b.x > a.x ? ((at - a.x) / (b.x - a.x)).clamped(to: 0...1) : 0
        let height = a.y + (b.y - a.y) * part
        guard height >= -0.001, height <= 1.001 else { continue }
        let row = Int(clamping: ((1 - height) * Double(rows - 1)).rounded())
        if shares {
          canvas.share(column: column, row: row, owner: index)
        } else {
          canvas.mark(column: column, row: row, chart.mark(index), owner: index)
        }
      }
    }
  }

  /// A band as columns, or as its two edges.
  private func draw(_ strip: [Decimation.Strip], isSolid: Bool, _ index: Int, _ canvas: inout BrailleCanvas) {
    let uppers = strip.map { place(Decimation.Point(x: $0.x, y: $0.upper), canvas) }
    let lowers = strip.map { place(Decimation.Point(x: $0.x, y: $0.lower), canvas) }
    if isSolid {
      for (upper, lower) in zip(uppers, lowers) { canvas.line(upper, lower, owner: index) }
    }
    for edge in [uppers, lowers] {
      for (a, b) in zip(edge, edge.dropFirst()) {
        // Dotted, so that a limit is not taken for a curve.
        if isSolid || a.x % 4 < 2 { canvas.line(a, b, owner: index) }
      }
    }
  }

  private func draw(_ map: HeatMap, _ canvas: inout BrailleCanvas) {
    guard let colour = scales.colour, map.columnCount > 0, map.rowCount > 0 else { return }
    let raster = map.resampled(columns: columns, rows: rows, x: scales.x, y: scales.y)
    let ramp = chart.ramp
    for column in 0..<columns {
      for row in 0..<rows {
        let (across, up) = (column * raster.columnCount / columns, (rows - 1 - row) * raster.rowCount / rows)
        let position = colour.position(Double(raster.values[across * raster.rowCount + up]))
        guard !position.isNaN else { continue }
        let shade = Int(clamping: (position.clamped(to: 0...1) * Double(ramp.count - 1)).rounded())
        if shade > 0 { canvas.mark(column: column, row: row, ramp[shade], owner: -1) }
      }
    }
  }
}
