import AudioCore

/// Figures of repeated measurements of one thing, in whatever unit they are.
package struct Statistics: Codable, Hashable, Sendable {
  /// The number of measurements, without those of the warm-up.
  package var count: Int
  package var median: Double
  /// Within which the median lies with a confidence of 95 %, by bootstrap.
  package var interval: ClosedRange<Double>
  /// The scatter of single measurements: 1.4826 times the median distance from the median, as a share of that. For a
  /// normal distribution that is its standard deviation.
  package var spread: Double

  /// - Parameter values: at least one.
  package init(_ values: [Double], seed: UInt64 = 1) {
    precondition(!values.isEmpty)
    let sorted = values.sorted()
    count = values.count
    median = Self.quantile(sorted, 0.5)
    let center = median
    interval = Self.bootstrap(values, confidence: 0.95, seed: seed)
    spread = center == 0 ? 0 : 1.4826 * Self.quantile(values.map { abs($0 - center) }.sorted(), 0.5) / abs(center)
  }

  /// Half of the interval as a share of the median: by so much the figure may be wrong.
  package var uncertainty: Double {
    median == 0 ? 0 : (interval.upperBound - interval.lowerBound) / 2 / abs(median)
  }

  /// Linear between the two values beside it, as numpy's default has it.
  /// - Parameters:
  ///   - sorted: at least one value, in order.
  ///   - share: 0 to 1.
  package static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let index = min(Int(clamping: place), sorted.count - 1)
    guard index + 1 < sorted.count else { return sorted[index] }
    return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
  }

  /// The percentile interval of the median of resampled values (Efron): the quantiles of 2000 medians, each of as many
  /// values drawn with replacement.
  package static func bootstrap(
    _ values: [Double], confidence: Double, seed: UInt64, resamples: Int = 2000
  ) -> ClosedRange<Double> {
    guard values.count > 1 else { return values[0]...values[0] }
    var generator = SplitMix64(seed: seed)
    var medians: [Double] = []
    medians.reserveCapacity(resamples)
    var drawn = values
    for _ in 0..<resamples {
      for index in drawn.indices { drawn[index] = values[Int(generator.next() % UInt64(values.count))] }
      drawn.sort()
      medians.append(quantile(drawn, 0.5))
    }
    medians.sort()
    let tail = (1 - confidence) / 2
    return quantile(medians, tail)...quantile(medians, 1 - tail)
  }

  /// The percentile interval of the mean of groups' medians: of each resample groups are drawn with replacement, and
  /// values within each (Davison and Hinkley, "Bootstrap Methods", 3.8).
  package static func bootstrap(
    groups: [[Double]], confidence: Double, seed: UInt64, resamples: Int = 2000
  ) -> ClosedRange<Double> {
    var generator = SplitMix64(seed: seed)
    var means: [Double] = []
    for _ in 0..<resamples {
      var sum = 0.0
      for _ in groups {
        let group = groups[Int(generator.next() % UInt64(groups.count))]
        var drawn = group
        for index in drawn.indices { drawn[index] = group[Int(generator.next() % UInt64(group.count))] }
        sum += quantile(drawn.sorted(), 0.5)
      }
      means.append(sum / Double(groups.count))
    }
    means.sort()
    let tail = (1 - confidence) / 2
    return quantile(means, tail)...quantile(means, 1 - tail)
  }

  /// The number of first measurements that belong to the warm-up: those before the first that is no slower than the
  /// slow ones of the second half, at most half of all.
  ///
  /// Caches, the processor's clock and pages of memory make measurements slower at first.
  package static func warmUp(_ values: [Double]) -> Int {
    guard values.count >= 8 else { return 0 }
    let half = values.count / 2
    let settled = values[half...].sorted()
    let limit = quantile(settled, 0.9)
    return min(values.prefix(half).firstIndex { $0 <= limit } ?? half, half)
  }
}
