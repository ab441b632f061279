import Glibc

extension GainCurveFit {
  /// The ± of each number of a fit: the half widths of intervals that hold the truth in about 95 of 100 cases.
  struct Uncertainties {
    var threshold = 0.0
    var knee = 0.0
    /// The uncertainty of c − T, decibels.
    var gain = 0.0
    var slopeBelow = 0.0
    var slopeAbove = 0.0

    /// Adds how far another fit lies from one, each number as the half width of what it may be.
    mutating func add(halfWidthsTo other: GainCurveFit, of fit: GainCurveFit) {
      func add(_ key: WritableKeyPath<Uncertainties, Double>, _ value: KeyPath<GainCurveFit, Double>) {
        var whole = Uncertainty()
        whole.add(halfWidth: abs(other[keyPath: value] - fit[keyPath: value]))
        self[keyPath: key] = hypot(self[keyPath: key], whole.expanded)
      }
      add(\.threshold, \.thresholdDecibels)
      add(\.knee, \.kneeDecibels)
      add(\.gain, \.gainDecibels)
      add(\.slopeBelow, \.slopeBelow)
      add(\.slopeAbove, \.slopeAbove)
    }
  }

  /// By the scatter of the points around the fit, of n points with five numbers taken from them: all thresholds and
  /// knees count whose best lines are off by no more in all than that many variances more (D. R. Cox and D. V. Hinkley,
  /// Theoretical Statistics, 1974, 9.3), and for each of them what scatter does to its lines.
  var uncertainties: Uncertainties {
    let variance = variance
    let limit = limit
    var spread = Uncertainties()
    for direction in [1.0, -1] {
      let (ofThreshold, ofKnee) = (
        edge(limit) { best(threshold: thresholdDecibels + direction * $0) },
        edge(limit) { best(knee: kneeDecibels + direction * $0) }
      )
      // The correlation of threshold and knee among the fits that are possible: −1 to 1.
      func move(_ edge: GainCurveFit?, _ key: KeyPath<GainCurveFit, Double>) -> Double {
        edge.map { $0[keyPath: key] - self[keyPath: key] } ?? 0
      }
      let reach = move(ofThreshold, \.thresholdDecibels)
      let together = reach == 0 ? 0 : min(max(move(ofKnee, \.thresholdDecibels) / reach, -0.95), 0.95)
      /// The farthest that a number goes within all that fit, of an ellipse that touches both edges.
      func farthest(_ key: KeyPath<GainCurveFit, Double>) -> Double {
        let (one, two) = (move(ofThreshold, key), move(ofKnee, key))
        guard ofThreshold != nil, ofKnee != nil else { return max(abs(one), abs(two)) }
        let square = (one * one + two * two - 2 * together * one * two) / (1 - together * together)
        return max(abs(one), abs(two), max(0, square).squareRoot())
      }
      spread.threshold = max(spread.threshold, abs(reach), abs(move(ofKnee, \.thresholdDecibels)))
      spread.knee = max(spread.knee, abs(move(ofKnee, \.kneeDecibels)), abs(move(ofThreshold, \.kneeDecibels)))
      spread.gain = max(spread.gain, farthest(\.gainDecibels))
      spread.slopeBelow = max(spread.slopeBelow, farthest(\.slopeBelow))
      spread.slopeAbove = max(spread.slopeAbove, farthest(\.slopeAbove))
    }
    func whole(_ between: Double, _ within: Double, _ scatter: Double, _ freedom: Double) -> Double {
      hypot(between, Self.coverageFactor(freedom) * (scatter * within).squareRoot())
    }
    let ((below, above), freedom) = (scatters, freedom)
    // A line's slope is known by the points on its side.
    spread.gain = whole(spread.gain, variances.output, variance, min(freedom.below, freedom.above))
    spread.slopeBelow = whole(
      spread.slopeBelow * (below / variance).squareRoot(), variances.below, below, freedom.below)
    spread.slopeAbove = whole(
      spread.slopeAbove * (above / variance).squareRoot(), variances.above, above, freedom.above)
    return spread
  }

  /// The last of a family of fits, by a distance from this one, that explains the points as well; nil: there is none.
  private func edge(_ limit: Double, _ fit: (Double) -> GainCurveFit?) -> GainCurveFit? {
    // Out until it does not fit any more, then between.
    var (inside, outside) = (0.0, 1e-9)
    while outside < 100, (fit(outside)?.squares ?? .infinity) <= limit { (inside, outside) = (outside, 2 * outside) }
    for _ in 0..<14 {
      let middle = (inside + outside) / 2
      if (fit(middle)?.squares ?? .infinity) <= limit { inside = middle } else { outside = middle }
    }
    return fit(inside)
  }

  /// The sum of squares up to which another fit explains the points as well.
  var limit: Double {
    let freedom = freedom
    let factor = Self.coverageFactor(min(freedom.below, freedom.above))
    return squares + factor * factor * variance
  }

  /// The degrees of freedom: each side has given half of the five numbers.
  private var freedom: (below: Double, above: Double) {
    let below = points.filter { $0.x < kneeStart }.count
    return (Double(below) - 2.5, Double(points.count - below) - 2.5)
  }

  /// The end of the lower line.
  var kneeStart: Double { thresholdDecibels - kneeDecibels / 2 }

  /// Student's twice: of the scatter of one side's points, and of the noise that each point's weight was estimated
  /// from.
  private static func coverageFactor(_ degreesOfFreedom: Double) -> Double {
    Uncertainty.student(degreesOfFreedom) * Uncertainty.coverageFactor / Uncertainty.student(.infinity)
  }

  /// The scatter of the points around the fit, by their weights: 1 where it is what was expected of them. That of the
  /// points below the knee or that of the others, whichever is larger: one line may be straighter than the other.
  var variance: Double {
    max(scatters.below, scatters.above)
  }

  /// The scatter of the points below the knee and of the others.
  var scatters: (below: Double, above: Double) {
    let whole = squares / Double(max(1, points.count - 5))
    func scatter(_ ones: [Weighted], _ freedom: Double) -> Double {
      max(ones.count > 4 ? ones.reduce(0) { $0 + square(of: $1) } / freedom : whole, 0.05)
    }
    let freedom = freedom
    return (
      scatter(points.filter { $0.x < kneeStart }, freedom.below),
      scatter(points.filter { $0.x >= kneeStart }, freedom.above)
    )
  }

  /// A point's distance from the fit, squared, by its weight.
  private func square(of point: Weighted) -> Double {
    let distance = output(at: point.x) - point.y
    return point.weight * distance * distance
  }

  /// The best fit with a threshold, whatever its knee; nil where there is none.
  private func best(threshold: Double) -> GainCurveFit? {
    best(around: kneeDecibels) { with(threshold: threshold, knee: max(0, $0)) }
  }

  /// The best fit with a knee, whatever its threshold.
  func best(knee: Double) -> GainCurveFit? {
    best(around: thresholdDecibels) { with(threshold: $0, knee: knee) }
  }

  /// The best of a family of fits around one of them, by steps that shrink.
  private func best(around start: Double, _ fit: (Double) -> GainCurveFit?) -> GainCurveFit? {
    var (place, found) = (start, fit(start))
    var step = 1.0
    while step > 1e-9 {
      let next = [place - step, place + step].map { (place: $0, fit: fit($0)) }.min {
        ($0.fit?.squares ?? .infinity) < ($1.fit?.squares ?? .infinity)
      }
      if let next, let other = next.fit, other.squares < found?.squares ?? .infinity {
        (place, found) = (next.place, other)
      } else {
        step /= 2
      }
    }
    return found
  }
}
