// The name under which Swift hosts declare the `Boolean` that a call fills in: Foundation for Linux has none.

/// The `Boolean` of C interfaces: `var isRunning: DarwinBoolean = false`. `Boolean` is C's `bool` here, and so Swift's
/// own.
public typealias DarwinBoolean = Bool

extension Bool {
  /// Itself, for programs that read a `DarwinBoolean`.
  @inlinable public var boolValue: Bool { self }
}
