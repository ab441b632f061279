import AudioCore

/// Lines and points with labels over a panel, labels out of each other's way.
struct MarkerLabels {
  private let markers: [PlotMarker]
  private let place: FigureLayout.PanelPlace
  private let lines: [Line]
  /// Boxes that are taken by labels, in pixels.
  private var taken: [FigureLayout.Box] = []

  /// Points in pixels, from left to right.
  typealias Line = [(x: Double, y: Double)]

  /// - Parameter lines: what labels keep clear of, where there is room.
  init(_ markers: [PlotMarker], _ place: FigureLayout.PanelPlace, clearOf lines: [Line]) {
    self.markers = markers
    self.place = place
    self.lines = lines
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

  /// Beside a place, on its left where there is no room on its right; rows further where another label or a line is; where
  /// lines are everywhere, over them.
  private mutating func label(_ text: String, x: Double, y: Double, step: Double) -> Markup {
    let size = FigureLayout.smallSize
    let frame = place.frame
    let text = TextMetrics.shortened(VisibleText.line(text), width: frame.width / 2 - 6, size: size)
    guard !text.isEmpty else { return "" }
    let width = TextMetrics.width(text, size: size)
    let rows = (frame.top + 9)...max(frame.top + 9, frame.bottom - 9)
    let first = y.clamped(to: rows)
    var free: [FigureLayout.Box] = []
    for row in 0..<24 {
      for y in [first + Double(row) * step, first - Double(row) * step] where rows.contains(y) {
        for left in [x + 5, x - 5 - width] where left >= frame.left && left + width < frame.right {
          let box = FigureLayout.Box(left: left, top: y - 8, right: left + width, bottom: y + 8)
          if !taken.contains(where: { $0.overlaps(box) }) { free.append(box) }
        }
      }
    }
    guard let box = free.first(where: { box in !lines.contains { box.isCrossed(by: $0) } }) ?? free.first else {
      return ""
    }
    taken.append(box)
    let end = box.right <= x
    return """
      <text class="note small\(end ? " end" : "")" x="\(end ? box.right : box.left)" y="\(box.bottom - 3.5)">\(text)</text>
      """
  }
}

extension FigureLayout.Box {
  func overlaps(_ other: FigureLayout.Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func isCrossed(by line: MarkerLabels.Line) -> Bool {
    zip(line, line.dropFirst()).contains { a, b in
      let (from, to) = (max(a.x, left), min(b.x, right))
      guard from <= to else { return false }
      let heights = a.x == b.x ? [a.y, b.y] : [from, to].map { a.y + (b.y - a.y) * ($0 - a.x) / (b.x - a.x) }
      return heights.contains { $0 <= bottom } && heights.contains { $0 >= top }
    }
  }
}
