import AudioCore
import Glibc
import Measurement
import Spectrum

/// A measured curve against another within a mask: the closed form, the golden, a file, or another device.
package struct ResponseCheck: SuiteCheck {
  package enum Reference: Sendable {
    case analytic
    case golden
    case file(String)
    case description(DeviceDescription)
    case device(any Device)
    /// In hertz to the curve's unit; nil: not checked there.
    case function(@Sendable (Double) -> Double?)
    /// Zero: the mask itself is the limit.
    case nothing
  }

  package var id = "response"
  package var device: DeviceDescription? {
    if case .description(let device) = reference { return device }
    return nil
  }
  let curveID: String
  let reference: Reference
  let mask: FrequencyMask
  let channel: Int?

  package static let kind = CheckKind(
    "response", "A measured curve lies within a mask around another.",
    keys: [curveKey, channelKey, againstKey] + FrequencyMask.keys, rules: FrequencyMask.rules)

  private static let curveKey = JSONKey(
    "curve", .choice(from: ["magnitude", "phase", "groupDelay"]), initial: "magnitude",
    "dB, degrees, frames; over hertz.")
  static let channelKey = JSONKey(
    optional: "channel", JSONForm<Int>.count(in: 0...1023), "Only this channel, from 0 on; all where it is missing.")
  private static let againstKey = JSONKey(
    "against",
    .any([
      "anyOf": [
        ["enum": ["analytic", "golden", "nothing"]], .object(.schema("A table.", of: [fileKey])),
        ["$ref": "#/$defs/device"],
      ]
    ]), initial: "analytic",
    "analytic: the unit's closed form (magnitudes). golden: the curve that was kept. nothing: 0. Or a table of two columns, "
      + "or another device.")
  private static let fileKey = JSONKey(
    required: "file", JSONForm<String>.file, "Two columns: hertz, and the curve's unit.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    curveID = try object.take(Self.curveKey)
    channel = try object.take(Self.channelKey)
    switch try object.take(Self.againstKey) {
    case .string("analytic"): reference = .analytic
    case .string("golden"): reference = .golden
    case .string("nothing"): reference = .nothing
    case .object(let fields):
      var nested = try object.part(.object(fields), at: "against")
      if let path = try nested.path("file") {
        try nested.finish()
        reference = .file(path)
      } else {
        reference = .description(try DeviceDescription(nested, sampleRate: reader.sampleRate))
      }
    case let value:
      throw object.error(
        "against", "expected \"analytic\", \"golden\", \"nothing\", {\"file\": …} or a device, found \(value.kind)")
    }
    mask = try FrequencyMask(&object, sampleRate: reader.sampleRate)
  }

  package init(_ curveID: String, against reference: Reference, within mask: FrequencyMask, channel: Int?) {
    self.curveID = curveID
    self.reference = reference
    self.mask = mask
    self.channel = channel
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let findings = try context.findings(.linear)
    let told = findings.representative(of: channel)
    var curves = findings.curves.filter { $0.id == curveID && (told == nil || $0.channel == told) }
    // Goldens and tables have the even points; straight lines between those are far from the curve near half the rate.
    if let rate = findings.responses.values.first?.response.sampleRate {
      let approach = Set(LinearSettings.approach(sampleRate: rate))
      for index in curves.indices { curves[index].points.removeAll { approach.contains($0.x) } }
    }
    guard let first = curves.first else {
      return CheckOutcome(
        id, .failed, found: "no such curve was measured", expected: "\(curveID) of channel \(channel ?? 0)")
    }
    let expected = "\(first.y.name) \(mask.text(first.y.unit))\(referenceName)"
    if let outcome = context.disagreement(id, findings, expected: expected) { return outcome }
    if case .golden = reference { return try golden(context, curves, expected: expected, remarks: findings.remarks) }
    let answer: (Double) -> Double?
    var other: MeasuredResponse?
    switch reference {
    case .analytic:
      guard curveID == "magnitude", let closedForm = context.subject.closedForm else {
        throw BenchError(
          .suite, at: "case \"\(context.subject.name)\", check \"\(id)\"",
          "there is no closed form of this device's \(curveID)", advice: "compare it with a golden, a file or a device")
      }
      answer = { closedForm.magnitudeDecibels(atHertz: $0) }
    case .file(let path):
      let line = try CurveFile(contentsOf: path).line
      answer = { line.value(at: $0) }
    case .description(let description):
      let settings = MeasurementSettings(sampleRate: description.sampleRate, channelCount: description.channelCount)
      (answer, other) = try curve(of: try description.make(), settings)
    case .device(let beside):
      (answer, other) = try curve(of: beside, context.settings)
    case .function(let function): answer = function
    case .nothing, .golden: answer = { _ in 0 }
    }
    return judged(
      curves, findings.responses, other: other, answer: answer, expected: expected, remarks: findings.remarks)
  }

  private func curve(
    of other: any Device, _ settings: MeasurementSettings
  ) throws(BenchError) -> (answer: (Double) -> Double?, response: MeasuredResponse?) {
    let findings = try MeasurementKind.linear.findings(of: other, settings)
    guard let curve = findings.curve(curveID) else {
      throw BenchError(.suite, at: "check \"\(id)\"", "the other device has no \(curveID)")
    }
    let line = CurveFile(curve).line
    return ({ line.value(at: $0) }, findings.responses[curve.channel ?? 0])
  }

  /// The curve's y of H and Σ n·h·e^(−iωn).
  private func value(_ value: Complex, _ slope: Complex) -> Double {
    switch curveID {
    case "phase": value.phase * 180 / .pi
    case "groupDelay": ImpulseResponse.groupDelayFrames((value, slope))
    default: Decibels.of(amplitude: value.magnitude)
    }
  }

  /// The distance between two values; for phases the shorter way round.
  private func difference(_ found: Double, _ right: Double) -> Double {
    curveID == "phase" ? (found - right).remainder(dividingBy: 360) : found - right
  }

  private var referenceName: String {
    switch reference {
    case .analytic, .function: " of the closed form"
    case .golden: " of the golden"
    case .file(let path): " of \(path)"
    case .description(let description): " of \(description.name)"
    case .device(let device): " of \(device.name)"
    case .nothing: ""
    }
  }

  // MARK: Golden

  private func golden(
    _ context: CheckContext, _ curves: [Curve], expected: String, remarks: [String]
  ) throws(BenchError) -> CheckOutcome {
    let name = context.subject.golden.name
    // The curve of one channel has a file of its own.
    let curveName = channel.map { "\(curveID)-\($0)" } ?? curveID
    let stored = try context.goldens.golden(name)
    var golden = GoldenFinding(id, stored?.record, of: context, lacking: "such curve", expected: expected)
    func compared(with file: CurveFile) -> CheckOutcome {
      let line = file.line
      return judged(curves, isMeasured: true, answer: { line.value(at: $0) }, expected: expected, remarks: remarks)
    }
    if let stored, !stored.isWhole {
      golden.isThere = true
      var distance = "its curve cannot be read"
      if let file = (try? context.goldens.curve(name, id: curveName)) ?? nil {
        golden.outcome = compared(with: file)
        distance = "against the curve that is there: \(golden.outcome.found)"
      }
      golden.outcome.verdict = .failed
      golden.outcome.found = stored.damageText(distance)
    } else if golden.isCurrent, let table = stored?.record?.curves.first(where: { $0.id == curveName }),
      // A file that the record does not name is left from another version.
      let file = try context.goldens.curve(name, id: curveName)
    {
      golden.take(compared(with: file), digest: table.file)
    }
    guard golden.isBlessed(by: context.policy), var curve = curves.first else { return golden.outcome }
    curve.id = curveName
    var analytic: [Double]?
    if curveID == "magnitude", let closedForm = context.subject.closedForm {
      analytic = curve.points.map { closedForm.magnitudeDecibels(atHertz: $0.x) ?? .nan }
    }
    try context.goldens.write(curve, analytic: analytic, of: context.subject.golden, policy: context.policy)
    return golden.blessed.examining(Examined(points: curve.points.count))
  }

  // MARK: Judgement

  /// The largest distance that a response must be able to have for limits to be meaningful: a thousandth of the level,
  /// half a turn, the length of the response.
  private static func farthest(_ curveID: String, _ responses: [Int: MeasuredResponse]) -> Double {
    switch curveID {
    case "magnitude": 60
    case "phase": 180
    default: responses.values.map { Double($0.response.samples.count) }.max() ?? 0x1p24
    }
  }

  private func judged(
    _ curves: [Curve], _ responses: [Int: MeasuredResponse] = [:], other: MeasuredResponse? = nil,
    isMeasured: Bool = false, answer: (Double) -> Double?, expected: String, remarks: [String]
  ) -> CheckOutcome {
    var worst: (excess: Double, x: Double, off: Double, channel: Int)?
    var (compared, unresolved, silent) = (0, 0, 0)
    // Frequencies at which the limits need a reference value and there is none; and a flag for whether any limit can be
    // exceeded at all.
    var unanswered: [Double] = []
    var canFail = false
    let unit = curves[0].y.unit
    let possible = unit.possibleRange ?? -.infinity ... .infinity
    let farthest = Self.farthest(curveID, responses)
    let asksEverywhere = if case .function = reference { false } else { true }
    var (lowest, highest) = (Double.infinity, -Double.infinity)
    var overlay: CheckOutcome.Overlay?
    for curve in curves {
      var (truth, lower, upper) = (curve, curve, curve)
      (truth.points, lower.points, upper.points) = ([], [], [])
      (truth.name, lower.name, upper.name) = ("expected", "lower limit", "upper limit")
      for point in curve.points {
        guard let limits = mask.limits(at: point.x) else { continue }
        guard let right = answer(point.x) else {
          if asksEverywhere { unanswered.append(point.x) }
          continue
        }
        truth.points.append(Curve.Point(point.x, right))
        lower.points.append(Curve.Point(point.x, right + limits.lower))
        upper.points.append(Curve.Point(point.x, right + limits.upper))
        // A point is not judged if the measurement's uncertainty is as large as the mask is wide, or if both values are
        // nothing. A measured reference has an uncertainty of its own, as large as this one.
        var point = point
        if isMeasured || other != nil { point.uncertainty = point.uncertainty.map { $0 * 2.0.squareRoot() } }
        switch resolvability(point, right, limits) {
        case .silent:
          silent += 1
          continue
        case .unresolved:
          unresolved += 1
          continue
        case .resolved: break
        }
        compared += 1
        (lowest, highest) = (min(lowest, point.x), max(highest, point.x))
        canFail =
          canFail || min(farthest, possible.upperBound - right) > limits.upper
          || max(-farthest, possible.lowerBound - right) < limits.lower
        let off = difference(point.y, right)
        let excess = off.isNaN ? Double.infinity : max(limits.lower - off, off - limits.upper)
        if worst.map({ excess > $0.excess }) ?? true { worst = (excess, point.x, off, curve.channel ?? 0) }
      }
      // Between the points, where the whole response is there: a narrow peak lies on none of them.
      if let response = responses[curve.channel ?? 0], compared > 0,
        let between = worstBetween(curve, response, beside: other, answer), between.excess > worst?.excess ?? -.infinity
      {
        worst = (between.excess, between.x, between.off, curve.channel ?? 0)
      }
      if overlay == nil || worst?.channel == curve.channel {
        overlay = CheckOutcome.Overlay(actual: curve, expected: truth, lower: lower, upper: upper)
      }
    }
    if let first = unanswered.min(), let last = unanswered.max() {
      return CheckOutcome(
        id, .failed,
        found: "the curve\(referenceName) has no value at \(unanswered.count) of the points that were asked for, "
          + "from \(FrequencyMask.hertz(first)) to \(FrequencyMask.hertz(last))",
        expected: expected)
    }
    guard let worst, compared > 0 else {
      return .nothingChecked(
        id,
        silent > 0
          ? "\(NumberText.count(silent, "point", "lies", "lie")) below −100 dB, as they should, and no other was asked for"
          : "no frequency could be compared", expected: expected)
    }
    guard canFail else {
      var outcome = CheckOutcome(
        id, .error, found: "the limits cannot be passed: no response lies so far off", expected: expected)
      outcome.examined = Examined(points: compared, lowestHertz: lowest, highestHertz: highest)
      return outcome
    }
    let text =
      "largest difference \(Self.signed(worst.off)) \(unit.rawValue) at \(FrequencyMask.hertz(worst.x))"
      + (curves.count > 1 ? ", channel \(worst.channel)" : "")
    let below = unresolved == 0 ? "" : "; \(unresolved) of \(unresolved + compared) points lie too low for such limits"
    let passed = worst.excess <= 0
    var outcome = CheckOutcome(
      id, passed ? .passed : .failed,
      found: text + below + (passed || remarks.isEmpty ? "" : "; " + remarks.joined(separator: "; ")),
      expected: expected,
      readings: [
        Reading(
          "\(curveID)Difference", "largest difference", worst.off, unit, channel: worst.channel,
          at: ["frequency": worst.x])
      ],
      overlay: overlay)
    outcome.examined = Examined(points: compared, lowestHertz: lowest, highestHertz: highest)
    outcome.limit = mask.limits(at: worst.x).map {
      "\(Self.signed($0.lower)) to \(Self.signed($0.upper)) \(unit.rawValue)"
    }
    return outcome
  }

  private enum Resolvability { case resolved, silent, unresolved }

  private func resolvability(_ point: Curve.Point, _ right: Double, _ limits: (lower: Double, upper: Double))
    -> Resolvability
  {
    let uncertainty = point.uncertainty ?? 0
    let bothSilent = curveID == "magnitude" && point.y < -100 && right < -100
    if bothSilent || (point.y.isNaN && right.isNaN) { return .silent }
    let off = difference(point.y, right)
    let isUnresolved =
      uncertainty > max(limits.upper - limits.lower, 0.002) / 2 && off < max(0, limits.upper) + uncertainty
      && -off < uncertainty - limits.lower
    return isUnresolved ? .unresolved : .resolved
  }

  /// The frequency at which the response is furthest beyond the limits, also between points.
  private func worstBetween(
    _ curve: Curve, _ response: MeasuredResponse, beside other: MeasuredResponse?, _ tabulated: (Double) -> Double?
  ) -> (excess: Double, x: Double, off: Double)? {
    let top = response.response.sampleRate / 2
    guard mask.range.lowerBound < top, !curve.points.isEmpty else { return nil }
    let range = mask.range.lowerBound...min(mask.range.upperBound, top * 0.9999)
    // Another device is known between its points too.
    let otherSearch = other.map { ResponseSearch($0, beside: response) }
    func answer(_ hertz: Double) -> Double? {
      guard let right = tabulated(hertz) else { return nil }
      guard let otherSearch else { return right }
      let transfer = otherSearch.transfer(atHertz: hertz)
      return value(transfer.value, transfer.slope)
    }
    // Noise is as large between the points: where H is smaller, its level in dB is less certain.
    let sizes = response.response.values(atHertz: curve.points.map(\.x)).map(\.magnitude)
    func uncertainty(_ index: Int, _ size: Double) -> Double? {
      curve.points[index].uncertainty.map { known in
        guard curveID == "magnitude" else { return known * max(1, sizes[index] / max(size, 1e-300)) }
        let part = (Decibels.amplitude(known) - 1) * sizes[index] / max(size, 1e-300)
        return Decibels.of(amplitude: 1 + part)
      }
    }
    var near = 0
    let found = ResponseSearch(response, beside: other).maximum(in: range) { hertz, transfer, slope in
      guard let limits = mask.limits(at: hertz), let right = answer(hertz) else { return .nan }
      // Rising frequencies mostly.
      if curve.points[near].x > hertz { near = 0 }
      while near + 1 < curve.points.count, curve.points[near + 1].x <= hertz { near += 1 }
      let y = value(transfer, slope)
      // A phase or a delay that means nothing at the point means nothing beside it.
      guard curveID == "magnitude" || !curve.points[near].y.isNaN else { return .nan }
      let point = Curve.Point(hertz, y, uncertainty: uncertainty(near, transfer.magnitude))
      guard resolvability(point, right, limits) == .resolved else { return .nan }
      let off = difference(y, right)
      return max(limits.lower - off, off - limits.upper)
    }
    guard let found, let right = answer(found.hertz) else { return nil }
    let transfer = response.transfers(atHertz: [found.hertz])[0]
    return (found.height, found.hertz, difference(value(transfer.value, transfer.slope), right))
  }

  private static func signed(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let digits = abs(value) < 0.001 ? 1e7 : abs(value) < 1 ? 1e5 : 1e3
    let rounded = (value * digits).rounded() / digits
    return (rounded < 0 ? "−" : "+") + "\(abs(rounded))"
  }
}
