import AudioCore
import Measurement
import Plotting

/// The pictures of `aubench measure`: their paths and contents.
package struct MeasurementPictures {
  /// Nil: the terminal.
  private let path: String?
  private let outputs: OutputFiles
  private let references: [ReferenceCurve]
  private let withData: Bool
  /// The descriptor for charts in the terminal, which have its width.
  private let terminal: Int32

  /// Checks the output and the references, so that errors come before long work.
  /// - Parameters:
  ///   - output: a picture's name, or `-` for the terminal.
  ///   - withData: the numbers go beside each picture.
  ///   - against: files with curves to be drawn over what is measured.
  ///   - outputs: the files whose names are given at commit.
  ///   - terminal: the descriptor on which charts for the terminal are shown.
  package init(
    _ output: String, withData: Bool, against: [String], outputs: OutputFiles, terminal: Int32 = 1
  ) throws(BenchError) {
    self.withData = withData
    self.terminal = terminal
    path = output == "-" ? nil : output
    self.outputs = outputs
    var references: [ReferenceCurve] = []
    for file in against { references += try ReferenceCurve.curves(contentsOf: file) }
    self.references = references
    guard let path else { return }
    try Figure.check(path: path, withData: withData, in: outputs)
    // Fails early if the program for this kind of picture is missing.
    _ = try Figure("", panels: [], size: Figure.Size(width: 320, height: 200)).rendered(as: PictureFormat(path: path))
  }

  /// The pictures that were drawn.
  package struct Drawn {
    /// Pictures' paths, in order.
    package var paths: [String] = []
    /// Charts for the terminal.
    package var text = ""
    /// The curves that could not be drawn, and why.
    package var remarks: [String] = []

    package init() {}

    /// To go below a report.
    package var report: String {
      let lines = paths.map { "picture: \(VisibleText.name($0))" } + remarks.map(VisibleText.line)
      return (text.isEmpty ? "" : "\n\(text)") + (lines.isEmpty ? "" : "\n") + lines.map { "\($0)\n" }.joined()
    }
  }

  /// Draws each measurement of a device; pictures are written.
  /// - Parameter closedForm: the device's magnitude by its formula; nil: not known.
  package func draw(
    _ results: MeasurementReport.Results, device: any Device, title: String,
    closedForm: ReferenceCurve?, _ settings: MeasurementSettings
  ) throws(BenchError) -> Drawn {
    var figures = figures(device, title, settings)
    if let closedForm { figures.references.append(closedForm) }
    return try draw(results.map { ($0.kind, figures.figures(of: $0.findings)) })
  }

  /// Draws each measurement of a device with several values, over each other; where these are angles, around a circle
  /// too.
  /// - Parameters:
  ///   - key: the parameter that is varied: each curve has it in its name.
  ///   - unit: the unit of the values; empty: none.
  package func draw(
    _ columns: [(value: String, results: MeasurementReport.Results)], key: String, unit: String, device: any Device,
    title: String,
    _ settings: MeasurementSettings
  ) throws(BenchError) -> Drawn {
    let figures = figures(device, title, settings)
    let kinds = columns.first?.results.map(\.kind) ?? []
    return try draw(
      kinds.enumerated().map { index, kind in
        let parts = columns.map { (value: $0.value, findings: $0.results[index].findings) }
        var drawn = figures.figures(
          of: parts.map { value, findings in
            (label: Self.label(key, value, unit), findings)
          })
        let angles = parts.compactMap { value, findings in Double(value).map { (degrees: $0, findings) } }
        if unit == "°", angles.count == parts.count, let polar = figures.polarFigure(of: angles) { drawn.append(polar) }
        return (kind, drawn)
      })
  }

  /// `resonance = −6 dB`, `preset = Rock`; of `azimuth_deg` the unit stands behind the value.
  static func label(_ key: String, _ value: String, _ unit: String) -> String {
    let words = key.split(separator: "_")
    let isUnit = words.count > 1 && (words.last.map { $0 == unit || $0 == "deg" && unit == "°" } ?? false)
    let name = VisibleText.line(isUnit ? words.dropLast().joined(separator: "_") : key)
    let isNumber = Double(value) != nil
    let text = VisibleText.line(isNumber ? value.replacing("-", with: "−") : value)
    return "\(name) = \(text)" + (isNumber && !unit.isEmpty ? " \(unit)" : "")
  }

  private func figures(
    _ device: any Device, _ title: String, _ settings: MeasurementSettings
  ) -> FindingsFigures {
    let rate = LinearSettings(device, sampleRate: settings.sampleRate).sampleRate
    return FindingsFigures(device: title, sampleRate: rate, references: references)
  }

  private func draw(
    _ results: [(kind: MeasurementKind, figures: [FindingsFigures.Named])]
  ) throws(BenchError) -> Drawn {
    var drawn = Drawn()
    for (kind, figures) in results {
      if figures.isEmpty { drawn.remarks.append("\(kind.rawValue): no curves, so no picture") }
      for one in figures {
        guard let path else {
          // In a terminal the main figure will do.
          if one.name.isEmpty { drawn.text += (drawn.text.isEmpty ? "" : "\n") + Self.chart(one.figure, on: terminal) }
          continue
        }
        let place = Self.path(path, (results.count > 1 ? [kind.rawValue] : []) + (one.name.isEmpty ? [] : [one.name]))
        try one.figure.write(to: place, withData: withData, in: outputs)
        drawn.paths.append(place)
      }
    }
    let all = results.flatMap(\.figures)
    for reference in references where !FindingsFigures.hasDrawn(reference, in: all) {
      // A measurement holds many curves; only what is a table of its own is missed.
      if reference.id == nil { drawn.remarks.append("\(reference.name): no curve that was measured is of its kind") }
    }
    return drawn
  }

  static func chart(_ figure: Figure, on terminal: Int32 = 1) -> String {
    var chart = TerminalChart.fitting(descriptor: terminal)
    if figure.panels.count > 1 { chart.height = min(chart.height, 16) }
    return chart.text(figure)
  }

  /// `out/a.svg` with `linear`, `impulse`: `out/a-linear-impulse.svg`.
  package static func path(_ path: String, _ words: [String]) -> String {
    guard let ending = FileName.fileExtension(of: path), !words.isEmpty else { return path }
    return FileName.stem(of: path) + words.map { "-\($0)" }.joined() + ".\(ending)"
  }
}
