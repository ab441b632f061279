import AudioCore
import Glibc

/// The levels of a spectrogram at rows of any frequencies: of short segments, and below a crossover of longer ones.
///
/// Half a million values make a picture: this is here, and not with the pictures, as those are not optimized.
package struct SpectrogramRows {
  private let short: Spectrogram
  /// Nil where one kind will do.
  private let long: Spectrogram?
  /// Hertz: below the first the long segments alone, above the second the short ones, a mixture between.
  private let crossover: ClosedRange<Double>

  /// - Parameter crossover: hertz, above 0.
  package init(_ short: Spectrogram, _ long: Spectrogram?, crossover: ClosedRange<Double>) {
    (self.short, self.long, self.crossover) = (short, long, crossover)
  }

  /// The level at each frequency, column by column of the short segments, dBFS.
  ///
  /// - Parameters:
  ///   - hertz: the middles of the rows.
  ///   - ratio: from one frequency to the next.
  package func decibels(channel: Int, _ hertz: [Double], ratio: Double) -> [Float] {
    let times = short.timesSeconds
    let longTimes = long?.timesSeconds ?? []
    var values: [Float] = []
    values.reserveCapacity(short.columnCount * hertz.count)
    var nearest = 0
    for column in 0..<short.columnCount {
      let fine = Column(short, channel, column, ratio)
      while nearest + 1 < longTimes.count,
        abs(longTimes[nearest + 1] - times[column]) <= abs(longTimes[nearest] - times[column])
      {
        nearest += 1
      }
      let coarse = long.map { Column($0, channel, nearest, ratio) }
      // A segment with a sample that is not finite has no level anywhere.
      guard !fine.isUnknown, !(coarse?.isUnknown ?? false) else {
        values += Array(repeating: .nan, count: hertz.count)
        continue
      }
      for hertz in hertz { values.append(level(at: hertz, fine, coarse)) }
    }
    return values
  }

  private func level(at hertz: Double, _ fine: Column, _ coarse: Column?) -> Float {
    guard let coarse, hertz < crossover.upperBound else { return fine.level(at: hertz) }
    let (low, high) = (crossover.lowerBound, crossover.upperBound)
    let share = Float(max(0, log(hertz / low) / log(high / low)))
    let below = coarse.level(at: hertz)
    // Not a sum with an infinite level.
    let level = share == 0 ? below : below + (fine.level(at: hertz) - below) * share
    return level.isNaN ? -.infinity : level
  }

  /// One spectrum, at any frequency.
  private struct Column {
    let decibels: [Float]
    let isUnknown: Bool
    let binHertz: Double
    /// The ratio of a row's edges, as a square root.
    let half: Double

    init(_ spectrogram: Spectrogram, _ channel: Int, _ column: Int, _ ratio: Double) {
      decibels = spectrogram.decibels(channel: channel, column: column)
      isUnknown = decibels.contains { $0.isNaN }
      binHertz = spectrogram.sampleRate / Double(spectrogram.settings.segmentLength)
      half = ratio.squareRoot()
    }

    /// The largest bin of a row; where a row is narrower than a bin, a parabola through three bins, which is what a
    /// Hann window's main lobe looks like in decibels.
    func level(at hertz: Double) -> Float {
      let place = hertz / binHertz
      let (low, high) = (
        Int(clamping: (place / half).rounded(.up)), min(Int(clamping: place * half), decibels.count - 1)
      )
      if low <= high - 1 { return decibels[low...high].max() ?? -.infinity }
      let middle = min(max(1, Int(clamping: place.rounded())), decibels.count - 2)
      guard middle >= 1 else { return decibels.first ?? -.infinity }
      let (a, b, c) = (decibels[middle - 1], decibels[middle], decibels[middle + 1])
      guard a.isFinite, b.isFinite, c.isFinite else { return b }
      let offset = Float(place - Double(middle))
      // Hardly above the bins that it goes through: noise is no main lobe.
      return min(b + offset * (c - a) / 2 + offset * offset * ((a + c) / 2 - b), max(a, b, c) + 1.5)
    }
  }
}
