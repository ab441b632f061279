import Foundation
import FoundationXML
import Measurement
import Reporting
import Testing
import Verification

@Suite("Reports: curves in the page")
struct ReportDrawingTests {
  /// The drawings of a page with one failed case of one check.
  private func drawings(_ overlay: CheckOutcome.Overlay) throws -> [XMLElement] {
    let check = CheckOutcome("response", .failed, found: "f", expected: "e", overlay: overlay)
    let page = HTMLReport.text(
      RunOutcome(
        suites: ["s.json"], cases: [CaseOutcome("s/c", .failed, device: "d", seconds: 1, checks: [check])], seconds: 1,
        program: "aubench", machine: []))
    return try page.matches(of: /<svg class="figure"[\s\S]*?<\/figure>/).map { match in
      let text = match.output.dropLast("</figure>".count)
      return try #require(try XMLDocument(data: Data(String(text).utf8)).rootElement())
    }
  }

  private func paths(_ style: String, in drawing: XMLElement) throws -> [[(x: Double, y: Double)]] {
    try drawing.nodes(forXPath: "//g/svg/path[@class='line \(style)']")
      .compactMap { $0 as? XMLElement }.map { path in
        (path.attribute(forName: "d")?.stringValue ?? "").matches(of: /[ML](-?[\d.]+) (-?[\d.]+)/)
          .map { (Double($0.output.1) ?? .nan, Double($0.output.2) ?? .nan) }
      }
  }

  private func texts(_ drawing: XMLElement) throws -> [(text: String, x: Double, y: Double, isAtTheSide: Bool)] {
    try drawing.nodes(forXPath: "//text[@class='middle' or @class='end']").compactMap { $0 as? XMLElement }.compactMap {
      label in
      guard let x = label.attribute(forName: "x")?.stringValue, let y = label.attribute(forName: "y")?.stringValue
      else { return nil }
      let isAtTheSide = label.attribute(forName: "class")?.stringValue == "end"
      return (label.stringValue ?? "", Double(x) ?? .nan, Double(y) ?? .nan, isAtTheSide)
    }
  }

  private func number(_ name: String, of element: XMLElement) throws -> Double {
    try #require(Double(element.attribute(forName: name)?.stringValue ?? ""))
  }

  @Test("a frequency axis has 20, 50, 100 ... 20k, as far apart as their logarithms")
  func frequencyAxis() throws {
    let drawing = try #require(try drawings(ReportFixture.overlay()).first)
    let labels = try texts(drawing).filter { ["k", "0"].contains($0.text.last) && !$0.isAtTheSide }
    #expect(labels.map(\.text) == ["20", "50", "100", "200", "500", "1k", "2k", "5k", "10k", "20k"])
    let places = Dictionary(labels.map { ($0.text, $0.x) }, uniquingKeysWith: { first, _ in first })
    let decade = try #require(places["1k"]) - (try #require(places["100"]))
    // log10(5) of a decade.
    #expect(abs(try #require(places["5k"]) - (try #require(places["1k"])) - decade * 0.69897) < 0.2)
  }

  @Test("a value stands where the labels of its axis say that it does")
  func valuesStandRight() throws {
    let points = (0...10).map { Curve.Point(Double($0), Double($0) * 2 - 7) }
    let curve = Curve("line", "line", x: .time, y: Curve.Axis("level", .amplitude), points: points)
    let drawing = try #require(try drawings(CheckOutcome.Overlay(actual: curve)).first)
    let drawn = try #require(try paths("c0", in: drawing).first)
    #expect(drawn.count == 11)
    let labels = try texts(drawing).filter(\.isAtTheSide).compactMap { label in
      Double(label.text.replacing("−", with: "-")).map { (value: $0, y: label.y - 5) }
    }
    let low = try #require(labels.first)
    let high = try #require(labels.last)
    for (point, place) in zip(points, drawn) {
      let value = low.value + (place.y - low.y) / (high.y - low.y) * (high.value - low.value)
      #expect(abs(value - point.y) < 0.01 * (high.value - low.value))
    }
  }

  @Test("a value that is not a number is a gap, not a line across it")
  func gaps() throws {
    let points = (0..<10).map { Curve.Point(Double($0), $0 == 5 ? .nan : Double($0)) }
    let curve = Curve("line", "line", x: .time, y: Curve.Axis("level", .amplitude), points: points)
    let drawing = try #require(try drawings(CheckOutcome.Overlay(actual: curve)).first)
    let path = try #require(
      try drawing.nodes(forXPath: "//g/svg/path[@class='line c0']").first.flatMap { $0 as? XMLElement }?
        .attribute(forName: "d")?.stringValue)
    #expect(path.filter { $0 == "M" }.count == 2 && path.filter { $0 == "L" }.count == 7)
  }

  @Test("the difference from what was expected is drawn apart, and what is outside of the limits is marked")
  func deviation() throws {
    let drawing = try #require(try drawings(ReportFixture.overlay()).first)
    #expect(try drawing.nodes(forXPath: "//rect[@class='frame']").count == 2)
    let marks = try drawing.nodes(forXPath: "//path[@class='line v']").compactMap { $0 as? XMLElement }
    #expect(marks.count == 3, "one set in each panel, one in the legend")
    // exp(−8 o²) × 0.31 ± 0.02 > 0.1 holds for some 30 of the 400 points.
    let overlay = ReportFixture.overlay()
    let expected = zip(overlay.actual.points, overlay.lower?.points ?? []).count { $0.y.isNaN || $0.y < $1.y }
    #expect(drawing.stringValue?.contains("outside, or not a number: \(expected) points") == true)
    #expect(expected > 20)
  }

  @Test("ten thousand points are thinned to what the picture can show, and keep their highest")
  func thinning() throws {
    var points = (0..<10_000).map { Curve.Point(Double($0), sin(Double($0))) }
    points[7777].y = 30
    let curve = Curve("noise", "noise", x: .time, y: Curve.Axis("level", .amplitude), points: points)
    let drawing = try #require(try drawings(CheckOutcome.Overlay(actual: curve)).first)
    let drawn = try #require(try paths("c0", in: drawing).first)
    #expect(drawn.count <= 2500)
    let peak = try #require(drawn.min { $0.y < $1.y })
    let frame = try #require(try drawing.nodes(forXPath: "//rect[@class='frame']").first as? XMLElement)
    let (left, width) = try (number("x", of: frame), number("width", of: frame))
    #expect(abs(peak.x - (left + width * 7777 / 9999)) < 0.2)
  }

  @Test("curves with nothing to draw, one point, or a straight line of one value make no broken picture")
  func degenerate() throws {
    func curve(_ points: [Curve.Point], _ x: Curve.Axis = .frequency) -> CheckOutcome.Overlay {
      CheckOutcome.Overlay(actual: Curve("c", "c", x: x, y: Curve.Axis("m", .decibels), points: points))
    }
    #expect(try drawings(curve([])).isEmpty)
    #expect(try drawings(curve([Curve.Point(1, .nan), Curve.Point(.nan, 1)])).isEmpty)
    for points in [
      [Curve.Point(0, 0)], [Curve.Point(1000, -3)], [Curve.Point(0, 1), Curve.Point(24000, 1)],
      [Curve.Point(1e-300, 1e149), Curve.Point(1e149, -1e149), Curve.Point(2, 1.7e308), Curve.Point(3, -1.7e308)],
      [Curve.Point(5, 1), Curve.Point(5, 2)],
      [Curve.Point(-5, 1), Curve.Point(1e9, .infinity), Curve.Point(7, 0)],
    ] {
      let drawing = try #require(try drawings(curve(points)).first)
      let numbers = drawing.xmlString.matches(of: /nan|inf/)
      #expect(numbers.isEmpty, "\(points)")
    }
  }
}
