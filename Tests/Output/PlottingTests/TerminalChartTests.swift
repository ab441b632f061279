import Plotting
import Testing

@Suite("Charts in a terminal") struct TerminalChartTests {
  static let line = Panel(
    x: PlotAxis("x", range: 0...10), y: PlotAxis("y", unit: "V", range: 0...4),
    series: [PlotSeries("up", x: [0, 10], y: [0, 4])])

  @Test("A straight line goes from corner to corner, ASCII") func ascii() {
    let text = TerminalChart(width: 30, height: 10, usesUnicode: false).text(Self.line)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "y (V)")
    #expect(lines[1].hasPrefix("4 +") && lines[1].hasSuffix("*"))
    #expect(lines[5].hasPrefix("0 +*"))
    #expect(lines[6].hasPrefix("  ++---"))
    #expect(lines[7].split(separator: " ") == ["0", "5", "10"])
    #expect(lines[8].trimmed == "x")
    #expect(lines[9] == "** up")
    // One mark in each column.
    let marks = lines[1...5].map { $0.filter { $0 == "*" }.count }.reduce(0, +)
    #expect(marks == 27)
  }

  @Test("In Braille the ends of that line are the corner dots") func braille() {
    let text = TerminalChart(width: 30, height: 10).text(Self.line)
    let lines = text.split(separator: "\n").map(String.init)
    // The upper right dot is bit 3, the lower left one bit 6.
    #expect((lines[1].unicodeScalars.last?.value ?? 0) & 0xFF08 == 0x2808)
    let first = lines[5].unicodeScalars.first { $0.value >= 0x2800 && $0.value < 0x2900 }
    #expect((first?.value ?? 0) & 0x40 == 0x40)
  }

  @Test("No line is longer than the width, none ends with a blank", arguments: [30, 47, 80, 200]) func widths(
    _ width: Int
  ) {
    for usesUnicode in [false, true] {
      for usesColours in [false, true] {
        let chart = TerminalChart(width: width, height: 16, usesUnicode: usesUnicode, usesColours: usesColours)
        for line in chart.text(Sample.figure("a rather long text, longer than many a terminal is wide"))
          .split(separator: "\n")
        {
          #expect(TerminalText.width(String(line)) <= width)
          #expect(line.last != " ")
        }
      }
    }
  }

  @Test("What hides a curve leaves none of it to those that are drawn later") func hiding() {
    let x = stride(from: 0.0, through: 10, by: 0.05).map { $0 }
    let panel = Panel(
      x: PlotAxis("x", range: 0...10), y: PlotAxis("y", range: 0...4),
      series: [PlotSeries.Mark.line, .dots, .line].enumerated().map {
        PlotSeries("\($0)", x: x, y: x.map { _ in 2 }, mark: $1)
      })
    // The first curve lies over the dots, which hide the third one: there are no turns but in the legend.
    let text = TerminalChart(width: 60, height: 12, usesColours: true).text(panel)
    let lines = text.split(separator: "\n").filter { $0.contains("┤") || $0.contains("│") }.joined()
    #expect(lines.contains("[38;5;33m") && !lines.contains("[38;5;35m") && !lines.contains("[38;5;208m"), "\(text)")
  }

  @Test("Colours come only where they are wanted, and end where they began") func colours() {
    let plain = TerminalChart(width: 60, height: 12, usesColours: false).text(Sample.figure())
    #expect(!plain.contains("\u{1B}"))
    let coloured = TerminalChart(width: 60, height: 12, usesColours: true).text(Sample.figure())
    #expect(coloured.contains("\u{1B}[38;5;"))
    for line in coloured.split(separator: "\n") {
      #expect(line.components(of: "\u{1B}[38;5;") == line.components(of: "\u{1B}[0m"))
    }
  }

  /// Two curves upon each other, of some slope, and one that crosses them.
  private static func coinciding(slope: Double) -> Panel {
    let y = [2 - slope, 2 + slope]
    return Panel(
      x: PlotAxis("x", range: 0...10), y: PlotAxis("y", range: 0...4),
      series: [PlotSeries("one", x: [0, 10], y: y), PlotSeries("two", x: [0, 10], y: y)])
  }

  @Test("Of curves that lie upon each other each is seen along the whole way", arguments: [0, 0.5, -0.5, 1, -1, 2, -2])
  func sharedCells(slope: Double) {
    let panel = Self.coinciding(slope: slope)
    let ascii = TerminalChart(width: 60, height: 12, usesUnicode: false).text(panel)
    let plot = ascii.split(separator: "\n").dropLast().joined()
    let (one, two) = (plot.count { $0 == "*" }, plot.count { $0 == "o" })
    #expect(one + two >= 56 && min(one, two) * 5 >= one + two, "\(ascii)")
    let plain = TerminalChart(width: 60, height: 12).text(panel)
    let dots = plain.unicodeScalars.count { (0x2801...0x28FF).contains($0.value) }
    #expect(dots > 12 && plain.count { $0 == "o" } > 12, "\(plain)")
    let coloured = TerminalChart(width: 60, height: 12, usesColours: true).text(panel)
    for colour in ["[38;5;33m", "[38;5;208m"] { #expect(coloured.ranges(of: colour).count > 6, "\(coloured)") }
  }

  @Test("A curve hides a limit and a reference where it lies upon them")
  func hiddenReference() {
    var panel = Self.coinciding(slope: 0)
    panel.series[1] = PlotSeries("two", x: [0, 10], y: [2, 2], role: .expected)
    let text = TerminalChart(width: 60, height: 12, usesUnicode: false).text(panel)
    #expect(text.split(separator: "\n").dropLast().joined().count { $0 == "o" } == 0, "\(text)")
  }

  @Test("A locale without UTF-8 gets ASCII; dumb terminals and NO_COLOR get no colours") func environments() {
    #expect(TerminalChart.isUTF8(["LANG": "en_GB.UTF-8"]))
    #expect(TerminalChart.isUTF8(["LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"]))
    #expect(!TerminalChart.isUTF8(["LC_ALL": "C", "LANG": "en_GB.UTF-8"]))
    #expect(!TerminalChart.isUTF8([:]))
    #expect(TerminalChart.isColoured(["TERM": "xterm"]))
    #expect(!TerminalChart.isColoured(["TERM": "dumb"]))
    #expect(!TerminalChart.isColoured(["TERM": "xterm", "NO_COLOR": "1"]))
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

extension Substring {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
