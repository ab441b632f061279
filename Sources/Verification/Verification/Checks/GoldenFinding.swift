/// The finding for one part of a golden, its sound or one of its curves: the same for both until it is blessed.
struct GoldenFinding {
  var outcome: CheckOutcome
  /// True when the part exists, is of this version of the case, and has the recorded digest if the check passes.
  var isThere = false
  /// True when there is a golden that was made for this version of the case.
  let isCurrent: Bool

  /// Nothing of it has been found yet.
  /// - Parameter part: "sound"
  init(_ id: String, _ record: GoldenRecord?, of context: CheckContext, lacking part: String, expected: String) {
    isCurrent = record?.definition == context.subject.golden.definition
    let lack = isCurrent ? "the golden has no \(part)" : "the golden was made for another version of the case"
    outcome = CheckOutcome(id, .unblessed, found: record == nil ? "there is no golden" : lack, expected: expected)
  }

  /// Takes over how the part compares.
  /// - Parameter digest: the digest of its file; nil if a record of version 1 had none.
  mutating func take(_ compared: CheckOutcome, digest: String?) {
    outcome = compared
    isThere = digest != nil || compared.verdict != .passed
    guard !isThere else { return }
    outcome.verdict = .unblessed
    outcome.found =
      "the golden has no seal, as it was blessed before there were any: bless it again; it passes otherwise "
      + "(\(compared.found))"
  }

  /// True when the policy has the part written anew.
  func isBlessed(by policy: GoldenPolicy) -> Bool {
    policy.writes(isThere: isThere, isSame: outcome.verdict == .passed)
  }

  /// The outcome after the part has been written anew.
  var blessed: CheckOutcome {
    var blessed = outcome
    blessed.found = "blessed: " + (isThere ? "it was \(outcome.found)" : outcome.found)
    blessed.wasBlessed = true
    blessed.verdict = .passed
    blessed.firstFailure = nil
    return blessed
  }
}
