import AudioCore
import Measurement

/// Compares measured curves with a reference within a mask: at each point and, where the whole response is there,
/// between the points.
struct ResponseJudgement {
  private typealias Limits = (lower: Double, upper: Double)

  private struct Difference {
    /// How far it lies beyond the limits; negative inside them.
    var excess: Double
    var hertz: Double
    var off: Double
    var channel: Int
  }

  private let check: ResponseCheck
  private let responses: [Int: MeasuredResponse]
  private let other: [Int: MeasuredResponse]
  /// The reference value of a channel, in the curve's unit, by hertz; nil: none is asked for there.
  private let answer: (Int, Double) -> Double?
  /// True where the answer was measured, and has an uncertainty of its own.
  private let isMeasured: Bool
  /// The largest distance that a response must be able to have for limits to be meaningful: a level 20 dB off, half a
  /// turn, the length of the response.
  private let farthest: Double

  // The result of the points so far.
  private var worst: Difference?
  private var (compared, unresolved, silent) = (0, 0, 0)
  private var (lowest, highest) = (Double.infinity, -Double.infinity)
  /// Frequencies at which the limits need a reference value and there is none.
  private var unanswered: [Double] = []
  /// True when any limit can be exceeded at all.
  private var canFail = false
  private var overlay: CheckOutcome.Overlay?

  init(
    _ check: ResponseCheck, _ responses: [Int: MeasuredResponse] = [:], answer: @escaping (Int, Double) -> Double?,
    other: [Int: MeasuredResponse] = [:], isMeasured: Bool = false
  ) {
    self.check = check
    self.responses = responses
    self.answer = answer
    self.other = other
    self.isMeasured = isMeasured || !other.isEmpty
    farthest =
      switch check.curveID {
      case "magnitude": ReadingKind.grossDecibels
      case "phase": 180
      default: responses.values.map { Double($0.response.samples.count) }.max() ?? 0x1p24
      }
  }

  /// Judges the curves: one or more of the same unit.
  consuming func outcome(of curves: [Curve], expected: String, remarks: [String]) -> CheckOutcome {
    for curve in curves { judge(curve) }
    if let first = unanswered.min(), let last = unanswered.max() {
      return CheckOutcome(
        check.id, .failed,
        found: "the curve\(check.referenceName) has no value at \(unanswered.count) of the points that were asked for, "
          + "from \(FrequencyMask.hertz(first)) to \(FrequencyMask.hertz(last))",
        expected: expected)
    }
    guard let worst else {
      return .nothingChecked(
        check.id,
        silent > 0
          ? "\(NumberText.count(silent, "point", "lies", "lie")) below −100 dB, as they should, and no other was asked for"
          : "no frequency could be compared", expected: expected)
    }
    let examined = Examined(points: compared, lowestHertz: lowest, highestHertz: highest)
    guard unresolved <= compared || worst.excess > 0 else {
      return CheckOutcome(
        check.id, .failed,
        found: "\(unresolved) of \(unresolved + compared) points are not known well enough for such limits",
        expected: expected
      ).examining(examined)
    }
    guard canFail else {
      return CheckOutcome(
        check.id, .error, found: "the limits cannot be passed: no response lies so far off", expected: expected
      ).examining(examined)
    }
    return verdict(worst, of: curves, expected: expected, remarks: remarks).examining(examined)
  }

  private func verdict(
    _ worst: Difference, of curves: [Curve], expected: String, remarks: [String]
  ) -> CheckOutcome {
    let unit = curves[0].y.unit
    let text =
      "largest difference \(Self.signed(worst.off)) \(unit.rawValue) at \(FrequencyMask.hertz(worst.hertz))"
      + (curves.count > 1 ? ", channel \(worst.channel)" : "")
    let below =
      unresolved == 0
      ? "" : "; \(unresolved) of \(unresolved + compared) points are not known well enough for such limits"
    let passed = worst.excess <= 0
    var outcome = CheckOutcome(
      check.id, passed ? .passed : .failed,
      found: text + below + (passed || remarks.isEmpty ? "" : "; " + remarks.joined(separator: "; ")),
      expected: expected,
      readings: [
        Reading(
          "\(check.curveID)Difference", "largest difference", worst.off, unit, channel: worst.channel,
          at: ["frequency": worst.hertz])
      ],
      overlay: overlay)
    outcome.limit = check.mask.limits(at: worst.hertz).map {
      "\(Self.signed($0.lower)) to \(Self.signed($0.upper)) \(unit.rawValue)"
    }
    return outcome
  }

  // MARK: Points

  private mutating func judge(_ curve: Curve) {
    let asksEverywhere = if case .function = check.reference { false } else { true }
    func line(_ name: String) -> Curve {
      var line = curve
      (line.name, line.points) = (name, [])
      return line
    }
    var (truth, lower, upper) = (line("expected"), line("lower limit"), line("upper limit"))
    for point in curve.points {
      guard let limits = check.mask.limits(at: point.x) else { continue }
      guard let right = answer(curve.channel ?? 0, point.x) else {
        if asksEverywhere { unanswered.append(point.x) }
        continue
      }
      truth.points.append(Curve.Point(point.x, right))
      lower.points.append(Curve.Point(point.x, right + limits.lower))
      upper.points.append(Curve.Point(point.x, right + limits.upper))
      judge(point, right, limits, of: curve)
    }
    // Between the points, where the whole response is there: a narrow peak lies on none of them.
    if let response = responses[curve.channel ?? 0], compared > 0, let between = worstBetween(curve, response),
      between.excess > worst?.excess ?? -.infinity
    {
      worst = between
    }
    if overlay == nil || worst?.channel == curve.channel {
      overlay = CheckOutcome.Overlay(actual: curve, expected: truth, lower: lower, upper: upper)
    }
  }

  private mutating func judge(_ point: Curve.Point, _ right: Double, _ limits: Limits, of curve: Curve) {
    // A point is not judged if the measurement's uncertainty is as large as the mask is wide, or if both values are
    // nothing. A measured reference has an uncertainty of its own, as large as this one.
    var point = point
    if isMeasured { point.uncertainty = point.uncertainty.map { $0 * 2.0.squareRoot() } }
    switch resolvability(point, right, limits) {
    case .silent: return silent += 1
    case .unresolved: return unresolved += 1
    case .resolved: compared += 1
    }
    (lowest, highest) = (min(lowest, point.x), max(highest, point.x))
    canFail = canFail || farthest > limits.upper || -farthest < limits.lower
    let off = check.difference(point.y, right)
    let excess = off.isNaN ? Double.infinity : max(limits.lower - off, off - limits.upper)
    if worst.map({ excess > $0.excess }) ?? true {
      worst = Difference(excess: excess, hertz: point.x, off: off, channel: curve.channel ?? 0)
    }
  }

  private enum Resolvability { case resolved, silent, unresolved }

  private func resolvability(_ point: Curve.Point, _ right: Double, _ limits: Limits) -> Resolvability {
    let uncertainty = point.uncertainty ?? 0
    let bothSilent = check.curveID == "magnitude" && point.y < -100 && right < -100
    if bothSilent || (point.y.isNaN && right.isNaN) { return .silent }
    let off = check.difference(point.y, right)
    let isUnresolved =
      uncertainty > max(limits.upper - limits.lower, 0.002) / 2 && off < max(0, limits.upper) + uncertainty
      && -off < uncertainty - limits.lower
    return isUnresolved ? .unresolved : .resolved
  }

  /// The frequency at which the response is furthest beyond the limits, also between points.
  private func worstBetween(_ curve: Curve, _ response: MeasuredResponse) -> Difference? {
    let top = response.response.sampleRate / 2
    guard check.mask.range.lowerBound < top, !curve.points.isEmpty else { return nil }
    let range = check.mask.range.lowerBound...min(check.mask.range.upperBound, top * 0.9999)
    // Another device is known between its points too.
    let other = other[curve.channel ?? 0]
    let otherSearch = other.map { ResponseSearch($0, beside: response) }
    func right(_ hertz: Double) -> Double? {
      guard let right = answer(curve.channel ?? 0, hertz) else { return nil }
      guard let otherSearch else { return right }
      let transfer = otherSearch.transfer(atHertz: hertz)
      return check.value(transfer.value, transfer.slope)
    }
    // Noise is as large between the points: where H is smaller, its level in dB is less certain.
    let sizes = response.response.values(atHertz: curve.points.map(\.x)).map(\.magnitude)
    func uncertainty(_ index: Int, _ size: Double) -> Double? {
      curve.points[index].uncertainty.map { known in
        guard check.curveID == "magnitude" else { return known * max(1, sizes[index] / max(size, 1e-300)) }
        let part = (Decibels.amplitude(known) - 1) * sizes[index] / max(size, 1e-300)
        return Decibels.of(amplitude: 1 + part)
      }
    }
    var near = 0
    let corners = check.mask.corners.map(\.x)
    let found = ResponseSearch(response, beside: other).maximum(in: range, through: corners) { hertz, transfer, slope in
      guard let limits = check.mask.limits(at: hertz), let right = right(hertz) else { return .nan }
      // Rising frequencies mostly.
      if curve.points[near].x > hertz { near = 0 }
      while near + 1 < curve.points.count, curve.points[near + 1].x <= hertz { near += 1 }
      let y = check.value(transfer, slope)
      // A phase or a delay that means nothing at the point means nothing beside it.
      guard check.curveID == "magnitude" || !curve.points[near].y.isNaN else { return .nan }
      let point = Curve.Point(hertz, y, uncertainty: uncertainty(near, transfer.magnitude))
      guard resolvability(point, right, limits) == .resolved else { return .nan }
      let off = check.difference(y, right)
      return max(limits.lower - off, off - limits.upper)
    }
    guard let found, let right = right(found.hertz) else { return nil }
    let transfer = response.transfers(atHertz: [found.hertz])[0]
    return Difference(
      excess: found.height, hertz: found.hertz,
      off: check.difference(check.value(transfer.value, transfer.slope), right), channel: curve.channel ?? 0)
  }

  private static func signed(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "unknown" : value < 0 ? "−∞" : "+∞" }
    let digits = abs(value) < 0.001 ? 1e7 : abs(value) < 1 ? 1e5 : 1e3
    let rounded = (value * digits).rounded() / digits
    return (rounded < 0 ? "−" : "+") + "\(abs(rounded))"
  }
}
