import AudioCore
import Glibc
import Spectrum

/// The harmonics that a sweep leaves behind, over the frequency that made them.
struct HarmonicShape {
  private struct Level {
    let hertz: Double
    /// Of the linear response there.
    let fundamental: Double
    let harmonic: Double
    let noise: Double
  }

  /// By order from 2 on.
  private let levels: [[Level]]
  /// Where harmonics can be separated: from where the sweep is quick enough that one does not reach into the other's window, to
  /// where the 25th does not yet fold back from half the rate and look like another.
  private let tellingHertz: Range<Double>
  /// What is read where there are none.
  private let floor: [Double]

  init(_ estimate: TransferEstimate, floor: [Double], settings: LinearSettings) {
    self.floor = floor
    tellingHertz = settings.sampleRate / 480..<settings.sampleRate / 50
    guard let response = estimate.response else {
      levels = []
      return
    }
    let frequencies = settings.trustedFrequencies
    let fundamentals = response.transfers(atHertz: frequencies).map(\.value.magnitude)
    levels = estimate.harmonics.enumerated().map { index, harmonic in
      let order = Double(index + 2)
      let count = frequencies.prefix { $0 * order <= settings.trustedHertz.upperBound }.count
      let found = harmonic.transfers(atHertz: frequencies.prefix(count).map { $0 * order })
      return (0..<count).map {
        Level(
          hertz: frequencies[$0], fundamental: fundamentals[$0], harmonic: found[$0].value.magnitude,
          noise: estimate.noise(frequencies[$0] * order))
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
          Curve.Point($0.hertz, amplitude: max($0.harmonic / max($0.fundamental, 1e-300), 1e-15))
        })
    }
  }

  /// The strongest of those that stand above what the measurement itself shows, relative to the largest gain.
  var strongest: (part: Double, text: String)? {
    standing.max { $0.part < $1.part }.map { ($0.part, $0.text) }
  }

  func remarks(channel: Int) -> [String] {
    // What folds back more than once looks like any harmonic, weakly.
    guard let strongest else { return [] }
    let named = standing.filter { $0.part > strongest.part / 100 }.map(\.text)
    return ["channel \(channel) is not linear: " + named.joined(separator: ", ")]
  }

  /// Which harmonics stand above what the measurement itself shows, and above −120 dB of the largest gain: where a filter
  /// lets little through, little is left to compare them with.
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
        "harmonic \(index + 2): \((decibels * 10).rounded() / 10) dB at \(ResponseShape.hertz(worst.hertz))"
      )
    }
  }
}
