import CPNG
import Foundation
import FoundationXML
import Testing

import Plotting

/// A figure's SVG, parsed by somebody else's parser.
struct SVGReader {
  let text: String
  let root: XMLElement

  init(_ figure: Figure) throws {
    let data = try figure.rendered(as: .svg)
    text = String(decoding: data, as: UTF8.self)
    // Without its namespace, which neither paths nor attributes are found by.
    let bare = text.replacing(" xmlns=\"http://www.w3.org/2000/svg\"", with: "")
    root = try #require(try XMLDocument(data: Data(bare.utf8)).rootElement())
  }

  /// The names of all elements.
  var names: Set<String> { Set((try? root.nodes(forXPath: "//*"))?.compactMap { ($0 as? XMLElement)?.name } ?? []) }
  var texts: [String] { elements("//text").compactMap(\.stringValue) }

  func elements(_ path: String) -> [XMLElement] {
    ((try? root.nodes(forXPath: path)) ?? []).compactMap { $0 as? XMLElement }
  }

  func data(_ path: String) -> [String] { elements(path).map { $0.attribute(forName: "d")?.stringValue ?? "" } }
}

@Suite("Figures as SVG") struct SVGTests {
  static let x = PlotAxis("x", range: 0...10)
  static let y = PlotAxis("y", range: -1...1)

  static func figure(_ series: PlotSeries..., bands: [PlotBand] = []) -> Figure {
    Figure("f", panels: [Panel(x: x, y: y, series: series, bands: bands)])
  }

  @Test("Few samples are stems from zero, many are a line") func stems() throws {
    let few = try SVGReader(Self.figure(PlotSeries("s", x: [1, 2, 3], y: [0.5, -0.5, 0], mark: .stems)))
    let stems = few.data("//path[@class='line c0' and @stroke-width='1.2']")
    // One in the legend, one in the panel; all three begin at the same height.
    let starts = try #require(stems.last).matches(of: /M[-\d.]+ ([-\d.]+)V/).map(\.output.1)
    #expect(starts.count == 3 && Set(starts).count == 1)
    let count = 2000
    let many = PlotSeries(
      "s", x: (0..<count).map { Double($0) / 200 }, y: (0..<count).map { sin(Double($0)) }, mark: .stems)
    #expect(try SVGReader(Self.figure(many)).data("//path[@stroke-width='1.2']").count == 1, "in the legend alone")
  }

  @Test("Where a value may not lie there is a cross, at the edge where it is out of view") func violations() throws {
    let figure = Self.figure(
      PlotSeries("v", x: [2, 5, 8], y: [0.5, 7, -.infinity], role: .violation, mark: .crosses))
    let svg = try SVGReader(figure)
    let crosses = try #require(svg.data("//path[@class='line v']").last)
    let places = crosses.matches(of: /M([-\d.]+) ([-\d.]+)/).compactMap { Double($0.output.2) }
    let frame = try #require(svg.elements("//rect[@class='frame']").first)
    func number(_ name: String) throws -> Double {
      try #require(Double(frame.attribute(forName: name)?.stringValue ?? ""))
    }
    let (top, height) = try (number("y"), number("height"))
    let expected = [top + height / 4, top, top + height]
    #expect(
      zip(places, expected).allSatisfy { abs($0 + 3.5 - $1) < 0.02 } && places.count == 3, "\(places) \(expected)")
  }

  @Test("Families share a colour, members a dash; the legend has each once") func families() throws {
    let series = ["a", "b"].flatMap { family in
      ["left", "right"].map { name in
        var series = PlotSeries(name, x: [0, 10], y: [0, family == "a" ? 1 : -1])
        series.family = family
        return series
      }
    }
    let svg = try SVGReader(Figure("f", panels: [Panel(x: Self.x, y: Self.y, series: series)]))
    #expect(svg.texts.filter { ["a", "b", "left", "right"].contains($0) } == ["a", "b", "left", "right"])
    #expect(svg.data("//path[@class='line c0']").count == 3 && svg.data("//path[@class='line c1']").count == 3)
    #expect(svg.data("//path[starts-with(@class,'line c') and @stroke-dasharray]").count == 2)
  }

  @Test("A limit thinner than the curve over it gets a halo, a wide one none", arguments: [0.001, 0.5])
  func halo(_ width: Double) throws {
    let band = PlotBand("allowed", x: [0, 10], lower: [0, 0], upper: [width, width])
    let svg = try SVGReader(Self.figure(PlotSeries("s", x: [0, 10], y: [0, 0]), bands: [band]))
    #expect(svg.elements("//path[@class='area l0 halo']").count == (width < 0.1 ? 1 : 0))
  }

  @Test("Colours of a map are those of its values: the least dark, the largest light, none where there is no number")
  func map() throws {
    let map = HeatMap(
      columnCount: 3, rowCount: 1, x: .init(0, 2), y: .init(0, 0), values: [-60, 0, .nan],
      colour: .decibels("level", range: -60...0))
    let svg = try SVGReader(Figure("m", panels: [Panel(x: .time(range: -0.5...2.5), y: PlotAxis("y"), map: map)]))
    let address = try #require(svg.elements("//image").last?.attribute(forName: "href")?.stringValue)
    let bytes = try #require(Data(base64Encoded: String(address.dropFirst("data:image/png;base64,".count))))
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    #expect(bytes.withUnsafeBytes { png_image_begin_read_from_memory(&image, $0.baseAddress, bytes.count) } != 0)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
    var pixels = [UInt8](repeating: 7, count: Int(image.width * image.height) * 4)
    #expect(png_image_finish_read(&image, nil, &pixels, 0, nil) != 0)
    #expect(pixels == [0, 0, 4, 255, 0xFC, 0xFF, 0xA4, 255, 0, 0, 0, 0])
  }

  @Test("An angle stands clockwise from above, a value as far out as its axis says") func polar() throws {
    var panel = Panel(
      x: PlotAxis("angle", range: 0...360), y: PlotAxis("gain", range: 0...1),
      series: [PlotSeries("s", x: [0, 90, 180, 270, 360], y: [1, 0.5, 1, 0.5, 1])])
    panel.isPolar = true
    let svg = try SVGReader(Figure("p", panels: [panel]))
    let circle = try #require(svg.elements("//circle[@class='frame']").first)
    func number(_ name: String) throws -> Double {
      try #require(Double(circle.attribute(forName: name)?.stringValue ?? ""))
    }
    let (x, y, r) = try (number("cx"), number("cy"), number("r"))
    let line = try #require(svg.data("//path[@class='line c0']").last)
    let points = line.matches(of: /[ML]([-\d.]+) ([-\d.]+)/).map {
      (Double($0.output.1) ?? 0, Double($0.output.2) ?? 0)
    }
    let expected = [(x, y - r), (x + r / 2, y), (x, y + r), (x - r / 2, y), (x, y - r)]
    #expect(zip(points, expected).allSatisfy { abs($0.0 - $1.0) < 0.02 && abs($0.1 - $1.1) < 0.02 }, "\(points)")
  }

  @Test("Within a page a figure has no style of its own, and its name") func element() throws {
    let text = SVGFigure(Sample.figure(), pointsAcross: 100).element(name: "a <name>").text
    #expect(!text.contains("<style") && text.contains("aria-label=\"a &lt;name&gt;\""))
    for colours in [FigureColours.light, .dark] {
      let classes = Set(
        text.matches(of: /class="([^"]*)"/).flatMap { $0.output.1.split(separator: " ").map(String.init) })
      let rules = colours.styleSheet
      for name in classes where !["figure", "area", "c1"].contains(name) {
        #expect(rules.contains(".\(name)"), "\(name)")
      }
    }
  }
}
