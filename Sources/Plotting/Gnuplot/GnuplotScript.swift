/// The program that makes gnuplot draw a figure. It holds the data too and names no file: the picture comes out of
/// standard output.
///
/// All coordinates are parts of the panel from 0 to 1; gnuplot neither takes logarithms nor chooses ranges or ticks.
struct GnuplotScript {
  let figure: Figure
  let layout: FigureLayout
  private let styles: PlotStyles
  private(set) var text = ""

  init(_ figure: Figure, format: PictureFormat) {
    self.figure = figure
    layout = FigureLayout(figure)
    styles = PlotStyles(figure.panels)
    line("set encoding utf8")
    line(format.terminal(width: layout.width, height: layout.height))
    line("unset key")
    line("set style fill transparent solid 1 noborder")
    line("set clip two")
    line("set style line 101 lc rgb '#D2D2D2' lw 0.9 dt solid")
    line("set style line 102 lc rgb '#EEEEEE' lw 0.8 dt solid")
    // Darker is less, also in grey print: the lightness rises all the way.
    line(
      "set palette defined (0 '#000004', 1 '#1B0C41', 2 '#4A0C6B', 3 '#781C6D', 4 '#A52C60', 5 '#CF4446', "
        + "6 '#ED6925', 7 '#FB9B06', 8 '#F7D13D', 9 '#FCFFA4')")
    line("set multiplot")
    for (index, place) in layout.panels.enumerated() {
      panel(figure.panels[index], place, isFirst: index == 0)
    }
    line("unset multiplot")
  }

  mutating func line(_ text: String) { self.text += text + "\n" }

  private mutating func panel(_ panel: Panel, _ place: FigureLayout.PanelPlace, isFirst: Bool) {
    line("unset label; unset arrow; unset object; unset colorbox; unset title; unset grid")
    let frame = place.frame
    line("set lmargin at screen \(across(frame.left)); set rmargin at screen \(across(frame.right))")
    line("set tmargin at screen \(up(frame.top)); set bmargin at screen \(up(frame.bottom))")
    line("set xrange [0:1]; set yrange [0:1]")
    line("set border 15 lw 1 lc rgb '#606060'")
    ticks(panel, place)
    if isFirst {
      heading()
      legend()
    }
    if !panel.title.isEmpty {
      let size = FigureLayout.textSize
      let title = GnuplotText.shortened(GnuplotText.clean(panel.title), width: frame.width, size: size)
      label(title, x: frame.left, y: frame.top - 13, size: size)
    }
    if let emptiness = place.scales.emptiness {
      label(
        emptiness, x: (frame.left + frame.right) / 2, y: (frame.top + frame.bottom) / 2,
        size: FigureLayout.textSize, colour: "#808080", alignment: "center")
    }
    var marks = PanelMarkers(panel.markers, place)
    for command in marks.commands(self) { line(command) }
    draw(panel, place)
  }

  private mutating func ticks(_ panel: Panel, _ place: FigureLayout.PanelPlace) {
    let isMap = panel.map != nil
    let colour = "textcolor rgb '#202020'"
    func list(_ ticks: AxisTicks, _ scale: AxisScale, labels: Bool) -> String {
      let major = ticks.major.map { tick in
        "\(labels ? GnuplotText.tickLabel(tick.label) : "''") \(Self.number(scale.position(tick.value)))"
      }
      let minor = ticks.minor.map { "'' \(Self.number(scale.position($0))) 1" }
      return "(" + (major + minor).joined(separator: ", ") + ")"
    }
    let x = list(place.x, place.scales.x, labels: place.labelsX)
    let y = list(place.y, place.scales.y, labels: true)
    // An empty list would bring gnuplot's own ticks.
    line(x == "()" ? "unset xtics" : "set xtics out nomirror scale 0.6,0.3 norotate \(x) \(colour)")
    line(y == "()" ? "unset ytics" : "set ytics out nomirror scale 0.6,0.3 \(y) \(colour)")
    if !isMap { line("set grid xtics ytics mxtics mytics back linestyle 101, linestyle 102") }
    if place.labelsX {
      let title = GnuplotText.shortened(
        GnuplotText.clean(panel.x.title(unit: place.x.unit)), width: place.frame.width, size: FigureLayout.textSize)
      label(
        title, x: (place.frame.left + place.frame.right) / 2, y: place.frame.bottom + 46, size: FigureLayout.textSize,
        alignment: "center")
    }
    let title = GnuplotText.shortened(
      GnuplotText.clean(panel.y.title(unit: place.y.unit)), width: place.frame.height + 30, size: FigureLayout.textSize)
    label(
      title, x: 20, y: (place.frame.top + place.frame.bottom) / 2, size: FigureLayout.textSize,
      alignment: "center rotate by 90")
    guard let map = panel.map, let scale = place.scales.colour, let ticks = place.colour else { return }
    let (left, right) = (place.frame.right + 14, place.frame.right + 30)
    line(
      "set colorbox vertical user origin screen \(across(left)), screen \(up(place.frame.bottom)) "
        + "size screen \(across(right - left)), screen \(up(place.frame.top) - up(place.frame.bottom)) noborder")
    line("set cbrange [0:1]")
    let list = list(ticks, scale, labels: true)
    line(list == "()" ? "unset cbtics" : "set cbtics out nomirror scale 0.5,0.3 \(list) \(colour)")
    label(
      map.colour.title(unit: ticks.unit), x: layout.width - 16, y: (place.frame.top + place.frame.bottom) / 2,
      size: FigureLayout.textSize, alignment: "center rotate by 90")
  }

  private mutating func heading() {
    var y = 28.0
    for text in layout.title {
      label(text, x: layout.left, y: y, size: FigureLayout.titleSize, isBold: true)
      y += 24
    }
    for text in layout.subtitle {
      label(text, x: layout.left, y: y - 2, size: FigureLayout.textSize, colour: "#505050")
      y += 19
    }
  }

  private mutating func legend() {
    for place in layout.legend {
      let (left, right, y) = (place.left, place.left + FigureLayout.swatch, place.y)
      let style = place.entry.style
      switch place.entry.kind {
      case .tint, .solid:
        let opacity = place.entry.kind == .solid ? 0.85 : style.tint
        line(
          "set object rectangle from screen \(across(left)), screen \(up(y + 6)) to screen \(across(right)), "
            + "screen \(up(y - 6)) front fillcolor rgb '\(style.fill ?? style.colour)' fillstyle transparent solid \(opacity) noborder"
        )
        guard place.entry.kind == .tint else { break }
        for edge in [y - 6, y + 6] { segment(left, edge, right, edge, style, width: 0.8) }
      case .line: segment(left, y, right, y, style, width: style.width)
      case .dots:
        line(
          "set label '' at screen \(across((left + right) / 2)), screen \(up(y)) front point pt 7 ps 0.7 "
            + "lc rgb '\(style.colour)'")
      }
      if !place.label.isEmpty { label(place.label, x: right + 8, y: y, size: FigureLayout.smallSize) }
    }
  }

  private mutating func segment(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ style: PlotStyle, width: Double
  ) {
    line(
      "set arrow from screen \(across(x0)), screen \(up(y0)) to screen \(across(x1)), screen \(up(y1)) nohead front "
        + "lc rgb '\(style.colour)' lw \(width)\(style.dashType)")
  }

  /// A text at pixels of the whole picture.
  mutating func label(
    _ text: String, x: Double, y: Double, size: Double, colour: String = "#101010", alignment: String = "left",
    isBold: Bool = false
  ) {
    guard !text.isEmpty else { return }
    line(
      "set label \(GnuplotText.quoted(text)) at screen \(across(x)), screen \(up(y)) \(alignment) front noenhanced "
        + "font '\(isBold ? "DejaVu Sans:Bold" : ""),\(Self.number(size))' textcolor rgb '\(colour)'")
  }

  private mutating func draw(_ panel: Panel, _ place: FigureLayout.PanelPlace) {
    let decimation = Decimation(x: place.scales.x, y: place.scales.y, columns: Int(place.frame.width * 2))
    var plots: [String] = []
    if let map = panel.map, map.columnCount > 0, map.rowCount > 0 { plots.append(raster(map, place)) }
    for band in panel.bands {
      let strips = decimation.strips(band)
      guard !strips.isEmpty else { continue }
      let style = styles.style(band.name, band.role)
      let data = block(strips) { "\(Self.number($0.x)) \(Self.number($0.lower)) \(Self.number($0.upper))" }
      let opacity = band.isSolid ? 0.85 : style.tint
      plots.append(
        "\(data) using 1:2:3 with filledcurves fc rgb '\(style.fill ?? style.colour)' fs transparent solid \(opacity) noborder"
      )
      // The edge: what a waveform has left where it is thinner than a pixel, and where a limit lies.
      if band.isSolid || band.role == .limit {
        for column in 2...3 {
          plots.append(
            "\(data) using 1:\(column) with lines lc rgb '\(style.colour)' lw \(band.isSolid ? 1 : style.width)"
              + (band.isSolid ? "" : style.dashType))
        }
      }
    }
    // Helpers below, what was measured above them, what is expected on top.
    let order: [PlotRole] = [.auxiliary, .limit, .actual, .expected]
    for role in order {
      for series in panel.series where series.role == role {
        let lines = decimation.lines(series)
        guard !lines.isEmpty else { continue }
        let style = styles.style(series.name, series.role)
        // A line of one point is a dot, or it would not be seen.
        let points = lines.filter { $0.count == 1 || series.isDotted }
        let long = lines.filter { $0.count > 1 && !series.isDotted }
        if !long.isEmpty {
          let data = block(long) { "\(Self.number($0.x)) \(Self.number($0.y))" }
          // Where every pixel has its own zigzag, a broad line is a smear.
          let width = climb(long) * place.frame.height > 6 * place.frame.width ? min(style.width, 1.1) : style.width
          plots.append("\(data) using 1:2 with lines lc rgb '\(style.colour)' lw \(width)\(style.dashType)")
        }
        if !points.isEmpty {
          let data = block(points) { "\(Self.number($0.x)) \(Self.number($0.y))" }
          plots.append("\(data) using 1:2 with points pt 7 ps 0.7 lc rgb '\(style.colour)'")
        }
      }
    }
    if plots.isEmpty {
      let data = block([[0]]) { _ in "-9 -9" }
      plots.append("\(data) using 1:2 with points")
    }
    line("plot " + plots.joined(separator: ", \\\n  "))
  }

  /// How far up and down the lines go in all, in heights of the panel.
  private func climb(_ lines: [[Decimation.Point]]) -> Double {
    var sum = 0.0
    for line in lines {
      for (a, b) in zip(line, line.dropFirst()) { sum += abs(b.y.clamped(to: 0...1) - a.y.clamped(to: 0...1)) }
    }
    return sum
  }

  private var blockCount: Int { text.utf8.count }

  /// Data as a block of its own, pieces with empty lines between; answers its name.
  private mutating func block<Element>(_ pieces: [[Element]], _ row: (Element) -> String) -> String {
    let name = "$data\(blockCount)"
    line("\(name) << END_OF_DATA")
    for (index, piece) in pieces.enumerated() {
      if index > 0 { line("") }
      for element in piece { line(row(element)) }
    }
    line("END_OF_DATA")
    return name
  }

  private mutating func raster(_ map: HeatMap, _ place: FigureLayout.PanelPlace) -> String {
    let raster = map.resampled(
      columns: Int(place.frame.width), rows: Int(place.frame.height), x: place.scales.x, y: place.scales.y)
    guard let colour = place.scales.colour else { preconditionFailure("a map without colours") }
    var rows: [[String]] = []
    for row in 0..<raster.rowCount {
      let cells = (0..<raster.columnCount).map { column in
        let position = colour.position(Double(raster.values[column * raster.rowCount + row]))
        return position.isNaN ? "NaN" : Self.number(position.clamped(to: 0...1), digits: 3)
      }
      rows.append([cells.joined(separator: " ")])
    }
    let data = block([rows.map { $0[0] }]) { $0 }
    let (width, height) = (1 / Double(raster.columnCount), 1 / Double(raster.rowCount))
    return "\(data) matrix using (($1+0.5)*\(width)):(($2+0.5)*\(height)):3 with image"
  }

  func across(_ x: Double) -> Double { (x / layout.width * 1e6).rounded() / 1e6 }
  func up(_ y: Double) -> Double { ((1 - y / layout.height) * 1e6).rounded() / 1e6 }

  /// Digits behind the point that no picture shows more of.
  static func number(_ value: Double, digits: Int = 5) -> String {
    AxisTicks.shortest(AxisTicks.fixed(value, digits))
  }
}

extension PlotStyle {
  /// The opacity of a light area: the grid and the curves show through.
  var tint: Double { fill == nil ? 0.2 : 0.3 }

  var dashType: String {
    dashes.isEmpty ? " dt solid" : " dt (\(dashes.map(String.init).joined(separator: ",")))"
  }
}
