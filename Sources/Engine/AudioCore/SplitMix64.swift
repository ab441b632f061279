/// The generator of Steele, Lea and Flood (OOPSLA 2014): one word of state, every seed good.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64
  /// The increment of the state from one number to the next.
  package static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// The same seed gives the same numbers, on every machine.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits, all equally likely.
  public mutating func next() -> UInt64 {
    state &+= Self.step
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// 0 ..< 1, with 53 bits.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
