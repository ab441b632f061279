import AudioCore
import Glibc

/// Whether one render is slower than another that was measured beside it, in turn.
package struct BenchComparison: Sendable {
  package enum Verdict: String, Codable, Sendable {
    case faster, slower
    case same = "no difference"
    /// The interval is too wide for an answer.
    case unclear
  }

  /// What of two renders is compared: the whole, or a node that both have.
  package struct Row: Sendable {
    /// Nil: the whole.
    package let node: String?
    package let verdict: Verdict
    /// How many times the time of the former it takes: the median over the rounds.
    package let ratio: Double
    /// Of that median, with a confidence of 99 %, by bootstrap.
    package let interval: ClosedRange<Double>
    /// Cliff's delta: how much likelier a block of the new one is slower than one of the former than the other way round, −1 to 1.
    package let effect: Double
    /// Nanoseconds a frame.
    package let former: Double
    package let present: Double
  }

  package let name: String
  /// The whole first, then nodes in render order.
  package let rows: [Row]
  /// Nodes that only one of the two has.
  package let unmatched: [String]

  /// Differences below this are none: the place of code and data in memory alone makes as much.
  package static let leastShare = 0.02
  /// An interval wider than this, to either side, is no answer.
  static let widestShare = 0.05

  /// - Parameter pair: both of one run, so that their rounds are the same.
  package init(_ name: String, former: BenchRun.Result, present: BenchRun.Result) {
    self.name = name
    var rows = [Self.row(nil, former.rounds, present.rounds)]
    let formerNodes = Dictionary(
      former.nodeRounds.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    for (node, values) in present.nodeRounds {
      if let others = formerNodes[node] { rows.append(Self.row(node, others, values)) }
    }
    self.rows = rows
    let names = Set(present.nodeRounds.map(\.name))
    unmatched =
      present.nodeRounds.map(\.name).filter { formerNodes[$0] == nil }
      + former.nodeRounds.map(\.name).filter { !names.contains($0) }
  }

  package var verdict: Verdict { rows[0].verdict }

  /// - Parameter former: by round, as `present`: what slows the machine in a round slows both.
  package static func row(_ node: String?, _ former: [Double], _ present: [Double]) -> Row {
    let pairs = zip(former, present).filter { $0 > 0 && $1 > 0 }
    let warmUp = max(Statistics.warmUp(pairs.map(\.0)), Statistics.warmUp(pairs.map(\.1)))
    let kept = Array(pairs[warmUp...])
    guard !kept.isEmpty else {
      return Row(node: node, verdict: .unclear, ratio: 1, interval: 0...2, effect: 0, former: 0, present: 0)
    }
    let ratios = kept.map { $1 / $0 }
    let ratio = Statistics.quantile(ratios.sorted(), 0.5)
    let interval = Statistics.bootstrap(ratios, confidence: 0.99, seed: 1)
    return Row(
      node: node, verdict: verdict(ratio, interval), ratio: ratio, interval: interval,
      effect: cliffsDelta(kept.map(\.0), kept.map(\.1)),
      former: Statistics.quantile(kept.map(\.0).sorted(), 0.5),
      present: Statistics.quantile(kept.map(\.1).sorted(), 0.5))
  }

  static func verdict(_ ratio: Double, _ interval: ClosedRange<Double>) -> Verdict {
    if interval.lowerBound > 1, ratio > 1 + leastShare { return .slower }
    if interval.upperBound < 1, ratio < 1 - leastShare { return .faster }
    return interval.upperBound - interval.lowerBound > 2 * widestShare ? .unclear : .same
  }

  /// Cliff, "Dominance statistics" (1993).
  package static func cliffsDelta(_ former: [Double], _ present: [Double]) -> Double {
    guard !former.isEmpty, !present.isEmpty else { return 0 }
    let sorted = former.sorted()
    func count(below value: Double, orSame: Bool) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < value || (orSame && sorted[middle] == value) { low = middle + 1 } else { high = middle }
      }
      return low
    }
    var sum = 0
    for value in present {
      sum += count(below: value, orSame: false) - (sorted.count - count(below: value, orSame: true))
    }
    return Double(sum) / Double(former.count * present.count)
  }
}

/// Whether two renders sound the same.
package enum SoundDifference: Hashable, Sendable {
  case identical
  /// The difference's energy against the former's, dB.
  case residual(decibels: Double)
  /// They cannot be laid over each other: rates, channels or lengths differ.
  case incomparable(String)

  /// - Parameters: the samples of both, in one order.
  package init(former: [Float], present: [Float]) {
    guard former.count == present.count else {
      self = .incomparable("\(former.count) and \(present.count) samples")
      return
    }
    if zip(former, present).allSatisfy({ $0.bitPattern == $1.bitPattern }) {
      self = .identical
      return
    }
    var (difference, energy) = (0.0, 0.0)
    for (a, b) in zip(former, present) {
      difference += (Double(b) - Double(a)) * (Double(b) - Double(a))
      energy += Double(a) * Double(a)
    }
    self = .residual(decibels: 10 * log10(difference / energy))
  }
}
