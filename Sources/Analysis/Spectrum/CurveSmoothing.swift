import Glibc

/// A curve over rising frequencies, straight between its points, seen through bands.
public struct BandAverager: Sendable {
  private let frequencies: [Double]
  private let values: [Double]
  /// The integral of the curve from its first point to each point.
  private let integrals: [Double]

  /// - Parameters:
  ///   - frequenciesHertz: rising, 2 or more.
  ///   - values: as many; of spectra give powers or densities, not decibels.
  public init(frequenciesHertz: [Double], values: [Double]) {
    precondition(frequenciesHertz.count == values.count && values.count >= 2)
    precondition(zip(frequenciesHertz, frequenciesHertz.dropFirst()).allSatisfy { $0 < $1 })
    frequencies = frequenciesHertz
    self.values = values
    var sums = [0.0]
    for index in 1..<values.count {
      let width = frequenciesHertz[index] - frequenciesHertz[index - 1]
      sums.append(sums[index - 1] + width * (values[index] + values[index - 1]) / 2)
    }
    integrals = sums
  }

  /// The area under the curve between two frequencies: of a density, the power of a band. Beyond its ends the curve is
  /// 0.
  public func integral(from lowHertz: Double, to highHertz: Double) -> Double {
    precondition(lowHertz <= highHertz)
    return area(upTo: highHertz) - area(upTo: lowHertz)
  }

  /// The mean of the curve between two frequencies, over as much of them as it has; the curve's value where they meet,
  /// or at its nearer end where it has nothing of them.
  public func mean(from lowHertz: Double, to highHertz: Double) -> Double {
    let low = min(max(lowHertz, frequencies[0]), frequencies[frequencies.count - 1])
    let high = min(max(highHertz, frequencies[0]), frequencies[frequencies.count - 1])
    return low < high ? integral(from: low, to: high) / (high - low) : value(at: low)
  }

  /// The curve with each point replaced by the mean over a band of `octaves` (1/3, 1/6, 1/24 …) around it; at the ends
  /// over as much of the band as there is.
  public func smoothed(octaves: Double) -> [Double] { smoothed(at: frequencies, octaves: octaves) }

  /// The same at other frequencies.
  public func smoothed(at frequenciesHertz: [Double], octaves: Double) -> [Double] {
    precondition(octaves >= 0)
    let ratio = exp2(octaves / 2)
    return frequenciesHertz.map { mean(from: $0 / ratio, to: $0 * ratio) }
  }

  private func area(upTo frequency: Double) -> Double {
    guard frequency > frequencies[0] else { return 0 }
    let segment = segment(of: frequency)
    guard segment < values.count - 1 else { return integrals[values.count - 1] }
    let width = frequency - frequencies[segment]
    return integrals[segment] + width * (values[segment] + value(at: frequency)) / 2
  }

  private func value(at frequency: Double) -> Double {
    let segment = segment(of: frequency)
    guard segment < values.count - 1 else { return values[values.count - 1] }
    let share = (frequency - frequencies[segment]) / (frequencies[segment + 1] - frequencies[segment])
    return values[segment] + max(0, share) * (values[segment + 1] - values[segment])
  }

  /// The last point that is not above a frequency; the first for all below.
  private func segment(of frequency: Double) -> Int {
    var (low, high) = (0, frequencies.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if frequencies[middle] <= frequency { low = middle } else { high = middle }
    }
    return low
  }
}
