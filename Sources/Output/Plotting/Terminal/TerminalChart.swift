import AudioCore

/// Draws panels as text: curves in Braille dots, or in ASCII where the terminal has no Unicode, with labelled axes.
public struct TerminalChart: Hashable, Sendable {
  /// Characters across, labels included; 30 or more.
  public var width: Int
  /// Lines of one panel, its axis and labels included; 6 or more.
  public var height: Int
  /// True when Unicode may be used.
  public var usesUnicode: Bool
  /// True when curves are distinguished by colours (ANSI sequences); otherwise by marks.
  public var usesColours: Bool

  /// Charts of so many characters and lines, clamped to 30 ... 1000 and 6 ... 500.
  public init(width: Int = 80, height: Int = 20, usesUnicode: Bool = true, usesColours: Bool = false) {
    self.width = width.clamped(to: 30...1000)
    self.height = height.clamped(to: 6...500)
    self.usesUnicode = usesUnicode
    self.usesColours = usesColours
  }

  /// The panels of a figure below each other, title first.
  public func text(_ figure: Figure) -> String {
    let scales = PanelScales.of(figure)
    var text = ""
    for line in (figure.title + "\n" + figure.subtitle).split(separator: "\n") where !line.isEmpty {
      text += fitted(String(line), width) + "\n"
    }
    for (panel, scale) in zip(figure.panels, scales) {
      if !text.isEmpty { text += "\n" }
      text += self.text(panel, scale)
    }
    return text
  }

  /// One panel; every line ends with a line feed and has no blanks at its end.
  public func text(_ panel: Panel) -> String { text(panel, PanelScales.of(panel)) }

  private func text(_ panel: Panel, _ scales: PanelScales) -> String {
    let legend = legendLines(panel, scales)
    let heading = [panel.heading, panel.y.title(unit: AxisTicks(panel.y, scales.y, count: 4).unit)]
      .filter { !$0.isEmpty }.joined(separator: ", ")
    // Heading, axis, ticks, label of x.
    let rows = max(3, height - 4 - legend.count)
    let yTicks = AxisTicks(panel.y, scales.y, count: max(2, rows / 2))
    let margin = min(width / 3, (yTicks.major.map(\.label.count).max() ?? 1))
    let columns = width - margin - 2
    let frame = TerminalFrame(
      panel: panel, scales: scales, y: yTicks, x: AxisTicks(panel.x, scales.x, count: max(2, columns / 7)),
      margin: margin, columns: columns, rows: rows, chart: self)
    var lines = heading.isEmpty ? [] : [fitted(heading, width)]
    lines += frame.lines() + legend
    return lines.map { Self.trimmed($0) + "\n" }.joined()
  }

  /// Names with the marks or colours of their curves; none for a single curve without a name.
  private func legendLines(_ panel: Panel, _ scales: PanelScales) -> [String] {
    var entries: [String] = []
    for (index, curve) in TerminalCurve.all(panel).enumerated() where !curve.name.isEmpty {
      let name = fitted(curve.name, width - 6)
      var sample = String(repeating: mark(index), count: 2)
      if case .band(let band) = curve, !band.isSolid, usesUnicode { sample = "⠒⠂" }
      entries.append("\(paint(sample, index)) \(name)")
    }
    if let map = panel.map, let colour = scales.colour {
      let low = AxisTicks.text(colour.low, step: 1, .plain)
      let high = AxisTicks.text(colour.high, step: 1, .plain)
      let scale = ": \(low) \(String(ramp)) \(high)"
      let title = fitted(map.colour.title, max(0, width - scale.count))
      entries.append(String((title + scale).prefix(width)))
    }
    guard !entries.isEmpty else { return [] }
    var lines = [entries[0]]
    var length = TerminalText.width(entries[0])
    for entry in entries.dropFirst() {
      let need = TerminalText.width(entry)
      if length + 3 + need <= width {
        lines[lines.count - 1] += "   " + entry
        length += 3 + need
      } else {
        lines.append(entry)
        length = need
      }
    }
    return lines.map(shown)
  }

  /// The mark of the n-th curve, where it is not Braille.
  func mark(_ index: Int) -> Character {
    let marks: [Character] = ["*", "o", "+", "x", "#", "@", "%", "&"]
    guard usesUnicode, index == 0 || usesColours else { return marks[index % marks.count] }
    return "⣀"
  }

  /// Text in the colour of the n-th curve.
  func paint(_ text: String, _ index: Int) -> String {
    // Blue, orange, green, violet, yellow, light blue of 256: near Okabe and Ito's on dark and on light ground.
    let colours = [33, 208, 35, 176, 178, 81]
    guard usesColours, index >= 0 else { return text }
    return "\u{1B}[38;5;\(colours[index % colours.count])m\(text)\u{1B}[0m"
  }
}

// Texts in cells of a terminal.
extension TerminalChart {
  var ramp: [Character] { Array(usesUnicode ? " ░▒▓█" : " .:-=+*#%@") }

  /// Without what would move the cursor, and cut to a width.
  func fitted(_ text: String, _ width: Int) -> String {
    let clean = shown(VisibleText.line(text))
    return clean.count <= width ? clean : clean.prefix(max(0, width - 1)) + (usesUnicode ? "…" : "~")
  }

  /// In ASCII where there is nothing else.
  func shown(_ text: String) -> String {
    guard !usesUnicode else { return text }
    return String(
      text.replacing("°", with: "deg").replacing("µ", with: "u").replacing("−", with: "-").replacing("–", with: "-")
        .replacing("±", with: "+-")
        .map { $0.isASCII ? $0 : "?" })
  }

  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.last == " " || text.last == "\u{2800}" { text.removeLast() }
    return String(text)
  }
}

/// Measures texts for terminals.
package enum TerminalText {
  /// Characters that are seen: colours are not.
  package static func width(_ text: String) -> Int {
    var count = 0
    var isEscape = false
    for character in text {
      if character == "\u{1B}" {
        isEscape = true
      } else if !isEscape {
        count += 1
      } else if character == "m" {
        isEscape = false
      }
    }
    return count
  }
}
