import AudioCore
import BatchRender
import Digests
import GraphMeasurement
import Measurement

/// Runs one case in this process: renders, checks, and writes what a failed case leaves to be looked at.
public struct CaseRunner {
  /// The goldens to write; none unless set.
  public var policy = GoldenPolicy()
  /// The folder for the files of failed cases, a folder for each; nil: they are not written.
  public var artifactFolder: String?
  /// Slices and threads of graphs, unless a check sets them.
  public var partition = RenderPartition()
  /// Draws what a failed case leaves: given the outcome, the folder for the pictures, and the sound that was found and
  /// expected. Nil: nothing is drawn.
  public var pictures: Pictures?
  /// Third-party units.
  public var graphOptions = GraphFile.Options()

  /// Answers what was drawn, with titles, and why not all of it was.
  public typealias Pictures =
    @Sendable (
      _ outcome: CaseOutcome, _ folder: String, _ actual: AudioSignal?, _ expected: AudioSignal?
    ) -> (pictures: [(title: String, path: String)], remark: String?)

  /// Writes no goldens and no files, and draws nothing.
  public init() {}

  /// - Parameters:
  ///   - testCase: the case to run.
  ///   - suite: the case's, for its goldens and the other cases.
  public func run(_ testCase: TestCase, of suite: SuiteFile) -> CaseOutcome {
    var outcome = CaseOutcome(testCase.id, .passed, device: testCase.device.name, seconds: 0)
    outcome.suitePath = suite.path
    removeArtifacts(of: testCase.id)
    if let reason = testCase.skipReason {
      outcome.verdict = .skipped
      outcome.message = reason
      return outcome
    }
    let clock = Stopwatch()
    do throws(BenchError) {
      var device: any Device
      do {
        device = try testCase.device.make(playsItself: testCase.stimulus == nil, options: graphOptions)
      } catch {
        guard let check = testCase.checks.first as? FailsCheck else { throw error }
        outcome.checks = [try check.outcome(of: error).judged]
        outcome.verdict = outcome.checks[0].verdict
        outcome.seconds = clock.seconds
        return outcome
      }
      if var graph = device as? GraphDevice {
        graph.partition = partition
        device = graph
      }
      let context = CheckContext(
        CheckSubject(testCase), device: device, goldens: suite.goldens, policy: policy, others: suite.cases,
        checks: testCase.checks)
      run(testCase.checks, context, &outcome)
    } catch {
      outcome.take(error)
    }
    outcome.seconds = clock.seconds
    return outcome
  }

  /// Runs checks of a device that is no case of a suite.
  package func run(
    _ checks: [any Check], of device: any Device, _ subject: CheckSubject, goldens: GoldenStore
  ) -> CaseOutcome {
    let clock = Stopwatch()
    var outcome = CaseOutcome(subject.id, .passed, device: device.name, seconds: 0)
    run(checks, CheckContext(subject, device: device, goldens: goldens, policy: policy, checks: checks), &outcome)
    outcome.seconds = clock.seconds
    return outcome
  }

  private func run(_ checks: [any Check], _ context: CheckContext, _ outcome: inout CaseOutcome) {
    // A case that has to fail has no output to check.
    for check in (checks.first is FailsCheck ? [] : [FiniteCheck() as any Check]) + checks {
      do {
        let result = try Self.judged(check, context)
        if result.id != FiniteCheck().id || !result.verdict.isGood { outcome.checks.append(result) }
        outcome.verdict = max(outcome.verdict, result.verdict)
      } catch {
        // A device that cannot be rendered at all cannot be checked either.
        let isHopeless = check is FiniteCheck || error.kind == .deviceCrash || error.kind == .deviceTimeout
        outcome.take(error, in: isHopeless ? nil : check.id)
        if isHopeless { break }
      }
    }
    if outcome.verdict.isGood {
      // If some checks do not apply the others decide.
      let reason = Self.nothingChecked(outcome.checks, of: checks, context)
      outcome.verdict = reason == nil ? .passed : .failed
      if let reason { outcome.remark("nothing was checked: \(reason)") }
    }
    if !outcome.verdict.isGood {
      outcome.firstDifferentNode = context.firstDifferentNode
      writeArtifacts(context, &outcome)
    }
  }

  /// Runs a check and judges its outcome. The check for finite samples runs on every case; whether there is anything to
  /// examine is left to the case's own checks.
  static func judged(_ check: any Check, _ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let found = try check.run(context)
    return check is FiniteCheck ? found : found.judged
  }

  /// The reason why a case's own checks, which all hold, have checked nothing: none applies, or the output is silence.
  /// Nil if they have checked something.
  static func nothingChecked(
    _ checks: [CheckOutcome], of all: [any Check], _ context: CheckContext
  ) -> String? {
    if checks.contains(where: { $0.verdict == .skipped }), !checks.contains(where: { $0.verdict == .passed }) {
      return checks.map { "\($0.id): \($0.found)" }.joined(separator: "; ")
    }
    guard !context.subject.mayBeSilent, let output = context.renderedOutput, output.frameCount > 0 else { return nil }
    guard !output.isSilent else { return "the output is silence; a case that wants it says \"silent\": true" }
    // An output that is compared with another sound may be as silent as that is in one of its channels.
    let isKnown = all.contains { $0.comparesWithAnother }
    let checkedCount = all.lazy.compactMap { ($0 as? LengthCheck)?.channels }.first
    guard let input = try? context.input(),
      let problem = context.subject.routes.absences(
        in: output, of: input, reportedCount: checkedCount ?? context.device.reportedOutputChannelCount,
        statedAlone: isKnown
      ).first
    else { return nil }
    let wish =
      problem.output < output.channelCount ? "silent\": [\(problem.output)]" : "outputs\": \(output.channelCount)"
    return "\(problem.text([])); a case that wants it says \"\(wish)"
  }

  // MARK: What a failed case leaves

  /// Files with other endings are never touched.
  package static let artifactEndings = [".wav", ".svg", ".png"]

  /// The folder for the files of one case: no two ids share a folder.
  package static func artifactFolder(of id: String, in top: String) -> String {
    let name = FileName.plain(id, keeping: "._-/")
    return top + "/" + (name == id ? name : "\(name)-\(Fingerprint.of(Array(id.utf8)).prefix(8))")
  }

  private func folder(of id: String) -> String? { artifactFolder.map { Self.artifactFolder(of: id, in: $0) } }

  /// Files of an earlier run do not belong to this one.
  private func removeArtifacts(of id: String) {
    guard let folder = folder(of: id) else { return }
    for name in FileSystem.names(in: folder) ?? []
    where Self.artifactEndings.contains(where: name.hasSuffix) {
      FileSystem.unlink("\(folder)/\(name)")
    }
    FileSystem.removeFolder(folder)
  }

  private func writeArtifacts(_ context: CheckContext, _ outcome: inout CaseOutcome) {
    let actual = context.renderedOutput.flatMap { $0.frameCount > 0 ? $0 : nil }
    // A response is measured without the case's own stimulus.
    let hasCurves = outcome.checks.contains { !$0.verdict.isGood && $0.overlay != nil }
    guard let folder = folder(of: outcome.id), actual != nil || hasCurves else { return }
    guard FileSystem.makeFolders(folder) == 0 else {
      outcome.remark("no files could be written to \(folder)")
      return
    }
    if let actual { writeSounds(actual, expected: context.expected, to: folder, &outcome) }
    guard let drawn = pictures?(outcome, folder, actual, context.expected) else { return }
    outcome.files.pictures += drawn.pictures
    if let remark = drawn.remark { outcome.remark(remark) }
  }

  private func writeSounds(
    _ actual: AudioSignal, expected: AudioSignal?, to folder: String, _ outcome: inout CaseOutcome
  ) {
    func write(_ signal: AudioSignal, _ name: String) -> String? {
      var signal = signal
      signal.sampleRate = max(1, signal.sampleRate.rounded())
      let path = "\(folder)/\(name).wav"
      return (try? signal.write(to: path)) == nil ? nil : path
    }
    outcome.files.actual = write(actual, "actual")
    guard let expected, expected.channelCount == actual.channelCount else { return }
    outcome.files.expected = write(expected, "expected")
    var difference = actual
    difference.channels = zip(actual.channels, expected.channels).map { $0.difference(from: $1) }
    outcome.files.difference = write(difference, "difference")
  }
}

extension [Double] {
  /// This signal less another, with silence behind the shorter one.
  package func difference(from other: [Double]) -> [Double] {
    var difference = self + [Double](repeating: 0, count: Swift.max(0, other.count - count))
    difference.withUnsafeMutableBufferPointer { difference in
      other.withUnsafeBufferPointer { other in
        for frame in other.indices { difference[frame] -= other[frame] }
      }
    }
    return difference
  }
}

extension CaseOutcome {
  /// Says one thing more.
  mutating func remark(_ text: String) { message = (message.map { $0 + "; " } ?? "") + text }

  /// Takes over what a case or a check could not do.
  mutating func take(_ error: BenchError, in check: String? = nil) {
    let found: Verdict =
      switch error.kind {
      case .deviceCrash: .crashed
      case .deviceTimeout: .timedOut
      // A device that does not render what it is given is what the case is about.
      case .render: .failed
      default: .error
      }
    if let check {
      checks.append(
        CheckOutcome(check, found, found: "\(error)", expected: "the check can be made"))
    }
    verdict = max(verdict, found)
    if check == nil, message == nil { message = "\(error)" }
  }
}

extension Verdict: Comparable {
  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// By how bad they are.
  public static func < (a: Verdict, b: Verdict) -> Bool { a.order < b.order }
}
