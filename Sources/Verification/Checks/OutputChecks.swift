import AudioCore
import BatchRender
import Glibc
import Measurement

/// Every sample is a number, finite and not subnormal: held of every case, whether a suite says so or not.
package struct FiniteCheck: Check {
  package var id = "finite"

  package init() {}

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let output = try context.output()
    let expected = "every sample a finite number, none subnormal"
    for (channel, samples) in output.channels.enumerated() {
      for (frame, sample) in samples.enumerated() {
        let isSubnormal = context.device.precision == .float32 && Float(sample).isSubnormal
        guard !sample.isFinite || isSubnormal else { continue }
        var outcome = CheckOutcome(
          id, .failed, found: isSubnormal ? "\(sample) is subnormal" : "\(sample) is no finite number",
          expected: expected)
        outcome.firstBad = CheckOutcome.Place(
          frame: Int64(frame), seconds: Double(frame) / output.sampleRate, channel: channel)
        context.divergedNode = try? Self.firstBadNode(context)
        return outcome
      }
    }
    return CheckOutcome(id, .passed, found: "all are", expected: expected).examining(output)
  }

  private static func firstBadNode(_ context: CheckContext) throws(BenchError) -> String? {
    guard let graph = context.device as? any GraphBacked else { return nil }
    let session = try graph.session()
    session.tappedNodes = try session.nodeOrder()
    _ = try session.process(try context.input(), cut: nil)
    return session.tappedNodes.first { name in
      session.taps[name]?.channels.contains { $0.contains { !$0.isFinite || Float($0).isSubnormal } } ?? false
    }
  }
}

/// Nothing is heard any more when the input has ended, the latency has passed and the tail is over.
package struct SilenceCheck: Check {
  package var id = "silence"
  private let levelDecibels: Double
  private let afterFrames: Int64?

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    levelDecibels = try object.number("below") ?? -120
    afterFrames = try object.integer("after", in: 0...(1 << 40))
  }

  /// - Parameter afterFrames: nil: latency and tail, as the device reports them.
  package init(belowDecibels: Double, afterFrames: Int64?) {
    levelDecibels = belowDecibels
    self.afterFrames = afterFrames
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let input = try context.input()
    let tail =
      afterFrames ?? (context.device.reportedTailFrames ?? 0) + Int64(context.device.reportedLatencyFrames ?? 0)
    let expected = "below \(levelDecibels) dB of its peak from \(tail) frames after the input's end on"
    // A second of silence behind the tail, put in as input: what sounds there is the device's own.
    var longer = input
    let behind = MemoryBudget.sum(Int(clamping: tail), Int(input.sampleRate))
    try AudioSignal.checkMemory(
      frames: MemoryBudget.sum(input.frameCount, behind), channels: input.channelCount,
      at: "case \"\(context.subject.name)\", check \"\(id)\"", kind: .suite)
    let silence = [Double](repeating: 0, count: behind)
    longer.channels = input.channels.map { $0 + silence }
    let output = try context.device.process(longer)
    let peak = output.channels.joined().reduce(0) { max($0, abs($1)) }
    let threshold = max(peak, 1e-9) * Decibels.amplitude(levelDecibels)
    let scale = output.sampleRate / input.sampleRate
    let start = Int((Double(input.frameCount) * scale).rounded(.up)) + Int(clamping: tail)
    guard start < output.frameCount else {
      return .nothingChecked(
        id, "the output ends at frame \(output.frameCount), before it has to be silent from frame \(start) on",
        expected: expected)
    }
    for frame in start..<output.frameCount {
      for (channel, samples) in output.channels.enumerated() where abs(samples[frame]) > threshold {
        let level = Decibels.of(amplitude: abs(samples[frame]) / max(peak, 1e-9))
        var outcome = CheckOutcome(
          id, .failed, found: "\((level * 10).rounded() / 10) dB of its peak, \(frame - start) frames after that",
          expected: expected)
        outcome.firstBad = CheckOutcome.Place(
          frame: Int64(frame), seconds: Double(frame) / output.sampleRate, channel: channel)
        return outcome
      }
    }
    return CheckOutcome(id, .passed, found: "silent", expected: expected)
      .examining(Examined(frames: Int64(output.frameCount - start), channels: output.channelCount))
  }
}

/// The output has a given number of frames, channels, and a rate.
struct LengthCheck: Check {
  var id = "length"
  private let frames: Int?
  private let channels: Int?
  private let sampleRate: Double?

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    frames = try object.integer("frames", in: 0...(1 << 40)).map(Int.init)
    channels = try object.integer("channels", in: 1...1024).map(Int.init)
    sampleRate = try object.number("sampleRate")
    guard frames != nil || channels != nil || sampleRate != nil else {
      throw object.error("frames", "the check asks for nothing", advice: "give frames, channels or sampleRate")
    }
  }

  func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let output = try context.output()
    let pairs: [(String, Double?, Double)] = [
      ("frame", frames.map(Double.init), Double(output.frameCount)),
      ("channel", channels.map(Double.init), Double(output.channelCount)), ("Hz", sampleRate, output.sampleRate),
    ]
    let asked = pairs.filter { $0.1 != nil }
    func text(_ value: Double, _ what: String) -> String {
      (value == value.rounded() ? "\(Int(value))" : "\(value)") + " \(what)" + (value == 1 || what == "Hz" ? "" : "s")
    }
    return CheckOutcome(
      id, asked.allSatisfy { $0.1 == $0.2 } ? .passed : .failed,
      found: asked.map { text($0.2, $0.0) }.joined(separator: ", "),
      expected: asked.map { text($0.1 ?? .nan, $0.0) }.joined(separator: ", ")
    ).examining(Examined(values: asked.count))
  }
}

/// The output is that of another device, or a file's, within limits.
package struct SameAsCheck: Check {
  package var id = "sameAs"
  package enum Other: Sendable {
    case description(DeviceDescription)
    case device(any Device)
    case file(String)
    case signal(AudioSignal)
  }
  private let other: Other
  package var device: DeviceDescription? {
    if case .description(let device) = other { return device }
    return nil
  }
  private let comparators: [any SignalComparator]

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    if let path = try object.fileName("file") {
      other = .file(FileName.path(path, in: reader.folder))
    } else if let device = try object.object("device") {
      other = .description(try DeviceDescription(device, folder: reader.folder, sampleRate: reader.sampleRate))
    } else {
      throw object.error("device", "what it is to be the same as is missing", advice: "give a device or a file")
    }
    let read = try reader.comparators(&object)
    comparators = read.isEmpty ? [ExactComparator()] : read
  }

  package init(_ other: Other, within comparators: [any SignalComparator]) {
    self.other = other
    self.comparators = comparators
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let output = try context.output()
    let expected: AudioSignal
    switch other {
    case .file(let path): expected = try AudioSignal(contentsOf: path)
    case .signal(let signal): expected = signal
    case .device(let device): expected = try answer(of: device, output, context)
    case .description(let description):
      expected = try answer(of: description.make(playsItself: context.subject.stimulus == nil), output, context)
    }
    context.expected = expected
    let compared = try withoutTail(output, beside: expected, context)
    let outcomes = try comparators.map { (limit) throws(BenchError) in try limit.judgement(compared, with: expected) }
    let bad = outcomes.filter { !$0.verdict.isGood }
    return CheckOutcome(
      id, bad.isEmpty ? .passed : .failed, found: (bad.isEmpty ? outcomes : bad).map(\.found).joined(separator: "; "),
      expected: outcomes.map(\.expected).joined(separator: "; "), readings: outcomes.flatMap(\.readings),
      firstBad: bad.compactMap(\.firstBad).min { $0.frame < $1.frame }
    ).examining(compared)
  }
}

extension SameAsCheck {
  /// What another device makes of the input. How long a graph of ours is rendered follows from the tail it declares, which is
  /// no part of its sound: it is compared over the frames of what it is compared with.
  private func answer(
    of device: any Device, _ output: AudioSignal, _ context: CheckContext
  ) throws(BenchError) -> AudioSignal {
    guard let graph = device as? any GraphBacked, try isWhole(output, context) else {
      return try device.process(try context.input())
    }
    let session = try graph.session()
    session.outputFrames = Int64(output.frameCount)
    return try graph.processed(by: session, try context.input(), cut: Cut())
  }

  /// A graph's output without the tail that a command beside it does not give.
  private func withoutTail(
    _ output: AudioSignal, beside expected: AudioSignal, _ context: CheckContext
  ) throws(BenchError) -> AudioSignal {
    guard context.device is any GraphBacked, case .description(let other) = other, other.isCommand,
      expected.frameCount < output.frameCount, try isWhole(expected, context)
    else { return output }
    var output = output
    output.channels = output.channels.map { Array($0.prefix(expected.frameCount)) }
    return output
  }

  /// Whether a signal is as long as the input at least: what is shorter has lost something.
  private func isWhole(_ signal: AudioSignal, _ context: CheckContext) throws(BenchError) -> Bool {
    let input = try context.input()
    return signal.frameCount
      >= Int(FrameCount.converted(Int64(input.frameCount), from: input.sampleRate, to: signal.sampleRate))
  }
}

/// A measured number within limits.
package struct MeasureCheck: Check {
  package var id = "measure"
  private let kind: MeasurementKind
  private let reading: String
  private let channel: Int?
  private let at: [String: Double]
  private let least: Double?
  private let most: Double?

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    let names = MeasurementKind.allCases.map(\.rawValue)
    kind = try object.choice("measure", from: names, MeasurementKind.init(rawValue:)) ?? .linear
    reading = try object.requiredString("reading")
    channel = try object.integer("channel", in: 0...1023).map(Int.init)
    var at: [String: Double] = [:]
    if var written = try object.object("at") {
      for (key, value) in written.takeAll() {
        guard case .number(let number) = value else {
          throw object.error("at", "expected numbers, found \(value.kind)")
        }
        at[key] = number
      }
    }
    self.at = at
    let target = try object.number("value")
    let within = try object.number("within")
    if let target {
      guard let within, within >= 0 else { throw object.error("within", "\"value\" needs \"within\", 0 or more") }
      (least, most) = (target - within, target + within)
    } else {
      guard within == nil else { throw object.error("value", "\"within\" needs \"value\"") }
      (least, most) = (try object.number("min"), try object.number("max"))
    }
    if let least, let most, least > most { throw object.error("max", "\(most) is below \"min\", \(least)") }
    guard least != nil || most != nil else {
      throw object.error("max", "no limit is given", advice: "as \"max\": -100, or \"value\": 0, \"within\": 0.1")
    }
    id = "measure-\(reading)"
  }

  package init(
    _ reading: String, of kind: MeasurementKind, channel: Int?, at: [String: Double], least: Double?, most: Double?
  ) {
    (self.reading, self.kind, self.channel, self.at, self.least, self.most) = (reading, kind, channel, at, least, most)
    id = "measure-\(reading)"
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let findings = try context.findings(kind)
    let told = findings.teller(of: channel)
    let readings = findings.readings.filter { found in
      found.id == reading && (told == nil || found.channel == told)
        && at.allSatisfy { key, value in found.at[key].map { abs($0 - value) <= abs(value) * 1e-6 } ?? false }
    }
    guard let first = readings.first else {
      var ids: [String] = []
      for found in findings.readings where !ids.contains(found.id) { ids.append(found.id) }
      throw BenchError(
        .suite, at: "case \"\(context.subject.name)\", check \"\(id)\"",
        "the measurement \"\(kind.rawValue)\" has no such reading \"\(reading)\"",
        advice: "it has \(ids.joined(separator: ", "))")
    }
    let unit = first.unit.rawValue
    let expected =
      switch (least, most) {
      case (let least?, let most?):
        "\(first.name) from \(NumberText.significant(least)) to \(NumberText.significant(most)) \(unit)"
      case (let least?, nil): "\(first.name) of at least \(NumberText.significant(least)) \(unit)"
      default: "\(first.name) of at most \(NumberText.significant(most ?? .nan)) \(unit)"
      }
    try requireCrossable(first)
    if kind == .linear, !["nonlinearity", "timeVariance"].contains(reading),
      let outcome = context.disagreement(id, findings, expected: expected)
    {
      return outcome
    }
    func excess(_ reading: Reading) -> Double {
      guard !reading.value.isNaN else { return .infinity }
      let (below, above) = (least.map { $0 - reading.value }, most.map { reading.value - $0 })
      return max(below ?? -.infinity, above ?? -.infinity)
    }
    guard let worst = readings.max(by: { excess($0) < excess($1) }) else { preconditionFailure("there is a reading") }
    var outcome = CheckOutcome(
      id, excess(worst) <= 0 ? .passed : .failed, found: worst.text, expected: expected, readings: readings)
    let limits = [least, most].compactMap { $0 }.map { NumberText.significant($0) }
    outcome.limit = limits.joined(separator: " to ") + " \(unit)"
    outcome.examined = Examined(values: readings.count)
    return outcome
  }

  /// Throws where no value of the reading's unit could have crossed a limit.
  private func requireCrossable(_ reading: Reading) throws(BenchError) {
    guard let range = reading.unit.possibleRange else { return }
    let isCrossable = (least.map { $0 > range.lowerBound } ?? false) || (most.map { $0 < range.upperBound } ?? false)
    guard !isCrossable else { return }
    let limits = [least, most].compactMap { $0 }.map { NumberText.significant($0) }.joined(separator: " to ")
    throw BenchError(
      .suite, at: "check \"\(id)\"",
      "the limit cannot be crossed: \(reading.name) is never beyond \(limits) \(reading.unit.rawValue)",
      advice: "write the limit that must hold")
  }
}
