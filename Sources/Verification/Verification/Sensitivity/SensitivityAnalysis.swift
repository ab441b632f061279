import AudioCore
import BatchRender
import Measurement

/// Finds out which errors the checks of a case would detect: each perturbation is applied to its device, and the checks
/// run against it.
public struct SensitivityAnalysis: Sendable {
  /// The answer to one perturbation of one case.
  public enum Answer: Hashable, Sendable, Codable {
    /// The checks that noticed.
    case noticed(by: [String])
    case missed
    /// The device has nothing that could be perturbed so, or does not sound different when it is.
    case notApplicable
  }

  /// The answers for one case.
  public struct Row: Sendable {
    /// The case: `suite/case`.
    public let id: String
    /// Nil if the case does not pass as it is: then there is no answer.
    public let answers: [Perturbation: Answer]?
    /// Why there are no answers; nil where there are.
    public let message: String?
  }

  /// The errors to try.
  package var perturbations = Perturbation.allCases

  /// Tries every perturbation.
  public init() {}

  /// Tries a case of a suite.
  public func row(_ testCase: TestCase, of suite: SuiteFile, options: GraphFile.Options = GraphFile.Options()) -> Row {
    if let reason = testCase.skipReason { return Row(id: testCase.id, answers: nil, message: "skipped: \(reason)") }
    if testCase.checks.first is FailsCheck {
      return Row(id: testCase.id, answers: nil, message: "skipped: it has to fail, so that there is no sound to change")
    }
    do {
      let device = try testCase.device.make(playsItself: testCase.stimulus == nil, options: options)
      let plain = CheckContext(CheckSubject(testCase), device: device, goldens: suite.goldens)
      let found = outcomes(testCase.checks, plain)
      let bad = found.filter { !$0.verdict.isGood }.map(\.id)
      let nothing = bad.isEmpty ? CaseRunner.nothingChecked(Array(found.dropFirst()), of: testCase.checks, plain) : nil
      guard bad.isEmpty, nothing == nil else {
        let reason = nothing.map { "nothing was checked: \($0)" } ?? bad.joined(separator: ", ")
        return Row(id: testCase.id, answers: nil, message: "it does not pass as it is: \(reason)")
      }
      let output = try plain.output()
      var answers: [Perturbation: Answer] = [:]
      for perturbation in perturbations {
        var changed: (any Device)? = perturbation.applied(to: device)
        if let description = perturbation.applied(to: testCase.device) {
          changed = try description.make(playsItself: testCase.stimulus == nil, options: options)
        }
        guard let changed else {
          answers[perturbation] = .notApplicable
          continue
        }
        let context = CheckContext(CheckSubject(testCase), device: changed, goldens: suite.goldens)
        // A perturbation that changes no sample is not an error.
        guard SampleDigest(try context.output()) != SampleDigest(output) else {
          answers[perturbation] = .notApplicable
          continue
        }
        let noticed = outcomes(testCase.checks, context).filter { !$0.verdict.isGood }.map(\.id)
        answers[perturbation] = noticed.isEmpty ? .missed : .noticed(by: noticed)
      }
      return Row(id: testCase.id, answers: answers, message: nil)
    } catch {
      return Row(id: testCase.id, answers: nil, message: "\(error)")
    }
  }

  /// The outcome of the check for finite samples, then those of the case's own checks. An output that cannot be
  /// measured any more counts as detected.
  private func outcomes(_ checks: [any Check], _ context: CheckContext) -> [CheckOutcome] {
    ([FiniteCheck()] + checks.filter { !($0 is OrderCheck) }).map { check in
      do {
        return try CaseRunner.judged(check, context)
      } catch {
        return CheckOutcome(check.id, .error, found: "\(error)", expected: "the check can be made")
      }
    }
  }
}
