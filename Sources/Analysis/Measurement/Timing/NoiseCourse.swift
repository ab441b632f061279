import AudioCore
import Glibc

/// The power of noise in pieces of a stretch: by them noise that comes and goes is told from noise of one level, and
/// its mean is one of the whole stretch, each piece counting alike.
struct NoiseCourse: Sendable {
  /// The mean of all pieces.
  let meanSquare: Double
  /// The largest deviation by the scatter of the pieces and of groups of them of any length.
  private let deviation: Double
  /// The deviation of the mean, by groups so long that there are four to twenty: clicks that come at regular times are as
  /// many in each, and what comes at any time scatters the same among groups as among pieces.
  private let deviationOfMean: Double
  /// The loudest piece over the mean, as a ratio of powers.
  let largest: Double
  private let pieceSeconds = 0.1

  /// - Parameter samples: the noise in its band, and weighted, if it is to be.
  init(_ samples: [Double], sampleRate: Double) {
    let length = max(64, Int(clamping: pieceSeconds * sampleRate))
    let window = Window(length)
    var powers: [Double] = []
    for start in stride(from: 0, through: samples.count - length, by: length / 2) {
      powers.append(window.meanSquare(samples[start..<start + length]))
    }
    let mean = powers.isEmpty ? samples.sumOfSquares / Double(max(1, samples.count)) : powers.mean
    meanSquare = mean
    largest = mean > 0 ? (powers.max() ?? mean) / mean : 1
    var (deviation, ofMean) = (0.0, 0.0)
    // Pieces overlap by half: two are as one.
    var group = 2
    while powers.count / group >= 4 {
      let means = (0..<powers.count / group).map { powers[$0 * group..<($0 + 1) * group].mean }
      let middle = means.mean
      let count = Double(means.count)
      let variance = means.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / (count - 1)
      let student = Uncertainty.student(count - 1) / Uncertainty.student(.infinity)
      let found = student * (variance / count).squareRoot()
      deviation = max(deviation, found)
      if means.count <= 20 { ofMean = max(ofMean, found) }
      group *= 2
    }
    self.deviation = deviation
    // A stretch begins anywhere among clicks or bursts that come at regular times: it has one more or less than on average.
    deviationOfMean = hypot(ofMean, Self.largestEvent(powers) / Double(max(1, powers.count)) / 3.0.squareRoot())
  }

  /// The sum of the pieces around the loudest one that lie above all others, beyond the median of all.
  private static func largestEvent(_ powers: [Double]) -> Double {
    guard let top = powers.indices.max(by: { powers[$0] < powers[$1] }) else { return 0 }
    let median = powers.sorted()[powers.count / 2]
    let least = median + 0.1 * (powers[top] - median)
    var (first, last) = (top, top)
    while first > 0, powers[first - 1] > least { first -= 1 }
    while last + 1 < powers.count, powers[last + 1] > least { last += 1 }
    return powers[first...last].reduce(0) { $0 + max(0, $1 - median) }
  }

  /// True when the pieces scatter by more than a spectrum of the whole explains.
  /// - Parameter explained: the deviation of the mean square by that, relative to it.
  func scatters(explained: Double) -> Bool { meanSquare > 0 && deviation > 3 * explained * meanSquare }

  /// True when it does, and some pieces are much louder than others.
  func comesAndGoes(explained: Double) -> Bool { scatters(explained: explained) && largest > 1.3 }

  /// The course of a sound's noise in a band, and whether the noise comes and goes: flat, or weighted as the ear hears
  /// it, since hum may hide clicks.
  /// - Parameters:
  ///   - spectrum: that of the samples.
  ///   - decibels: from where on a line counts as one.
  /// - Returns: `scatters` is said of the flat course: lines that beat more slowly than the stretch is long, as an example.
  static func found(
    in samples: [Double], _ spectrum: WindowedSpectrum, _ bandHertz: ClosedRange<Double>, standing decibels: Double = 20
  ) -> (comesAndGoes: Bool, scatters: Bool, course: NoiseCourse) {
    let rate = spectrum.sampleRate
    guard samples.contains(where: { $0 != samples[0] }) else {
      return (false, false, NoiseCourse(samples, sampleRate: rate))
    }
    let lines = spectrum.lines(standing: decibels)
    let courses = [FrequencyWeighting.flat, .itu468].map { weighting in
      let course = NoiseCourse(
        weighting.apply(to: samples, sampleRate: rate, bandHertz: bandHertz), sampleRate: rate)
      let square = spectrum.meanSquare(in: bandHertz, weight: weighting.power)
      let deviation = spectrum.meanSquareDeviation(in: bandHertz, lines, weight: weighting.power)
      return (
        course, comesAndGoes: square > 0 && course.comesAndGoes(explained: deviation / square),
        scatters: square > 0 && course.scatters(explained: deviation / square)
      )
    }
    return (courses.contains { $0.comesAndGoes }, courses[0].scatters, courses[0].0)
  }

  /// The deviation of the mean, as a part of it.
  var relativeDeviation: Double { meanSquare > 0 ? deviationOfMean / meanSquare : 0 }

  /// The ± of the mean's level, decibels: the larger side.
  var uncertaintyDecibels: Double {
    guard meanSquare > 0 else { return 0 }
    let part = Uncertainty.coverageFactor * relativeDeviation
    return max(10 * log10(1 + part), -10 * log10(max(0.05, 1 - part)))
  }

  /// A Hann window whose overlapping pieces add up to the same everywhere.
  private struct Window {
    private let weights: [Double]
    init(_ length: Int) {
      weights = (0..<length).map { (1 - cos(2 * .pi * Double($0) / Double(length))) / Double(length) }
    }
    func meanSquare(_ samples: ArraySlice<Double>) -> Double {
      zip(samples, weights).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
    }
  }
}
