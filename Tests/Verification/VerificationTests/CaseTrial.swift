import Verification

/// Suites that run cases in a folder of their own.
protocol CaseTrial {
  var folder: SuiteFolder { get }
}

extension CaseTrial {
  func verdict(_ device: String, _ checks: String..., more: String = "") throws -> CaseOutcome {
    try folder.run(
      #"{"id": "a", "device": \#(device), \#(more) "checks": [\#(checks.joined(separator: ", "))]}"#)
  }

  static var short: String { #""stimulus": {"frames": 3000},"# }
}
