import Foundation
import Measurement
import Verification

/// One rectangle with axes, and curves in it, as pieces of SVG.
struct CurvePanel {
  let x: CurveScale
  let y: CurveScale
  let top: Double
  let height: Double
  let plotWidth: Double
  let pointLimit: Int

  private var left: Double { CurveDrawing.left }

  private func across(_ value: Double) -> Double { left + x.place(value) * plotWidth }

  /// Held to a little more than the panel: values far outside would make numbers that no renderer likes.
  private func down(_ value: Double) -> Double {
    let place = value == .infinity ? 2 : value == -.infinity ? -1 : y.place(value)
    return top + (1 - min(1.5, max(-0.5, place))) * height
  }

  /// The grid, its labels, and the names of the axes.
  func frame(xLabel: String, yLabel: String, unit: CheckOutcome.Overlay) -> Markup {
    var minor = ""
    for value in x.minorTicks { minor += "M\(Self.text(across(value))) \(Self.text(top))v\(Self.text(height))" }
    var major = ""
    var labels: Markup = ""
    var end = -Double.infinity
    for value in x.ticks {
      let place = across(value)
      major += "M\(Self.text(place)) \(Self.text(top))v\(Self.text(height))"
      let label = x.label(value, unit: unit.actual.x.unit)
      // Labels that would touch the one before are left out.
      let half = Double(label.count) * 3.5
      guard !xLabel.isEmpty, place - half > end + 6 else { continue }
      end = place + half
      labels += """
        <text text-anchor="middle" x="\(Self.text(place))" y="\(Self.text(top + height + 15))">\(label)</text>
        """
    }
    for value in y.ticks {
      let place = down(value)
      major += "M\(Self.text(left)) \(Self.text(place))h\(Self.text(plotWidth))"
      labels += """
        <text text-anchor="end" x="\(Self.text(left - 6))" y="\(Self.text(place + 4))">\
        \(y.label(value, unit: unit.actual.y.unit))</text>
        """
    }
    if !xLabel.isEmpty {
      labels += """
        <text class="axis" text-anchor="middle" x="\(Self.text(left + plotWidth / 2))" \
        y="\(Self.text(top + height + 33))">\(xLabel)</text>
        """
    }
    let middle = Self.text(top + height / 2)
    return """
      <path class="minor" d="\(minor)"/><path class="grid" d="\(major)"/>\
      <rect class="frame" x="\(Self.text(left))" y="\(Self.text(top))" width="\(Self.text(plotWidth))" \
      height="\(Self.text(height))"/>\(labels)\
      <text class="axis" text-anchor="middle" transform="translate(13 \(middle)) rotate(-90)">\(yLabel)</text>
      """
  }

  /// What is allowed, as an area between lines; open upwards or downwards where there is one limit only.
  func limits(lower: [Curve.Point]?, upper: [Curve.Point]?) -> Markup {
    guard lower != nil || upper != nil else { return "" }
    let low = lower.map { drawable($0) } ?? []
    let high = upper.map { drawable($0) } ?? []
    var area: [String] = []
    if let first = (high.isEmpty ? low : high).first, let last = (high.isEmpty ? low : high).last {
      let roof = high.isEmpty ? [(first.x, top), (last.x, top)] : high.map { ($0.x, $0.y) }
      let floor = low.isEmpty ? [(first.x, top + height), (last.x, top + height)] : low.map { ($0.x, $0.y) }
      area = (roof + floor.reversed()).map { "\(Self.text($0.0)) \(Self.text(held($0.1)))" }
    }
    let lines = [low, high].map(Self.path(of:)).joined()
    return clipped(
      """
      <path class="allowed" d="\(area.isEmpty ? "" : "M" + area.joined(separator: "L") + "Z")"/>\
      <path class="limit" d="\(lines)"/>
      """)
  }

  func line(_ points: [Curve.Point], style: String) -> Markup {
    clipped("<path class=\"\(style)\" d=\"\(Self.path(of: drawable(points)))\"/>")
  }

  /// Crosses, at most one for every eight columns.
  func marks(_ points: [Curve.Point]) -> Markup {
    guard !points.isEmpty else { return "" }
    var path = ""
    var end = -Double.infinity
    for point in points where point.x.isFinite && (!x.isLogarithmic || point.x > 0) {
      let place = across(point.x)
      guard place >= end, place >= left - 1, place <= left + plotWidth + 1 else { continue }
      end = place + 8
      // What is not a number has no height: it is marked at the lower edge.
      path += Self.cross(place, point.y.isNaN ? top + height : held(down(point.y)))
    }
    return "<path class=\"mark\" d=\"\(path)\"/>"
  }

  /// What is drawn over the edge is cut off by a picture of its own: clip paths need ids, and the ids of a hundred
  /// drawings on one page would have to differ.
  private func clipped(_ content: Markup) -> Markup {
    let box = [left, top, plotWidth, height].map(Self.text)
    return """
      <svg x="\(box[0])" y="\(box[1])" width="\(box[2])" height="\(box[3])" \
      viewBox="\(box.joined(separator: " "))">\(content)</svg>
      """
  }

  private func held(_ place: Double) -> Double { min(top + height, max(top, place)) }

  private struct Spot {
    var x: Double
    var y: Double
    /// Whether a line leads here from the spot before.
    var isJoined: Bool
  }

  /// Points as places, gaps where a value is not a number, thinned out to the lowest and highest of each column.
  private func drawable(_ points: [Curve.Point]) -> [Spot] {
    var spots: [Spot] = []
    var isJoined = false
    for point in points {
      guard point.x.isFinite, !point.y.isNaN, !x.isLogarithmic || point.x > 0 else {
        isJoined = false
        continue
      }
      let place = across(point.x)
      guard place >= left - plotWidth, place <= left + 2 * plotWidth else { continue }
      spots.append(Spot(x: place, y: down(point.y), isJoined: isJoined))
      isJoined = true
    }
    guard spots.count > pointLimit else { return spots }
    return Self.thinned(spots, columns: max(1, pointLimit / 2), left: left, width: plotWidth)
  }

  private static func thinned(_ spots: [Spot], columns: Int, left: Double, width: Double) -> [Spot] {
    var kept: [Spot] = []
    var start = 0
    while start < spots.count {
      let column = Int((spots[start].x - left) / width * Double(columns))
      var end = start + 1
      while end < spots.count, spots[end].isJoined, Int((spots[end].x - left) / width * Double(columns)) == column {
        end += 1
      }
      let range = start..<end
      let lowest = range.min { spots[$0].y < spots[$1].y } ?? start
      let highest = range.max { spots[$0].y < spots[$1].y } ?? start
      for (order, index) in Set([lowest, highest]).sorted().enumerated() {
        var spot = spots[index]
        if order == 0 { spot.isJoined = spots[start].isJoined } else { spot.isJoined = true }
        kept.append(spot)
      }
      start = end
    }
    return kept
  }

  private static func path(of spots: [Spot]) -> String {
    var path = ""
    for (index, spot) in spots.enumerated() {
      let isStart = index == 0 || !spot.isJoined
      path += "\(isStart ? "M" : "L")\(text(spot.x)) \(text(spot.y))"
      // A point alone, between gaps, is a dot: round line ends draw a line of no length.
      let isAlone = isStart && (index + 1 == spots.count || !spots[index + 1].isJoined)
      if isAlone { path += "h0" }
    }
    return path
  }

  static func cross(_ x: Double, _ y: Double) -> String {
    "M\(text(x - 3.5)) \(text(y - 3.5))l7 7m0 -7l-7 7"
  }

  /// A coordinate, to a tenth.
  static func text(_ value: Double) -> String {
    let tenths = value.isFinite ? Int((min(1e6, max(-1e6, value)) * 10).rounded()) : 0
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return "\(tenths < 0 ? "-" : "")\(whole)\(rest == 0 ? "" : ".\(rest)")"
  }
}
