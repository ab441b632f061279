import AudioCore
import AudioEngine
import Measurement

extension Findings {
  /// Adds, for each magnitude that was measured, how far it is from a closed form at most: from 20 Hz to 0.45 × rate,
  /// where the closed form is above −100 dB.
  package mutating func compare(with closedForm: AnalogResponse, sampleRate: Double) {
    for curve in curves where curve.id == "magnitude" {
      let differences = curve.points.compactMap { point -> (hertz: Double, decibels: Double)? in
        guard (20...0.45 * sampleRate).contains(point.x), point.y.isFinite,
          let known = closedForm.magnitudeDecibels(atHertz: point.x), known > -100
        else { return nil }
        return (point.x, point.y - known)
      }
      guard let worst = differences.max(by: { abs($0.decibels) < abs($1.decibels) }) else { continue }
      readings.append(
        Reading(
          "closedFormDifference", "largest difference from the closed form", worst.decibels, .decibels,
          channel: curve.channel, at: ["frequency": worst.hertz], remark: "at \(NumberText.value(worst.hertz, .hertz))")
      )
    }
  }
}
