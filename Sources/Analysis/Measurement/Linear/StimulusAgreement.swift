import AudioCore
import Glibc
import Spectrum

/// Tests whether plays of a device at other levels, with other stimuli and at other times give the same response: if
/// not, it is not linear, or varies in time, and its response is one of many.
struct StimulusAgreement {
  /// Two plays beside each other.
  struct Comparison {
    let what: String
    /// The largest difference, relative to the largest gain, and where.
    private(set) var part = 0.0
    private(set) var hertz = 0.0
    /// The difference that noise, rounding and the method explain there.
    private(set) var explained = 0.0
    /// By how many times the difference exceeds what is explained.
    private(set) var excess = 0.0
    /// Decibels between both there.
    private var decibels = 0.0
    /// By frequency, beyond what is explained: as a part of |H|.
    private(set) var parts: [(hertz: Double, part: Double)] = []

    var disagrees: Bool { excess > 1 }
    var text: String {
      guard decibels.isFinite else { return "\(what): one of the two gives nothing at \(ResponseShape.hertz(hertz))" }
      return
        "\(what) differ by \(NumberText.decimal(decibels, digits: 3)) dB at \(ResponseShape.hertz(hertz)), more than their uncertainty"
    }

    /// - Parameters:
    ///   - pairs: H by one and by the other.
    ///   - deviation: the deviation of the difference of both, complex, by frequency.
    ///   - bias: the error of the methods in H.
    init(
      _ what: String, _ pairs: [(hertz: Double, one: Complex, two: Complex)], top: Double,
      deviation: (Double) -> Double, bias: (Double) -> Double
    ) {
      self.what = what
      guard top > 0 else { return }
      var largestExplained = 0.0
      for (hertz, one, two) in pairs where max(one.magnitude, two.magnitude) > top * 1e-3 {
        let (size, difference) = (one.magnitude, (one - two).magnitude)
        // 4.5 deviations: of a thousand values none lies so far off by chance. Half a thousandth of a dB is agreement.
        let limit = 4.5 * deviation(hertz) + 3 * bias(hertz) + 6e-5 * size + 4e-6 * top
        largestExplained = max(largestExplained, limit / top)
        if difference > limit { parts.append((hertz, (difference - limit) / max(size, 1e-300))) }
        guard difference / limit > excess else { continue }
        excess = difference / limit
        (part, self.hertz, explained) = (difference / top, hertz, limit / top)
        decibels = max(
          abs(Decibels.of(amplitude: two.magnitude / max(size, 1e-300))),
          Decibels.of(amplitude: 1 + difference / max(size, 1e-300)) * 0.5)
      }
      if !disagrees { explained = max(explained, largestExplained) }
    }
  }

  /// The comparisons with other levels and stimuli.
  var linearity: [Comparison] = []
  /// The comparisons with other times.
  var constancy: [Comparison] = []

  var disagrees: Bool { (linearity + constancy).contains { $0.disagrees } }

  /// By frequency, the largest difference beyond what is explained, as a part of |H|.
  var parts: [(hertz: Double, part: Double)] { (linearity + constancy).flatMap(\.parts) }

  /// - Parameter harmonic: the strongest harmonic that a sweep left, relative to the largest gain, and where it was.
  func readings(harmonic: (part: Double, text: String)?) -> [Reading] {
    func reading(_ id: String, _ name: String, _ comparisons: [Comparison]) -> Reading? {
      guard let worst = comparisons.max(by: { $0.excess < $1.excess }) else { return nil }
      return Reading(
        id, name, amplitude: max(worst.part, 1e-15), floor: max(worst.explained, 1e-15),
        remark: worst.disagrees ? "\(worst.what), at \(ResponseShape.hertz(worst.hertz))" : nil)
    }
    var nonlinearity = reading("nonlinearity", "largest change of the response with level and stimulus", linearity)
    if let harmonic, nonlinearity.map({ $0.isBelowFloor || $0.value < Decibels.of(amplitude: harmonic.part) }) ?? true {
      nonlinearity = Reading(
        "nonlinearity", "largest change of the response with level and stimulus, or harmonic",
        amplitude: harmonic.part, remark: harmonic.text)
    }
    return [nonlinearity, reading("timeVariance", "largest change of the response with time", constancy)].compactMap {
      $0
    }
  }

  func remarks(channel: Int) -> [String] {
    let moved = constancy.filter(\.disagrees).map { "channel \(channel) varies in time: \($0.text)" }
    let bent = linearity.filter(\.disagrees)
    // A device that varies in time also responds differently to another stimulus; that alone does not make it
    // nonlinear.
    let counted = moved.isEmpty ? bent : bent.filter { $0.what.contains("dBFS") }
    return counted.map { "channel \(channel) is not linear: \($0.text)" } + moved
  }
}
