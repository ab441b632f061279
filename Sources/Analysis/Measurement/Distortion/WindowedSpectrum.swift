import AudioCore
import Glibc
import Spectrum

/// The spectrum of one steady segment of samples through one window, with its scales.
public struct WindowedSpectrum: Sendable {
  /// Hertz.
  public let sampleRate: Double
  /// Samples transformed.
  public let length: Int
  /// Unscaled, 0 ... length/2.
  let bins: [Complex]
  /// The samples times the window: for projections between bins.
  private let windowed: [Double]
  let windowSum: Double
  /// The window as a sum of cosines; empty for another.
  let windowTerms: [Double]
  private let windowSquareSum: Double
  /// N·Σw⁴ ÷ (Σw²)²: by how much more a mean square under the window scatters than one of all samples.
  private let windowScatter: Double
  /// Bins from a tone to where its main lobe ends.
  public let lobeBins: Int

  /// Transforms of one length: holds the window and the plan for many segments. One thread at a time.
  public final class Transform {
    /// Samples of a segment.
    public let length: Int
    let window: [Double]
    let windowSum: Double
    fileprivate let windowTerms: [Double]
    fileprivate let windowSquareSum: Double
    fileprivate let windowScatter: Double
    fileprivate let lobeBins: Int
    private let fft: RealFFT

    /// - Parameters:
    ///   - length: samples of every segment; products of 2, 3, 5 and 7 are fast.
    ///   - window: by default the seven-term Blackman-Harris window, whose side lobes are below −180 dB.
    public init(length: Int, window: Window = .blackmanHarris7) {
      self.length = length
      self.window = window.samples(length)
      windowSum = self.window.reduce(0, +)
      windowTerms = window.cosineTerms
      windowSquareSum = self.window.reduce(0) { $0 + $1 * $1 }
      let fourths = self.window.reduce(0) { $0 + $1 * $1 * $1 * $1 }
      windowScatter = Double(length) * fourths / (windowSquareSum * windowSquareSum)
      lobeBins = window.mainLobeHalfWidth
      fft = RealFFT(length: length)
    }

    /// - Parameters:
    ///   - samples: as many as the transform's length.
    ///   - sampleRate: hertz.
    public func spectrum(_ samples: some Collection<Double>, sampleRate: Double) -> WindowedSpectrum {
      precondition(samples.count == length)
      var windowed = Array(samples)
      windowed.withUnsafeMutableBufferPointer { samples in
        window.withUnsafeBufferPointer { window in
          for index in 0..<length {
            samples[index] *= window[index]
            fft.samples[index] = samples[index]
          }
        }
      }
      fft.forward()
      return WindowedSpectrum(self, sampleRate: sampleRate, bins: Array(fft.bins), windowed: windowed)
    }
  }

  private init(_ transform: Transform, sampleRate: Double, bins: [Complex], windowed: [Double]) {
    self.sampleRate = sampleRate
    length = transform.length
    self.bins = bins
    self.windowed = windowed
    windowSum = transform.windowSum
    windowTerms = transform.windowTerms
    windowSquareSum = transform.windowSquareSum
    windowScatter = transform.windowScatter
    lobeBins = transform.lobeBins
  }

  /// From 0 Hz to half the rate.
  var binCount: Int { bins.count }

  /// Hertz from bin to bin.
  public var binHertz: Double { sampleRate / Double(length) }

  /// The complex amplitude of a tone of exactly this frequency: its peak, and its phase as a cosine at the first
  /// sample.
  ///
  /// The windowed projection 2·Σ w·x·e^(−iωn) ÷ Σ w; at 0 Hz and half the rate without the factor 2. Other components
  /// must be further away than the window's main lobe.
  public func amplitude(at hertz: Double) -> Complex {
    let place = hertz / binHertz
    let nearest = place.rounded()
    let isEdge = nearest == 0 || Int(clamping: nearest) * 2 == length
    if abs(place - nearest) < 1e-9, nearest >= 0, Int(clamping: nearest) < bins.count {
      return bins[Int(clamping: nearest)] * ((isEdge ? 1 : 2) / windowSum)
    }
    let sums = windowed.withUnsafeBufferPointer {
      Tone.projection($0, frequencyHertz: hertz, sampleRate: sampleRate)
    }
    return Complex(sums.cosine, -sums.sine) * (2 / windowSum)
  }

  /// The size of what there is at a frequency, without the noise of this deviation, which adds to it whatever its
  /// phase.
  func amplitude(at hertz: Double, without noise: Double) -> Double {
    max(0, amplitude(at: hertz).squaredMagnitude - noise * noise).squareRoot()
  }

  /// The mean square of a bin's share of the signal: all bins together make the mean square of noise, or of tones whose
  /// main lobes are within.
  func meanSquare(ofBin bin: Int) -> Double {
    let sides = bin == 0 || bin * 2 == length ? 1.0 : 2.0
    return sides * bins[bin].squaredMagnitude / (Double(length) * windowSquareSum)
  }

  /// The deviation of the complex amplitude at a frequency by the noise around it: its density is the median of the
  /// bins beside the main lobe, which lines among them do not move. The mean of an exponential distribution is its
  /// median ÷ ln 2.
  /// - Parameter excluded: bins that hold something else than noise.
  func noiseAmplitude(at hertz: Double, excluding excluded: [Bool]) -> Double {
    (2 * noiseMeanSquarePerBin(at: hertz, excluding: excluded) * noiseBandwidthBins).squareRoot()
  }

  /// The noise around a frequency: the mean square of a bin's share.
  func noiseMeanSquarePerBin(at hertz: Double, excluding excluded: [Bool]) -> Double {
    let middle = min(max(0, Int(clamping: (hertz / binHertz).rounded())), bins.count - 1)
    var shares: [Double] = []
    // Outwards on both sides until there are enough.
    var distance = lobeBins + 1
    while shares.count < 128, distance < bins.count {
      for bin in [middle - distance, middle + distance] where bins.indices.contains(bin) && !excluded[bin] {
        shares.append(meanSquare(ofBin: bin))
      }
      distance += 1
    }
    return shares.isEmpty ? 0 : shares.sorted()[shares.count / 2] / log(2.0)
  }

  /// The width in bins of white noise with the power that one bin reads: N·Σw² ÷ (Σw)².
  var noiseBandwidthBins: Double { Double(length) * windowSquareSum / (windowSum * windowSum) }

  /// The amplitude of a line that is read as the sum over its main lobe, without what noise adds to its power, and its
  /// ±.
  /// - Parameters:
  ///   - square: the square of the amplitude that was read.
  ///   - share: the noise, as the mean square of a bin.
  func line(squaredAmplitude square: Double, noise share: Double) -> (amplitude: Double, uncertainty: Double) {
    var uncertainty = Uncertainty()
    uncertainty.add(standard: summedLineVariance(share).squareRoot())
    return (max(0, square - 2 * share * Double(2 * lobeBins + 1)).squareRoot(), uncertainty.expanded)
  }

  /// The variance of a line's amplitude that is read as the sum over its main lobe: the window comes in twice.
  /// - Parameter share: the noise beside the line, as the mean square of a bin.
  private func summedLineVariance(_ share: Double) -> Double { share * windowScatter }

  /// The deviation of ``meanSquare(in:excluding:weight:)``. Noise is the sum of many shares, each of which scatters by
  /// its own size; the window weighs some samples less, so that fewer count. Lines are steady: they scatter by the
  /// noise around them.
  func meanSquareDeviation(
    in band: ClosedRange<Double>, excluding excluded: [Bool]? = nil, _ lines: SpectrumLines,
    weight: ((_ hertz: Double) -> Double)? = nil
  ) -> Double {
    var sum = 0.0
    for bin in binRange(band) where excluded?[bin] != true {
      let power = meanSquare(ofBin: bin)
      let factor = weight?(Double(bin) * binHertz) ?? 1
      if lines.isLine[bin] {
        // A line's mean square is A²/2.
        sum += factor * factor * 2 * power * summedLineVariance(lines.noiseMeanSquare(ofBin: bin))
      } else {
        // E m² = 2·(E m)² of an exponential distribution.
        sum += 0.5 * windowScatter * factor * factor * power * power
      }
    }
    return sum.squareRoot()
  }

  /// The mean square of what lies in a band.
  /// - Parameters:
  ///   - band: hertz; cut at half the rate.
  ///   - excluded: bins that are left out.
  ///   - weight: a factor of power by frequency.
  public func meanSquare(
    in band: ClosedRange<Double>, excluding excluded: [Bool]? = nil, weight: ((_ hertz: Double) -> Double)? = nil
  ) -> Double {
    var sum = 0.0
    for bin in binRange(band) where excluded?[bin] != true {
      sum += meanSquare(ofBin: bin) * (weight?(Double(bin) * binHertz) ?? 1)
    }
    return sum
  }

  /// The bins of a band.
  func binRange(_ band: ClosedRange<Double>) -> Range<Int> {
    let first = max(0, Int(clamping: (band.lowerBound / binHertz).rounded(.up)))
    let last = min(bins.count - 1, Int(clamping: (band.upperBound / binHertz).rounded(.down)))
    return first..<max(first, last + 1)
  }

  /// For each bin, whether a tone of one of these frequencies reaches it with its main lobe, and one bin more.
  func lobes(of frequencies: some Sequence<Double>) -> [Bool] {
    var mask = [Bool](repeating: false, count: bins.count)
    for frequency in frequencies {
      let place = frequency / binHertz
      let first = max(0, Int(clamping: place.rounded(.down)) - lobeBins - 1)
      let last = min(mask.count - 1, Int(clamping: place.rounded(.up)) + lobeBins + 1)
      if first <= last { for bin in first...last { mask[bin] = true } }
    }
    return mask
  }

  /// The strongest tone of a band, outside some bins: its frequency to a bin, and its peak amplitude by the power of
  /// its main lobe; nil where the band is empty or silent.
  func strongest(in band: ClosedRange<Double>, excluding excluded: [Bool]) -> (
    frequencyHertz: Double, amplitude: Double
  )? {
    var (best, top) = (0.0, -1)
    for bin in binRange(band) where !excluded[bin] {
      let square = bins[bin].squaredMagnitude
      if square > best { (best, top) = (square, bin) }
    }
    guard top >= 0 else { return nil }
    var power = 0.0
    for bin in max(0, top - lobeBins)...min(bins.count - 1, top + lobeBins) where !excluded[bin] {
      power += meanSquare(ofBin: bin)
    }
    return (Double(top) * binHertz, (2 * power).squareRoot())
  }
}
