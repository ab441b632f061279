import AudioCore
import Measurement
import Plotting
import Verification

/// Where the pictures of `aubench measure` go, and what they show.
struct MeasurementPictures {
  /// Nil: the terminal.
  private let path: String?
  private let references: [ReferenceCurve]

  /// What is wrong with the output, or with a reference, comes before long work.
  /// - Parameters:
  ///   - output: a picture's name, or `-` for the terminal.
  ///   - against: files with curves to be drawn over what is measured.
  init(_ output: String, against: [String]) throws(BenchError) {
    path = output == "-" ? nil : output
    var references: [ReferenceCurve] = []
    for file in against { references += try ReferenceCurve.curves(contentsOf: file) }
    self.references = references
    guard let path else { return }
    try Figure.check(path: path)
    // Whether there is a gnuplot that can draw this kind of picture.
    _ = try Figure("", panels: [], size: Figure.Size(width: 320, height: 200)).rendered(as: PictureFormat(path: path))
  }

  /// What was drawn.
  struct Drawn {
    /// Pictures' paths, in order.
    var paths: [String] = []
    /// Charts for the terminal.
    var text = ""
    /// What could not be drawn, and why.
    var remarks: [String] = []
  }

  /// Draws each measurement; pictures and the data beside them are written.
  func draw(
    _ results: [(kind: MeasurementKind, findings: Findings)], device: any Device, title: String,
    _ settings: MeasurementSettings
  ) throws(BenchError) -> Drawn {
    let figures = FindingsFigures(
      device: title,
      sampleRate: LinearSettings(device, sampleRate: settings.sampleRate).sampleRate, references: references)
    var drawn = Drawn()
    var all: [FindingsFigures.Named] = []
    for (kind, findings) in results {
      let named = figures.figures(of: findings)
      if named.isEmpty { drawn.remarks.append("\(kind.rawValue): no curves, so no picture") }
      for one in named {
        guard let path else {
          // In a terminal the main figure will do.
          if one.name.isEmpty { drawn.text += (drawn.text.isEmpty ? "" : "\n") + Self.chart(one.figure) }
          continue
        }
        let place = Self.path(path, (results.count > 1 ? [kind.rawValue] : []) + (one.name.isEmpty ? [] : [one.name]))
        try one.figure.write(to: place)
        drawn.paths.append(place)
      }
      all += named
    }
    for reference in references where !FindingsFigures.hasDrawn(reference, in: all) {
      // A measurement holds many curves; only what is a table of its own is missed.
      if reference.id == nil { drawn.remarks.append("\(reference.name): no curve that was measured is of its kind") }
    }
    return drawn
  }

  private static func chart(_ figure: Figure) -> String {
    var chart = TerminalChart.fitting()
    if figure.panels.count > 1 { chart.height = min(chart.height, 16) }
    return chart.text(figure)
  }

  /// `out/a.svg` with `linear`, `impulse`: `out/a-linear-impulse.svg`.
  static func path(_ path: String, _ words: [String]) -> String {
    guard let point = path.lastIndex(of: "."), !words.isEmpty else { return path }
    return path[..<point] + words.map { "-\($0)" }.joined() + path[point...]
  }
}
