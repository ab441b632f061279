import Glibc

/// Two straight lines and a parabola between them, laid through a static curve: threshold, ratio and knee.
///
/// The gain computer of Giannoulis, Massberg and Reiss ("Digital Dynamic Range Compressor Design", JAES 60, 2012, eq.
/// 4), with a free slope on either side: with u = x − T, y = c + s₁·u below −W/2, c + s₂·u above W/2, and
/// c + s₁·u + (s₂ − s₁)·(u + W/2)² ÷ (2W) between.
public struct GainCurveFit: Hashable, Sendable {
  /// T, dBFS in.
  public private(set) var thresholdDecibels: Double
  /// W, decibels; 0 is a hard knee.
  public private(set) var kneeDecibels: Double
  /// c, dBFS: where both lines meet.
  public private(set) var outputDecibels = 0.0
  /// s₁ and s₂, decibels per decibel.
  public private(set) var slopeBelow = 1.0
  public private(set) var slopeAbove = 1.0
  /// The largest distance of a point from the fit, decibels.
  public private(set) var worstDecibels = Double.infinity
  private var squares = Double.infinity

  /// Whether both slopes are the same: there is no threshold.
  public var isStraight: Bool { abs(slopeAbove - slopeBelow) < 0.005 }
  /// Whether the line that does not have the slope 1 is the upper one: a compressor or limiter, not an expander or
  /// gate.
  public var isCompressor: Bool { abs(slopeAbove - 1) > abs(slopeBelow - 1) }
  /// Decibels in per decibel out above the threshold of a compressor; decibels out per decibel in below that of an
  /// expander.
  public var ratio: Double { isCompressor ? 1 / max(0, slopeAbove) : slopeBelow }

  /// The best fit by least squares; nil for fewer than six points.
  /// - Parameter points: dBFS in and out, by rising input.
  public init?(_ points: [(x: Double, y: Double)]) {
    guard points.count >= 6, let first = points.first?.x, let last = points.last?.x, last > first else { return nil }
    var best = GainCurveFit(threshold: (first + last) / 2, knee: 0)
    // A knee reaches half its width to either side: it must end within the points, and leave some for each line.
    func consider(_ threshold: Double, _ knee: Double) {
      guard knee >= 0, threshold - knee / 2 >= points[2].x, threshold + knee / 2 <= points[points.count - 3].x else {
        return
      }
      var fit = GainCurveFit(threshold: threshold, knee: knee)
      fit.solve(points)
      if fit.squares < best.squares { best = fit }
    }
    for threshold in stride(from: first, through: last, by: 1) {
      for knee in [0.0, 1, 2, 4, 6, 9, 12, 18, 24, 30] { consider(threshold, knee) }
    }
    var step = 1.0
    while step > 1e-4 {
      let before = best.squares
      let center = best
      for (a, b) in [(1.0, 0.0), (-1, 0), (0, 2), (0, -2), (1, 2), (1, -2), (-1, 2), (-1, -2)] {
        consider(center.thresholdDecibels + a * step, max(0, center.kneeDecibels + b * step))
      }
      if best.squares >= before { step /= 2 }
    }
    guard best.squares.isFinite else { return nil }
    self = best
  }

  private init(threshold: Double, knee: Double) {
    thresholdDecibels = threshold
    kneeDecibels = knee
  }

  /// What stands before s₁ and s₂ at an input level.
  private func shares(_ x: Double) -> (below: Double, above: Double) {
    let u = x - thresholdDecibels
    if u <= -kneeDecibels / 2 { return (u, 0) }
    if u >= kneeDecibels / 2 { return (0, u) }
    let above = (u + kneeDecibels / 2) * (u + kneeDecibels / 2) / (2 * kneeDecibels)
    return (u - above, above)
  }

  /// What it makes of an input level, dBFS.
  public func output(at x: Double) -> Double {
    let shares = shares(x)
    return outputDecibels + slopeBelow * shares.below + slopeAbove * shares.above
  }

  /// c, s₁ and s₂ for the T and W that are there, by the normal equations.
  private mutating func solve(_ points: [(x: Double, y: Double)]) {
    var (n, l, u, ll, lu, uu, y, ly, uy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let share = shares(point.x)
      n += 1
      l += share.below
      u += share.above
      ll += share.below * share.below
      lu += share.below * share.above
      uu += share.above * share.above
      y += point.y
      ly += share.below * point.y
      uy += share.above * point.y
    }
    let (a, b, c) = (ll * uu - lu * lu, lu * u - l * uu, l * lu - ll * u)
    let determinant = n * a + l * b + u * c
    guard abs(determinant) > 1e-9 else { return }
    outputDecibels = (y * a + ly * b + uy * c) / determinant
    slopeBelow = (y * b + ly * (n * uu - u * u) + uy * (l * u - n * lu)) / determinant
    slopeAbove = (y * c + ly * (u * l - n * lu) + uy * (n * ll - l * l)) / determinant
    squares = 0
    worstDecibels = 0
    for point in points {
      let distance = abs(output(at: point.x) - point.y)
      squares += distance * distance
      worstDecibels = max(worstDecibels, distance)
    }
  }
}
