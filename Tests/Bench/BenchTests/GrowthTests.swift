import AudioCore
import Bench
import Testing

@Suite("How costs grow")
struct GrowthTests {
  private func costs(_ x: [Double], _ cost: (Double) -> Double) -> [[Double]] {
    var generator = SplitMix64(seed: 3)
    return x.map { x in (0..<40).map { _ in cost(x) * Double.random(in: 0.99...1.01, using: &generator) } }
  }

  private let x: [Double] = [1, 2, 4, 8, 16, 32, 64]

  @Test func aLineIsALine() throws {
    let growth = try #require(Growth(x, costs(x) { 5 + 2 * $0 }))
    #expect(growth.kind == .linear && growth.exponent == 1)
    #expect(abs(growth.base - 5) < 0.1 && abs(growth.factor - 2) < 0.02 && growth.largestDeviation < 0.01)
    #expect(growth.exponentInterval.contains(1))
  }

  @Test func whatStaysTheSameIsConstant() throws {
    let growth = try #require(Growth(x, costs(x) { _ in 7 }))
    #expect(growth.kind == .constant && abs(growth.base - 7) < 0.05 && growth.value(at: 100) == growth.base)
  }

  @Test func aBendIsFoundAndWhatFollowsNoLawIsSaidToFollowNone() throws {
    let x: [Double] = [1, 2, 4, 8, 16, 32, 64]
    let bent = try #require(Growth(x, costs(x) { 3 + 0.4 * max(0, $0 - 5) }))
    #expect(bent.kind == .bent && abs(bent.bend - 5) < 1 && abs(bent.factor - 0.4) < 0.02, "\(bent)")
    #expect(abs(bent.value(at: 1000) / 401 - 1) < 0.05)
    let steps = try #require(Growth(x, costs(x) { [1: 1.0, 2: 5, 4: 2, 8: 9, 16: 3, 32: 20, 64: 4][$0] ?? 0 }))
    #expect(steps.kind == .irregular && steps.largestDeviation > 0.1)
  }

  @Test(arguments: [0.5, 2.0, -1.0])
  func powersAreFound(exponent: Double) throws {
    let growth = try #require(Growth(x, costs(x) { 1 + 3 * pow($0, exponent) }))
    #expect(growth.kind == .power && abs(growth.exponent - exponent) < 0.1, "\(growth.exponent)")
    #expect(growth.exponentInterval.contains(exponent), "\(growth.exponentInterval)")
  }

  @Test func threeValuesAreEnoughAndTwoAreNot() throws {
    let growth = try #require(Growth([1, 2, 4], costs([1, 2, 4]) { 3 * $0 * $0 }))
    #expect(growth.kind == .power && abs(growth.exponent - 2) < 0.05)
    #expect(Growth([1, 2], [[1], [2]]) == nil)
    #expect(Growth([0, 1, 2], [[1], [2], [3]]) == nil)
    #expect(Growth([1, 1, 1], [[1], [2], [3]]) == nil)
  }

  private func pow(_ x: Double, _ exponent: Double) -> Double {
    exponent == 0.5 ? x.squareRoot() : exponent == 2 ? x * x : 1 / x
  }
}
