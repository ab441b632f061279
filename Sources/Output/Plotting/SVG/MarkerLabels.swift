import AudioCore

/// Lines and points with labels over a panel, labels out of each other's way.
struct MarkerLabels {
  private let markers: [PlotMarker]
  private let place: FigureLayout.PanelPlace
  /// Boxes that are taken by labels, in pixels.
  private var taken: [FigureLayout.Box] = []

  init(_ markers: [PlotMarker], _ place: FigureLayout.PanelPlace) {
    self.markers = markers
    self.place = place
  }

  var markup: (lines: Markup, labels: Markup) {
    mutating get {
      var (lines, labels) = ("" as Markup, "" as Markup)
      let frame = place.frame
      for marker in markers {
        switch marker.place {
        case .x(let x):
          guard (0...1).contains(place.scales.x.position(x)) else { continue }
          let pixel = place.across(x)
          lines += "<path class=\"marker\" d=\"M\(pixel) \(frame.top)V\(frame.bottom)\"/>"
          labels += label(marker.label, x: pixel, y: frame.top + 11, step: 17)
        case .y(let y):
          guard (0...1).contains(place.scales.y.position(y)) else { continue }
          let pixel = place.down(y)
          lines += "<path class=\"marker\" d=\"M\(frame.left) \(pixel)H\(frame.right)\"/>"
          labels += label(marker.label, x: frame.right, y: pixel - 10, step: -17)
        case .point(let x, let y):
          guard (0...1).contains(place.scales.x.position(x)), (0...1).contains(place.scales.y.position(y)) else {
            continue
          }
          let (left, top) = (place.across(x), place.down(y))
          labels += "<circle class=\"ring\" cx=\"\(left)\" cy=\"\(top)\" r=\"4.5\"/>"
          labels += label(marker.label, x: left + 5, y: top - 12, step: -17)
        }
      }
      return (lines, labels)
    }
  }

  /// Beside a place, on its left where there is no room on its right; rows further where another label is.
  private mutating func label(_ text: String, x: Double, y: Double, step: Double) -> Markup {
    let size = FigureLayout.smallSize
    let frame = place.frame
    let text = TextMetrics.shortened(VisibleText.line(text), width: frame.width / 2, size: size)
    guard !text.isEmpty else { return "" }
    let width = TextMetrics.width(text, size: size)
    let isRight = x + 6 + width <= frame.right
    var y = y.clamped(to: (frame.top + 9)...max(frame.top + 9, frame.bottom - 9))
    let left = isRight ? x + 5 : x - 5 - width
    func box() -> FigureLayout.Box { .init(left: left, top: y - 8, right: left + width, bottom: y + 8) }
    var step = step
    for _ in 0..<24 where taken.contains(where: { $0.overlaps(box()) }) {
      y += step
      if y < frame.top + 9 || y > frame.bottom - 9 {
        step = -step
        y += 2 * step
      }
    }
    taken.append(box())
    return """
      <text class="note small\(isRight ? "" : " end")" x="\(isRight ? left : left + width)" y="\(y + 4.5)">\(text)</text>
      """
  }
}

extension FigureLayout.Box {
  func overlaps(_ other: FigureLayout.Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}
