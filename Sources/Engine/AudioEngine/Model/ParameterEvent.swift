/// A change of one parameter within one slice: what a host schedules, where ``Unit/setParameter(_:to:)`` holds from a
/// slice's first frame on.
///
/// Offsets count from the first frame of the slice that the event belongs to. An event lives for that slice alone, so a
/// ramp that is longer is scheduled again for each, with the offset at which it began: 0 or below.
public struct ParameterEvent: Hashable, Sendable {
  /// A jump or a ramp, in frames from the slice's first frame on and values in the parameter's unit.
  public enum Kind: Hashable, Sendable {
    /// The value holds from frame `offset` on. It becomes the stored value at once.
    case immediate(offset: UInt32, value: Float)
    /// A straight line from `startValue` at frame `startOffset` to `endValue` at `startOffset + durationFrames`, held
    /// from there on. The stored value follows as far as the slice reaches, when the slice is rendered.
    case ramp(startOffset: Int32, durationFrames: UInt32, startValue: Float, endValue: Float)
  }

  /// The parameter that changes; it must not be read-only.
  public var address: ParameterAddress
  /// The change of its value, and its time.
  public var kind: Kind

  /// An event that ``Unit/scheduleParameters(_:)`` checks: here any values and offsets are taken.
  public init(_ address: ParameterAddress, _ kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// A value from a frame of the slice on.
  public static func immediate(_ address: ParameterAddress, offset: UInt32 = 0, value: Float) -> ParameterEvent {
    ParameterEvent(address, .immediate(offset: offset, value: value))
  }

  /// A straight line between two values.
  public static func ramp(
    _ address: ParameterAddress, startOffset: Int32 = 0, durationFrames: UInt32, from startValue: Float,
    to endValue: Float
  ) -> ParameterEvent {
    ParameterEvent(
      address,
      .ramp(startOffset: startOffset, durationFrames: durationFrames, startValue: startValue, endValue: endValue))
  }

  var hasFiniteValues: Bool {
    switch kind {
    case .immediate(_, let value): value.isFinite
    case .ramp(_, _, let startValue, let endValue): startValue.isFinite && endValue.isFinite
    }
  }
}
