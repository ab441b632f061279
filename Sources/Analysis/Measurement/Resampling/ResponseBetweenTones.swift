import Glibc

/// A response that is known at some tones, between them: by the polynomial through the eight nearest. How far it is off
/// follows from those through the six and the four nearest: each pair more brings them closer, and the last is off by
/// less than it moved.
struct ResponseBetweenTones: Sendable {
  /// By rising frequency, one at each.
  let points: [ResponsePoint]

  init(_ points: [ResponsePoint]) {
    self.points = points.sorted { $0.hertz < $1.hertz }.reduce(into: []) { kept, point in
      if kept.last.map({ point.hertz > $0.hertz }) ?? true { kept.append(point) }
    }
  }

  /// A pair of tones more is trusted to bring the polynomial this much closer, and no closer.
  private static let leastConvergence = 0.25

  /// A value between two tones.
  struct Value {
    /// Hertz.
    let hertz: Double
    let decibels: Double
    /// The deviation by noise, and the half width of where the response between the tones may lie, decibels.
    let deviation: Double
    let grid: Double
  }

  func value(at hertz: Double) -> Value {
    let (coarse, middle, fine) = (
      interpolated(at: hertz, count: 4), interpolated(at: hertz, count: 6), interpolated(at: hertz, count: 8)
    )
    let nearest = points.min { abs($0.hertz - hertz) < abs($1.hertz - hertz) }
    let (move, before) = (abs(fine - middle), abs(middle - coarse))
    return Value(
      hertz: hertz, decibels: fine, deviation: nearest?.deviation ?? 0,
      grid: move * min(1, max(Self.leastConvergence, move / max(before, 1e-300))))
  }

  /// The largest value of a range, or with a sign of −1 the smallest.
  func extreme(in range: ClosedRange<Double>, sign: Double) -> Value {
    var best = value(at: range.lowerBound)
    func consider(_ hertz: Double) {
      let other = value(at: hertz)
      if sign * other.decibels > sign * best.decibels { best = other }
    }
    let inside = points.map(\.hertz).filter { range.contains($0) }
    let nodes = [range.lowerBound] + inside + [range.upperBound]
    for (low, high) in zip(nodes, nodes.dropFirst()) where high > low {
      for part in 1...4 { consider(low + (high - low) * Double(part) / 4) }
    }
    // Between those, where it is not at an end.
    var step = (nodes.last { $0 < best.hertz }.map { best.hertz - $0 } ?? 1) / 4
    while step > 1e-6 * best.hertz {
      let before = best.hertz
      for hertz in [before - step, before + step] where range.contains(hertz) { consider(hertz) }
      if best.hertz == before { step /= 2 }
    }
    return best
  }

  /// The lowest frequency from which on the response lies below a limit; nil where it does not.
  func corner(limit: Double) -> (hertz: Double, value: Value, decibelsPerHertz: Double)? {
    guard let last = points.lastIndex(where: { $0.decibels >= limit }), last + 1 < points.count else { return nil }
    var (low, high) = (points[last].hertz, points[last + 1].hertz)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if interpolated(at: middle, count: 8) >= limit { low = middle } else { high = middle }
    }
    let found = (low + high) / 2
    let slope =
      (points[last].decibels - points[last + 1].decibels) / (points[last + 1].hertz - points[last].hertz)
    return (found, value(at: found), max(slope, 1e-12))
  }

  /// The number of tones in a range within four deviations of a value.
  func candidates(near value: Value, in range: ClosedRange<Double>) -> Int {
    points.filter { range.contains($0.hertz) && abs($0.decibels - value.decibels) <= 4 * $0.deviation }.count
  }

  /// Neville's scheme through the nearest points.
  private func interpolated(at hertz: Double, count: Int) -> Double {
    guard !points.isEmpty else { return .nan }
    let upper = points.firstIndex { $0.hertz >= hertz } ?? points.count
    let first = min(max(0, upper - count / 2), max(0, points.count - count))
    let near = points[first..<min(points.count, first + count)].map { (x: $0.hertz, y: $0.decibels) }
    var values = near.map(\.y)
    for order in 1..<max(1, near.count) {
      for index in 0..<near.count - order {
        let (a, b) = (near[index].x, near[index + order].x)
        values[index] = ((hertz - b) * values[index] + (a - hertz) * values[index + 1]) / (a - b)
      }
    }
    return values[0]
  }
}
