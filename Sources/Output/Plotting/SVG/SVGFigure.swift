import AudioCore
import FoundationEssentials

/// A figure as an element of SVG: for a file of its own, or within a page.
package struct SVGFigure {
  private let figure: Figure
  private let layout: FigureLayout
  private let pointsAcross: Int?

  /// - Parameter pointsAcross: the number of columns of a curve that are kept; nil: two for each pixel.
  package init(_ figure: Figure, pointsAcross: Int? = nil) {
    self.figure = figure
    self.pointsAcross = pointsAcross
    layout = FigureLayout(figure)
  }

  /// A file: with its colours, on white.
  var document: Data {
    SVGDocument.file(
      content, title: figure.title, width: Int(clamping: layout.width), height: Int(clamping: layout.height))
  }

  /// For a page that has the colours in its style.
  package func element(name: String) -> Markup {
    SVGDocument.element(content, name: name, width: Int(clamping: layout.width), height: Int(clamping: layout.height))
  }

  private var content: Markup {
    let styles = PlotStyles(figure.panels)
    var content: Markup = "\(heading)\(legend)"
    for (panel, place) in zip(figure.panels, layout.panels) {
      content += SVGPanel(panel, place, styles, layout.width, pointsAcross: pointsAcross).markup
    }
    return content
  }

  private var heading: Markup {
    var y = 28.0
    var heading: Markup = ""
    for text in layout.title {
      heading += "<text class=\"title\" x=\"\(layout.left)\" y=\"\(y + 6)\">\(text)</text>\n"
      y += 24
    }
    for text in layout.subtitle {
      heading += "<text class=\"dim\" x=\"\(layout.left)\" y=\"\(y + 3)\">\(text)</text>\n"
      y += 19
    }
    return heading
  }

  private var legend: Markup {
    var legend: Markup = ""
    for place in layout.legend {
      let (left, right, y) = (place.left, place.left + FigureLayout.swatch, place.y)
      let style = place.entry.style
      let colour = Markup(trusted: style.colour)
      switch place.entry.kind {
      case .tint, .solid:
        legend += """
          <rect class="area \(colour)" x="\(left)" y="\(y - 6)" width="\(right - left)" height="12" \
          opacity="\(place.entry.kind == .solid ? SVGPanel.solid : SVGPanel.tint)"/>
          """
        if place.entry.kind == .tint {
          legend += "<path \(style.stroke(width: 0.8)) d=\"M\(left) \(y - 6)H\(right)M\(left) \(y + 6)H\(right)\"/>"
        }
      case .curve(.line) where !place.entry.name.isEmpty:
        legend += "<path \(style.stroke()) d=\"M\(left) \(y)H\(right)\"/>"
      case .curve(.line): break
      case .curve(.markedLine):
        legend += """
          <path \(style.stroke()) d="M\(left) \(y)H\(right)"/>\
          \(SVGPanel.marks(.markedLine, [((left + right) / 2, y)], foot: y, style))
          """
      case .curve(let mark):
        let middle = (left + right) / 2
        legend += SVGPanel.marks(mark, [(middle, y)], foot: y + 7, style)
      }
      legend += "<text class=\"small\" x=\"\(right + 8)\" y=\"\(y + 4.5)\">\(place.label)</text>\n"
    }
    return legend
  }
}
