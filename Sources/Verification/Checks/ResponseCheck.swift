import AudioCore
import BatchRender
import Glibc
import Measurement

/// A measured curve against another within a mask: the closed form, the golden, a file, or another device.
package struct ResponseCheck: Check {
  package enum Reference: Sendable {
    case analytic
    case golden
    case file(String)
    case description(DeviceDescription)
    case device(any Device)
    /// In hertz to the curve's unit; nil: nothing is asked there.
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

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    let names = ["magnitude", "phase", "groupDelay"]
    curveID =
      try object.choice("curve", from: names, { names.contains($0) ? $0 : nil }) ?? "magnitude"
    channel = try object.integer("channel", in: 0...1023).map(Int.init)
    switch object.take("against") {
    case .string("analytic"), nil: reference = .analytic
    case .string("golden"): reference = .golden
    case .string("nothing"): reference = .nothing
    case .object(let fields):
      var nested = try JSONObject(.object(fields), at: "\(object.place), against", kind: .suite)
      if let path = try nested.fileName("file") {
        try nested.finish()
        reference = .file(FileName.path(path, in: reader.folder))
      } else {
        reference = .description(try DeviceDescription(nested, folder: reader.folder, sampleRate: reader.sampleRate))
      }
    case .some(let value):
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
    let told = findings.teller(of: channel)
    let curves = findings.curves.filter { $0.id == curveID && (told == nil || $0.channel == told) }
    guard let first = curves.first else {
      return CheckOutcome(
        id, .failed, found: "no such curve was measured", expected: "\(curveID) of channel \(channel ?? 0)")
    }
    let expected = "\(first.y.name) \(mask.text(first.y.unit))\(referenceName)"
    if case .golden = reference { return try golden(context, curves, expected: expected, remarks: findings.remarks) }
    let answer: (Double) -> Double?
    switch reference {
    case .analytic:
      guard curveID == "magnitude", let node = context.subject.unitNode,
        let prototype = AnalogPrototype(node: node, sampleRate: context.subject.sampleRate)
      else {
        throw BenchError(
          .suite, at: "case \"\(context.subject.name)\", check \"\(id)\"",
          "there is no closed form of this device's \(curveID)", advice: "compare it with a golden, a file or a device")
      }
      answer = { prototype.magnitudeDecibels(atHertz: $0) }
    case .file(let path):
      let file = try CurveFile(contentsOf: path)
      answer = { file.value(at: $0) }
    case .description(let description):
      let settings = MeasurementSettings(sampleRate: description.sampleRate, channelCount: description.channelCount)
      answer = try curve(of: try description.make(), settings)
    case .device(let other):
      let settings = MeasurementSettings(
        sampleRate: context.device.preferredSampleRate ?? context.subject.sampleRate,
        channelCount: context.subject.channelCount)
      answer = try curve(of: other, settings)
    case .function(let function): answer = function
    case .nothing, .golden: answer = { _ in 0 }
    }
    return judged(curves, answer: answer, expected: expected, remarks: findings.remarks)
  }

  private func curve(
    of other: any Device, _ settings: MeasurementSettings
  ) throws(BenchError) -> (Double) -> Double? {
    guard let curve = try MeasurementKind.linear.findings(of: other, settings).curve(curveID) else {
      throw BenchError(.suite, at: "check \"\(id)\"", "the other device has no \(curveID)")
    }
    let file = CurveFile(curve)
    return { file.value(at: $0) }
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
    // A curve of one channel that is asked for has a file of its own.
    let curveName = channel.map { "\(curveID)-\($0)" } ?? curveID
    let stored = try context.goldens.golden(name)
    let record = stored?.record
    let isCurrent = record?.definition == context.subject.golden.definition
    var outcome = CheckOutcome(
      id, .unblessed,
      found: record == nil
        ? "there is no golden"
        : isCurrent ? "the golden has no such curve" : "the golden was made for another version of the case",
      expected: expected)
    var isThere = false
    if let stored, !stored.isWhole {
      isThere = true
      var distance = "its curve cannot be read"
      if let file = (try? context.goldens.curve(name, id: curveName)) ?? nil {
        outcome = judged(curves, answer: { file.value(at: $0) }, expected: expected, remarks: remarks)
        distance = "against the curve that is there: \(outcome.found)"
      }
      outcome.verdict = .failed
      outcome.found = stored.damageText(distance)
    } else if isCurrent, let table = record?.curves.first(where: { $0.id == curveName }),
      // A file that the record does not name is left from another version.
      let file = try context.goldens.curve(name, id: curveName)
    {
      isThere = true
      outcome = judged(curves, answer: { file.value(at: $0) }, expected: expected, remarks: remarks)
      if table.file == nil, outcome.verdict == .passed {
        isThere = false
        outcome.verdict = .unblessed
        outcome.found = StoredGolden.unsealedText(outcome.found)
      }
    }
    guard context.policy.writes(isThere: isThere, isSame: outcome.verdict == .passed), var curve = curves.first else {
      return outcome
    }
    curve.id = curveName
    var analytic: [Double]?
    if curveID == "magnitude", let node = context.subject.unitNode,
      let prototype = AnalogPrototype(node: node, sampleRate: context.subject.sampleRate)
    {
      analytic = curve.points.map { prototype.magnitudeDecibels(atHertz: $0.x) ?? .nan }
    }
    try context.goldens.write(curve, analytic: analytic, of: context.subject.golden, policy: context.policy)
    outcome.found = "blessed: " + (isThere ? "it was \(outcome.found)" : outcome.found)
    outcome.examined = Examined(points: curve.points.count)
    outcome.wasBlessed = true
    outcome.verdict = .passed
    return outcome
  }

  // MARK: Judgement

  private func judged(
    _ curves: [Curve], answer: (Double) -> Double?, expected: String, remarks: [String]
  ) -> CheckOutcome {
    var worst: (excess: Double, x: Double, off: Double, channel: Int)?
    var (compared, untold, silent) = (0, 0, 0)
    // Where the limits ask for an answer and there is none; and whether any limit could be passed at all.
    var unanswered: [Double] = []
    var canFail = false
    let unit = curves[0].y.unit
    let possible = unit.possibleRange ?? -.infinity ... .infinity
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
        // What the measurement cannot tell apart by as much as the mask is wide, it cannot judge; nor nothing from nothing.
        let isUntold = (point.error ?? 0) > max(limits.upper - limits.lower, 0.002) / 2
        let bothSilent = curveID == "magnitude" && point.y < -100 && right < -100
        let bothNothing = point.y.isNaN && right.isNaN
        if bothSilent || bothNothing {
          silent += 1
          continue
        }
        if isUntold, point.y - right < max(0, limits.upper) + (point.error ?? 0),
          right - point.y < (point.error ?? 0) - limits.lower
        {
          untold += 1
          continue
        }
        compared += 1
        (lowest, highest) = (min(lowest, point.x), max(highest, point.x))
        canFail = canFail || right + limits.upper < possible.upperBound || right + limits.lower > possible.lowerBound
        let off = point.y - right
        let excess = off.isNaN ? Double.infinity : max(limits.lower - off, off - limits.upper)
        if worst.map({ excess > $0.excess }) ?? true { worst = (excess, point.x, off, curve.channel ?? 0) }
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
          ? "\(silent) points lie below −100 dB, as they should, and no other was asked for"
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
    let below = untold == 0 ? "" : "; \(untold) of \(untold + compared) points lie too low to be told so closely"
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

  private static func signed(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    let digits = abs(value) < 0.001 ? 1e7 : abs(value) < 1 ? 1e5 : 1e3
    let rounded = (value * digits).rounded() / digits
    return (rounded < 0 ? "−" : "+") + "\(abs(rounded))"
  }
}
