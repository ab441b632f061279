import AudioCore
import Glibc

/// Tells the lines of a spectrum from the noise among them.
struct SpectrumLines: Sendable {
  /// For each bin, whether a line reaches it with its main lobe.
  let isLine: [Bool]
  /// For each bin, whether it stands above the noise around it by as much as a line does.
  let stands: [Bool]
  /// The share of each block of bins: the median of its bins' shares.
  private let medians: [Double]
  private let block: Int

  /// - Parameters:
  ///   - shares: the mean square of each bin.
  ///   - decibels: the least height of a line above the median of its block, which lines within hardly move.
  ///   - lobeBins: from a line's top to where it ends.
  fileprivate init(_ shares: [Double], decibels: Double, lobeBins: Int) {
    let block = max(8 * lobeBins, 64)
    let medians = stride(from: 0, to: shares.count, by: block).map { start in
      shares[start..<min(shares.count, start + block)].sorted()[min(block, shares.count - start) / 2]
    }
    let factor = pow(10, decibels / 10)
    let stands = shares.indices.map { shares[$0] > factor * medians[$0 / block] }
    var isLine = stands
    for bin in shares.indices where stands[bin] {
      for near in max(0, bin - lobeBins)...min(shares.count - 1, bin + lobeBins) { isLine[near] = true }
    }
    (self.block, self.medians, self.stands, self.isLine) = (block, medians, stands, isLine)
  }

  /// The mean of an exponential distribution is its median ÷ ln 2.
  func noiseMeanSquare(ofBin bin: Int) -> Double { medians[bin / block] / log(2.0) }
}

extension WindowedSpectrum {
  /// Lines that stand so many decibels above the noise around them: white noise has none at 20 dB.
  func lines(standing decibels: Double = 20) -> SpectrumLines {
    SpectrumLines((0..<binCount).map { meanSquare(ofBin: $0) }, decibels: decibels, lobeBins: lobeBins)
  }
}

/// The error that rounding to a sample format adds to a steady sound, if it is not noise: the errors repeat with the
/// tones, so that their power lies in few lines, at the tones' sums and differences, and in one phase.
struct RoundingLines: Sendable {
  private let precision: SamplePrecision
  private let frames: Double

  /// - Parameters:
  ///   - frequencies: the frequencies of the tones, hertz.
  ///   - frames: the length of the analysed segment.
  init(_ precision: SamplePrecision, of frequencies: [Double], sampleRate: Double, frames: Int) {
    self.precision = precision
    var divisor = Int(exactly: sampleRate) ?? 1
    for frequency in frequencies {
      // A sound without a period of whole hertz does not repeat within a second.
      var rest = Int(exactly: frequency) ?? 1
      while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    }
    self.frames = min(sampleRate / Double(divisor), Double(frames))
  }

  /// The deviation of the amplitude of a line: a sine of P frames has P/2 that differ.
  func amplitude(of samples: ArraySlice<Double>) -> Double {
    // Input and output are both rounded.
    2.0.squareRoot() * 2 * precision.roundingDeviation(of: samples) * (2 / frames).squareRoot()
  }
}
