/// How a curve looks: the colours of Okabe and Ito ("Color Universal Design", 2008), which people with any kind of colour
/// vision tell apart, with dashes and widths that remain when the colours are printed grey.
struct PlotStyle: Hashable, Sendable {
  /// `#RRGGBB`
  var colour: String
  /// Of areas of the same name: lighter where the line is dark.
  var fill: String?
  /// Pixels.
  var width: Double
  /// Lengths of lines and gaps, in gnuplot's unit; empty: an unbroken line. Ends are round, so a gap is a width shorter
  /// than it says, and 1 is a dot.
  var dashes: [Int]

  /// The n-th measured curve.
  static func actual(_ index: Int) -> PlotStyle {
    let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
    let dashes = [[], [9, 6], [1, 4], [11, 5, 1, 5], [18, 6], [11, 5, 1, 5, 1, 5], [5, 8]]
    return PlotStyle(
      colour: colours[index % colours.count], width: index == 0 ? 2.2 : 2,
      // The same colour again has other dashes.
      dashes: dashes[(index + index / colours.count) % dashes.count])
  }

  static func expected(_ index: Int) -> PlotStyle {
    PlotStyle(
      colour: index % 2 == 0 ? "#000000" : "#7A7A7A", width: 1.3, dashes: [[6, 6], [1, 4], [8, 5, 1, 5]][index % 3])
  }

  /// Light yellow between thin dark lines, whichever is printed grey.
  static func limit(_ index: Int) -> PlotStyle {
    let (colour, fill) = index % 2 == 0 ? ("#7A6A00", "#F0E442") : ("#606060", "#A0A0A0")
    return PlotStyle(colour: colour, fill: fill, width: 1.2, dashes: index % 2 == 0 ? [] : [8, 5])
  }

  static func auxiliary(_ index: Int) -> PlotStyle {
    PlotStyle(colour: "#808080", width: 1.2, dashes: [[], [5, 5], [1, 4]][index % 3])
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
