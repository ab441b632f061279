extension Range<Int> {
  /// The end of the range's part for which a condition holds, which holds up to some number and for none behind it:
  /// found by halving.
  @inlinable
  @inline(__always)
  package func endOfPrefix(while holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
