import AudioCore
import Measurement
import Verification

/// An overlay as inline SVG: what was found, what was expected, what is allowed, and below it, where something was
/// expected, the difference of the two on a scale of its own, as 0.3 dB do not show on one of 60.
///
/// Colours come from the page's style, so that one drawing serves light, dark and print; line styles and marks say the
/// same without colour.
struct CurveDrawing {
  static let width = 760.0
  static let left = 62.0
  static let right = 14.0
  /// More points than columns say nothing more.
  let pointLimit: Int
  let overlay: CheckOutcome.Overlay

  var plotWidth: Double { Self.width - Self.left - Self.right }

  /// Nil where no point can be drawn.
  func markup(title: String) -> Markup? {
    let finite = overlay.actual.points.filter(Self.isDrawable)
    let others = (overlay.expected?.points ?? []).filter(Self.isDrawable)
    guard let x = xAxis(finite + others), let y = yAxis(finite + others) else { return nil }
    let main = CurvePanel(x: x, y: y, top: 14, height: 250, plotWidth: plotWidth, pointLimit: pointLimit)
    var height = main.top + main.height + 40
    let outside = violations()
    var content = main.frame(
      xLabel: x.unitLabel(overlay.actual.x), yLabel: y.unitLabel(overlay.actual.y), unit: overlay)
    content += main.limits(lower: overlay.lower?.points, upper: overlay.upper?.points)
    content += main.line(overlay.actual.points, style: "actual")
    // Its dashes lie over the found curve, which would hide it where they are the same.
    if let expected = overlay.expected { content += main.line(expected.points, style: "expected") }
    content += main.marks(outside)

    if let deviation = deviation() {
      let values = deviation.actual.filter(Self.isDrawable)
      if let axis = yAxis(values, within: (deviation.lower ?? []) + (deviation.upper ?? []), lines: 4) {
        let panel = CurvePanel(
          x: x, y: axis, top: height + 16, height: 110, plotWidth: plotWidth, pointLimit: pointLimit)
        let unit = overlay.actual.y.unit.rawValue
        content += panel.frame(
          xLabel: "", yLabel: unit.isEmpty ? "found − expected" : "found − expected (\(unit))", unit: overlay)
        content += panel.limits(lower: deviation.lower, upper: deviation.upper)
        content += panel.line(deviation.actual, style: "actual")
        content += panel.line([Curve.Point(x.low, 0), Curve.Point(x.high, 0)], style: "expected")
        content += panel.marks(deviation.violations)
        height = panel.top + panel.height + 24
      }
    }
    let legend = legend(at: height + 4, outsideCount: outside.count)
    content += legend.markup
    height = legend.bottom
    let size = "0 0 \(Int(Self.width)) \(Int(height))"
    return """
      <svg class="plot" viewBox="\(size)" role="img" aria-label="\(title)"><title>\(title)</title>\(content)</svg>
      """
  }

  /// Finite, and not so large that the span of an axis would not be.
  private static func isDrawable(_ point: Curve.Point) -> Bool { abs(point.x) < 1e150 && abs(point.y) < 1e150 }

  private func xAxis(_ points: [Curve.Point]) -> CurveScale? {
    let values = points.map(\.x)
    guard let low = values.min(), let high = values.max() else { return nil }
    let isFrequency = overlay.actual.x.unit == .hertz
    let positive = values.filter { $0 > 0 }.min() ?? 0
    // A transform's curve begins at 0 Hz, which has no place on a logarithmic axis.
    if isFrequency, positive > 0, high > positive * 4 {
      return CurveScale(logarithmicFrom: low > 0 ? low : max(positive, min(20, high / 100)), to: high)
    }
    let pad = high > low ? 0 : max(abs(low) * 0.1, 1e-6)
    return CurveScale(
      linearFrom: low - pad, to: high + pad, unit: overlay.actual.x.unit, lines: 10, isRounded: false)
  }

  /// Around the values, with the limits as far as they are near: a mask of ±∞ must not make the curve a flat line.
  private func yAxis(
    _ points: [Curve.Point], within given: [Curve.Point]? = nil, lines: Int = 7
  ) -> CurveScale? {
    guard var low = points.map(\.y).min(), var high = points.map(\.y).max() else { return nil }
    let unit = overlay.actual.y.unit
    let isLevel = unit == .decibels || unit == .decibelsFullScale
    // Below 150 dB under the top there is nothing but rounding.
    if isLevel { low = max(low, high - 150) }
    let limits = (given ?? (overlay.lower?.points ?? []) + (overlay.upper?.points ?? [])).map(\.y).filter {
      abs($0) < 1e150
    }
    let reach = max(high - low, given == nil ? (isLevel ? 6 : 0) : 0)
    for limit in limits where limit > high - 3 * max(reach, 1e-12) - reach && limit < high + reach * 2 + 1e-12 {
      low = min(low, limit)
      high = max(high, limit)
    }
    if given != nil {
      for limit in limits where abs(limit) <= 4 * max(abs(low), abs(high)) {
        low = min(low, limit)
        high = max(high, limit)
      }
    }
    if high - low < 1e-12 * max(1, abs(high)) {
      let pad = max(abs(high) * 0.1, isLevel ? 1 : 1e-6)
      low -= pad
      high += pad
    } else {
      let pad = (high - low) * 0.03
      low -= pad
      high += pad
    }
    return CurveScale(linearFrom: low, to: high, unit: unit, lines: lines, isRounded: true)
  }

  /// Points of the found curve that lie outside of the limits, or are no numbers where limits are.
  private func violations() -> [Curve.Point] {
    outside(overlay.actual.points, lower: overlay.lower?.points, upper: overlay.upper?.points)
  }

  private func outside(
    _ points: [Curve.Point], lower: [Curve.Point]?, upper: [Curve.Point]?
  ) -> [Curve.Point] {
    let lower = lower.map(Interpolation.init)
    let upper = upper.map(Interpolation.init)
    return points.filter { point in
      guard !point.y.isNaN, point.y != .infinity else { return lower != nil || upper != nil }
      if let limit = lower?.value(at: point.x), point.y < limit { return true }
      if let limit = upper?.value(at: point.x), point.y > limit { return true }
      return false
    }
  }

  private struct Deviation {
    var actual: [Curve.Point]
    var lower: [Curve.Point]?
    var upper: [Curve.Point]?
    var violations: [Curve.Point]
  }

  private func deviation() -> Deviation? {
    guard let expected = overlay.expected, expected.points.count >= 2 else { return nil }
    let reference = Interpolation(expected.points)
    func minusExpected(_ points: [Curve.Point]) -> [Curve.Point] {
      points.map { Curve.Point($0.x, $0.y - (reference.value(at: $0.x) ?? .nan)) }
    }
    let actual = minusExpected(overlay.actual.points)
    guard actual.contains(where: { $0.y.isFinite }) else { return nil }
    // Limits have few corners, between which the expected curve bends: they are taken at its points.
    func minusExpected(limit: Curve?) -> [Curve.Point]? {
      guard let limit else { return nil }
      let line = Interpolation(limit.points)
      return overlay.actual.points.map { point in
        Curve.Point(point.x, (line.value(at: point.x) ?? .nan) - (reference.value(at: point.x) ?? .nan))
      }
    }
    let lower = minusExpected(limit: overlay.lower)
    let upper = minusExpected(limit: overlay.upper)
    let places = Set(violations().map(\.x))
    return Deviation(
      actual: actual, lower: lower, upper: upper, violations: actual.filter { places.contains($0.x) })
  }

  /// In as many rows as it takes.
  private func legend(at start: Double, outsideCount count: Int) -> (markup: Markup, bottom: Double) {
    var top = start
    var entries: [(style: String, text: String)] = [("actual", "found: \(overlay.actual.name)")]
    if let expected = overlay.expected { entries.append(("expected", "expected: \(expected.name)")) }
    if overlay.lower != nil || overlay.upper != nil { entries.append(("limit", "limits")) }
    if count > 0 { entries.append(("mark", "outside, or not a number: \(NumberText.count(count, "point"))")) }
    var x = Self.left
    var content: Markup = ""
    for entry in entries {
      let text = TextLayout.cut(VisibleText.line(entry.text), to: 44)
      let textWidth = 30 + Double(TextLayout.width(text)) * 6.6
      if x > Self.left && x + textWidth > Self.width - Self.right {
        x = Self.left
        top += 20
      }
      let y = CurvePanel.text(top + 12)
      switch entry.style {
      case "mark": content += "<path class=\"mark\" d=\"\(CurvePanel.cross(x + 12, top + 12))\"/>"
      case "limit":
        content += """
          <rect class="allowed" x="\(CurvePanel.text(x))" y="\(CurvePanel.text(top + 6))" width="24" height="12"/>\
          <path class="limit" d="M\(CurvePanel.text(x)) \(CurvePanel.text(top + 6))h24m0 12h-24"/>
          """
      default: content += "<path class=\"\(entry.style)\" d=\"M\(CurvePanel.text(x)) \(y)h24\"/>"
      }
      content += "<text x=\"\(CurvePanel.text(x + 30))\" y=\"\(CurvePanel.text(top + 16))\">\(text)</text>"
      x += textWidth + 18
    }
    return (content, top + 24)
  }
}

/// Straight lines between points with rising x; nothing beyond the ends.
struct Interpolation {
  private let points: [Curve.Point]

  init(_ points: [Curve.Point]) {
    let known = points.filter { $0.x.isFinite && !$0.y.isNaN }
    self.points = zip(known, known.dropFirst()).allSatisfy { $0.x <= $1.x } ? known : known.sorted { $0.x < $1.x }
  }

  func value(at x: Double) -> Double? {
    guard let first = points.first, let last = points.last, x >= first.x, x <= last.x else { return nil }
    var low = 0
    var high = points.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].x <= x { low = middle } else { high = middle }
    }
    let (a, b) = (points[low], points[high])
    if x == a.x || a.x == b.x { return a.y }
    if x == b.x { return b.y }
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
  }
}
