import Spectrum

/// Short-time spectra of two signals side by side: a Hann window, moved by half its length.
///
/// The first window begins half a window before the first frame and the last ends behind the last one, with silence
/// around, so that every frame counts alike: a click at the very end as one in the middle.
struct SpectralFrames {
  let length: Int
  private let window: [Double]
  private let forActual: RealFFT
  private let forExpected: RealFFT
  /// Σw and Σw².
  private let sum: Double
  private let squares: Double

  /// - Parameter length: samples of a window.
  init(length: Int) {
    self.length = length
    window = Window.hann.samples(length)
    forActual = RealFFT(length: length)
    forExpected = RealFFT(length: length)
    sum = window.reduce(0, +)
    squares = window.reduce(0) { $0 + $1 * $1 }
  }

  /// The factor from |X|² to a mean square; the sum over all bins is the mean square of the windowed signal.
  var powerScale: Double { 2 / (Double(length) * squares) }
  /// The factor from |X| to the amplitude of a tone: 1 for a full-scale sine in a bin's middle.
  var amplitudeScale: Double { 2 / sum }

  /// Calls `body` with the first frame of every window, |X|² of both, unscaled, bins 0 ... length/2.
  func forEach(
    _ actual: [Double], _ expected: [Double],
    _ body: (_ firstFrame: Int, _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>) -> Void
  ) {
    var (a, e) = ([Double](repeating: 0, count: length / 2 + 1), [Double](repeating: 0, count: length / 2 + 1))
    var start = -length / 2
    while start < actual.count {
      transform(actual, start, forActual, &a)
      transform(expected, start, forExpected, &e)
      a.withUnsafeBufferPointer { a in e.withUnsafeBufferPointer { body(max(0, start), a, $0) } }
      start += max(1, length / 2)
    }
  }

  private func transform(_ signal: [Double], _ start: Int, _ transform: RealFFT, _ powers: inout [Double]) {
    transform.fill(signal, from: start, count: length)
    let (samples, bins) = (transform.samples, transform.bins)
    window.withUnsafeBufferPointer { window in
      for index in samples.indices { samples[index] *= window[index] }
    }
    transform.forward()
    powers.withUnsafeMutableBufferPointer { powers in
      for bin in powers.indices { powers[bin] = bins[bin].squaredMagnitude }
    }
  }
}
