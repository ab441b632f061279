import Glibc
import Measurement
import Plotting

// Draws reference curves from files, and the distance of a curve from them.
extension FindingsFigures {
  /// A reference as it is drawn, with the curves that it belongs to.
  struct Laid {
    var reference: ReferenceCurve
    var belongs: (Curve) -> Bool
  }

  /// Those that belong over some curves.
  /// - Parameter adapted: a reference in the form of the curves; nil where it is of none of them as they were found.
  func laid(over curves: [Curve], _ adapted: ((ReferenceCurve) -> ReferenceCurve?)?) -> [Laid] {
    references.compactMap { reference in
      if let changed = adapted?(reference) {
        // The curves have another unit or name than what it belongs to, and the same channels.
        return Laid(reference: changed) {
          reference.channel == nil || $0.channel == nil || reference.channel == $0.channel
        }
      }
      guard curves.contains(where: reference.belongs) else { return nil }
      return Laid(reference: reference, belongs: reference.belongs)
    }
  }

  /// A panel of found − expected; none where nothing is expected.
  func differences(
    _ found: [(name: String, curve: Curve)], _ laid: [Laid], title: String, height: Double
  ) -> [Panel] {
    guard let first = found.first?.curve, !laid.isEmpty else { return [] }
    var axis = PlotAxis(first.y)
    axis.label = "difference"
    axis.smallestSpan = smallestDifference(first.y.unit)
    var panel = Panel(
      (title.isEmpty ? first.y.name : title) + ", found − expected", x: .init(first.x), y: axis,
      markers: [PlotMarker(.y(0))],
      relativeHeight: 0.8 * height)
    for (name, curve) in found {
      for laid in laid where laid.belongs(curve) {
        let points = zip(laid.reference.x, laid.reference.y).filter { $0.0.isFinite && !$0.1.isNaN }
        // As the line between its points is drawn.
        let line = Interpolation(points.map { ($0.0, $0.1) }, isLogarithmic: panel.x.scale == .logarithmic)
        let y = curve.points.map { point -> Double in
          let difference = point.y - (line.value(at: point.x) ?? .nan)
          return curve.y.unit == .degrees ? difference - 360 * (difference / 360).rounded() : difference
        }
        let names = [name, "less \(laid.reference.name)"].filter { !$0.isEmpty }
        panel.series.append(PlotSeries(names.joined(separator: ", "), x: curve.points.map(\.x), y: y))
      }
    }
    return panel.series.contains { $0.y.contains(where: \.isFinite) } ? [panel] : []
  }

  /// As close as a difference is looked at: what is less is rounding.
  private func smallestDifference(_ unit: Reading.Unit) -> Double {
    switch unit {
    case .seconds: 0.1 / sampleRate
    case .frames: 0.1
    case .degrees: 1
    case .decibels, .decibelsFullScale, .decibelsTruePeak: 0.1
    default: 0
    }
  }
}

extension ReferenceCurve {
  /// With a gap where a phase jumps from one end of the circle to the other.
  var brokenAtJumps: ReferenceCurve {
    var broken = self
    (broken.x, broken.y) = ([], [])
    for (x, y) in zip(x, y) {
      if let last = broken.y.last, let place = broken.x.last, abs(y - last) > 180 {
        broken.x.append((place * x).squareRoot())
        broken.y.append(.nan)
      }
      broken.x.append(x)
      broken.y.append(y)
    }
    return broken
  }
}
