/// When goldens are written. CI never writes any.
public struct GoldenPolicy: Hashable, Sendable {
  /// Selects which goldens a run writes.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case never
    /// Those that are not there, were made for another version of their case, or have no seal yet.
    case missing
    /// These, those that their check finds different, and those that are damaged.
    case failed
    case all
  }

  /// Selects the goldens that are written.
  public var mode: Mode
  /// Why: kept in the record.
  public var reason: String

  /// A mode, and for the record why goldens are written.
  public init(_ mode: Mode = .never, reason: String = "") {
    self.mode = mode
    self.reason = reason
  }

  /// True for a reason that says something: the rule for `--reason` and for `AUBENCH_BLESS_REASON`.
  package static func isReason(_ text: String) -> Bool { text.contains { !$0.isWhitespace } }

  func writes(isThere: Bool, isSame: Bool) -> Bool {
    switch mode {
    case .never: false
    case .missing: !isThere
    case .failed: !isThere || !isSame
    case .all: true
    }
  }
}
