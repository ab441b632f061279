import DSPKernels
import TestSupport

/// The cascade as anyone would write it: one channel, one section after the other, Double, no lanes.
struct BiquadReference {
  var sections: [BiquadCoefficients]
  var gain = 1.0
  private var s1: [Double]
  private var s2: [Double]

  init(_ sections: [BiquadCoefficients], gain: Double = 1) {
    self.sections = sections
    self.gain = gain
    s1 = Array(repeating: 0, count: sections.count)
    s2 = s1
  }

  mutating func process(_ input: [Float]) -> [Float] {
    input.map { sample in
      var x = Double(sample)
      for (k, c) in sections.enumerated() {
        let y = c.b0 * x + s1[k]
        s1[k] = (c.b1 * x + s2[k]) - c.a1 * y
        s2[k] = c.b2 * x - c.a2 * y
        x = y
      }
      return Float(x * gain)
    }
  }
}

/// The same transfer function by another structure, direct form I, and never rounded to Float.
func directFormOne(_ sections: [BiquadCoefficients], _ input: [Float]) -> [Double] {
  var signal = input.map(Double.init)
  for c in sections {
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    for i in signal.indices {
      let x = signal[i]
      let y = c.b0 * x + c.b1 * x1 + c.b2 * x2 - c.a1 * y1 - c.a2 * y2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      signal[i] = y
    }
  }
  return signal
}

extension SeededGenerator {
  /// Uniform in a range.
  mutating func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

  /// A section with its poles inside the circle: |a2| < 1, |a1| < 1 + a2.
  mutating func stableSection() -> BiquadCoefficients {
    let a2 = uniform(-0.9...0.98)
    let a1 = uniform(-0.99...0.99) * (1 + a2)
    return BiquadCoefficients(
      b0: uniform(-1...1), b1: uniform(-1...1), b2: uniform(-1...1), a1: a1, a2: a2)
  }
}

func bits(_ samples: [Float]) -> [UInt32] { samples.map(\.bitPattern) }
