import Glibc
import Spectrum

/// A filter with a closed-form answer: the linear measurements are run on it, with the settings of the moment, to find
/// their floors and systematic errors.
///
/// Two second-order sections in double, a peak of +6 dB with a quality of 2 at a 16th of the rate and a dip of
/// −6 dB at a 48th (Audio EQ Cookbook, peaking EQ), and a delay of 3 frames.
package struct KnownFilter: Sendable {
  package let sampleRate: Double
  package static let delayFrames = 3
  private let sections: [(b: [Double], a: [Double])]

  package init(sampleRate: Double) {
    self.sampleRate = sampleRate
    func peaking(_ hertz: Double, _ gainDecibels: Double) -> (b: [Double], a: [Double]) {
      let omega = 2 * Double.pi * hertz / sampleRate
      let (alpha, gain) = (sin(omega) / 4, pow(10, gainDecibels / 40))
      let a0 = 1 + alpha / gain
      return (
        [1 + alpha * gain, -2 * cos(omega), 1 - alpha * gain].map { $0 / a0 },
        [-2 * cos(omega), 1 - alpha / gain].map { $0 / a0 }
      )
    }
    sections = [peaking(sampleRate / 16, 6), peaking(sampleRate / 48, -6)]
  }

  /// H and Σ n·h·e^(−iωn), in closed form.
  package func transfer(atHertz hertz: Double) -> (value: Complex, slope: Complex) {
    let omega = 2 * Double.pi * hertz / sampleRate
    func polynomial(_ coefficients: [Double], from first: Int) -> (Complex, Complex) {
      var (value, slope) = (Complex(0), Complex(0))
      for (index, coefficient) in coefficients.enumerated() {
        let part = Complex(magnitude: 1, phase: -omega * Double(index + first)) * coefficient
        value += part
        slope += part * Double(index + first)
      }
      return (value, slope)
    }
    // The delay of a product is the sum of its factors' delays.
    var value = Complex(magnitude: 1, phase: -omega * Double(Self.delayFrames))
    var delay = Complex(Double(Self.delayFrames))
    for section in sections {
      let above = polynomial(section.b, from: 0)
      let below = polynomial(section.a, from: 1)
      let bottom = Complex(1) + below.0
      value = value * (above.0 / bottom)
      delay += above.1 / above.0 - below.1 / bottom
    }
    return (value, value * delay)
  }

  /// The filter as a device whose ends have a precision.
  package func device(_ precision: SamplePrecision) -> FunctionDevice {
    FunctionDevice("known filter", precision: precision) { input in
      var output = precision.rounded(input)
      for channel in output.channels.indices {
        var samples = Stimulus.silence(frames: Self.delayFrames) + output.channels[channel]
        samples.removeLast(min(Self.delayFrames, samples.count))
        for section in sections {
          var (first, second) = (0.0, 0.0)
          for index in samples.indices {
            let x = samples[index]
            let y = section.b[0] * x + first
            first = section.b[1] * x - section.a[0] * y + second
            second = section.b[2] * x - section.a[1] * y
            samples[index] = y
          }
        }
        output.channels[channel] = samples
      }
      return precision.rounded(output)
    }
  }
}
