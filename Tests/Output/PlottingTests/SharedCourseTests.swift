import Plotting
import Testing

@Suite("Figures: curves that lie upon each other, marks, and axes with words")
struct SharedCourseTests {
  private static let places = (0..<20).map(Double.init)

  private func figure(_ series: [PlotSeries], _ title: String = "") -> Figure {
    Figure("f", panels: [Panel(title, x: PlotAxis("x"), y: PlotAxis("y"), series: series)])
  }

  private func series(_ name: String, _ y: (Double) -> Double, mark: PlotSeries.Mark = .line) -> PlotSeries {
    PlotSeries(name, x: Self.places, y: Self.places.map(y), mark: mark)
  }

  @Test("Curves with one course show in turn, piece by piece; one that goes elsewhere stays as it is")
  func pieces() throws {
    let svg = try SVGReader(
      figure([
        series("a") { $0 }, series("b") { $0 + 0.001 }, series("c") { 19 - $0 }, series("d") { $0 < 18 ? $0 : 0 },
      ]))
    let pieces = svg.elements("//svg/path[contains(@style, 'butt')]").map { path in
      ["class", "stroke-dasharray", "stroke-dashoffset"].map { path.attribute(forName: $0)?.stringValue ?? "" }
    }
    // A piece of 14 pixels, and a gap for the others; each begins a piece later than the one before. The last two
    // values of d lie elsewhere: there a and b share the line alone, and d is as it would be.
    #expect(
      pieces == [
        ["line c0", "14 28", "42"], ["line c0", "14 14", "28"], ["line c1", "14 28", "28"], ["line c1", "14 14", "14"],
        ["line c3", "14 28", "14"],
      ])
    let rest = svg.elements("//g/svg/path[@class='line c3' and not(contains(@style, 'butt'))]").map {
      ($0.attribute(forName: "d")?.stringValue ?? "").split(whereSeparator: { "ML".contains($0) }).count
    }
    #expect(rest == [3], "from the last value that is shared on")
    let alone = try SVGReader(figure([series("a") { $0 }, series("c") { 19 - $0 }]))
    #expect(alone.elements("//path[@stroke-dashoffset]").isEmpty)
  }

  @Test("A marked line has a shape at each value that is its own, also in the legend, and none where they are too many")
  func marks() throws {
    let drawn = try SVGReader(
      figure([series("a", { $0 }, mark: .markedLine), series("b", { -$0 }, mark: .markedLine)]))
    for (colour, shape) in [("c0", "m-4.2 0a4.2"), ("c1", "m-3.6 -3.6h7.2")] {
      let marks = drawn.data("//path[@class='line \(colour)' and @stroke-width='1.6']")
      #expect(
        marks.map { $0.split(separator: "M").count } == [1, 20] && marks.allSatisfy { $0.contains(shape) }, "\(marks)")
    }
    let many = PlotSeries("a", x: (0..<500).map(Double.init), y: (0..<500).map(Double.init), mark: .markedLine)
    #expect(try SVGReader(figure([many])).data("//path[@stroke-width='1.6']").count == 1, "in the legend alone")
  }

  @Test("Of families the shape is the member's, as its dashes are")
  func families() throws {
    let all = ["p", "q"].flatMap { family in
      ["left", "right"].map { name in
        var one = series(name, { $0 + (family == "p" ? 0 : 5) + (name == "left" ? 0 : 30) }, mark: .markedLine)
        one.family = family
        return one
      }
    }
    let svg = try SVGReader(figure(all))
    for colour in ["c0", "c1", "k"] {
      let shapes = svg.data("//path[@class='line \(colour)' and @stroke-width='1.6']").map { $0.contains("a4.2") }
      #expect(shapes == [true, false], "\(colour)")
    }
  }

  @Test("An axis of words has as many as there is room for; each lies under its value")
  func words() throws {
    func labels(_ count: Int) throws -> [String] {
      var axis = PlotAxis("run")
      axis.named = (1...count).map { PlotAxis.RightTicks.Tick(value: Double($0), label: "word-\($0 + 1_000_000)") }
      let x = (1...count).map(Double.init)
      let panel = Panel(x: axis, y: PlotAxis("y"), series: [PlotSeries("s", x: x, y: x)])
      let svg = try SVGReader(Figure("f", panels: [panel]))
      return svg.elements("//text[@class='middle']").compactMap(\.stringValue).filter { $0.hasPrefix("word") }
    }
    #expect(try labels(3) == ["word-1000001", "word-1000002", "word-1000003"])
    let many = try labels(100)
    #expect(many.count >= 4 && many.count < 12 && many.first == "word-1000001", "\(many)")
  }

  @Test("A heading that is longer than the panel is wide goes on in the next line")
  func headings() throws {
    let words = (1...40).map { "word\($0)" }
    let svg = try SVGReader(figure([series("s") { $0 }], words.joined(separator: " ")))
    let lines = svg.texts.filter { $0.contains("word") }
    #expect(
      lines.count > 1 && lines.reversed().joined(separator: " ").split(separator: " ").map(String.init) == words,
      "\(lines)")
  }
}
