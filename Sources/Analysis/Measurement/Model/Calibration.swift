import AudioCore
import Glibc

/// Finds the floors and errors of measurements on known devices.
///
/// A floor is what the same measurement, with the same settings, reads of a device that does nothing, plus a margin:
/// two roundings of one signal do not fall alike. An error is the largest deviation from the answers of a device whose
/// closed form is known, one part of an ``Uncertainty``.
public enum Calibration {
  /// Added to what the measurement reads of the identity, decibels.
  public static let marginDecibels = 3.0

  /// Sets the floors of readings, and the errors of curves' points that follow from them.
  ///
  /// - Parameters:
  ///   - findings: the measured ones; changed in place.
  ///   - reference: the findings on ``FunctionDevice/identity(_:)`` in the device's precision. A reading is matched by
  ///     id and `at`, whatever its channel; a curve by id, a point by the nearest x.
  ///   - marginDecibels: two roundings of one signal do not fall alike.
  ///   - ids: the readings of which lower is better: only these get a floor. Units other than decibels and percent get
  ///     none.
  public static func setFloors(
    _ findings: inout Findings, from reference: Findings, marginDecibels: Double = marginDecibels, ids: Set<String>
  ) {
    for index in findings.readings.indices where ids.contains(findings.readings[index].id) {
      let reading = findings.readings[index]
      let values = reference.readings.filter { $0.id == reading.id && $0.at == reading.at }.map(\.value)
      // A reading of minus infinity on the identity gives no floor.
      guard let floor = values.filter({ !$0.isNaN }).max(), floor.isFinite else { continue }
      let own = reading.floor ?? -.infinity
      switch reading.unit {
      case .decibels, .decibelsFullScale: findings.readings[index].floor = max(own, floor + marginDecibels)
      case .percent: findings.readings[index].floor = max(own, floor * Decibels.amplitude(marginDecibels))
      default: break
      }
    }
    for index in findings.curves.indices where ids.contains(findings.curves[index].id) {
      let references = reference.curves.filter { $0.id == findings.curves[index].id }.flatMap(\.points)
      findings.curves[index].points = findings.curves[index].points.map { point in
        let near = references.filter { $0.y.isFinite }.min { abs($0.x - point.x) < abs($1.x - point.x) }
        guard let near else { return point }
        let own = point.uncertainty ?? 0
        let floor = near.y + marginDecibels
        return Curve.Point(
          point.x, point.y, uncertainty: hypot(own, error(of: point.y, floor: floor)),
          floor: max(point.floor ?? -.infinity, floor))
      }
    }
  }

  /// Adds to the uncertainties of readings, by id, what the measurement itself is off by on a device whose answers are
  /// known.
  ///
  /// - Parameters:
  ///   - findings: the measured ones; changed in place.
  ///   - known: the findings on that device, in double precision: what its own rounding does is no error of the
  ///     measurement.
  ///   - truth: its answer to a reading; nil where none is known.
  public static func addErrors(_ findings: inout Findings, known: Findings, truth: (Reading) -> Double?) {
    var largest: [String: Double] = [:]
    for reading in known.readings {
      guard let answer = truth(reading) else { continue }
      // Both may be infinite: the ratio of a limiter.
      let deviation = reading.value == answer ? 0 : abs(reading.value - answer)
      largest[reading.id] = max(largest[reading.id] ?? 0, deviation.isNaN ? .infinity : deviation)
    }
    for index in findings.readings.indices {
      guard let error = largest[findings.readings[index].id] else { continue }
      let own = (findings.readings[index].uncertainty ?? 0) / Uncertainty.coverageFactor
      findings.readings[index].uncertainty = Uncertainty(standard: own, halfWidth: error).expanded
    }
  }

  /// The largest error of a level in decibels next to something at `floor`: 20·log10(1 + 10^((floor − level)/20)), both
  /// of one phase.
  public static func error(of level: Double, floor: Double) -> Double {
    guard level.isFinite, floor > -.infinity else { return level.isFinite ? 0 : .infinity }
    return 20 * log10(1 + pow(10, (floor - level) / 20))
  }
}
