import AudioCore
import Glibc
import Spectrum

/// The responses that several plays of a stimulus gave: their mean, cut to where it stands out from their scatter, and
/// what the scatter does to H.
struct ScatteredResponse {
  let mean: ImpulseResponse
  let noise: NoiseByFrequency
  /// The number of plays in the mean.
  let playCount: Int
  /// True when the last measured block still stands out from the noise.
  let isCutOff: Bool
  /// The variance of one sample of the mean.
  let sampleVariance: Double
  /// The variance of the slope of the mean's band-limited course at its peak, per frame.
  let slopeVariance: Double
  /// The end of the mean, and the factor by which a further piece of its length would be smaller; 0 where nothing is
  /// missing.
  let lastPiece: ImpulseResponse
  let decay: Double
  /// The frames of the mean in what was listened to.
  let window: Range<Int>

  private static let blockFrames = 64

  /// - Parameters:
  ///   - plays: at least two, all of one length and lead.
  ///   - rounding: the deviation of one sample of one play by rounding to the device's sample format: where few samples
  ///     tell of scatter, it is no less than that.
  init(_ plays: [ImpulseResponse], rounding: (Double) -> Double) {
    precondition(plays.count > 1)
    playCount = plays.count
    let (rate, lead, frames) = (plays[0].sampleRate, plays[0].leadFrames, plays[0].samples.count)
    let count = Double(plays.count)
    var sum = [Double](repeating: 0, count: frames)
    for play in plays { for frame in 0..<frames { sum[frame] += play.samples[frame] } }
    let whole = sum.map { $0 / count }
    let blocks = Blocks(plays, mean: whole)
    let (first, last) = (blocks.first, blocks.last)
    let start = min(min(first, blocks.peak) * Self.blockFrames, lead)
    let end = min(frames, max((last + 1) * Self.blockFrames, lead + 1))
    window = start..<end
    mean = ImpulseResponse(Array(whole[start..<end]), leadFrames: lead - start, sampleRate: rate)
    isCutOff = last == blocks.count - 1 && blocks.top > 0
    let roundings = mean.samples.map { rounding($0) * rounding($0) / count }
    let rounded = roundings.reduce(0, +)
    // The scatter of few roundings is unreliable: then the format's deviation is used.
    let fourths = roundings.sumOfSquares
    let areFew = fourths > 0 && rounded * rounded < 24 * fourths
    sampleVariance = blocks.expected.reduce(0, +) / Double(frames)
    noise = NoiseByFrequency(
      plays, mean: whole, window: start..<end, least: areFew ? rounded : 0.1 * rounded, isInPhase: areFew)
    slopeVariance =
      noise.slopeVariance(frames: end - start)
      + Self.slopeVariance(roundings, at: mean.peak.frame + mean.leadFrames)
    let pieceBlocks = max(1, (last - first + 1) / 8)
    let pieceStart = max(start, end - pieceBlocks * Self.blockFrames)
    lastPiece = ImpulseResponse(
      Array(whole[pieceStart..<end]), leadFrames: lead - pieceStart, sampleRate: rate)
    decay = blocks.decay(pieceBlocks: pieceBlocks, isCutOff: isCutOff)
  }

  /// The plays by block of frames.
  private struct Blocks {
    private(set) var energies: [Double]
    /// The energy of the mean that scatter explains.
    private(set) var expected: [Double]
    /// The energy of a mean with every second play turned over, which has the same noise and nothing else.
    private var alternating: [Double]
    private var peaks: [Double]
    let count: Int
    let top: Double
    let peak: Int
    /// The blocks that stand out from the scatter.
    let first: Int
    let last: Int

    init(_ plays: [ImpulseResponse], mean: [Double]) {
      count = (mean.count + blockFrames - 1) / blockFrames
      let zeros = [Double](repeating: 0, count: count)
      (energies, expected, alternating, peaks) = (zeros, zeros, zeros, zeros)
      let playCount = Double(plays.count)
      let pairs = plays.count / 2 * 2
      for (frame, value) in mean.enumerated() {
        let block = frame / blockFrames
        energies[block] += value * value
        peaks[block] = max(peaks[block], abs(value))
        var (squares, turned) = (0.0, 0.0)
        for (number, play) in plays.enumerated() {
          let rest = play.samples[frame] - value
          squares += rest * rest
          if number < pairs { turned += number % 2 == 0 ? play.samples[frame] : -play.samples[frame] }
        }
        expected[block] += squares / (playCount * (playCount - 1))
        alternating[block] += turned * turned / Double(pairs * pairs)
      }
      let top = peaks.max() ?? 0
      // The noise anywhere is the limit for blocks without signal.
      let limit = 2 * (alternating.max() ?? 0)
      let loud = zip(peaks, energies).map { $0 > 1e-10 * top && $1 > limit }
      peak = peaks.firstIndex(of: top) ?? 0
      first = loud.firstIndex(of: true) ?? peak
      last = loud.lastIndex(of: true) ?? peak
      self.top = top
    }

    private func energy(_ range: Range<Int>) -> Double {
      range.reduce(0) { $0 + max(0, energies[$1] - expected[$1]) }
    }

    /// The factor from one piece of the response to the next: by how the last blocks fall, or, where one alone stands
    /// out, by what the next could hide; 0 where nothing is missing.
    func decay(pieceBlocks: Int, isCutOff: Bool) -> Double {
      if expected[last] == 0 && !isCutOff || energies[last] <= 0 { return 0 }
      let end = last + 1
      let before = energy(max(0, end - 2 * pieceBlocks)..<max(0, end - pieceBlocks))
      let behind = energy(max(0, end - pieceBlocks)..<end)
      if last - first >= 16, behind < before { return min(0.999, (behind / before).squareRoot()) }
      let hidden = end < count ? max(energies[end] - expected[end], 0.1 * expected[end]) : energies[last]
      return min(0.999, (hidden / energies[last]).squareRoot())
    }
  }

  /// Each sample moves the slope at the peak by the slope of its sinc there: ±1 ÷ distance.
  private static func slopeVariance(_ variances: [Double], at peak: Int) -> Double {
    var sum = 0.0
    for (index, variance) in variances.enumerated() where index != peak {
      let distance = Double(index - peak)
      sum += variance / (distance * distance)
    }
    return sum
  }
}

/// The variance of H by frequency, of the mean of several plays: their scatter's spectrum, smoothed, as it is not known
/// better than so.
struct NoiseByFrequency: Sendable {
  /// Sums over the bins, so that a mean over any is a difference.
  private let sums: [Double]
  private let binHertz: Double
  /// The least variance, which rounding explains.
  private let least: Double
  /// True when the rounding is that of one or few samples, which changes |H| by all of it: with many samples half of it
  /// changes the phase.
  private let isInPhase: Bool
  /// The degrees of freedom of the variance that is reported.
  let degreesOfFreedom: Double
  private static let leastBins = 8

  init(_ plays: [ImpulseResponse], mean: [Double], window: Range<Int>, least: Double, isInPhase: Bool) {
    let length = RealFFT.fastLength(atLeast: max(64, window.count))
    binHertz = plays[0].sampleRate / Double(length)
    var squares = [Double](repeating: 0, count: length / 2 + 1)
    self.least = least
    self.isInPhase = isInPhase
    let count = Double(plays.count)
    let transform = RealFFT(length: length)
    for play in plays {
      transform.forward(zip(play.samples[window], mean[window]).map { $0 - $1 })
      for bin in squares.indices {
        squares[bin] += transform.bins[bin].squaredMagnitude / (count * (count - 1))
      }
    }
    var (sums, sum) = ([0.0], 0.0)
    for square in squares {
      sum += square
      sums.append(sum)
    }
    self.sums = sums
    degreesOfFreedom = 2 * Double(Self.leastBins) * (count - 1)
  }

  /// The variance of |H|: half of the variance of a complex value.
  func magnitudeVariance(atHertz hertz: Double) -> Double { variance(atHertz: hertz) * (isInPhase ? 1 : 0.5) }

  /// The variance of the slope of the band-limited course of so many frames, per frame: each frequency's part times its
  /// square.
  func slopeVariance(frames: Int) -> Double {
    let count = sums.count - 1
    var sum = 0.0
    for bin in 0..<count {
      let omega = .pi * Double(bin) / Double(max(1, count - 1))
      sum += omega * omega * (sums[bin + 1] - sums[bin])
    }
    return sum / Double(count) / Double(frames)
  }

  /// The variance of a complex value of H: E|δH|².
  func variance(atHertz hertz: Double) -> Double {
    let count = sums.count - 1
    let middle = hertz / binHertz
    // A twelfth of an octave, or eight bins.
    let half = max(Double(Self.leastBins) / 2, middle * 0.029)
    let first = min(max(0, Int(clamping: middle - half)), max(0, count - Self.leastBins))
    let last = min(count, max(Int(clamping: middle + half) + 1, first + Self.leastBins))
    return max(least, last > first ? (sums[last] - sums[first]) / Double(last - first) : 0)
  }
}
