import AudioCore
import Glibc

/// The change of a device's gain within the steps, to and fro, or from the staircase to the same levels later: it has no
/// static curve then.
struct DynamicsChange {
  /// The largest change.
  let decibels: Double
  /// The sentence on it.
  let text: String

  /// A change below this is none.
  private static let leastDecibels = 0.02

  /// The largest change from the staircase to the same levels later that noise does not explain, however small, decibels
  /// with their sign; 0 where there is none.
  static func small(_ steps: [StaticPoint], again: [(step: Int, point: StaticPoint)]) -> Double {
    again.filter { $0.step < steps.count && steps[$0.step].isKnown && $0.point.isKnown }.map { number, later in
      let change = later.output - steps[number].output
      return abs(change) > 3 * hypot(steps[number].deviation, later.deviation) ? change : 0
    }.max { abs($0) < abs($1) } ?? 0
  }

  /// Nil where the gains agree within what is known of them.
  /// - Parameter again: numbers of steps, with what the same level gave later.
  init?(_ steps: [StaticPoint], again: [(step: Int, point: StaticPoint)]) {
    var worst: (decibels: Double, level: Double)?
    for (number, later) in again where number < steps.count {
      let earlier = steps[number]
      guard earlier.isKnown, later.isKnown else { continue }
      let change = later.output - earlier.output
      // A level that still moves differs by what it has yet to go.
      let moving = 3 * max(abs(earlier.unsettled), abs(later.unsettled))
      let explained = Self.leastDecibels + 4 * hypot(earlier.deviation, later.deviation) + moving
      if abs(change) > explained, abs(change) > abs(worst?.decibels ?? 0) { worst = (change, earlier.input) }
    }
    func amount(_ decibels: Double) -> String { "\(NumberText.decimal(abs(decibels), digits: 3)) dB" }
    if let worst {
      decibels = worst.decibels
      text =
        "varies in time: the gain at \(NumberText.short(worst.level)) dBFS is \(amount(worst.decibels)) "
        + (worst.decibels > 0 ? "higher" : "lower") + " when the level comes again"
      return
    }
    // A gain that has yet to settle moves to one side at all levels.
    let moves = steps.filter { $0.isKnown && abs($0.unsettled) > Self.leastDecibels }.map(\.unsettled)
    let rising = moves.filter { $0 > 0 }.count
    guard 3 * moves.count >= steps.filter(\.isKnown).count, 5 * min(rising, moves.count - rising) >= moves.count,
      let most = moves.map({ abs($0) }).max()
    else { return nil }
    decibels = most
    text = "modulates: the level of a step moves by up to \(amount(most)), up and down"
  }
}

/// A device that bends the wave itself, as one that clips does, and not its level: the level of the tone that is left has
/// neither ratio nor knee. Known of its threshold is between which steps the bending begins.
struct ShapedWave {
  private let below: Double?
  private let first: Double
  private let most: Double

  /// Harmonics of 3 % are more than a gain makes that follows the wave a little.
  static let leastDistortion = 0.03
  /// A part of the largest distortion that counts as its beginning.
  private static let onset = 1e-4

  /// Nil for a device that leaves the wave as it is.
  /// - Parameters:
  ///   - steps: by rising level.
  ///   - least: the harmonics, as a part of the tone, from which on it bends the wave.
  init?(_ steps: [StaticPoint], least: Double = leastDistortion) {
    let most = steps.reduce(0) { max($0, $1.distortion) }
    guard most > least else { return nil }
    // From where on it does not cease to bend.
    var start = steps.count
    while start > 0, steps[start - 1].distortion > Self.onset * most { start -= 1 }
    guard start < steps.count else { return nil }
    (first, self.most) = (steps[start].input, most)
    below = start > 0 ? steps[start - 1].input : nil
  }

  var readings: [Reading] {
    guard let below else { return [] }
    return [
      Reading(
        "threshold", "Threshold", (below + first) / 2, .decibelsFullScale, uncertainty: (first - below) / 2 * 1.1,
        remark: "between the last step that it leaves as it is and the first that it bends")
    ]
  }

  var text: String {
    "bends the wave" + (below == nil ? " at all levels" : " from \(NumberText.short(first)) dBFS on")
      + ": harmonics of up to \(NumberText.decimal(100 * most, digits: 1)) % of the tone; it has no ratio and no knee"
  }
}

extension StaticPoint {
  /// The point of a curve; its floor is what noise could have made.
  /// - Parameter reference: the level that it is told over, dBFS.
  func curvePoint(over reference: Double) -> Curve.Point {
    let amplitude = Decibels.amplitude(output)
    let error = Uncertainty.coverageFactor * noise
    let floor = amplitude > 3 * error ? 3 * error : amplitude + error
    return Curve.Point(
      input, output - reference, uncertainty: Uncertainty.coverageFactor * deviation,
      floor: floor > 0 ? Decibels.of(amplitude: floor) - reference : nil)
  }
}
