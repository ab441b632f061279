/// Numbers from a seed, the same on every machine: SplitMix64.
struct CrossRandom {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: the seed of a case.
  ///   - name: another stream for each name.
  init(seed: Int, name: String) {
    state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
    for byte in name.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return splitMix(state)
  }

  /// From 0 to below 1.
  mutating func part() -> Double { Double(bits() >> 11) * 0x1p-53 }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(bits() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  mutating func chance(_ share: Double) -> Bool { part() < share }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[whole(0...(items.count - 1))] }
}

/// The output function of SplitMix64.
func splitMix(_ state: UInt64) -> UInt64 {
  var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
  return mixed ^ (mixed >> 31)
}
