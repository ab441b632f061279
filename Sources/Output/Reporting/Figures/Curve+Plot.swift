import Glibc
import Measurement
import Plotting
import Spectrum

extension PlotAxis {
  /// The axis of a measured curve: logarithmic for hertz; decibels show 2 at least and 120 at most.
  init(_ axis: Curve.Axis) {
    switch axis.unit {
    case .hertz: self = .frequency(axis.name)
    case .seconds: self = .time(axis.name)
    case .degrees: self = .degrees(axis.name)
    case .decibels, .decibelsFullScale, .decibelsTruePeak:
      self = .decibels(axis.name, unit: axis.unit.rawValue)
      largestSpan = 120
    case .frames: self.init(axis.name, unit: axis.unit.rawValue, smallestSpan: 2)
    case .amplitude, .ratio, .count, .percent, .loudnessUnits, .loudnessUnitsFullScale:
      self.init(axis.name, unit: axis.unit.rawValue)
    }
  }
}

extension PlotSeries {
  init(_ name: String, _ curve: Curve, role: PlotRole = .actual) {
    self.init(name, x: curve.points.map(\.x), y: curve.points.map(\.y), role: role)
  }
}

extension PlotSeries {
  /// A spectrum as means of its power over parts of an octave, and faint behind it as it is; only as it is for 0 parts.
  static func spectrum(
    _ name: String, hertz: [Double], decibels: [Double], perOctave: Int, role: PlotRole = .actual
  ) -> [PlotSeries] {
    var whole = PlotSeries(name, x: hertz, y: decibels, role: role)
    guard perOctave > 0, let first = hertz.firstIndex(where: { $0 > 0 }), hertz.count - first >= 2 else {
      return [whole]
    }
    whole.isFaint = true
    let (low, high) = (max(hertz[first], 1), hertz[hertz.count - 1])
    guard low < high else { return [whole] }
    let places = FrequencyGrid.logarithmic(from: low, to: high, perOctave: Double(4 * perOctave))
    let powers = BandAverager(frequenciesHertz: hertz, values: decibels.map { pow(10, $0 / 10) })
      .smoothed(at: places, octaves: 1 / Double(perOctave))
    var means = PlotSeries(name, x: places, y: powers.map { 10 * log10($0) }, role: role)
    means.remark = "1/\(perOctave) octave"
    return [whole, means]
  }

  /// The remark on smoothing in a subtitle.
  static func smoothingRemark(_ perOctave: Int) -> String {
    perOctave > 0 ? "; lines: means over 1/\(perOctave) octave, faint: each bin" : ""
  }
}

extension Curve {
  /// True when another has the same points, so that one line can show both.
  func hasPoints(of other: Curve) -> Bool {
    points.count == other.points.count
      && zip(points, other.points).allSatisfy { $0.x == $1.x && ($0.y == $1.y || $0.y.isNaN && $1.y.isNaN) }
  }

  /// The bound of the error as an area; nil where it is nowhere wider than a line.
  ///
  /// An error in decibels is of something that adds to the amplitude: 20·log10(1 + e) above is 20·log10(1 − e) below,
  /// and −∞ from e = 1, 6.02 dB, on.
  /// - Parameter name: the curve's, whose colour the area gets.
  func errorBand(_ name: String) -> PlotBand? {
    let known = points.filter { $0.y.isFinite }
    let top = known.map(\.y).max() ?? 0
    let isDecibels = PlotAxis(y).ticks == .decibels
    let bottom = max(known.map(\.y).min() ?? 0, isDecibels ? top - 120 : -.infinity)
    let seen = max(top - bottom, isDecibels ? 2 : 0) / 300
    guard known.contains(where: { $0.y >= bottom && $0.uncertainty ?? 0 > seen }) else { return nil }
    func lower(_ point: Point) -> Double {
      let error = point.uncertainty ?? 0
      guard isDecibels else { return point.y - error }
      let part = expm1(error * log(10) / 20)
      return part < 1 ? point.y + 20 * log10(1 - part) : -.infinity
    }
    return PlotBand(
      name, x: points.map(\.x), lower: points.map(lower), upper: points.map { $0.y + ($0.uncertainty ?? 0) },
      role: .actual)
  }

  /// With a point that is no number where a phase jumps from one end of the circle to the other: no line goes across.
  var brokenAtJumps: Curve {
    var curve = self
    curve.points = []
    for point in points {
      if let last = curve.points.last, abs(point.y - last.y) > 180 {
        curve.points.append(Point((last.x * point.x).squareRoot(), .nan))
      }
      curve.points.append(point)
    }
    return curve
  }
}
