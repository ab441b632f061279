import AudioCore
import FoundationEssentials

/// Parts of a whole as rectangles whose areas are the parts: squarified, after Bruls, Huizing and van Wijk ("Squarified
/// treemaps", 2000).
package struct TreeMap: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var name: String
    /// Not below 0.
    package var value: Double
    /// Below the name: `6.85 ns, 17.8 %`.
    package var detail: String

    package init(name: String, value: Double, detail: String) {
      (self.name, self.value, self.detail) = (name, value, detail)
    }
  }

  /// In CSS pixels.
  package struct Box: Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
  }

  package var title: String
  package var subtitle: String
  /// In any order; those of no value are left out.
  package var parts: [Part]

  package init(_ title: String, subtitle: String = "", parts: [Part]) {
    (self.title, self.subtitle, self.parts) = (title, subtitle, parts)
  }

  private static let width = 1000.0
  private static let height = 560.0
  private static let margin = 20.0
  private static let top = 72.0

  /// The parts by size, each with its box.
  package var placed: [(part: Part, box: Box)] {
    let sorted = parts.filter { $0.value > 0 }.sorted { $0.value > $1.value }
    let whole = sorted.reduce(0) { $0 + $1.value }
    guard whole > 0 else { return [] }
    var room = Box(
      x: Self.margin, y: Self.top, width: Self.width - 2 * Self.margin, height: Self.height - Self.top - Self.margin)
    let scale = room.width * room.height / whole
    var placed: [(Part, Box)] = []
    var rest = sorted[...]
    while !rest.isEmpty {
      // As many in a row along the shorter side as make its boxes the least oblong.
      let side = min(room.width, room.height)
      var count = 1
      while count < rest.count,
        Self.worst(rest.prefix(count + 1).map { $0.value * scale }, side)
          <= Self.worst(rest.prefix(count).map { $0.value * scale }, side)
      {
        count += 1
      }
      let row = rest.prefix(count)
      let thickness = row.reduce(0) { $0 + $1.value } * scale / side
      var along = 0.0
      for part in row {
        let length = part.value * scale / thickness
        if room.width >= room.height {
          placed.append((part, Box(x: room.x, y: room.y + along, width: thickness, height: length)))
        } else {
          placed.append((part, Box(x: room.x + along, y: room.y, width: length, height: thickness)))
        }
        along += length
      }
      if room.width >= room.height {
        room.x += thickness
        room.width -= thickness
      } else {
        room.y += thickness
        room.height -= thickness
      }
      rest = rest.dropFirst(count)
    }
    return placed
  }

  /// The largest ratio of sides in a row of areas along a side.
  private static func worst(_ areas: [Double], _ side: Double) -> Double {
    let sum = areas.reduce(0, +)
    return areas.map { max(side * side * $0 / (sum * sum), sum * sum / (side * side * $0)) }.max() ?? .infinity
  }

  private var content: Markup {
    var content: Markup = """
      <text class="title" x="\(Self.margin)" y="34">\(title)</text>
      <text class="dim" x="\(Self.margin)" y="56">\(subtitle)</text>

      """
    for (index, (part, box)) in placed.enumerated() {
      let colour = Markup(trusted: "c\(index % FigureColours.curves.count)")
      content += """
        <g><title>\(part.name): \(part.detail)</title>\
        <rect class="area \(colour)" opacity="0.3" x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)"/>\
        <rect class="frame" x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)"/>
        """
      let room = box.width - 16
      if box.height > 24, let name = TextMetrics.fitting(part.name, room, size: 14) {
        content += "<text x=\"\(box.x + 8)\" y=\"\(box.y + 19)\">\(name)</text>"
        if box.height > 42, let detail = TextMetrics.fitting(part.detail, room, size: 12.5), detail == part.detail {
          content += "<text class=\"small\" x=\"\(box.x + 8)\" y=\"\(box.y + 37)\">\(detail)</text>"
        }
      }
      content += "</g>\n"
    }
    return content
  }

  private var document: Data {
    SVGDocument.file(content, title: title, width: Int(clamping: Self.width), height: Int(clamping: Self.height))
  }

  /// For a page that has the colours in its style.
  package func element(name: String) -> Markup {
    SVGDocument.element(content, name: name, width: Int(clamping: Self.width), height: Int(clamping: Self.height))
  }

  /// - Parameter path: its extension says the format: svg, png or pdf.
  /// - Throws: `.usage` for another extension, `.output` where the picture cannot be made or written.
  package func write(to path: String) throws(BenchError) {
    let format = try PictureFormat(path: path)
    let picture = format == .svg ? document : try PictureConverter().picture(document, as: format)
    try AtomicFile.write(Array(picture), to: path)
  }
}
