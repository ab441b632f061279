import AudioCore
import GraphMeasurement
import Measurement

/// The output is that of another device, or a file's, within limits.
///
/// ```json
/// {
///   "id": "sameAs",
///   "device": { "unit": "sampleDelay", "set": { "delayFrames": 100 } },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "sameAs", "device": { "formula": "in(c, n - 100)" } }]
/// }
/// ```
package struct SameAsCheck: SuiteCheck {
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
  /// The other device is given each channel alone.
  let goesByChannel: Bool

  package static let kind = CheckKind(
    "sameAs", "The output is that of another device for the same stimulus, or a sound file's.",
    keys: [deviceKey, fileKey, eachChannelKey] + ComparisonLimits.keys,
    rules: ["oneOf": [.has("device"), .has("file")]])

  private static let deviceKey = JSONKey(optional: "device", .object("#/$defs/device"))
  private static let fileKey = JSONKey(optional: "file", JSONForm<String>.file, "A sound file.")
  private static let eachChannelKey = JSONKey(
    "eachChannel", .boolean, initial: false, "The other device is given each channel alone; it is no graph file.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    if let path = try object.take(Self.fileKey) {
      other = .file(path)
    } else if let device = try object.take(Self.deviceKey) {
      other = .description(try DeviceDescription(device, sampleRate: reader.sampleRate))
    } else {
      throw object.error("device", "what it is to be the same as is missing", advice: "give a device or a file")
    }
    goesByChannel = try object.take(Self.eachChannelKey)
    if goesByChannel {
      guard case .description(let device) = other, !device.isGraph else {
        throw object.error(
          "eachChannel", "goes with a device that takes any number of channels",
          advice: "compare with a unit, a command, a formula or a libraryConversion")
      }
    }
    let read = ComparatorKind.comparators(try ComparisonLimits(&object))
    comparators = read.isEmpty ? [ExactComparator()] : read
  }

  package init(_ other: Other, within comparators: [any SignalComparator]) {
    self.other = other
    self.comparators = comparators
    goesByChannel = false
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let output = try context.output()
    if goesByChannel, try context.input().channelCount < 2 {
      return CheckOutcome(
        id, .skipped, found: "the input has one channel, and nothing can come from another into it",
        expected: "each channel by itself")
    }
    let expected: AudioSignal
    switch other {
    case .file(let path): expected = try AudioSignal(contentsOf: path)
    case .signal(let signal): expected = signal
    case .device(let device): expected = try answer(of: device, to: context.input(), output, context)
    case .description(let description) where goesByChannel:
      expected = try answers(of: description.monophonic().make(), output, context)
    case .description(let description):
      let device = try description.make(playsItself: context.subject.stimulus == nil)
      expected = try answer(of: device, to: context.input(), output, context)
    }
    context.expected = expected
    let compared = try withoutTail(output, beside: expected, context)
    let outcomes = try comparators.map { (limit) throws(BenchError) in try limit.judgement(compared, with: expected) }
    var outcome = outcomes.joined(
      id, outcomes.allSatisfy(\.verdict.isGood) ? .passed : .failed,
      expected: outcomes.map(\.expected).joined(separator: "; ")
    ).examining(compared)
    // An alignment says that itself.
    if !outcome.verdict.isGood, !comparators.contains(where: { $0 is AlignedNullComparator }) {
      outcome.nameSimpleDifference(compared, expected)
    }
    return outcome
  }
}

extension SameAsCheck {
  /// The output of another device for an input. The rendered length of a graph of ours includes its declared tail,
  /// which is no part of its sound: it is compared over the frames of the device under test.
  private func answer(
    of device: any Device, to input: AudioSignal, _ output: AudioSignal, _ context: CheckContext
  ) throws(BenchError) -> AudioSignal {
    guard let graph = device as? any GraphBacked, try isWhole(output, context) else {
      return try device.process(input)
    }
    let session = try graph.session()
    session.outputFrames = Int64(output.frameCount)
    return try graph.processed(by: session, input, partition: RenderPartition())
  }

  /// The outputs of another device for each channel of the input alone, side by side.
  private func answers(
    of device: any Device, _ output: AudioSignal, _ context: CheckContext
  ) throws(BenchError) -> AudioSignal {
    var joined: AudioSignal?
    for samples in try context.input().channels {
      let alone = AudioSignal(sampleRate: try context.input().sampleRate, channels: [samples])
      let answer = try answer(of: device, to: alone, output, context)
      guard answer.channelCount == 1, joined.map({ $0.frameCount == answer.frameCount }) ?? true else {
        throw BenchError(
          .suite, at: "case \"\(context.subject.name)\", check \"\(id)\"",
          "of one channel the device \(device.name) makes \(NumberText.count(answer.channelCount, "channel")) of \(NumberText.count(answer.frameCount, "frame"))",
          advice: "leave eachChannel out")
      }
      if joined == nil { joined = answer } else { joined?.channels += answer.channels }
    }
    return joined ?? output
  }

  /// A graph's output without the tail that what it is compared with does not give.
  private func withoutTail(
    _ output: AudioSignal, beside expected: AudioSignal, _ context: CheckContext
  ) throws(BenchError) -> AudioSignal {
    guard context.device is any GraphBacked, case .description(let other) = other, !other.isRendered,
      expected.frameCount < output.frameCount, try isWhole(expected, context)
    else { return output }
    var output = output
    output.channels = output.channels.map { Array($0.prefix(expected.frameCount)) }
    return output
  }

  /// True when a signal is at least as long as the input: a shorter one has lost something.
  private func isWhole(_ signal: AudioSignal, _ context: CheckContext) throws(BenchError) -> Bool {
    let input = try context.input()
    return signal.frameCount
      >= Int(FrameCount.converted(Int64(input.frameCount), from: input.sampleRate, to: signal.sampleRate))
  }
}
