/// The style of a curve: a colour by its class, and dashes and widths that remain when colours are printed grey.
struct PlotStyle: Hashable, Sendable {
  /// In ``FigureColours``.
  var colour: String
  /// Pixels.
  var width: Double
  /// Lengths of lines and gaps in pixels; empty: an unbroken line. Ends are round, so a gap is a width shorter than it
  /// says, and 0.1 is a dot.
  var dashes: [Double] = []
  /// Pixels from the beginning of the dashes to that of the line.
  var dashOffset = 0.0
  /// The number of the shape of its marks.
  var shape = 0
}

extension PlotStyle {
  /// The n-th of a role.
  init(_ role: PlotRole, _ index: Int) {
    switch role {
    case .actual:
      // The same colour again is thinner, with other dashes.
      let patterns: [[Double]] = [
        [], [9, 6], [0.1, 5], [12, 5, 0.1, 5], [18, 6], [12, 5, 0.1, 5, 0.1, 5], [5, 8], [24, 5], [4, 5],
        [14, 4, 4, 4],
      ]
      let count = FigureColours.curves.count
      self.init(
        colour: "c\(index % count)", width: index == 0 ? 2.2 : index < count ? 2 : 1.2,
        dashes: patterns[(index + index / count) % patterns.count])
    case .expected:
      self.init(colour: "e\(index % 2)", width: 1.3, dashes: [[6, 6], [0.1, 5], [8, 5, 0.1, 5]][index % 3])
    case .limit: self.init(colour: "l\(index % 2)", width: 1.2, dashes: index % 2 == 0 ? [] : [8, 5])
    case .auxiliary: self.init(colour: "x", width: 1.2, dashes: [[], [5, 5], [0.1, 5]][index % 3])
    case .notice: self.init(colour: "n", width: 2)
    case .violation: self.init(colour: "v", width: 2)
    }
    shape = index
  }

  /// One of several curves that lie upon each other: each shows in its turn, a piece of its colour behind the other.
  func sharing(_ place: Int, of count: Int) -> PlotStyle {
    var style = self
    style.dashes = [Self.sharedPiece, Self.sharedPiece * Double(count - 1)]
    style.dashOffset = Self.sharedPiece * Double(count - place)
    return style
  }

  private static let sharedPiece = 14.0

  /// The edge of an area that is filled in full.
  init(edgeOf style: PlotStyle) { self.init(colour: style.colour, width: 1) }

  /// The attributes of a line.
  func stroke(width given: Double? = nil) -> Markup {
    let dashes: Markup =
      dashes.isEmpty
      ? "" : " stroke-dasharray=\"\(Markup(trusted: dashes.map(Markup.coordinate).joined(separator: " ")))\""
    // Round ends would reach over the pieces of the others.
    let offset: Markup =
      dashOffset == 0 ? "" : " stroke-dashoffset=\"\(dashOffset)\" style=\"stroke-linecap:butt\""
    return "class=\"line \(colour)\" stroke-width=\"\(given ?? width)\"\(dashes)\(offset)"
  }
}

/// One style per name and role in a figure, and its legend.
struct PlotStyles {
  struct Entry: Hashable {
    var name: String
    var style: PlotStyle
    var kind: Kind
  }

  enum Kind: Hashable {
    case curve(PlotSeries.Mark)
    case tint
    case solid
  }

  private(set) var legend: [Entry] = []
  private var styles: [String: PlotStyle] = [:]
  private var counts: [PlotRole: Int] = [:]
  private var members: [String] = []

  init(_ panels: [Panel]) {
    for panel in panels {
      for series in panel.series {
        let isMember = !series.family.isEmpty
        if isMember, !members.contains(series.name) { members.append(series.name) }
        // The legend shows only the colour of a family; its members have the marks.
        let mark = isMember && series.mark == .markedLine ? .line : series.mark
        add(isMember ? series.family : series.name, series.role, .curve(mark))
      }
    }
    // The legend shows the colours of families, and then the dashes that all have.
    if !members.isEmpty {
      for index in legend.indices where legend[index].style.colour.hasPrefix("c") { legend[index].style.dashes = [] }
      for name in members {
        let shape = members.firstIndex(of: name) ?? 0
        let style = PlotStyle(colour: "k", width: 2, dashes: dashes(of: name), shape: shape)
        let isMarked = panels.contains { $0.series.contains { $0.name == name && $0.mark == .markedLine } }
        legend.append(Entry(name: name, style: style, kind: .curve(isMarked ? .markedLine : .line)))
      }
    }
    for panel in panels {
      for band in panel.bands { add(band.name, band.role, band.isSolid ? .solid : .tint) }
    }
  }

  func style(_ name: String, _ role: PlotRole) -> PlotStyle {
    styles[Self.key(name, role)] ?? PlotStyle(role, 0)
  }

  func style(_ series: PlotSeries) -> PlotStyle {
    guard !series.family.isEmpty else { return style(series.name, series.role) }
    var style = style(series.family, series.role)
    style.dashes = dashes(of: series.name)
    style.shape = members.firstIndex(of: series.name) ?? 0
    return style
  }

  private func dashes(of member: String) -> [Double] { PlotStyle(.actual, members.firstIndex(of: member) ?? 0).dashes }

  private mutating func add(_ name: String, _ role: PlotRole, _ kind: Kind) {
    let key = Self.key(name, role)
    if let style = styles[key] {
      let entry = Entry(name: name, style: style, kind: kind)
      // The bounds of a curve's error go by the curve's own entry.
      if kind == .tint, role == .limit, !name.isEmpty, !legend.contains(entry) { legend.append(entry) }
      return
    }
    // A curve without a name looks like the first of its role.
    let index = name.isEmpty ? 0 : counts[role, default: 0]
    let style = PlotStyle(role, index)
    if !name.isEmpty {
      counts[role] = index + 1
      legend.append(Entry(name: name, style: style, kind: kind))
    }
    styles[key] = style
  }

  private static func key(_ name: String, _ role: PlotRole) -> String { "\(role.rawValue) \(name)" }
}
