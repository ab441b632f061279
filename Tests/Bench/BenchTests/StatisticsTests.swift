import AudioCore
import TestSupport
import Testing

import Bench

@Suite("Figures of repeated measurements")
struct StatisticsTests {
  @Test func theMedianAndTheSpread() {
    let statistics = Statistics([3, 1, 2, 5, 4])
    #expect(statistics.median == 3 && statistics.count == 5)
    // Distances from 3: 0, 1, 1, 2, 2.
    #expect(abs(statistics.spread - 1.4826 / 3) < 1e-12)
    #expect(
      statistics.interval.contains(3) && statistics.interval.lowerBound >= 1 && statistics.interval.upperBound <= 5)
    // Half of the interval: by so much the median may be wrong either way.
    let width = statistics.interval.upperBound - statistics.interval.lowerBound
    #expect(width > 0 && abs(statistics.uncertainty * 2 * statistics.median - width) < 1e-12)
    let one = Statistics([7])
    #expect(one.median == 7 && one.interval == 7...7 && one.spread == 0 && one.uncertainty == 0)
  }

  /// numpy.quantile of [1, 2, 4, 8].
  @Test(arguments: [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)])
  func quantiles(share: Double, expected: Double) {
    #expect(abs(Statistics.quantile([1, 2, 4, 8], share) - expected) < 1e-12)
  }

  /// 380 of 400 intervals are to hold the median that is known. The share of a bootstrap is about that.
  @Test func intervalsHoldTheMedianAsOftenAsTheySay() {
    var generator = SeededGenerator(seed: 5)
    var held = 0
    for turn in 0..<400 {
      // Skewed as times are: the median of 1/u, with u even in (0, 1), is 2.
      let values = (0..<40).map { _ in 1 / Double.random(in: 0.01..<0.99, using: &generator) }
      let interval = Statistics.bootstrap(values, confidence: 0.95, seed: UInt64(turn), resamples: 400)
      held += interval.contains(2) ? 1 : 0
    }
    #expect((360...395).contains(held), "\(held) of 400")
  }

  /// Launches differ more than the rounds of one: an interval of all rounds alone would be too narrow.
  @Test func groupsMakeTheIntervalAsWideAsTheyDiffer() {
    var generator = SeededGenerator(seed: 7)
    let groups = (0..<10).map { group in
      (0..<50).map { _ in 1 + Double(group % 2) / 10 + Double.random(in: -0.001...0.001, using: &generator) }
    }
    let interval = Statistics.bootstrap(groups: groups, confidence: 0.99, seed: 1)
    #expect(interval.contains(1.05) && interval.upperBound - interval.lowerBound > 0.05)
    let alone = Statistics.bootstrap(groups: [groups[0]], confidence: 0.99, seed: 1)
    #expect(alone.contains(1) && alone.upperBound - alone.lowerBound < 0.002)
  }

  @Test func theWarmUpIsWhatIsSlowAtFirst() {
    let steady = (0..<40).map { 10 + Double($0 % 5) / 10 }
    #expect(Statistics.warmUp(steady) == 0)
    #expect(Statistics.warmUp([30, 20, 15, 12] + steady) == 4)
    // Never more than half, and nothing of a few.
    #expect(Statistics.warmUp((0..<40).map { 100 - Double($0) }) <= 20)
    #expect(Statistics.warmUp([30, 20, 15]) == 0)
  }
}
