import AudioCore
import GraphMeasurement
import Measurement

/// Every sample is a number, finite and not subnormal: checked in every case, whether a suite lists it or not.
///
/// ```json
/// {
///   "id": "finite",
///   "device": { "formula": "in(c) / 2" },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "length", "frames": 4800 }]
/// }
/// ```
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
        context.firstDifferentNode = try? Self.firstFailingNode(context)
        return CheckOutcome(
          id, .failed,
          found: isSubnormal
            ? "\(sample) is subnormal"
            : "\(sample.isNaN ? "nan" : "\(sample)") is no finite number: \(output.nonFiniteSamples)",
          expected: expected, firstFailure: SignalShape(output).place(Int64(frame), channel: channel))
      }
    }
    return CheckOutcome(id, .passed, found: "all are", expected: expected).examining(output)
  }

  private static func firstFailingNode(_ context: CheckContext) throws(BenchError) -> String? {
    guard let graph = context.device as? any GraphBacked else { return nil }
    let session = try graph.session()
    session.tappedNodes = try session.nodeOrder()
    _ = try session.process(try context.input(), partition: nil)
    return session.tappedNodes.first { name in
      session.taps[name]?.channels.contains { $0.contains { !$0.isFinite || Float($0).isSubnormal } } ?? false
    }
  }
}

/// The output is silent once input, latency and tail have ended.
///
/// ```json
/// {
///   "id": "silence",
///   "device": { "unit": "highPassFilter", "set": { "cutoffFrequency": 500 } },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "silence", "below": -100 }]
/// }
/// ```
package struct SilenceCheck: SuiteCheck {
  package var id = "silence"
  private let levelDecibels: Double
  private let afterFrames: Int64?

  package static let kind = CheckKind(
    "silence", "Nothing sounds after the end of the input, the latency and the tail.", keys: [belowKey, afterKey])

  private static let belowKey = JSONKey(
    "below",
    .number(
      .upTo(-ReadingKind.grossDecibels),
      expected: "a level of at most -20 dB: what sounds 20 dB below the peak is no silence"), initial: -120,
    "dB of the output's peak.")
  private static let afterKey = JSONKey(
    optional: "after", JSONForm<Int64>.integer(in: 0...(1 << 40)),
    "Output frames behind the end of the input; what the device reports where it is missing.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    levelDecibels = try object.take(Self.belowKey)
    afterFrames = try object.take(Self.afterKey)
  }

  /// - Parameter afterFrames: nil: latency and tail, as the device reports them.
  package init(belowDecibels: Double, afterFrames: Int64?) {
    levelDecibels = belowDecibels
    self.afterFrames = afterFrames
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let input = try context.input()
    let tail =
      afterFrames ?? (context.device.reportedTailFrames ?? 0)
      + Int64(clamping: context.device.reportedLatencyFrames ?? 0)
    let expected =
      "below \(levelDecibels) dB of its peak from \(NumberText.count(tail, "frame")) after the input's end on"
    // A second of silence behind the tail, put in as input: what sounds there is the device's own.
    var longer = input
    let behind = MemoryBudget.sum(Int(clamping: tail), Int(clamping: input.sampleRate))
    try AudioSignal.checkMemory(
      frames: MemoryBudget.sum(input.frameCount, behind), channels: input.channelCount,
      at: "case \"\(context.subject.name)\", check \"\(id)\"", kind: .suite)
    let silence = [Double](repeating: 0, count: behind)
    longer.channels = input.channels.map { $0 + silence }
    let output = try context.device.process(longer)
    // A sample that is not finite is no level, and not silent either.
    let peak = output.channels.joined().reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    let threshold = max(peak, 1e-9) * Decibels.amplitude(levelDecibels)
    let scale = output.sampleRate / input.sampleRate
    let start = Int(clamping: (Double(input.frameCount) * scale).rounded(.up)) + Int(clamping: tail)
    guard start < output.frameCount else {
      return .nothingChecked(
        id, "the output ends at frame \(output.frameCount), before it has to be silent from frame \(start) on",
        expected: expected)
    }
    for frame in start..<output.frameCount {
      for (channel, samples) in output.channels.enumerated() where !(abs(samples[frame]) <= threshold) {
        let sample = samples[frame]
        let level = Decibels.of(amplitude: abs(sample) / max(peak, 1e-9))
        let found = sample.isFinite ? "\((level * 10).rounded() / 10) dB of its peak" : "\(sample)"
        return CheckOutcome(
          id, .failed, found: "\(found), \(frame - start) frames after that",
          expected: expected, firstFailure: SignalShape(output).place(Int64(frame), channel: channel))
      }
    }
    return CheckOutcome(id, .passed, found: "silent", expected: expected)
      .examining(Examined(frames: Int64(output.frameCount - start), channels: output.channelCount))
  }
}

/// The output has a given number of frames, channels, and a rate.
///
/// ```json
/// {
///   "id": "length",
///   "device": { "unit": "lowPassFilter" },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "length", "channels": 2, "sampleRate": 48000 }]
/// }
/// ```
struct LengthCheck: SuiteCheck {
  var id = "length"
  private let frames: Int?
  /// The number of outputs that the case states by this check.
  let channels: Int?
  private let sampleRate: Double?

  static let kind = CheckKind(
    "length", "The output has so many frames and channels, and this rate.",
    keys: [framesKey, channelsKey, sampleRateKey],
    rules: ["anyOf": [.has("frames"), .has("channels"), .has("sampleRate")]])

  private static let framesKey = JSONKey(optional: "frames", JSONForm<Int>.count(in: 0...(1 << 40)))
  private static let channelsKey = JSONKey(optional: "channels", JSONForm<Int>.count(in: 1...1024))
  private static let sampleRateKey = JSONKey(optional: "sampleRate", JSONForm<Double>.number(), "Hertz.")

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    frames = try object.take(Self.framesKey)
    channels = try object.take(Self.channelsKey)
    sampleRate = try object.take(Self.sampleRateKey)
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
    let isRight = asked.allSatisfy { $0.1 == $0.2 }
    // An output without frames passes only where the suite expects 0 frames.
    if isRight, output.frameCount == 0, frames != 0 {
      return .nothingChecked(id, "the output has no frames", expected: "an output")
    }
    func text(_ value: Double, _ what: String) -> String {
      NumberText.short(value) + " \(what)" + (value == 1 || what == "Hz" ? "" : "s")
    }
    return CheckOutcome(
      id, isRight ? .passed : .failed,
      found: asked.map { text($0.2, $0.0) }.joined(separator: ", "),
      expected: asked.map { text($0.1 ?? .nan, $0.0) }.joined(separator: ", ")
    ).examining(Examined(values: asked.count))
  }
}
