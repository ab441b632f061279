import AudioCore
import Foundation
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

  /// Ten launches, half of which are `less` and half `more` of what was before.
  private func launches(_ less: Double, _ more: Double) -> (launches: [Int], former: [Double], present: [Double]) {
    let launches = (0..<100).map { $0 / 10 }
    return (launches, launches.map { _ in 100 }, launches.map { 100 * ($0.isMultiple(of: 2) ? less : more) })
  }

  /// The interval of their mean lies well below 1 − 5 % or above 1 + 5 %, and holds 1.
  @Test(arguments: [(0.87, 1.13), (0.8, 1.41), (0.98, 1.10)])
  func intervalsThatReachFarAreNoAnswer(less: Double, more: Double) {
    let (launches, former, present) = launches(less, more)
    let row = BenchComparison.row(nil, launches, former, present)
    #expect(row.verdict == .unclear, "\(row.ratio) \(row.interval)")
    #expect(row.timesAsLong ?? 0 > 1)
    // A difference below the meter cannot be resolved, however long it is measured.
    let small = BenchComparison.row("x", launches, former, present, leastNanoseconds: 1000)
    #expect(small.verdict == .tooShort && small.timesAsLong == nil && small.verdict.text == "too short to tell")
  }

  @Test func measuringForAsLongAsIsSaidGivesAnAnswer() throws {
    for seed in 0..<10 {
      var generator = SeededGenerator(seed: UInt64(seed))
      func row(_ launchCount: Int) -> BenchComparison.Row {
        var (launches, former, present) = ([Int](), [Double](), [Double]())
        for launch in 0..<launchCount {
          // The place of code in memory makes up to 15 % by chance, as long as a process lives.
          let place = Double.random(in: 0.85...1.15, using: &generator)
          for _ in 0..<10 {
            launches.append(launch)
            former.append(100)
            present.append(100 * place * Double.random(in: 0.99...1.01, using: &generator))
          }
        }
        return BenchComparison.row(nil, launches, former, present)
      }
      let first = row(10)
      #expect(first.verdict == .unclear, "\(first.interval)")
      // Half as long again: an interval of ten launches is not known to a hair.
      let times = try #require(first.timesAsLong)
      let second = row(Int(clamping: (10 * times * 1.5).rounded(.up)))
      #expect(second.verdict != .unclear, "\(times): \(second.interval)")
      #expect(second.timesAsLong == nil)
    }
  }

  /// As a worker writes it.
  @Test func whatTheBenchPutAroundAUnitIsNotCountedAgainstIt() throws {
    let findings = [("noise", "allocation"), ("noise2", "lock"), ("unit", "release"), ("unit", "denormal")].map {
      #"{"node": "\#($0)", "kind": "\#($1)", "function": "f", "count": 1, "bytes": 8, "isOfFirstCallAlone": false, "stack": []}"#
    }
    let text = #"{"kinds": [], "calls": 1, "frames": 1, "lost": 0, "findings": [\#(findings.joined(separator: ","))]}"#
    var report = try JSONDecoder().decode(WatchReport.self, from: Data(text.utf8))
    #expect(report.violations.count == 3)
    report.ownNodes = ["noise", "noise2"]
    #expect(report.violations.map(\.node) == ["unit"])
    report.findings = Array(report.findings.prefix(2))
    #expect(report.violations.isEmpty)
  }

  @Test func cliffsDeltaIsTheShareOfPairs() {
    #expect(BenchComparison.cliffsDelta([1, 2, 3], [4, 5]) == 1)
    #expect(BenchComparison.cliffsDelta([4, 5], [1, 2, 3]) == -1)
    #expect(BenchComparison.cliffsDelta([1, 2, 3], [1, 2, 3]) == 0)
    // 3 of 6 pairs are above and 2 below.
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
