/// How a curve looks: the colours of Okabe and Ito ("Color Universal Design", 2008), which people with any kind of colour
/// vision tell apart, with dashes and widths that remain when the colours are printed grey.
struct PlotStyle: Hashable, Sendable {
  /// `#RRGGBB`
  var colour: String
  /// Pixels.
  var width: Double
  /// Lengths of lines and gaps, in gnuplot's unit; empty: an unbroken line.
  var dashes: [Int]

  /// The n-th measured curve.
  static func actual(_ index: Int) -> PlotStyle {
    let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
    let dashes = [[], [10, 3], [3, 3], [12, 3, 2, 3], [16, 4], [12, 3, 2, 3, 2, 3], [6, 6]]
    return PlotStyle(
      colour: colours[index % colours.count], width: index == 0 ? 2.2 : 2,
      // The same colour again has other dashes.
      dashes: dashes[(index + index / colours.count) % dashes.count])
  }

  static func expected(_ index: Int) -> PlotStyle {
    PlotStyle(
      colour: index % 2 == 0 ? "#000000" : "#7A7A7A", width: 1.3, dashes: [[5, 4], [2, 3], [8, 3, 2, 3]][index % 3])
  }

  static func limit(_ index: Int) -> PlotStyle {
    PlotStyle(colour: ["#B34700", "#8A6D00"][index % 2], width: 1.2, dashes: index % 2 == 0 ? [] : [6, 2])
  }

  static func auxiliary(_ index: Int) -> PlotStyle {
    PlotStyle(colour: "#808080", width: 1.2, dashes: [[], [4, 3], [2, 2]][index % 3])
  }
}

/// One style per name and role in a figure, and its legend.
struct PlotStyles {
  struct Entry: Hashable {
    var name: String
    var style: PlotStyle
    var kind: Kind
  }

  enum Kind: Hashable { case line, dots, tint, solid }

  private(set) var legend: [Entry] = []
  private var styles: [String: PlotStyle] = [:]
  private var counts: [PlotRole: Int] = [:]

  init(_ panels: [Panel]) {
    for panel in panels {
      for series in panel.series { add(series.name, series.role, series.isDotted ? .dots : .line) }
    }
    for panel in panels {
      for band in panel.bands { add(band.name, band.role, band.isSolid ? .solid : .tint) }
    }
  }

  func style(_ name: String, _ role: PlotRole) -> PlotStyle {
    styles[Self.key(name, role)] ?? Self.make(role, 0)
  }

  private mutating func add(_ name: String, _ role: PlotRole, _ kind: Kind) {
    let key = Self.key(name, role)
    if let style = styles[key] {
      let entry = Entry(name: name, style: style, kind: kind)
      // The bounds of a curve's error go by the curve's own entry.
      if kind == .tint, role == .limit, !name.isEmpty, !legend.contains(entry) { legend.append(entry) }
      return
    }
    // What has no name looks like the first of its role.
    let index = name.isEmpty ? 0 : counts[role, default: 0]
    let style = Self.make(role, index)
    if !name.isEmpty {
      counts[role] = index + 1
      legend.append(Entry(name: name, style: style, kind: kind))
    }
    styles[key] = style
  }

  private static func key(_ name: String, _ role: PlotRole) -> String { "\(role.rawValue) \(name)" }

  private static func make(_ role: PlotRole, _ index: Int) -> PlotStyle {
    switch role {
    case .actual: .actual(index)
    case .expected: .expected(index)
    case .limit: .limit(index)
    case .auxiliary: .auxiliary(index)
    }
  }
}
