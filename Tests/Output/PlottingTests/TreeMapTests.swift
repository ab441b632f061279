import TestSupport
import Testing

import Plotting

@Suite("Parts of a whole as rectangles")
struct TreeMapTests {
  @Test(arguments: 1...8)
  func areasAreThePartsAndNothingOverlaps(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let parts = (0..<(seed * 5)).map { index in
      TreeMap.Part(name: "p\(index)", value: Double.random(in: 0...1, using: &generator), detail: "")
    }
    let placed = TreeMap("x", parts: parts + [TreeMap.Part(name: "none", value: 0, detail: "")]).placed
    #expect(placed.count == parts.count)
    let whole = parts.reduce(0) { $0 + $1.value }
    let areas = placed.map { $0.box.width * $0.box.height }
    let area = areas.reduce(0, +)
    for (one, box) in zip(placed, areas) { #expect(abs(box / area - one.part.value / whole) < 1e-9) }
    for (index, a) in placed.enumerated() {
      for b in placed[(index + 1)...] {
        let width = min(a.box.x + a.box.width, b.box.x + b.box.width) - max(a.box.x, b.box.x)
        let height = min(a.box.y + a.box.height, b.box.y + b.box.height) - max(a.box.y, b.box.y)
        #expect(width < 1e-6 || height < 1e-6, "\(a.part.name) and \(b.part.name)")
      }
    }
  }

  @Test func namesAreEscapedAndNothingIsAPicture() {
    let text = TreeMap("<a>", parts: [TreeMap.Part(name: "<b>", value: 1, detail: "&")]).element(name: "t").text
    #expect(text.contains("&lt;b&gt;") && text.contains("&amp;") && !text.contains("<b>"))
    #expect(TreeMap("x", parts: []).placed.isEmpty)
  }
}
