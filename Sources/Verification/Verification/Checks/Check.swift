import AudioCore
import Measurement

/// Something that must hold of a device under test.
package protocol Check: Sendable {
  /// Stable: what reports call it.
  var id: String { get set }
  /// The device that a suite names to compare with.
  var device: DeviceDescription? { get }
  func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome
}

extension Check {
  package var device: DeviceDescription? { nil }

  /// True when renders of one device are compared with each other, so that silence, which is always the same, passes.
  package var comparesWithItself: Bool {
    self is SlicesCheck || self is ResetCheck || self is SilenceCheck || self is InstructionSetsCheck
  }

  /// True when the output is compared with a sound that is known otherwise: a golden, a file, a law, another device.
  var comparesWithAnother: Bool {
    self is GoldenCheck || self is LawCheck || (self as? SameAsCheck).map { !$0.goesByChannel } ?? false
  }

  /// True when the check compares a device with the same one, in the same way.
  func isOfItself(_ subject: DeviceDescription) -> Bool {
    guard let device, (self as? SameAsCheck)?.goesByChannel != true else { return false }
    return device.isSame(as: subject)
  }
}

/// A case's device, its stimulus, and the output, which is rendered once for all checks of the case.
package final class CheckContext {
  package let subject: CheckSubject
  package let goldens: GoldenStore
  package let policy: GoldenPolicy
  package let device: any Device
  /// The devices of other cases, for the check that the order does not matter.
  package let others: [TestCase]
  /// The readings that the case's checks look at; nil: not known.
  private let neededReadings: Set<String>?
  private var rendered: AudioSignal?
  private var given: AudioSignal?
  private var measured: [MeasurementKind: Findings] = [:]
  /// The outputs' lacks, once they were found out.
  private var problems: [RouteProblem]?
  /// The first node whose output is not the golden's, or not the same in two renders: set by the check that found it.
  package var firstDifferentNode: String?
  /// The output that the golden requires, for the files of a failed case.
  package var expected: AudioSignal?

  package init(
    _ subject: CheckSubject, device: any Device, goldens: GoldenStore, policy: GoldenPolicy = GoldenPolicy(),
    others: [TestCase] = [], checks: [any Check] = []
  ) {
    self.subject = subject
    self.device = device
    self.goldens = goldens
    self.policy = policy
    self.others = others
    neededReadings = checks.isEmpty ? nil : Set(checks.compactMap { ($0 as? MeasureCheck)?.reading })
  }

  /// The settings for measurements of the device, and of one to compare it with.
  var settings: MeasurementSettings {
    MeasurementSettings(
      sampleRate: device.preferredSampleRate ?? subject.sampleRate, channelCount: subject.channelCount)
  }

  /// The stimulus; nothing for a graph that plays its own files.
  package func input() throws(BenchError) -> AudioSignal {
    if let given { return given }
    let rate = device.preferredSampleRate ?? subject.sampleRate
    let signal: AudioSignal
    if let stimulus = subject.stimulus {
      let channels = subject.channelCount ?? device.inputChannelCount ?? stimulus.ownChannelCount ?? 2
      signal = try stimulus.signal(sampleRate: rate, channelCount: channels)
    } else {
      signal = AudioSignal(sampleRate: rate, channels: [[]])
    }
    let rounded = device.precision.rounded(signal)
    given = rounded
    return rounded
  }

  /// Renders the stimulus through the device, from rest.
  package func output() throws(BenchError) -> AudioSignal {
    if let rendered { return rendered }
    let signal = try device.process(try input())
    rendered = signal
    return signal
  }

  /// The output where it has been rendered already.
  package var renderedOutput: AudioSignal? { rendered }

  /// A measurement of the device, made once: levels of what it plays, all else of what it does to stimuli.
  package func findings(_ kind: MeasurementKind) throws(BenchError) -> Findings {
    if let present = measured[kind] { return present }
    let findings: Findings
    if playsItself(kind) {
      findings = try kind.findings(of: device, settings)
    } else {
      let device = try target(of: kind)
      var settings = settings
      settings.neededReadings = neededReadings
      findings = try kind.findings(of: device, settings, along: routes(of: device))
    }
    measured[kind] = findings
    return findings
  }

  /// True where a measurement is of the sound of a graph that plays its own files: it has no inputs, and what is absent
  /// shows in the output.
  private func playsItself(_ kind: MeasurementKind) -> Bool { kind == .levels && subject.stimulus == nil }

  private func target(of kind: MeasurementKind) throws(BenchError) -> any Device {
    try kind == .levels ? device : device.takingStimulus()
  }

  /// The outputs that are not as they are expected to be, found out before anything is measured.
  private func routeProblems(_ kind: MeasurementKind) throws(BenchError) -> [RouteProblem] {
    guard !playsItself(kind) else {
      return subject.routes.absences(
        in: try output(), of: try input(), reportedCount: device.reportedOutputChannelCount)
    }
    if let problems, kind != .voice { return problems }
    let device = try target(of: kind)
    let found = try kind.routeProblems(of: device, settings, routes(of: device))
    if kind != .voice { problems = found }
    return found
  }

  /// The routes that the case states for a device, or those that follow from its channels.
  func routes(of device: any Device) -> ExpectedRoutes {
    let inputCount = settings.channelCount ?? device.inputChannelCount ?? 2
    return subject.routes.routes(of: device, inputCount: inputCount)
      ?? ExpectedRoutes(of: device, inputCount: inputCount)
  }

  /// The outcome of a check of what was measured where an output that is looked at is not as it was expected to be. Nil:
  /// all are.
  /// - Parameter channel: nil: all outputs are looked at.
  func absence(
    _ id: String, _ measurement: MeasurementKind, channel: Int?, reading: String, expected: String
  ) throws(BenchError) -> CheckOutcome? {
    let problems = try routeProblems(measurement).filter { channel == nil || $0.output == channel }
    guard !problems.isEmpty else { return nil }
    return CheckOutcome(
      id, .failed, found: problems.map { $0.text([reading]) }.joined(separator: "; "), expected: expected)
  }

  /// The outputs in which a reading or a curve is expected, of those that are looked at; none where the device has no
  /// inputs.
  func soundingOutputs(_ channel: Int?, _ measurement: MeasurementKind) throws(BenchError) -> [Int] {
    guard measurement != .voice, !playsItself(measurement) else { return [] }
    let outputs = routes(of: try target(of: measurement)).outputs
    return outputs.indices.filter { !outputs[$0].inputs.isEmpty && (channel == nil || channel == $0) }
  }

  /// Compares another render with the usual one, bit for bit; nil: they are the same.
  /// - Parameter how: text before the description of the difference, ending with a blank.
  func difference(
    _ id: String, _ other: AudioSignal, from output: AudioSignal, how: String = "", expected: String
  ) -> CheckOutcome? {
    guard SampleDigest(other) != SampleDigest(output) else { return nil }
    var outcome = ExactComparator().compare(other, with: output)
    outcome.id = id
    outcome.verdict = .failed
    outcome.expected = expected
    outcome.found = how + outcome.found
    return outcome
  }

  /// The outcome of a check of a response for a device that has no single response, because stimuli do not agree. Nil:
  /// it has one, or the case allows for it.
  func disagreement(_ id: String, _ findings: Findings, expected: String) -> CheckOutcome? {
    guard !subject.isNonlinear, !findings.disagreements.isEmpty else { return nil }
    return CheckOutcome(
      id, .failed,
      found: "the device has no one response: " + findings.disagreements.joined(separator: "; ")
        + "; a case that allows for it says \"nonlinear\": true",
      expected: expected)
  }
}

extension [CheckOutcome] {
  /// Combines several limits into one check: those that were exceeded are reported, or all if none was.
  func joined(_ id: String, _ verdict: Verdict, expected: String) -> CheckOutcome {
    let bad = filter { !$0.verdict.isGood }
    return CheckOutcome(
      id, verdict, found: (bad.isEmpty ? self : bad).map(\.found).joined(separator: "; "), expected: expected,
      readings: flatMap(\.readings), firstFailure: compactMap(\.firstFailure).earliest)
  }
}
