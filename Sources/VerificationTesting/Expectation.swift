import AudioCore
import BatchRender
import Foundation
import Measurement
import Testing
import Verification

/// One expectation under way: a device, its checks, and where the test says it.
struct Expectation {
  let location: SourceLocation
  /// What it is called in the failure, and in the names of files.
  let name: String
  var golden: Golden?
  var stimulus: StimulusDescription?

  /// Makes the device and runs the checks; records what does not hold.
  func run(
    _ subject: some DeviceConvertible, playsItself: Bool, _ checks: (any Device) throws(BenchError) -> [any Check]
  ) -> CaseOutcome {
    let settings = ExpectationSettings.current
    let id = "\(location.fileStem)/\(golden?.name ?? "\(Test.current.map(Self.plain) ?? "test") \(name)")"
    var outcome = CaseOutcome(id, .error, device: "", seconds: 0)
    var store: GoldenStore?
    do throws(BenchError) {
      if golden != nil, let error = settings.policyError { throw error }
      store = try golden?.store(besides: location)
      let device = try subject.device(playsItself: playsItself)
      let checkList = try checks(device)
      var runner = CaseRunner()
      runner.policy = golden == nil ? GoldenPolicy() : settings.policy
      runner.artifactFolder = settings.artifactFolder
      outcome = runner.run(
        checkList, of: device, self.subject(id, device), goldens: store ?? GoldenStore(folder: settings.artifactFolder))
    } catch {
      outcome.message = "\(error)"
    }
    record(outcome, store)
    return outcome
  }

  /// A test's name without its parentheses.
  private static func plain(_ test: Test) -> String { String(test.name.prefix { $0 != "(" }) }

  private func subject(_ id: String, _ device: any Device) -> CheckSubject {
    // Of what is under test nothing stands here: it is what the golden is to hold.
    var definition: [String: JSONValue] = [:]
    if let stimulus {
      definition["stimulus"] = stimulus.definition
      definition["sampleRate"] = .number(device.preferredSampleRate ?? Self.sampleRate)
    }
    let identity = GoldenIdentity(id: id, name: golden?.name ?? name, definition: .object(definition))
    return CheckSubject(
      golden: identity, name: name, sampleRate: Self.sampleRate, channelCount: nil, stimulus: stimulus)
  }

  /// Hertz, for devices that have no rate of their own.
  static let sampleRate = 48_000.0

  // MARK: What does not hold

  private func record(_ outcome: CaseOutcome, _ store: GoldenStore?) {
    guard outcome.verdict != .passed else {
      // Whoever writes goldens wants to see which, and what they were before.
      for check in outcome.checks where check.wasBlessed {
        Issue.record(
          "golden \"\(golden?.name ?? "")\" written to \(store?.folder ?? ""): \(check.found)", severity: .warning,
          sourceLocation: location)
      }
      return
    }
    var text = TerminalReport(width: 100).failure(outcome, name: "\(subjectName(outcome))\(name)")
    if outcome.verdict == .unblessed { text += blessing(store) }
    Issue.record(Comment(rawValue: text), sourceLocation: location)
    attach(outcome.files)
  }

  private func subjectName(_ outcome: CaseOutcome) -> String { outcome.device.isEmpty ? "" : "\(outcome.device): " }

  private func blessing(_ store: GoldenStore?) -> String {
    """
        to bless     once you have looked at what it does:
                     AUBENCH_BLESS=missing AUBENCH_BLESS_REASON="…" swift test --filter \(location.fileStem)
        goldens in   \(store?.folder ?? "")

    """
  }

  /// Sounds of what failed, for runs that keep attachments; not those of many megabytes.
  private func attach(_ files: CaseOutcome.Files) {
    let named = [("actual", files.actual), ("expected", files.expected), ("difference", files.difference)]
    for case (let title, let path?) in named {
      guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 1 << 24 else { continue }
      Attachment.record([UInt8](data), named: "\(name)-\(title).wav", sourceLocation: location)
    }
  }
}
