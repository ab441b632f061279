import AudioCore
import Glibc
import Measurement

/// Random numbers of a seed.
public struct Draw: Sendable {
  private var generator: SplitMix64
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Draws by a name and a number: draws that differ in either are independent.
  public init(seed: UInt64, _ name: String, _ number: Int) {
    var state = seed
    for byte in name.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var mixer = SplitMix64(seed: state &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    generator = SplitMix64(seed: mixer.next())
  }

  public mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * generator.unit() }
  public mutating func logarithmic(_ low: Double, _ high: Double) -> Double { exp(uniform(log(low), log(high))) }
  public mutating func pick<Element>(_ from: [Element]) -> Element { from[Int(generator.next() % UInt64(from.count))] }
  public mutating func whole(_ low: Int, _ high: Int) -> Int { low + Int(generator.next() % UInt64(high - low + 1)) }
  public mutating func seed() -> UInt64 { generator.next() }
  /// Either sign.
  public mutating func sign() -> Double { generator.next() & 1 == 0 ? 1 : -1 }
}

/// Gaussian noise, by Box and Muller.
public struct GaussianNoise: Sendable {
  private var generator: SplitMix64
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  public mutating func next() -> Double {
    let radius = (-2 * log(max(generator.unit(), 1e-300))).squareRoot()
    return radius * cos(2 * .pi * generator.unit())
  }
}
