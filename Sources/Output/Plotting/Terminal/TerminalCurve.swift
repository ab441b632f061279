/// A curve or a band of a panel, in the order of importance: the first is drawn in Braille, and over the others.
enum TerminalCurve {
  case series(PlotSeries)
  case band(PlotBand)

  /// The measured curves, then the rest, then bands.
  static func all(_ panel: Panel) -> [TerminalCurve] {
    let series = panel.series.filter { !$0.isFaint }
    let measured = series.filter { $0.role == .actual }
    let others = series.filter { $0.role != .actual }
    let solid = panel.bands.filter(\.isSolid)
    let tints = panel.bands.filter { !$0.isSolid }
    return (measured + others).map(TerminalCurve.series) + (solid + tints).map(TerminalCurve.band)
  }

  var name: String {
    switch self {
    case .series(let series): series.wholeName
    case .band(let band): band.name
    }
  }
}
