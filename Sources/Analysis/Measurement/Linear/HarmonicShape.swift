import AudioCore
import Glibc
import Spectrum

/// The harmonics that a sweep leaves behind, over the frequency that made them.
struct HarmonicShape {
  private struct Level {
    let hertz: Double
    /// The amplitude of the linear response there.
    let fundamental: Double
    let harmonic: Double
    let noise: Double
    /// The uncertainty of their ratio.
    let uncertainty: Double
  }

  /// By order from 2 on.
  private let levels: [[Level]]
  /// The range in which harmonics can be separated: from where the sweep is fast enough that one does not reach into
  /// the other's window, to where the 25th does not yet fold back from half the rate and look like another.
  private let tellingHertz: Range<Double>
  /// The reading if there are no harmonics.
  private let floor: [Double]

  /// - Parameter other: the response by another stimulus: where a filter lets little through, what harmonics leave in
  ///   the sweep's is more than that.
  init(_ estimate: TransferEstimate, bias: BiasByFrequency, other: ImpulseResponse?, settings: LinearSettings) {
    let floor = bias.harmonics
    self.floor = floor
    let telling = settings.sampleRate / 480..<settings.sampleRate / 50
    tellingHertz = telling
    guard let response = estimate.response else {
      levels = []
      return
    }
    let frequencies = settings.trustedFrequencies
    let values = response.values(atHertz: frequencies)
    let fundamentals = values.map(\.magnitude)
    let differences = other.map { zip($0.values(atHertz: frequencies), values).map { ($0 - $1).magnitude } } ?? []
    let top = max(fundamentals.max() ?? 0, 1e-300)
    let found = estimate.harmonics.enumerated().map { index, harmonic in
      let order = Double(index + 2)
      let inBand = frequencies.prefix { $0 * order <= settings.trustedHertz.upperBound }
      return harmonic.values(atHertz: inBand.map { $0 * order }).map(\.magnitude)
    }
    levels = found.enumerated().map { index, harmonics in
      let order = Double(index + 2)
      let most = harmonics.max() ?? 0
      return harmonics.indices.map { place in
        let hertz = frequencies[place]
        let fundamental = max(fundamentals[place], 1e-300)
        let noise = estimate.noise(hertz * order)
        let ratio = harmonics[place] / fundamental
        // A quarter of an octave to either side: it may be 0 by chance.
        let error = differences.dropFirst(max(0, place - 6)).prefix(13).reduce(bias.error(atHertz: hertz), max)
        var uncertainty = Uncertainty(
          standard: hypot(noise, ratio * estimate.noise(hertz)) / 2.0.squareRoot(),
          halfWidth: top * (index < floor.count ? floor[index] : 0) + (ratio + most / top) * error
        ).expanded
        // Each may be the strongest, where it reaches into the others' windows.
        if hertz < telling.lowerBound {
          uncertainty += found.reduce(0) { place < $1.count ? max($0, $1[place]) : $0 }
        }
        return Level(
          hertz: hertz, fundamental: fundamental, harmonic: harmonics[place], noise: noise,
          uncertainty: uncertainty / fundamental)
      }
    }
  }

  /// Levels relative to the fundamental, in dB.
  var curves: [Curve] {
    levels.enumerated().map { index, levels in
      let order = index + 2
      return Curve(
        "harmonic\(order)", "harmonic \(order)", x: .frequency, y: Curve.Axis("relative level", .decibels),
        points: levels.map {
          Curve.Point($0.hertz, amplitude: max($0.harmonic / $0.fundamental, 1e-15), uncertainty: $0.uncertainty)
        })
    }
  }

  /// The strongest of those that stand above what the measurement itself shows, relative to the largest gain.
  var strongest: (part: Double, text: String)? {
    standing.max { $0.part < $1.part }.map { ($0.part, $0.text) }
  }

  func remarks(channel: Int) -> [String] {
    // A harmonic that folds back more than once looks like any other, weakly.
    guard let strongest else { return [] }
    let named = standing.filter { $0.part > strongest.part / 100 }.map(\.text)
    return ["channel \(channel) is not linear: " + named.joined(separator: ", ")]
  }

  /// The harmonics above the measurement's own, and above −120 dB of the largest gain: a filter that lets little
  /// through leaves little to compare them with.
  private var standing: [(part: Double, text: String)] {
    let top = levels.joined().reduce(0) { max($0, $1.fundamental) }
    guard top > 0 else { return [] }
    return levels.enumerated().compactMap { index, levels in
      guard index < floor.count else { return nil }
      let above = levels.filter {
        tellingHertz.contains($0.hertz) && $0.harmonic > top * (10 * floor[index] + 1e-6) + 10 * $0.noise
      }
      guard let worst = above.max(by: { $0.harmonic < $1.harmonic }) else { return nil }
      let decibels = Decibels.of(amplitude: worst.harmonic / top)
      return (
        worst.harmonic / top,
        "harmonic \(index + 2): \(NumberText.decimal(decibels, digits: 1)) dB at \(ResponseShape.hertz(worst.hertz))"
      )
    }
  }
}
