import AudioCore
import Glibc

/// One panel: grid, ticks, and what is drawn between the axes.
struct SVGPanel {
  /// Opacities of areas: the grid and the curves show through.
  static let tint = 0.3
  static let solid = 0.85

  private let panel: Panel
  private let place: FigureLayout.PanelPlace
  private let styles: PlotStyles
  private let pictureWidth: Double
  private let decimation: Decimation
  private var frame: FigureLayout.Box { place.frame }

  init(
    _ panel: Panel, _ place: FigureLayout.PanelPlace, _ styles: PlotStyles, _ pictureWidth: Double, pointsAcross: Int?
  ) {
    self.panel = panel
    self.place = place
    self.styles = styles
    self.pictureWidth = pictureWidth
    decimation = Decimation(
      x: place.scales.x, y: place.scales.y, columns: pointsAcross ?? Int(clamping: place.frame.width * 2))
  }

  var markup: Markup {
    var markers = MarkerLabels(panel.markers, place)
    let marks = markers.markup
    return """
      <g>\(panel.isPolar ? polarAxes : axes)\(titles)\(clipped("\(map)\(bands)\(marks.lines)\(curves)"))\(frameLine)\
      \(violations)\(marks.labels)\(emptiness)</g>

      """
  }

  // MARK: Axes

  private var axes: Markup {
    var (major, minor) = ("", "")
    var labels: Markup = ""
    func text(_ value: Double) -> String { Markup.coordinate(value) }
    if panel.map == nil {
      for value in place.x.minor { minor += "M\(text(place.across(value))) \(text(frame.top))V\(text(frame.bottom))" }
      for value in place.y.minor { minor += "M\(text(frame.left)) \(text(place.down(value)))H\(text(frame.right))" }
    }
    let top = panel.map == nil ? frame.top : frame.bottom
    let right = panel.map == nil ? frame.right : frame.left
    var end = -Double.infinity
    for tick in place.x.major {
      let x = place.across(tick.value)
      major += "M\(text(x)) \(text(top))V\(text(frame.bottom + 5))"
      let half = TextMetrics.width(tick.label, size: FigureLayout.textSize) / 2
      // Labels that would touch the one before are left out.
      guard place.labelsX, x - half > end + 6 else { continue }
      end = x + half
      // The hyphens of words are no minus signs.
      let label = panel.x.named.isEmpty ? Self.minus(tick.label) : tick.label
      labels += "<text class=\"middle\" x=\"\(x)\" y=\"\(frame.bottom + 20)\">\(label)</text>"
    }
    for tick in place.y.major {
      let y = place.down(tick.value)
      major += "M\(text(frame.left - 5)) \(text(y))H\(text(right))"
      labels += "<text class=\"end\" x=\"\(frame.left - 9)\" y=\"\(y + 5)\">\(Self.minus(tick.label))</text>"
    }
    return """
      <path class="minor" d="\(Markup(trusted: minor))"/><path class="grid" d="\(Markup(trusted: major))"/>\(labels)
      """
  }

  private static func minus(_ label: String) -> String { label.replacing("-", with: "\u{2212}") }

  private var titles: Markup {
    let size = FigureLayout.textSize
    func fitted(_ text: String, _ width: Double) -> String {
      TextMetrics.shortened(VisibleText.line(text), width: width, size: size)
    }
    func sideways(_ text: String, x: Double) -> Markup {
      let place: Markup = "translate(\(x) \(frame.middle.y)) rotate(-90)"
      return "<text class=\"middle\" transform=\"\(place)\">\(fitted(text, frame.height + 30))</text>"
    }
    func below(_ text: String, _ distance: Double) -> Markup {
      let (x, y) = (frame.middle.x, frame.bottom + distance)
      return "<text class=\"middle\" x=\"\(x)\" y=\"\(y)\">\(fitted(text, frame.width))</text>"
    }
    var titles: Markup = ""
    for (index, line) in place.heading.reversed().enumerated() {
      let y = frame.top - 9 - FigureLayout.headingStep * Double(index)
      titles += "<text x=\"\(frame.left)\" y=\"\(y)\">\(line)</text>"
    }
    if panel.isPolar { return titles + below(panel.y.title(unit: place.y.unit), 20) }
    if place.labelsX { titles += below(panel.x.title(unit: place.x.unit), 44) }
    titles += sideways(panel.y.title(unit: place.y.unit), x: 24)
    if let right = panel.y.right {
      var taken: [Double] = []
      for tick in right.ticks {
        let part = place.scales.y.position(tick.value)
        let y = place.down(tick.value)
        // Labels that would touch one before are left out, the two of a level alike.
        guard (0...1).contains(part), !taken.contains(where: { abs($0 - y) < 15 }), abs(part - 0.5) * frame.height > 7
        else { continue }
        taken.append(y)
        titles += """
          <path class="frame" d="M\(frame.right) \(y)h4"/><text class="dim small" x="\(frame.right + 8)" \
          y="\(y + 4.5)">\(Self.minus(tick.label))</text>
          """
      }
      titles += sideways(right.title, x: frame.right + 56)
    }
    guard let map = panel.map, let scale = place.scales.colour, let ticks = place.colour else { return titles }
    let (left, right) = (frame.right + 14, frame.right + 30)
    titles += Self.image(MapImage.bar, FigureLayout.Box(left: left, top: frame.top, right: right, bottom: frame.bottom))
    for tick in ticks.major {
      let y = frame.bottom - scale.position(tick.value) * frame.height
      titles += """
        <path class="frame" d="M\(right) \(y)h4"/><text x="\(right + 8)" y="\(y + 5)">\(Self.minus(tick.label))</text>
        """
    }
    return titles + sideways(map.colour.title(unit: ticks.unit), x: pictureWidth - 12)
  }

  private var frameLine: Markup {
    panel.isPolar
      ? ""
      : "<rect class=\"frame\" x=\"\(frame.left)\" y=\"\(frame.top)\" width=\"\(frame.width)\" height=\"\(frame.height)\"/>"
  }

  private var emptiness: Markup {
    guard let text = place.scales.emptiness else { return "" }
    return "<text class=\"dim middle\" x=\"\(frame.middle.x)\" y=\"\(frame.middle.y)\">\(text)</text>"
  }

  // MARK: Polar

  private var circle: (x: Double, y: Double, radius: Double) {
    (frame.middle.x, frame.middle.y, min(frame.width - 44, frame.height) / 2 - 18)
  }

  /// Rings for the values, spokes for the angles.
  private var polarAxes: Markup {
    let centre = circle
    var axes: Markup = ""
    for degrees in stride(from: 0.0, to: 360, by: 30) {
      let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      let out = centre.radius + 13
      // As mixers count: to the right up to 180°, to the left below 0.
      let label = degrees > 180 ? "\u{2212}\(Int(clamping: 360 - degrees))°" : "\(Int(clamping: degrees))°"
      axes += """
        <path class="grid" d="M\(centre.x) \(centre.y)L\(centre.x + centre.radius * sine) \
        \(centre.y - centre.radius * cosine)"/><text class="small middle" x="\(centre.x + out * sine * 1.06)" \
        y="\(centre.y - out * cosine + 4.5)">\(label)</text>
        """
    }
    for tick in place.y.major {
      let radius = place.scales.y.position(tick.value) * centre.radius
      axes += """
        <circle class="grid" cx="\(centre.x)" cy="\(centre.y)" r="\(radius)"/>
        """
      guard radius < centre.radius - 10 else { continue }
      axes +=
        "<text class=\"small dim\" x=\"\(centre.x + 4)\" y=\"\(centre.y - radius - 3)\">\(Self.minus(tick.label))</text>"
    }
    return axes + "<circle class=\"frame\" cx=\"\(centre.x)\" cy=\"\(centre.y)\" r=\"\(centre.radius)\"/>"
  }

  // MARK: Content

  /// From parts of the panel to pixels.
  private func spot(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    guard panel.isPolar else { return (frame.left + x * frame.width, frame.bottom - y * frame.height) }
    let (centre, angle, out) = (circle, 2 * Double.pi * x, max(0, y) * circle.radius)
    return (centre.x + out * sin(angle), centre.y - out * cos(angle))
  }

  private func path(_ points: some Sequence<(x: Double, y: Double)>) -> String {
    var path = ""
    for point in points {
      path += "\(path.isEmpty ? "M" : "L")\(Markup.coordinate(point.x)) \(Markup.coordinate(point.y))"
    }
    return path
  }

  /// Lines over the edge are cut off by a picture of its own: clip paths need ids, which would have to differ among a
  /// hundred figures of one page.
  private func clipped(_ content: Markup) -> Markup {
    guard !content.text.isEmpty else { return "" }
    return """
      <svg x="\(frame.left)" y="\(frame.top)" width="\(frame.width)" height="\(frame.height)" \
      viewBox="\(frame.left) \(frame.top) \(frame.width) \(frame.height)">\(content)</svg>
      """
  }

  private var bands: Markup {
    var bands: Markup = ""
    for band in panel.bands {
      let strips = decimation.strips(band)
      guard !strips.isEmpty else { continue }
      let style = styles.style(band.name, band.role)
      let lower = strips.map { $0.map { spot($0.x, $0.lower) } }
      let upper = strips.map { $0.map { spot($0.x, $0.upper) } }
      let area = zip(lower, upper).map { path($0 + $1.reversed()) + "Z" }.joined()
      // A limit thinner than the curve would be hidden by it.
      let thickest = strips.joined().reduce(0) { max($0, ($1.upper - $1.lower) * frame.height) }
      let halo: Markup = band.role == .limit && thickest < 6 ? " halo" : ""
      bands += """
        <path class="area \(Markup(trusted: style.colour))\(halo)" opacity="\(band.isSolid ? Self.solid : Self.tint)" \
        d="\(Markup(trusted: area))"/>
        """
      // The edge: what a waveform has left where it is thinner than a pixel, and where a limit lies.
      guard band.isSolid || band.role == .limit else { continue }
      let edges = (lower + upper).map(path).joined()
      let line = band.isSolid ? PlotStyle(edgeOf: style) : style
      bands += "<path \(line.stroke()) d=\"\(Markup(trusted: edges))\"/>"
    }
    return bands
  }

  /// Helpers below, what was measured above them, what is expected on top.
  private var curves: Markup {
    let order: [PlotRole] = [.auxiliary, .limit, .actual, .expected]
    let drawn = panel.series.map { Drawn(series: $0, lines: decimation.lines($0), style: styles.style($0)) }
    let apart = SharedCourses(drawn, width: frame.width, height: frame.height).drawn
    let faint = apart.filter(\.series.isFaint)
    return """
      \(faint.map(curve))\
      \(order.flatMap { role in apart.filter { $0.series.role == role && !$0.series.isFaint }.map(curve) })
      """
  }

  /// A curve with its points in parts of the panel, and its looks.
  struct Drawn {
    var series: PlotSeries
    var lines: [[Decimation.Point]]
    var style: PlotStyle
    /// In place of the lines, where others lie upon parts of them.
    var pieces: [Piece] = []
  }

  /// A part of a curve with looks of its own.
  struct Piece {
    var points: [Decimation.Point]
    var style: PlotStyle
  }

  private func curve(_ drawn: Drawn) -> Markup {
    let (series, lines, style) = (drawn.series, drawn.lines, drawn.style)
    guard !lines.isEmpty else { return "" }
    let count = lines.reduce(0) { $0 + $1.count }
    // Stems need room; dots need no more.
    let mark = series.mark == .stems && Double(count) > frame.width / 6 ? .line : series.mark
    func spots(_ lines: [[Decimation.Point]]) -> [(x: Double, y: Double)] { lines.joined().map { spot($0.x, $0.y) } }
    guard mark == .line || mark == .markedLine else {
      return Self.marks(mark, spots(lines), foot: spot(0, max(0, min(1, place.scales.y.position(0)))).y, style)
    }
    // A line of one point is a dot, or it would not be seen.
    let points = lines.filter { $0.count == 1 }
    let long = lines.filter { $0.count > 1 }
    var markup: Markup = points.isEmpty ? "" : Self.marks(.dots, spots(points), foot: 0, style)
    if !long.isEmpty {
      // If every pixel has its own zigzag, a broad line is a smear.
      let isFur = climb(long) * frame.height > 6 * frame.width
      let data = Markup(trusted: long.map { path($0.map { spot($0.x, $0.y) }) }.joined())
      let width = isFur ? min(style.width, 1.1) : nil
      for piece in drawn.pieces {
        let data = Markup(trusted: path(piece.points.map { spot($0.x, $0.y) }))
        markup += "<path \(piece.style.stroke(width: width)) d=\"\(data)\"/>"
      }
      if drawn.pieces.isEmpty {
        markup +=
          series.isFaint
          ? "<path class=\"line \(Markup(trusted: style.colour))\" stroke-width=\".8\" opacity=\".35\" d=\"\(data)\"/>"
          : "<path \(style.stroke(width: width)) d=\"\(data)\"/>"
      }
    }
    // Marks that touch each other would be a smear.
    if mark == .markedLine, !series.isFaint, Double(count) <= frame.width / 12 {
      markup += Self.marks(.markedLine, spots(lines), foot: 0, style)
    }
    return markup
  }

  /// Dots, stems with dots, or crosses at pixels of the picture.
  static func marks(
    _ mark: PlotSeries.Mark, _ spots: [(x: Double, y: Double)], foot: Double, _ style: PlotStyle
  ) -> Markup {
    func data(_ piece: (String, String) -> String) -> Markup {
      Markup(trusted: spots.map { piece(Markup.coordinate($0.x), Markup.coordinate($0.y)) }.joined())
    }
    let colour = Markup(trusted: style.colour)
    switch mark {
    case .crosses:
      let crosses = spots.map {
        "M\(Markup.coordinate($0.x - 3.5)) \(Markup.coordinate($0.y - 3.5))l7 7m0 -7l-7 7"
      }.joined()
      return "<path class=\"line \(colour)\" stroke-width=\"2\" d=\"\(Markup(trusted: crosses))\"/>"
    case .markedLine:
      let shape = Self.shapes[style.shape % Self.shapes.count]
      return "<path class=\"line \(colour)\" stroke-width=\"1.6\" d=\"\(data { "M\($0) \($1)" + shape })\"/>"
    case .line, .dots:
      return "<path class=\"line \(colour)\" stroke-width=\"4.5\" d=\"\(data { "M\($0) \($1)h0" })\"/>"
    case .stems:
      return """
        <path \(style.stroke(width: 1.2)) d="\(data { "M\($0) \(Markup.coordinate(foot))V\($1)" })"/>\
        \(marks(.dots, spots, foot: foot, style))
        """
    }
  }

  /// Open shapes around a point, so that those of curves that lie upon each other are all seen: circle, square,
  /// triangle, diamond, triangle downwards, cross, upright cross.
  private static let shapes = [
    "m-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0", "m-3.6 -3.6h7.2v7.2h-7.2z", "m0 -4.8l4.6 7.8h-9.2z",
    "m0 -5.4l5.4 5.4l-5.4 5.4l-5.4 -5.4z", "m0 4.8l4.6 -7.8h-9.2z", "m-3.6 -3.6l7.2 7.2m0 -7.2l-7.2 7.2",
    "m-5 0h10m-5 -5v10",
  ]

  /// Over the frame, each within it: one for every eight columns.
  private var violations: Markup {
    var markup: Markup = ""
    for series in panel.series where series.isOnTop {
      var spots: [(x: Double, y: Double)] = []
      for line in decimation.lines(series) {
        for point in line where (0...1).contains(point.x) {
          let next = spot(point.x, point.y.clamped(to: 0...1))
          if let last = spots.last, abs(next.x - last.x) < 8, abs(next.y - last.y) < 8 { continue }
          spots.append(next)
        }
      }
      if !spots.isEmpty { markup += Self.marks(series.mark, spots, foot: 0, styles.style(series)) }
    }
    return markup
  }

  /// The distance that the lines go up and down in all, in heights of the panel.
  private func climb(_ lines: [[Decimation.Point]]) -> Double {
    var sum = 0.0
    for line in lines {
      for (a, b) in zip(line, line.dropFirst()) { sum += abs(b.y.clamped(to: 0...1) - a.y.clamped(to: 0...1)) }
    }
    return sum
  }

  private var map: Markup {
    guard let map = panel.map, map.columnCount > 0, map.rowCount > 0, let colour = place.scales.colour else {
      return ""
    }
    let raster = map.resampled(
      columns: Int(clamping: frame.width), rows: Int(clamping: frame.height), x: place.scales.x, y: place.scales.y)
    return Self.image(MapImage.png(raster, colour), frame)
  }

  private static func image(_ png: [UInt8], _ box: FigureLayout.Box) -> Markup {
    """
    <image x="\(box.left)" y="\(box.top)" width="\(box.width)" height="\(box.height)" preserveAspectRatio="none" \
    style="image-rendering:pixelated" href="data:image/png;base64,\(Markup(trusted: MapImage.base64(png)))"/>
    """
  }
}
