import AudioCore
import Glibc
import GraphMeasurement
import Measurement

/// The output against the one that was kept: bit for bit by its digest, or within limits against its sound.
///
/// ```json
/// {
///   "id": "golden",
///   "device": { "unit": "lowPassFilter", "set": { "cutoffFrequency": "1kHz" } },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "golden", "bits": 24, "peak": -120 }]
/// }
/// ```
package struct GoldenCheck: SuiteCheck {
  package var id = "golden"
  private let comparators: [any SignalComparator]
  /// Bits of the sound that is kept.
  private let bits: Int

  package static let kind = CheckKind(
    "golden", "The output is the golden's: bit for bit, or within limits of the sound that was kept.",
    keys: ComparisonLimits.keys + [bitsKey])

  private static let bitsKey = JSONKey(
    "bits",
    JSONForm<Int>(["enum": [16, 24]], write: { .number(Double($0)) }) { (object, key) throws(BenchError) in
      let bits = try object.integer(key, in: 16...24)
      guard let bits, bits != 16, bits != 24 else { return bits.map(Int.init) }
      throw object.error(key, "a golden is kept with 16 or 24 bits")
    }, initial: 16, "Of the sound that is kept beside the digest of the exact samples.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    comparators = ComparatorKind.comparators(try ComparisonLimits(&object))
    bits = try object.take(Self.bitsKey)
    // Rounding to the bits that are kept would fail a limit below it, whatever the device does.
    let least = (-20 * log10(2) * Double(bits)).rounded(.up) + 6
    for case let residual as ResidualComparator in comparators {
      for (key, limit) in [("peak", residual.peakLimit), ("rms", residual.rmsLimit)] {
        guard let limit, limit < least else { continue }
        throw object.error(
          key, "a golden that is kept with \(bits) bits can tell no difference below \(least) dBFS, found \(limit)",
          advice: bits == 16 ? "write \"bits\": 24, or leave the limits out: the digest tells every bit" : nil)
      }
    }
  }

  /// - Parameter bits: 16 or 24.
  package init(within comparators: [any SignalComparator], bits: Int) {
    precondition(bits == 16 || bits == 24)
    self.comparators = comparators
    self.bits = bits
  }

  /// Exact unless limits are given.
  private var isExact: Bool { comparators.isEmpty || comparators.contains { $0 is ExactComparator } }
  private var limits: [any SignalComparator] { comparators.filter { !($0 is ExactComparator) } }

  private var expectation: String {
    isExact ? "bit for bit what the golden was made of" : limits.map(\.expectation).joined(separator: "; ")
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let stored = try context.goldens.golden(context.subject.golden.name)
    let output = try context.output()
    var golden = GoldenFinding(id, stored?.record, of: context, lacking: "sound", expected: expectation)
    if let stored, !stored.isWhole {
      golden.isThere = true
      golden.outcome = damaged(stored, output, context)
    } else if let audio = stored?.record?.audio {
      if golden.isCurrent {
        golden.take(try compare(output, audio, context), digest: audio.file)
      } else if context.policy.mode != .never, let off = try? compare(output, audio, context) {
        // A blessed golden is reported with its distance from the former one.
        golden.outcome.found += "; beside its sound: \(off.found)"
      }
    }
    guard golden.isBlessed(by: context.policy) else { return golden.outcome }
    try context.goldens.write(
      output, bits: bits, nodes: try NodeDigests(of: context).nodes, of: context.subject.golden, policy: context.policy)
    return golden.blessed.examining(output)
  }

  /// A golden that is not what was blessed fails, whatever the output is. The distance of the output is reported too.
  private func damaged(_ stored: StoredGolden, _ output: AudioSignal, _ context: CheckContext) -> CheckOutcome {
    let audio = stored.record?.audio
    var outcome = CheckOutcome(id, .failed, found: "", expected: expectation)
    var distance = "its sound cannot be read"
    if let kept = context.goldens.soundAsFound(context.subject.golden.name, audio) {
      context.expected = kept
      let off = ResidualComparator().compare(output, with: kept)
      distance = "the output against the sound that is there: \(off.found)"
      (outcome.readings, outcome.firstFailure) = (off.readings, off.firstFailure)
    }
    if let audio, SampleDigest(output) == audio.digest { distance += ", and it has the bits that the record says" }
    outcome.found = stored.damageText(distance)
    return outcome.examining(output)
  }

  private func compare(
    _ output: AudioSignal, _ golden: GoldenRecord.Audio, _ context: CheckContext
  ) throws(BenchError) -> CheckOutcome {
    if isExact, limits.isEmpty, SampleDigest(output) == golden.digest {
      return CheckOutcome(id, .passed, found: "the same bits", expected: expectation).examining(output)
    }
    let kept = try context.goldens.audio(context.subject.golden.name, golden)
    context.expected = kept
    var outcomes = try limits.map { (limit) throws(BenchError) in try limit.judgement(output, with: kept) }
    let rounding = Decibels.of(
      amplitude: golden.scale * Double(sign: .plus, exponent: -(golden.bits - 1), significand: 0.51))
    var isOtherByRounding = false
    if isExact {
      // The distance of the output, as well as the kept sound shows it.
      var off = ResidualComparator(peakLimit: rounding).compare(output, with: kept)
      let isSame = SampleDigest(output) == golden.digest
      if off.verdict == .passed, !isSame {
        off.found = "other bits, by less than the \(golden.bits) bits of the golden tell (\(off.found))"
        isOtherByRounding = true
      }
      off.verdict = isSame ? .passed : .failed
      outcomes.insert(off, at: 0)
    }
    var outcome = outcomes.joined(id, outcomes.map(\.verdict).max() ?? .passed, expected: expectation).examining(output)
    if !outcome.verdict.isGood {
      if !isOtherByRounding {
        outcome.nameSimpleDifference(output, kept, bits: golden.bits, rounding: rounding)
      }
      context.firstDifferentNode = try NodeDigests(of: context, frames: golden.frames).firstDifferent(
        from: golden.nodes)
    }
    return outcome
  }
}

/// The digest of each node's output in a graph, kept beside the sound; empty for devices without nodes.
struct NodeDigests {
  let nodes: [GoldenRecord.Node]

  /// The name that is reported when every node's output is unchanged.
  static let renderer = "renderer"

  /// - Parameter frames: the length of the output, so that nodes of two renders are as long; nil: the device's own.
  init(of context: CheckContext, partition: RenderPartition = RenderPartition(), frames: Int? = nil) throws(BenchError)
  {
    guard let graph = context.device as? any GraphBacked else {
      nodes = []
      return
    }
    let session = try graph.session()
    let order = try session.nodeOrder()
    session.tappedNodes = order
    session.outputFrames = frames.map(Int64.init)
    _ = try graph.processed(by: session, try context.input(), partition: partition)
    nodes = order.compactMap { name in
      session.taps[name].map { GoldenRecord.Node(name: name, digest: SampleDigest($0)) }
    }
  }

  /// The first node along the sound that is not as it was; the renderer where all are; nil where none is known.
  func firstDifferent(from golden: [GoldenRecord.Node]) -> String? {
    if nodes.isEmpty || golden.isEmpty { return nil }
    for node in nodes where golden.first(where: { $0.name == node.name })?.digest != node.digest { return node.name }
    return Self.renderer
  }
}
