import AudioCore
import TestSupport
import Testing

import Bench

@Suite("Two renders that were measured in turn")
struct BenchComparisonTests {
  /// Rounds of a machine whose speed wanders, which slows both, with noise of 2 % on each.
  private func rounds(_ factor: Double, seed: UInt64, count: Int = 100) -> (former: [Double], present: [Double]) {
    var generator = SeededGenerator(seed: seed)
    var (former, present) = ([Double](), [Double]())
    var speed = 1.0
    for _ in 0..<count {
      speed *= Double.random(in: 0.97...1.03, using: &generator)
      former.append(100 * speed * Double.random(in: 0.98...1.02, using: &generator))
      present.append(100 * factor * speed * Double.random(in: 0.98...1.02, using: &generator))
    }
    return (former, present)
  }

  @Test(arguments: [
    (1.0, BenchComparison.Verdict.same), (1.01, .same), (1.05, .slower), (0.95, .faster), (1.2, .slower),
    (0.8, .faster),
  ])
  func differencesAreFoundAndNoneAreMadeUp(factor: Double, expected: BenchComparison.Verdict) {
    for seed in 0..<20 {
      let (former, present) = rounds(factor, seed: UInt64(seed))
      // Ten launches, each of which lies otherwise in memory.
      let launches = former.indices.map { $0 / 10 }
      let row = BenchComparison.row(nil, launches, former, present)
      #expect(row.verdict == expected, "\(row.ratio) \(row.interval)")
      #expect(abs(row.ratio - factor) < 0.01 && row.interval.contains(row.ratio))
    }
  }

  @Test func fewAndNoisyRoundsAreNoAnswer() {
    let row = BenchComparison.row(nil, [0, 0, 0, 1, 1], [100, 150, 80, 120, 90], [130, 70, 160, 90, 125])
    #expect(row.verdict == .unclear)
    #expect(BenchComparison.row(nil, [], [], []).verdict == .unclear)
  }

  @Test func cliffsDeltaIsTheShareOfPairs() {
    #expect(BenchComparison.cliffsDelta([1, 2, 3], [4, 5]) == 1)
    #expect(BenchComparison.cliffsDelta([4, 5], [1, 2, 3]) == -1)
    #expect(BenchComparison.cliffsDelta([1, 2, 3], [1, 2, 3]) == 0)
    // Of 6 pairs 3 are above and 2 below.
    #expect(abs(BenchComparison.cliffsDelta([1, 3], [1, 2, 4]) - 1 / 6) < 1e-12)
    #expect(BenchComparison.cliffsDelta([], [1]) == 0)
  }

  @Test func soundsAreTheSameToTheBitOrApartByDecibels() {
    #expect(SoundDifference(former: [0.5, -0.25], present: [0.5, -0.25]) == .identical)
    #expect(SoundDifference(former: [0.0], present: [-0.0]) != .identical)
    guard case .residual(let decibels) = SoundDifference(former: [1, 1], present: [1.1, 0.9]) else {
      Issue.record("it is not a residual")
      return
    }
    #expect(abs(decibels + 20) < 1e-3)
    #expect(SoundDifference(former: [1], present: [1, 2]) == .incomparable("1 and 2 samples"))
  }
}
