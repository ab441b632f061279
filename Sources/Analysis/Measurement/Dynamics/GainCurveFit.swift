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
  /// c − T: the gain there, decibels.
  var gainDecibels: Double { outputDecibels - thresholdDecibels }
  /// s₁ and s₂, decibels per decibel.
  public private(set) var slopeBelow = 1.0
  /// s₂: decibels out for each decibel in above the knee; 1 ÷ ratio of a compressor.
  public private(set) var slopeAbove = 1.0
  /// The largest distance of a point from the fit, decibels.
  public private(set) var worstDecibels = Double.infinity
  /// Σ of weighted squares of distances.
  private(set) var squares = Double.infinity
  let points: [Weighted]
  /// The variances of c, s₁ and s₂ at this T and W, relative to the variance of a point of weight 1.
  private(set) var variances = Variances()

  struct Variances: Hashable {
    var (output, below, above) = (0.0, 0.0, 0.0)
  }

  /// A point of a static curve: dBFS in and out, and the deviation of what came out, decibels.
  struct Point: Hashable, Sendable {
    let x: Double
    let y: Double
    let deviation: Double
    /// By how little is known of it, and by how far the curve is from any such fit: `misfit`, decibels.
    fileprivate func weighted(misfit: Double) -> Weighted {
      Weighted(x: x, y: y, weight: 1 / (deviation * deviation + misfit * misfit))
    }
  }

  struct Weighted: Hashable, Sendable {
    let x: Double
    let y: Double
    /// One over a variance, in decibels squared.
    let weight: Double
  }

  /// True when both slopes are the same: there is no threshold.
  public var isStraight: Bool { abs(slopeAbove - slopeBelow) < 0.005 }
  /// True when the line whose slope is not 1 is the upper one: a compressor or limiter, not an expander or gate.
  public var isCompressor: Bool { abs(slopeAbove - 1) > abs(slopeBelow - 1) }
  /// Decibels in per decibel out above the threshold of a compressor; decibels out per decibel in below that of an
  /// expander.
  public var ratio: Double { isCompressor ? 1 / max(0, slopeAbove) : slopeBelow }

  /// The best fit by least squares; nil for fewer than six points.
  /// - Parameter points: dBFS in and out, by rising input.
  public init?(_ points: [(x: Double, y: Double)]) {
    self.init(points.map { Point(x: $0.x, y: $0.y, deviation: 0) })
  }

  /// Weighted by what is known of each point; how far the curve is from the fit is found from the fit before.
  init?(_ points: [Point]) {
    var misfit = 0.01
    guard var fit = GainCurveFit(points.map { $0.weighted(misfit: misfit) }) else { return nil }
    for _ in 0..<4 {
      misfit = fit.misfit(of: points)
      guard let next = GainCurveFit(points.map { $0.weighted(misfit: misfit) }) else { break }
      fit = next
    }
    // The points of a line count for more if they lie closer to it than expected and those of the other line do not.
    let (edge, scatters) = (fit.kneeStart, fit.scatters)
    let rescaled = fit.points.map {
      Weighted(x: $0.x, y: $0.y, weight: $0.weight / ($0.x < edge ? scatters.below : scatters.above))
    }
    if let next = GainCurveFit(rescaled) { fit = next }
    // A knee that the points do not tell from none is none: between two points nothing tells.
    if let hard = fit.best(knee: 0), hard.squares <= fit.limit { fit = hard }
    self = fit
  }

  /// The distance of the curve from any such fit, beyond the uncertainty of its points, decibels: the value at which
  /// half of the points lie as close as their deviations predict.
  private func misfit(of points: [Point]) -> Double {
    let distances = points.map { abs(output(at: $0.x) - $0.y) }
    func excess(_ misfit: Double) -> Double {
      // The deviation of Gaussian distances is 1.48 times the median.
      1.48 * zip(distances, points).map { $0 / hypot($1.deviation, misfit) }.sorted()[points.count / 2]
    }
    let least = 1e-9
    guard excess(least) > 1.3 else { return least }
    var (low, high) = (least, 1.48 * (distances.max() ?? 0) + least)
    for _ in 0..<60 {
      let middle = (low * high).squareRoot()
      if excess(middle) > 1 { low = middle } else { high = middle }
    }
    return high
  }

  private init?(_ points: [Weighted]) {
    guard points.count >= 6, let first = points.first?.x, let last = points.last?.x, last > first else { return nil }
    var best = GainCurveFit(points, threshold: (first + last) / 2, knee: 0)
    func consider(_ threshold: Double, _ knee: Double) {
      guard let fit = best.with(threshold: threshold, knee: knee), fit.squares < best.squares else { return }
      best = fit
    }
    for threshold in stride(from: first, through: last, by: 1) {
      for knee in [0.0, 1, 2, 4, 6, 9, 12, 18, 24, 30] { consider(threshold, knee) }
    }
    var step = 1.0
    while step > 1e-8 {
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

  private init(_ points: [Weighted], threshold: Double, knee: Double) {
    self.points = points
    thresholdDecibels = threshold
    kneeDecibels = knee
  }

  /// The best lines for another threshold and knee. A knee reaches half its width to either side: it must end within
  /// the points, and leave some for each line; nil where it does not.
  func with(threshold: Double, knee: Double) -> GainCurveFit? {
    guard knee >= 0, threshold - knee / 2 >= points[2].x, threshold + knee / 2 <= points[points.count - 3].x else {
      return nil
    }
    var fit = GainCurveFit(points, threshold: threshold, knee: knee)
    fit.solve()
    return fit
  }

  /// The factors of s₁ and s₂ at an input level.
  private func shares(_ x: Double) -> (below: Double, above: Double) {
    let u = x - thresholdDecibels
    if u <= -kneeDecibels / 2 { return (u, 0) }
    if u >= kneeDecibels / 2 { return (0, u) }
    let above = (u + kneeDecibels / 2) * (u + kneeDecibels / 2) / (2 * kneeDecibels)
    return (u - above, above)
  }

  /// The output for an input level, dBFS.
  public func output(at x: Double) -> Double {
    let shares = shares(x)
    return outputDecibels + slopeBelow * shares.below + slopeAbove * shares.above
  }

  /// c, s₁ and s₂ for the T and W that are there, by the normal equations.
  private mutating func solve() {
    var (n, l, u, ll, lu, uu, y, ly, uy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let (share, weight) = (shares(point.x), point.weight)
      n += weight
      l += weight * share.below
      u += weight * share.above
      ll += weight * share.below * share.below
      lu += weight * share.below * share.above
      uu += weight * share.above * share.above
      y += weight * point.y
      ly += weight * share.below * point.y
      uy += weight * share.above * point.y
    }
    let (a, b, c) = (ll * uu - lu * lu, lu * u - l * uu, l * lu - ll * u)
    let determinant = n * a + l * b + u * c
    guard abs(determinant) > 1e-9 * n * n * n else { return }
    outputDecibels = (y * a + ly * b + uy * c) / determinant
    slopeBelow = (y * b + ly * (n * uu - u * u) + uy * (l * u - n * lu)) / determinant
    slopeAbove = (y * c + ly * (u * l - n * lu) + uy * (n * ll - l * l)) / determinant
    variances = Variances(
      output: a / determinant, below: (n * uu - u * u) / determinant, above: (n * ll - l * l) / determinant)
    squares = 0
    worstDecibels = 0
    for point in points {
      let distance = abs(output(at: point.x) - point.y)
      squares += point.weight * distance * distance
      worstDecibels = max(worstDecibels, distance)
    }
  }
}
