import AudioCore
import Glibc

/// The change of a tone with time: within its stretch, and from one time that it is played to another.
struct ToneConstancy: Sendable {
  /// The largest change, relative to the tone.
  let change: Double
  /// The change that noise and rounding explain.
  let floor: Double
  /// The largest change of the level alone, as a part of it; 0 where it is within the floor.
  let levelChange: Double
  /// The change, for a remark; nil where nothing does.
  let text: String?

  /// - Parameters:
  ///   - course: the tone in parts.
  ///   - tone: the same, as a whole.
  ///   - later: the same tone, so many seconds later; nil: it was not played again.
  init(_ course: ToneCourse, _ tone: ToneAnalysis, later: (tone: ToneAnalysis, seconds: Double)?) {
    var texts: [String] = []
    var (change, floor, levelChange) = (course.change, course.floor, 0.0)
    if course.moves {
      texts.append("within the stretch \(course.text)")
      // A level that lines beside the tone explain is known all the same.
      if tone.close.lines.isEmpty {
        levelChange = max(
          abs(expm1(course.levels.lowerBound * log(10) / 20)), abs(expm1(course.levels.upperBound * log(10) / 20)))
      }
    }
    if let later {
      let (first, second) = (tone.fundamental, later.tone.fundamental)
      let relative = abs(second.amplitude - first.amplitude) / max(first.amplitude, 1e-300)
      let explained = 3 * hypot(first.uncertainty, second.uncertainty) / max(first.amplitude, 1e-300) + 1e-9
      if relative > explained {
        levelChange = max(levelChange, relative)
        texts.append(
          "\(NumberText.decimal(later.seconds, digits: 0)) s later its level is other by "
            + "\(NumberText.significant(Decibels.of(amplitude: second.amplitude / first.amplitude), digits: 2)) dB")
      }
      if relative - explained > change - floor { (change, floor) = (relative, explained) }
    }
    (self.change, self.floor, self.levelChange) = (change, floor, levelChange)
    text = texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Relative to the tone, as the linear measurement's.
  var reading: Reading {
    Reading(
      "timeVariance", "Largest change of the tone with time", amplitude: max(change, 1e-15), floor: max(floor, 1e-15),
      remark: text)
  }
}
