import AudioCore
import Glibc

/// Figures of echo cancellation and speech quality, from input and output.
package enum VoiceFigures {
  package static func rms(_ samples: some Collection<Double>) -> Double {
    (samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, samples.count))).squareRoot()
  }

  /// The rms of the 20 ms pieces that lie no more than 40 dB below the loudest.
  package static func activeRMS(_ samples: [Double], sampleRate: Double) -> Double {
    let powers = powers(samples, of: Int(clamping: sampleRate / 50))
    let most = powers.max() ?? 0
    let active = powers.filter { $0 > most * 1e-4 }
    return (active.reduce(0, +) / Double(max(1, active.count))).squareRoot()
  }

  /// Mean squares of pieces one behind the other.
  private static func powers(_ samples: some RandomAccessCollection<Double>, of frames: Int) -> [Double] {
    var powers: [Double] = []
    var start = samples.startIndex
    while samples.distance(from: start, to: samples.endIndex) >= frames {
      let end = samples.index(start, offsetBy: frames)
      powers.append(samples[start..<end].reduce(0) { $0 + $1 * $1 } / Double(frames))
      start = end
    }
    return powers
  }

  /// Echo return loss enhancement: the power of the echo over that of what is left of it, decibels, over a stretch of
  /// time.
  package static func echoReturnLoss(
    echo: [Double], output: [Double], sampleRate: Double, seconds: ClosedRange<Double>
  ) -> Double {
    let range =
      Int(clamping: seconds.lowerBound * sampleRate)..<min(Int(clamping: seconds.upperBound * sampleRate), echo.count)
    return Decibels.of(amplitude: rms(echo[range]) / max(rms(output[range]), 1e-10))
  }

  /// The same over time: means of 100 ms, ten of them a second apart by 100 ms; not a number where there is no echo.
  package static func echoReturnLossOverTime(
    echo: [Double], output: [Double], sampleRate: Double
  ) -> [(seconds: Double, decibels: Double)] {
    let frames = Int(clamping: sampleRate / 10)
    let (before, after) = (powers(echo, of: frames), powers(output, of: frames))
    let floor = (before.max() ?? 0) * 1e-4
    return before.indices.map { place in
      (
        (Double(place) + 0.5) / 10,
        before[place] > floor ? 10 * log10(before[place] / max(after[place], 1e-20)) : .nan
      )
    }
  }

  /// When the echo has been taken away: the first time from which the loss, smoothed over 100 ms, is above 20 dB for
  /// half a second.
  ///
  /// - Parameter start: the time to begin at, seconds; the result is counted from there.
  /// - Returns: nil: it does not come to that.
  package static func convergenceSeconds(
    echo: [Double], output: [Double], sampleRate: Double, from start: Double = 0
  ) -> Double? {
    let hop = Int(clamping: sampleRate / 100)
    let (before, after) = (smoothed(echo, hop), smoothed(output, hop))
    let floor = (before.max() ?? 0) * 1e-4
    let first = Int(clamping: start * 100) + 10
    var kept = 0
    for place in before.indices where place >= first {
      // Pieces without echo count as good.
      let isGood = before[place] <= floor || before[place] > 100 * after[place]
      kept = isGood ? kept + 1 : 0
      // A run may begin in a pause: it is counted from the first echo in it.
      if kept == 50 {
        let begin = (place - 49...place).first { before[$0] > floor }
        if let begin { return Double(begin) / 100 - start }
        kept -= 1
      }
    }
    return nil
  }

  /// Mean squares over the last 100 ms, every 10 ms.
  private static func smoothed(_ samples: [Double], _ hop: Int) -> [Double] {
    let pieces = powers(samples, of: hop)
    var sum = 0.0
    return pieces.indices.map { place in
      sum += pieces[place]
      if place >= 10 { sum -= pieces[place - 10] }
      return max(0, sum) / 10
    }
  }

  /// The change of the near-end speech's level: over pieces of 20 ms with speech (no more than 40 dB below its
  /// loudest), the mean of the absolute difference in decibels, and the mean of the difference.
  package static func damage(
    near: [Double], output: [Double], sampleRate: Double, seconds: ClosedRange<Double>
  ) -> (absolute: Double, signed: Double) {
    let range =
      Int(clamping: seconds.lowerBound * sampleRate)..<min(Int(clamping: seconds.upperBound * sampleRate), near.count)
    let frames = Int(clamping: sampleRate / 50)
    let (before, after) = (powers(near[range], of: frames), powers(output[range], of: frames))
    let floor = (before.max() ?? 0) * 1e-4
    let differences = before.indices.filter { before[$0] > floor }.map {
      10 * log10(max(after[$0], 1e-12) / before[$0])
    }
    let count = Double(max(1, differences.count))
    return (differences.reduce(0) { $0 + abs($1) } / count, differences.reduce(0, +) / count)
  }
}
