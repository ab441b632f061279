import AudioCore
import Foundation
import Measurement
import Testing
import Reporting
import Verification

/// One expectation under way: a device, its checks, and where the test says it.
struct Expectation {
  let location: SourceLocation
  /// A word or two for the expectation: the head of the failure, and part of the names of files.
  let name: String
  var golden: Golden?
  var stimulus = StimulusDescription?.some(.noise())
  /// True when the expectation is about the sound, not about a measurement.
  var isOfSound = true
  /// The outputs that are expected; nil: those that follow from the device's channels.
  var routes: ExpectedRoutes?

  /// Hertz, for devices that have no rate of their own.
  static let sampleRate = MeasurementSettings.defaultSampleRate
  /// The rate of a signal, which is no device and has its own.
  var signalRate: Double?

  /// Makes the device and runs the checks; records what does not hold.
  func run(
    _ subject: some DeviceConvertible, playsItself: Bool, _ checks: (any Device) throws(BenchError) -> [any Check]
  ) -> CaseOutcome {
    let settings = ExpectationSettings.current
    var outcome = CaseOutcome("\(location.fileStem)/\(testName)-\(name)", .error, device: "", seconds: 0)
    var store: GoldenStore?
    var folder: ArtifactFolder?
    var rate: Double?
    do throws(BenchError) {
      if golden != nil, let error = settings.policyError { throw error }
      store = try golden?.store(besides: location)
      let device = try subject.device(playsItself: playsItself)
      rate = signalRate ?? device.preferredSampleRate ?? Self.sampleRate
      let checkList = try checks(device)
      let artifacts = ArtifactFolder(settings.artifactFolder, id: outcome.id)
      folder = artifacts
      var runner = CaseRunner()
      runner.policy = golden == nil ? GoldenPolicy() : settings.policy
      runner.pictures = CasePictures.draw
      runner.artifactFolder = isOfSound ? settings.artifactFolder : nil
      outcome = runner.run(
        checkList, of: device, self.subject(artifacts.id, device, checkList),
        goldens: store ?? GoldenStore(folder: settings.artifactFolder))
    } catch {
      outcome.message = "\(error)"
    }
    folder?.writeCurves(&outcome)
    record(outcome, store, rate)
    return outcome
  }

  private var testName: String { Test.current.map { String($0.name.prefix { $0 != "(" }) } ?? "test" }

  private func subject(_ id: String, _ device: any Device, _ checks: [any Check]) -> CheckSubject {
    // The definition has nothing about the device under test: its output is what the golden holds.
    var definition: [String: JSONValue] = [:]
    if let stimulus {
      definition["stimulus"] = stimulus.definition
      definition["sampleRate"] = .number(device.preferredSampleRate ?? Self.sampleRate)
    }
    let identity = GoldenIdentity(
      id: "\(location.fileStem)/\(golden?.name ?? name)", name: golden?.name ?? name, definition: .object(definition))
    var subject = CheckSubject(
      id: id, golden: identity, name: testName, sampleRate: Self.sampleRate, channelCount: nil, stimulus: stimulus)
    subject.routes = StatedRoutes(routes)
    // An output that is compared with another sound may be as silent as that; what is compared with itself may not.
    subject.mayBeSilent = !checks.contains { $0.comparesWithItself }
    return subject
  }

  // MARK: Failures

  /// - Parameter rate: at which it ran, hertz; nil: it did not.
  private func record(_ outcome: CaseOutcome, _ store: GoldenStore?, _ rate: Double?) {
    guard outcome.verdict != .passed else {
      // A run that writes goldens reports which, and what they were before.
      for check in outcome.checks where check.wasBlessed {
        Issue.record(
          "golden \"\(golden?.name ?? "")\" written to \(store?.folder ?? ""); \(check.found)", severity: .warning,
          sourceLocation: location)
      }
      return
    }
    let subject = outcome.device.isEmpty ? "" : "\(outcome.device): "
    let text = TerminalReport(width: 110).failure(
      outcome, name: "\(subject)\(name)",
      more: (rate.map { [("ran at", "\(NumberText.short($0)) Hz")] } ?? []) + blessing(outcome.verdict, store))
    Issue.record(Comment(rawValue: text), sourceLocation: location)
    attach(outcome.sounds)
  }

  /// Describes how to make a golden, or to make it anew.
  private func blessing(_ verdict: Verdict, _ store: GoldenStore?) -> [(label: String, text: String)] {
    guard let golden, let store, verdict == .unblessed || verdict == .failed else { return [] }
    let test = Test.current.map { "\($0.id.moduleName).\($0.id.nameComponents.joined(separator: "/"))" }
    let filter = test.map { " --filter '\($0.prefix { $0 != "(" })'" } ?? ""
    let mode = verdict == .unblessed ? GoldenPolicy.Mode.missing : .failed
    return [
      ("golden", "\(store.folder)/\(golden.name)"),
      ("to bless", "AUBENCH_BLESS=\(mode.rawValue) AUBENCH_BLESS_REASON=\"…\" swift test\(filter)"),
    ]
  }

  /// Sounds of what failed, for runs that keep attachments; not those of many megabytes.
  private func attach(_ sounds: [(title: String, path: String)]) {
    for (title, path) in sounds {
      guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 1 << 24 else { continue }
      Attachment.record([UInt8](data), named: "\(title).wav", sourceLocation: location)
    }
  }
}
