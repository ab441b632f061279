import AudioCore
import Glibc

/// Compares two renders that were measured side by side, in turn.
package struct BenchComparison: Sendable {
  package enum Verdict: String, Codable, Sendable {
    case faster, slower
    case same = "no difference"
    /// The interval is too wide for an answer.
    case unclear
    /// It takes less of a render call than the meter itself, so that longer measuring would not tell.
    case tooShort = "too short to tell"

    package var text: String { self == .unclear ? "no answer" : rawValue }
  }

  /// The compared part of two renders: the whole, or a node that both have.
  package struct Row: Sendable {
    /// Nil: the whole.
    package let node: String?
    package let verdict: Verdict
    /// The ratio of its time to the former's: the mean over launches of the median over rounds.
    package let ratio: Double
    /// The interval of the ratio with a confidence of 99 %, by a bootstrap of launches and of the rounds in each.
    package let interval: ClosedRange<Double>
    /// Cliff's delta: how much likelier a block of the new one is slower than one of the former than the other way
    /// round, −1 to 1.
    package let effect: Double
    /// Nanoseconds a frame: the median of the former, and that times the ratio.
    package let former: Double
    package var present: Double { former * ratio }

    /// The factor by which measuring has to last longer for an answer: an interval shrinks as the root of that. Nil:
    /// there is one, or measuring for longer does not help.
    package var timesAsLong: Double? {
      guard verdict == .unclear, former > 0 else { return nil }
      let half = (interval.upperBound - interval.lowerBound) / 2
      // With half the widest share either the interval leaves 1 out or it lies within: wherever the ratio comes to lie,
      // as it is not known any better. One that lies far off need not be known as well.
      let wanted = max(BenchComparison.widestShare, abs(ratio - 1)) / 2
      return max(1.1, half * half / (wanted * wanted))
    }
  }

  package let name: String
  /// The whole first, then nodes in render order.
  package let rows: [Row]
  /// Nodes that only one of the two has.
  package let unmatched: [String]

  /// Differences below this are none: the place of code and data in memory alone makes as much.
  package static let leastShare = 0.02
  /// The time that a node's meter itself takes of a slice, about twice: nodes below it are not distinguished.
  static let meterNanoseconds = 50.0
  /// No difference is what lies within this, to either side, with its whole interval; other than that there is no
  /// answer.
  static let widestShare = 0.05

  /// - Parameter pair: both of one run, so that their rounds are the same.
  package init(_ name: String, former: BenchRun.Result, present: BenchRun.Result) {
    self.name = name
    var rows = [Self.row(nil, present.launches, former.rounds, present.rounds)]
    let least = Self.meterNanoseconds / Double(present.subject.slice)
    let formerNodes = Dictionary(
      former.nodeRounds.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    for (node, values) in present.nodeRounds {
      if let others = formerNodes[node] {
        rows.append(Self.row(node, present.launches, others, values, leastNanoseconds: least))
      }
    }
    self.rows = rows
    let names = Set(present.nodeRounds.map(\.name))
    unmatched =
      present.nodeRounds.map(\.name).filter { formerNodes[$0] == nil }
      + former.nodeRounds.map(\.name).filter { !names.contains($0) }
  }

  package var verdict: Verdict { rows[0].verdict }

  /// - Parameters:
  ///   - launches: the launch of the processes that each round belongs to, in order.
  ///   - former: by round, as `present`: what slows the machine in a round slows both.
  ///   - leastNanoseconds: a frame: what takes less than the clocks tell is not told apart.
  package static func row(
    _ node: String?, _ launches: [Int], _ former: [Double], _ present: [Double], leastNanoseconds: Double = 0
  ) -> Row {
    // By launch, without its first rounds, in which caches fill.
    var groups: [[(former: Double, present: Double)]] = []
    for (index, launch) in launches.enumerated() where former[index] > 0 && present[index] > 0 {
      if index == 0 || launches[index - 1] != launch || groups.isEmpty { groups.append([]) }
      groups[groups.count - 1].append((former[index], present[index]))
    }
    groups = groups.map { Array($0.dropFirst($0.count / 8)) }.filter { !$0.isEmpty }
    let kept = groups.flatMap { $0 }
    guard !kept.isEmpty else {
      return Row(node: node, verdict: .unclear, ratio: 1, interval: 0...2, effect: 0, former: 0)
    }
    let ratios = groups.map { $0.map { $0.present / $0.former } }
    let ratio = mean(ratios.map { Statistics.quantile($0.sorted(), 0.5) })
    let interval = Statistics.bootstrap(groups: ratios, confidence: 0.99, seed: 1)
    let median = Statistics.quantile(kept.map(\.former).sorted(), 0.5)
    let isTold = max(median, median * ratio) >= leastNanoseconds
    return Row(
      node: node, verdict: isTold ? verdict(ratio, interval) : .tooShort, ratio: ratio, interval: interval,
      effect: cliffsDelta(kept.map(\.former), kept.map(\.present)), former: median)
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  static func verdict(_ ratio: Double, _ interval: ClosedRange<Double>) -> Verdict {
    if interval.lowerBound > 1, ratio > 1 + leastShare { return .slower }
    if interval.upperBound < 1, ratio < 1 - leastShare { return .faster }
    return interval.lowerBound >= 1 - widestShare && interval.upperBound <= 1 + widestShare ? .same : .unclear
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

/// The difference in the sound of two renders.
package enum SoundDifference: Hashable, Sendable {
  case identical
  /// The difference's energy against the former's, dB.
  case residual(decibels: Double)
  /// They cannot be laid over each other: rates, channels or lengths differ.
  case incomparable(String)

  /// - Parameters: the samples of both, in one order.
  package init(former: [Float], present: [Float]) {
    guard former.count == present.count else {
      self = .incomparable("\(former.count) and \(NumberText.count(present.count, "sample"))")
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
