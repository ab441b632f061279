import AudioCore
/// Reduces curves to what a picture can show: per column the first, the lowest, the highest and the last point, so that
/// no peak is lost and a line of a million points stays small.
package struct Decimation {
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  package struct Strip: Hashable, Sendable {
    package var x: Double
    package var lower: Double
    package var upper: Double
  }

  let x: AxisScale
  let y: AxisScale
  /// Columns across the panel.
  let columns: Int

  package init(x: AxisScale, y: AxisScale, columns: Int) {
    self.x = x
    self.y = y
    self.columns = columns
  }

  /// A curve as unbroken lines, in parts of the panel (0 ... 1 within it). Points left or right of the panel are left
  /// out but for the nearest ones, which the lines at its edges lead to.
  package func lines(_ series: PlotSeries) -> [[Point]] {
    let points = zip(series.x, series.y).map { place, value -> Point? in
      let point = Point(x: x.position(place), y: position(value))
      return point.x.isNaN || point.y.isNaN || !place.isFinite ? nil : point
    }
    return Self.runs(points).map(reduce).filter { !$0.isEmpty }
  }

  /// A band as unbroken strips, in parts of the panel; bounds that are none lie far outside.
  package func strips(_ band: PlotBand) -> [[Strip]] {
    let strips = band.x.enumerated().map { index, place -> Strip? in
      let strip = Strip(
        x: x.position(place), lower: position(band.lower[index]), upper: position(band.upper[index]))
      return strip.x.isNaN || strip.lower.isNaN || strip.upper.isNaN || !place.isFinite ? nil : strip
    }
    return Self.runs(strips).map(reduce).filter { !$0.isEmpty }
  }

  /// The runs between gaps, which are nil.
  private static func runs<Place>(_ places: [Place?]) -> [[Place]] {
    places.split { $0 == nil }.map { $0.compactMap(\.self) }
  }

  /// On a logarithmic axis 0 lies as far down as −∞ decibels do.
  private func position(_ value: Double) -> Double {
    if y.isLogarithmic, value == 0 { return y.position(.leastNonzeroMagnitude) }
    return y.position(value)
  }

  /// Columns reach one panel's width to either side, so that slopes of lines that leave it stay right.
  private func column(_ x: Double) -> Int { Int(clamping: (x * Double(columns)).rounded(.down)) }

  private func reduce(_ line: [Point]) -> [Point] {
    let isSorted = zip(line, line.dropFirst()).allSatisfy { $0.x <= $1.x }
    // A curve that runs back and forth, as a loop does, has no columns: parts of equal count are used instead.
    guard isSorted else {
      guard line.count > columns * 8 else { return line }
      let size = line.count / (columns * 2) + 1
      return stride(from: 0, to: line.count, by: size).flatMap { Self.ends(line[$0..<min($0 + size, line.count)]) }
    }
    let first = max(0, (line.firstIndex { $0.x >= 0 } ?? line.count) - 1)
    let last = min(line.count, (line.lastIndex { $0.x <= 1 } ?? -1) + 2)
    guard first < last else { return [] }
    var reduced: [Point] = []
    var start = first
    while start < last {
      let column = column(line[start].x)
      var end = start + 1
      while end < last, self.column(line[end].x) == column { end += 1 }
      reduced += Self.ends(line[start..<end])
      start = end
    }
    return reduced
  }

  /// The first, lowest, highest and last of some points, in their order.
  private static func ends(_ points: ArraySlice<Point>) -> [Point] {
    guard points.count > 4 else { return Array(points) }
    var (low, high) = (points.startIndex, points.startIndex)
    for index in points.indices {
      if points[index].y < points[low].y { low = index }
      if points[index].y > points[high].y { high = index }
    }
    return Set([points.startIndex, low, high, points.endIndex - 1]).sorted().map { points[$0] }
  }

  private func reduce(_ strip: [Strip]) -> [Strip] {
    guard strip.count > columns * 2, zip(strip, strip.dropFirst()).allSatisfy({ $0.x <= $1.x }) else { return strip }
    var reduced: [Strip] = []
    var start = 0
    while start < strip.count {
      let column = column(strip[start].x)
      var joined = strip[start]
      var end = start + 1
      while end < strip.count, self.column(strip[end].x) == column {
        joined.lower = min(joined.lower, strip[end].lower)
        joined.upper = max(joined.upper, strip[end].upper)
        end += 1
      }
      if column >= -1, column <= columns { reduced.append(joined) }
      start = end
    }
    return reduced
  }
}
