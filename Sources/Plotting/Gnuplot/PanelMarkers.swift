/// Lines and points with labels over a panel, labels out of each other's way.
struct PanelMarkers {
  private let markers: [PlotMarker]
  private let place: FigureLayout.PanelPlace
  /// Boxes that are taken by labels, in pixels.
  private var taken: [FigureLayout.Box] = []

  init(_ markers: [PlotMarker], _ place: FigureLayout.PanelPlace) {
    self.markers = markers
    self.place = place
  }

  mutating func commands(_ script: GnuplotScript) -> [String] {
    var commands: [String] = []
    let line = "nohead back lc rgb '\(Self.colour)' lw 1.1 dt (6,5)"
    for marker in markers {
      switch marker.place {
      case .x(let x):
        let at = place.scales.x.position(x)
        guard (0...1).contains(at) else { continue }
        commands.append("set arrow from \(GnuplotScript.number(at)), 0 to \(GnuplotScript.number(at)), 1 \(line)")
        let pixel = place.frame.left + at * place.frame.width
        commands += label(marker.label, x: pixel, y: place.frame.top + 11, step: 17, script)
      case .y(let y):
        let at = place.scales.y.position(y)
        guard (0...1).contains(at) else { continue }
        commands.append("set arrow from 0, \(GnuplotScript.number(at)) to 1, \(GnuplotScript.number(at)) \(line)")
        let pixel = place.frame.bottom - at * place.frame.height
        commands += label(marker.label, x: place.frame.right, y: pixel - 10, step: -17, script)
      case .point(let x, let y):
        let (across, up) = (place.scales.x.position(x), place.scales.y.position(y))
        guard (0...1).contains(across), (0...1).contains(up) else { continue }
        commands.append(
          "set label '' at \(GnuplotScript.number(across)), \(GnuplotScript.number(up)) front point pt 6 ps 1.1 lw 1.6 "
            + "lc rgb '\(Self.colour)'")
        commands += label(
          marker.label, x: place.frame.left + across * place.frame.width + 5,
          y: place.frame.bottom - up * place.frame.height - 12, step: -17, script)
      }
    }
    return commands
  }

  /// Beside a place, on its left where there is no room on its right; rows further where another label is.
  private mutating func label(
    _ text: String, x: Double, y: Double, step: Double, _ script: GnuplotScript
  ) -> [String] {
    let size = FigureLayout.smallSize
    let frame = place.frame
    let text = GnuplotText.shortened(GnuplotText.clean(text), width: frame.width / 2, size: size)
    guard !text.isEmpty else { return [] }
    let width = GnuplotText.width(text, size: size)
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
    return [
      "set label \(GnuplotText.quoted(text)) at screen \(script.across(isRight ? left : left + width)), "
        + "screen \(script.up(y)) \(isRight ? "left" : "right") front noenhanced "
        + "font ',\(GnuplotScript.number(size))' textcolor rgb '\(Self.colour)'"
    ]
  }

  private static let colour = "#3A3A3A"
}

extension FigureLayout.Box {
  func overlaps(_ other: FigureLayout.Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}
