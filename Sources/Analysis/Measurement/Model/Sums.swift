/// Sums and means of samples and other numbers, taken in their order.
extension Collection<Double> {
  /// Not a number where there is none.
  var mean: Double { reduce(0, +) / Double(count) }

  /// Σ x².
  var sumOfSquares: Double { reduce(0) { $0 + $1 * $1 } }

  /// The largest magnitude, and how many come before the first that has it; 0 where there is none.
  var largest: (place: Int, magnitude: Double) {
    var best = (place: 0, magnitude: 0.0)
    for (place, sample) in enumerated() where abs(sample) > best.magnitude { best = (place, abs(sample)) }
    return best
  }
}
