/// When goldens are written. CI never writes any.
public struct GoldenPolicy: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case never
    /// Those that are not there, or were made for another version of their case.
    case missing
    /// These, and those that their check finds different.
    case failed
    case all
  }

  public var mode: Mode
  /// Why: kept in the record.
  public var reason: String

  public init(_ mode: Mode = .never, reason: String = "") {
    self.mode = mode
    self.reason = reason
  }

  /// Whether what is damaged is written anew: whoever only asks for what is missing did not say that it may go.
  var replacesDamaged: Bool { mode == .failed || mode == .all }

  func writes(isThere: Bool, isSame: Bool) -> Bool {
    switch mode {
    case .never: false
    case .missing: !isThere
    case .failed: !isThere || !isSame
    case .all: true
    }
  }
}
