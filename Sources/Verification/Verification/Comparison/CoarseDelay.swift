import Measurement
import Spectrum

/// The whole-frame delay between two signals: where their cross-correlation, summed over all channels, is largest
/// without regard to sign. By FFT, block after block.
struct CoarseDelay {
  /// Frames by which the actual signal is later.
  var frames: Int
  /// Delay against time of each block that has a clear one: for signals whose clocks drift apart.
  var blocks: [(frame: Double, delay: Double)]

  /// - Parameter maximumFrames: the largest delay, either way.
  init?(_ actual: AudioSignal, _ expected: AudioSignal, maximumFrames: Int, keepsBlocks: Bool) {
    let count = actual.frameCount
    let reach = min(maximumFrames, max(0, count - 1))
    let blockFrames = min(max(count, 1), max(2 * reach, 16_384))
    let length = RealFFT.fastLength(atLeast: blockFrames + 2 * reach)
    let forActual = RealFFT(length: length)
    let forExpected = RealFFT(length: length)
    var total = [Complex](repeating: Complex(0), count: forActual.binCount)
    var blocks: [(frame: Double, delay: Double)] = []
    var start = 0
    while start < count {
      let size = min(blockFrames, count - start)
      var own = [Complex](repeating: Complex(0), count: keepsBlocks ? total.count : 0)
      for channel in 0..<actual.channelCount {
        forActual.fill(actual.channels[channel], from: start - reach, count: size + 2 * reach)
        forExpected.fill(expected.channels[channel], from: start, count: size)
        forActual.forward()
        forExpected.forward()
        let (a, e) = (forActual.bins, forExpected.bins)
        total.withUnsafeMutableBufferPointer { total in
          for bin in total.indices { total[bin] += a[bin] * e[bin].conjugate }
        }
        for bin in own.indices { own[bin] += a[bin] * e[bin].conjugate }
      }
      if keepsBlocks, let peak = Self.peak(own, forActual, reach: reach), peak.contrast > 8 {
        blocks.append((Double(start) + Double(size) / 2, Double(peak.delay)))
      }
      start += size
    }
    guard let peak = Self.peak(total, forActual, reach: reach) else { return nil }
    frames = peak.delay
    self.blocks = blocks
  }

  /// - Returns: the lag of the largest value, and that value against the root mean square of all; nil for silence.
  private static func peak(_ spectrum: [Complex], _ transform: RealFFT, reach: Int) -> (delay: Int, contrast: Double)? {
    for bin in spectrum.indices { transform.bins[bin] = spectrum[bin] }
    transform.inverse()
    let correlation = transform.samples
    var (best, delay, squares) = (0.0, 0, 0.0)
    // From the middle outwards: of equals the smallest delay.
    for distance in 0...reach {
      for lag in distance == 0 ? [0] : [distance, -distance] {
        let value = abs(correlation[lag + reach])
        squares += value * value
        if value > best * (1 + 1e-9) {
          best = value
          delay = lag
        }
      }
    }
    guard best > 0, best.isFinite else { return nil }
    return (delay, best / (squares / Double(2 * reach + 1)).squareRoot())
  }
}

extension RealFFT {
  /// Sets ``samples`` to a part of a signal, which is silent before its beginning and after its end; zeros behind it.
  func fill(_ signal: [Double], from start: Int, count: Int) {
    let samples = samples
    signal.withUnsafeBufferPointer { signal in
      for index in samples.indices {
        let frame = start + index
        samples[index] = index < count && frame >= 0 && frame < signal.count ? signal[frame] : 0
      }
    }
  }
}
