import AudioCore

/// A unit with sound of its own that ends: a file player, a generator. A render without a set length is as long as its
/// longest source.
public protocol SourceUnit: Unit {
  /// Frames of the output until the last sound of the unit's own; nil: it has none, or never ends.
  var sourceFrames: Int64? { get }
}
