import Glibc

/// A half-band filter of k pairs under Kaiser's window: h[0] = 1/2, and h[±(2i + 1)] for 0 ≤ i < k, whose sum on either side
/// is 1/4.
struct HalfBandLaw {
  /// Weights at the distances 1, 3, 5 …
  private let sides: [Double]

  init(pairs: Int, shape: Double) {
    let plain = (0..<pairs).map { i in
      let distance = Double(2 * i + 1)
      return sin(.pi * distance / 2) / (.pi * distance)
        * KaiserWindow.value(distance / Double(2 * pairs), shape: shape)
    }
    let sum = plain.reduce(0, +)
    sides = plain.map { Double(Float($0 / (4 * sum))) }
  }

  /// The filtered signal at an index; what is not there counts as zero.
  func value(of signal: [Double], at index: Int) -> Double {
    func sample(_ index: Int) -> Double { signal.indices.contains(index) ? signal[index] : 0 }
    var sum = 0.5 * sample(index)
    for (i, side) in sides.enumerated() { sum += side * (sample(index - 2 * i - 1) + sample(index + 2 * i + 1)) }
    return sum
  }
}

/// Up to eight times the rate through three half-band filters, and back.
///
/// Sample p of frame n at eight times the rate is that of the input's time n − 42.375 + p/8; what comes back to one sample a
/// frame is 84 frames late.
struct EightfoldLaw {
  private static let filters = [
    HalfBandLaw(pairs: 38, shape: 11.1), HalfBandLaw(pairs: 8, shape: 12.6), HalfBandLaw(pairs: 5, shape: 11.4),
  ]
  /// With zeros between the samples: at twice, four and eight times the rate.
  private var stuffed: [[Double]] = [[], [], []]
  /// The processed samples, at eight, four and two times the rate.
  private var worked: [[Double]] = [[], [], []]

  /// The eight samples of the next frame.
  mutating func up(_ sample: Double) -> [Double] {
    var samples = [sample]
    for (stage, delay) in [75, 15, 9].enumerated() {
      var next: [Double] = []
      for sample in samples {
        for value in [sample, 0] {
          stuffed[stage].append(value)
          next.append(2 * Self.filters[stage].value(of: stuffed[stage], at: stuffed[stage].count - 1 - delay))
        }
      }
      samples = next
    }
    return samples
  }

  /// One sample for the eight of a frame.
  mutating func down(_ samples: [Double]) -> Double {
    var samples = samples
    for (stage, delay) in [9, 14, 74].enumerated() {
      var next: [Double] = []
      for pair in stride(from: 0, to: samples.count, by: 2) {
        worked[stage] += samples[pair...(pair + 1)]
        let even = worked[stage].count - 2
        next.append(Self.filters[2 - stage].value(of: worked[stage], at: even - delay))
      }
      samples = next
    }
    return samples[0]
  }
}
