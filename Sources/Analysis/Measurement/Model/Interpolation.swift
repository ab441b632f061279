import Glibc

/// Straight lines between points with rising x; nothing beyond the ends.
package struct Interpolation: Sendable {
  private let points: [Point]
  private let isLogarithmic: Bool

  package typealias Point = (x: Double, y: Double)

  /// - Parameter isLogarithmic: lines over log x, where x is above 0.
  package init(_ points: [Point], isLogarithmic: Bool = false) {
    self.isLogarithmic = isLogarithmic
    self.points = zip(points, points.dropFirst()).allSatisfy { $0.x <= $1.x } ? points : points.sorted { $0.x < $1.x }
  }

  /// Interpolates the points of a curve that are numbers.
  package init(_ points: [Curve.Point]) {
    self.init(points.filter { $0.x.isFinite && !$0.y.isNaN }.map { ($0.x, $0.y) })
  }

  /// Nil beyond the ends; a billionth of x beside a point is at it.
  package func value(at x: Double) -> Double? {
    let near = abs(x) * 1e-9
    guard let first = points.first, let last = points.last, x >= first.x - near, x <= last.x + near else { return nil }
    let upper = min(points.partitioningIndex { $0.x > x }, points.count - 1)
    let (a, b) = (points[max(0, upper - 1)], points[upper])
    if x >= b.x - near { return b.y }
    if x <= a.x + near { return a.y }
    let part = isLogarithmic && a.x > 0 ? log(x / a.x) / log(b.x / a.x) : (x - a.x) / (b.x - a.x)
    return a.y + (b.y - a.y) * part
  }
}

extension Array {
  /// The first index whose element fulfils a condition that all later ones fulfil too.
  package func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
