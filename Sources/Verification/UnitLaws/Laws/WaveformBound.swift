/// A bound of the band-limited waveform from each sample up to the next, the largest over the channels: of what lies below
/// half the rate by interpolation, of what lies next to it by its largest samples nearby.
struct WaveformBound {
  private static let high = (-32...32).map { k in
    KaiserWindow.sinc(0.08 * Double(k)) * KaiserWindow.value(Double(k) / 33, shape: 4)
  }
  private static let highSum = high.reduce(0, +)

  /// Sounds from 64 frames of silence on, in front of the first sample.
  private var sounds: [[Double]]
  private var highs: [[Double]]
  private var lows: [[Double]]
  private var all: [Double] = []

  init(channels: Int) {
    let silence = Array(repeating: [Double](repeating: 0, count: 128), count: channels)
    (sounds, highs, lows) = (silence, silence, silence)
    for channel in 0..<channels {
      highs[channel].removeLast(32)
      lows[channel].removeLast(32)
    }
  }

  /// The samples of the next frame m: h and l of m − 32 and the bound of m − 64 follow.
  /// - Parameter share: the factor of what lies next to half the rate.
  mutating func take(_ samples: [Double], share: Double) {
    var largest = 0.0
    for (channel, sample) in samples.enumerated() {
      sounds[channel].append(sample)
      let middle = sounds[channel].count - 1 - 32
      var h = 0.0
      for k in -32...32 {
        h += (k % 2 == 0 ? 1 : -1) * Self.high[k + 32] / Self.highSum * sounds[channel][middle - k]
      }
      highs[channel].append(h)
      lows[channel].append(sounds[channel][middle] - h)
      // Frames count from the first sample, 128 places behind the first of the arrays.
      let n = lows[channel].count - 1 - 32
      let first = (n - 128 + 32) / 32 * 32 - 1024 + 128
      let near = highs[channel][max(0, first)...].map(abs).max() ?? 0
      largest = max(largest, BandLimitedPeak.value(lows[channel], n, half: 32) + share * near)
    }
    all.append(largest)
  }

  /// The bound from frame n up to the next one; n is −1 at least.
  func value(_ n: Int) -> Double { all[n + 64] }
}

/// The largest magnitude of a band-limited signal between a sample and the next: eight points and the vertices of parabolas
/// through three of them.
enum BandLimitedPeak {
  private static let weights32 = weights(32)
  private static let weights64 = weights(64)

  /// For each of eight fractions of a frame; that of 0 is not used.
  private static func weights(_ half: Int) -> [[Double]] {
    (0..<8).map { p in
      let plain = (0..<(2 * half)).map { t in
        let u = Double(half - t) - Double(p) / 8
        return KaiserWindow.sinc(u) * KaiserWindow.value(u / Double(half), shape: 4)
      }
      let sum = plain.reduce(0, +)
      return plain.map { $0 / sum }
    }
  }

  /// - Parameters:
  ///   - place: an index; what lies beside the signal is zero.
  ///   - half: taps to either side, 32 or 64.
  static func value(_ signal: [Double], _ place: Int, half: Int) -> Double {
    func sample(_ index: Int) -> Double { signal.indices.contains(index) ? signal[index] : 0 }
    func point(_ n: Int, _ p: Int) -> Double {
      guard p > 0 else { return sample(n) }
      let weights = half == 32 ? weights32[p] : weights64[p]
      var sum = 0.0
      for (t, weight) in weights.enumerated() { sum += weight * sample(n + half - t) }
      return sum
    }
    let points = [point(place - 1, 7)] + (0...7).map { point(place, $0) } + [sample(place + 1)]
    var largest = 0.0
    for p in 1...8 {
      let (before, here, behind) = (points[p - 1], points[p], points[p + 1])
      largest = max(largest, abs(here))
      let bend = 2 * here - before - behind
      guard abs(here) >= abs(before), abs(here) >= abs(behind), bend * here > 0 else { continue }
      largest = max(largest, abs(here + (before - behind) * (before - behind) / (8 * bend)))
    }
    return largest
  }
}
