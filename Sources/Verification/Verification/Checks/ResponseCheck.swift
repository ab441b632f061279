import AudioCore
import Glibc
import Measurement
import Spectrum

/// A measured curve against another within a mask: the closed form, the golden, a file, or another device.
///
/// ```json
/// {
///   "id": "response",
///   "device": { "unit": "parametricEQ", "set": { "centerFrequency": 1000, "gain": 6 } },
///   "checks": [{ "check": "response", "against": "analytic", "within": 0.01, "from": 20, "to": 20000 }]
/// }
/// ```
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
    let what = curveID == "groupDelay" ? "group delay" : curveID
    if let outcome = try context.absence(
      id, .linear, channel: channel, reading: what, expected: "\(what) within its limits\(referenceName)")
    {
      return outcome
    }
    let findings = try context.findings(.linear)
    let told = findings.representative(of: channel)
    var curves = findings.curves.filter { $0.id == curveID && (told == nil || $0.channel == told) }
    // Goldens and tables have the even points; straight lines between those are far from the curve near half the rate.
    if let rate = findings.responses.values.first?.response.sampleRate {
      let approach = Set(LinearSettings.approach(sampleRate: rate))
      for index in curves.indices { curves[index].points.removeAll { approach.contains($0.x) } }
    }
    let missing = try context.soundingOutputs(channel, .linear).first { output in
      !curves.contains { $0.channel == findings.representative(of: output) && !$0.points.isEmpty }
    }
    guard let first = curves.first, missing == nil else {
      return CheckOutcome(
        id, .failed, found: "channel \(missing ?? channel ?? 0): no reading of \(what)",
        expected: "\(what) of each output")
    }
    let expected = "\(first.y.name) \(mask.text(first.y.unit))\(referenceName)"
    if let outcome = context.disagreement(id, findings, expected: expected) { return outcome }
    if case .golden = reference { return try golden(context, curves, expected: expected, remarks: findings.remarks) }
    let answer: (Int, Double) -> Double?
    var other: [Int: MeasuredResponse] = [:]
    switch reference {
    case .analytic:
      guard curveID == "magnitude", let closedForm = context.subject.closedForm else {
        throw BenchError(
          .suite, at: "case \"\(context.subject.name)\", check \"\(id)\"",
          "there is no closed form of this device's \(curveID)", advice: "compare it with a golden, a file or a device")
      }
      answer = { closedForm.magnitudeDecibels(atHertz: $1) }
    case .file(let path):
      let line = try CurveFile(contentsOf: path).line
      answer = { line.value(at: $1) }
    case .description(let description):
      let settings = MeasurementSettings(sampleRate: description.sampleRate, channelCount: description.channelCount)
      (answer, other) = try curve(of: try description.make(), settings)
    case .device(let beside):
      (answer, other) = try curve(of: beside, context.settings)
    case .function(let function): answer = { function($1) }
    case .nothing, .golden: answer = { _, _ in 0 }
    }
    return ResponseJudgement(self, findings.responses, answer: answer, other: other)
      .outcome(of: curves, expected: expected, remarks: findings.remarks)
  }

  /// The curves of another device: each output is compared with that of its number, all with one that has but one.
  private func curve(
    of other: any Device, _ settings: MeasurementSettings
  ) throws(BenchError) -> (answer: (Int, Double) -> Double?, responses: [Int: MeasuredResponse]) {
    let findings = try MeasurementKind.linear.findings(of: other, settings)
    let curves = findings.curves.filter { $0.id == curveID }
    guard let first = curves.first else {
      throw BenchError(.suite, at: "check \"\(id)\"", "the other device has no \(curveID)")
    }
    let isAlone = curves.count == 1 && findings.channelsLikeFirst.isEmpty
    let lines = Dictionary(curves.map { ($0.channel ?? 0, CurveFile($0).line) }, uniquingKeysWith: { one, _ in one })
    func place(_ channel: Int) -> Int { isAlone ? first.channel ?? 0 : findings.representative(of: channel) ?? channel }
    let channels = 0..<max(16, (lines.keys.max() ?? 0) + 1)
    let responses = channels.compactMap { channel in findings.responses[place(channel)].map { (channel, $0) } }
    return ({ lines[place($0)]?.value(at: $1) }, Dictionary(responses, uniquingKeysWith: { one, _ in one }))
  }

  /// The curve's y of H and Σ n·h·e^(−iωn).
  func value(_ value: Complex, _ slope: Complex) -> Double {
    switch curveID {
    case "phase": value.phase * 180 / .pi
    case "groupDelay": ImpulseResponse.groupDelayFrames((value, slope))
    default: Decibels.of(amplitude: value.magnitude)
    }
  }

  /// The distance between two values; for phases the shorter way round.
  func difference(_ found: Double, _ right: Double) -> Double {
    curveID == "phase" ? (found - right).remainder(dividingBy: 360) : found - right
  }

  var referenceName: String {
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
      return ResponseJudgement(self, answer: { line.value(at: $1) }, isMeasured: true)
        .outcome(of: curves, expected: expected, remarks: remarks)
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
}
