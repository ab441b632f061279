import AudioCore
import Glibc
import Measurement
import Spectrum

/// The largest difference in level of third-octave bands, in the worst window: for outputs that may differ in phase or
/// in detail but must sound the same, as two encoders' outputs do.
///
/// Bands of IEC 61260-1 with base 10. A band is measured in the shortest of three windows (0.05, 0.2 and 0.8 s) that
/// gives it three bins; bands that even the longest cannot resolve, and those that reach beyond the Nyquist frequency,
/// are left out. The distance is 10·log10((Pa + floor) ÷ (Pe + floor)), so that what lies far below the floor in both
/// is the same.
///
/// ```swift
/// // Another phase, and the same level in each third of an octave.
/// let inverted = try FormulaDevice([Formula("-in(c)")])
/// expect(inverted, equals: try FormulaDevice([Formula("in(c)")]), .bands(0.1))
/// ```
public struct BandComparator: SignalComparator {
  /// The id of its outcomes; suites and `compare` ask for it by the same name.
  public let id = "bands"
  /// dB, either way.
  public var limit: Double
  /// The level in a band, dBFS as mean square, at which differences fade out.
  public var floor: Double
  /// Middles of the bands that are looked at, Hertz.
  public var range: ClosedRange<Double>

  /// The limit and the floor in dB and dBFS, the middles of the bands in hertz.
  public init(limit: Double, floor: Double = -90, range: ClosedRange<Double> = 19...21_000) {
    self.limit = limit
    self.floor = floor
    self.range = range
  }

  /// The limit and the floor.
  public var expectation: String {
    "at most \(ComparisonText.limit(limit, "dB")) between third-octave levels in every window, "
      + "floor \(ComparisonText.limit(floor))"
  }

  /// A band, and the bins of its spectrum with the part that each has in it.
  private struct BandBins {
    var band: FrequencyGrid.Band
    var bins: ClosedRange<Int>
    var firstPart: Double
    var lastPart: Double

    func power(_ bins: UnsafeBufferPointer<Double>) -> Double {
      var sum = 0.0
      for bin in self.bins { sum += bins[bin] }
      sum -= bins[self.bins.lowerBound] * (1 - firstPart)
      sum -= bins[self.bins.upperBound] * (1 - lastPart)
      return max(0, sum)
    }
  }

  /// The worst of one band.
  private struct Worst {
    var distance = 0.0
    var sum = 0.0
    var windows = 0
    var place: CheckOutcome.Place?
    var window = 0.0
  }

  private static let windows = [0.05, 0.2, 0.8]

  /// Holds each band of each window and channel to the limit. The verdict is `error` where the rate leaves no band of
  /// the range to be measured.
  public func outcome(_ actual: AudioSignal, _ expected: AudioSignal) -> CheckOutcome {
    let bands = FrequencyGrid.thirdOctaves(range).filter { $0.highHertz <= actual.sampleRate / 2 }
    let shape = SignalShape(actual)
    var results: [(band: FrequencyGrid.Band, worst: Worst)] = []
    var firstFailure: CheckOutcome.Place?
    var measured: Set<Double> = []
    for window in Self.windows {
      let frames = SpectralFrames(length: Self.length(window, actual.sampleRate))
      let resolution = actual.sampleRate / Double(frames.length)
      let own = bands.filter {
        $0.highHertz - $0.lowHertz >= 3 * resolution && measured.insert($0.centreHertz).inserted
      }
      guard !own.isEmpty else { continue }
      let bins = own.map { Self.bins($0, resolution: resolution, count: frames.length / 2 + 1) }
      var worst = [Worst](repeating: Worst(), count: own.count)
      let floor = pow(10, self.floor / 10) / frames.powerScale
      for channel in 0..<actual.channelCount {
        frames.forEach(actual.channels[channel], expected.channels[channel]) { frame, a, e in
          for index in bins.indices {
            let ratio = (bins[index].power(a) + floor) / (bins[index].power(e) + floor)
            let distance = 10 * log10(ratio)
            worst[index].sum += abs(distance)
            worst[index].windows += 1
            let isBad = abs(distance) > limit
            guard isBad || abs(distance) > abs(worst[index].distance) else { continue }
            let place = shape.place(Int64(frame), channel: channel)
            if abs(distance) > abs(worst[index].distance) {
              worst[index].distance = distance
              worst[index].place = place
              worst[index].window = Double(frames.length) / actual.sampleRate
            }
            if isBad { firstFailure.takeEarlier(place) }
          }
        }
      }
      results += zip(own, worst).map { (band: $0, worst: $1) }
    }
    results.sort { $0.band.centreHertz < $1.band.centreHertz }
    return outcome(results, firstFailure)
  }

  private static func length(_ window: Double, _ sampleRate: Double) -> Int {
    // Even, so that half of it is whole.
    let length = RealFFT.fastLength(atLeast: max(16, Int(clamping: window * sampleRate)))
    return length % 2 == 0 ? length : RealFFT.fastLength(atLeast: length + 1)
  }

  /// A bin is the range of half a bin to either side of its frequency.
  private static func bins(_ band: FrequencyGrid.Band, resolution: Double, count: Int) -> BandBins {
    let (low, high) = (band.lowHertz / resolution + 0.5, band.highHertz / resolution + 0.5)
    let first = min(count - 1, Int(clamping: low))
    let last = min(count - 1, max(first, Int(clamping: high)))
    return BandBins(
      band: band, bins: first...last, firstPart: Double(first + 1) - low, lastPart: min(1, high - Double(last)))
  }

  private func outcome(
    _ results: [(band: FrequencyGrid.Band, worst: Worst)], _ firstFailure: CheckOutcome.Place?
  ) -> CheckOutcome {
    guard let top = results.max(by: { abs($0.worst.distance) < abs($1.worst.distance) }) else {
      return CheckOutcome(
        id, .error,
        found:
          "no band of \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound)) Hz could be measured at this rate",
        expected: expectation)
    }
    let windows = results.reduce(0) { $0 + $1.worst.windows }
    let mean = results.reduce(0) { $0 + $1.worst.sum } / Double(max(1, windows))
    let name = NumberText.value(top.band.nominalHertz, .hertz)
    var found = "no band differs"
    if let place = top.worst.place {
      found =
        "worst at \(name): \(ComparisonText.fixed(top.worst.distance, 2)) dB in "
        + "\(ComparisonText.span(top.worst.window)) from \(place); mean of all \(ComparisonText.fixed(mean, 2)) dB"
    }
    func curve(_ id: String, _ name: String, _ distance: (Worst) -> Double) -> Curve {
      Curve(
        id, name, x: .frequency, y: Curve.Axis("distance", .decibels),
        points: results.map { Curve.Point($0.band.nominalHertz, distance($0.worst)) })
    }
    return CheckOutcome(
      id, firstFailure == nil ? .passed : .failed, found: found, expected: expectation,
      readings: [
        Reading(
          "bandDistance", "third-octave distance, worst band and window", abs(top.worst.distance), .decibels,
          channel: top.worst.place?.channel,
          at: ["frequency": top.band.nominalHertz, "seconds": top.worst.place?.seconds ?? 0]),
        Reading("bandDistanceMean", "third-octave distance, mean", mean, .decibels),
      ], firstFailure: firstFailure,
      overlay: CheckOutcome.Overlay(
        actual: curve("bandDistance", "worst distance of third-octave levels", \.distance),
        lower: curve("lowerLimit", "limit") { _ in -limit }, upper: curve("upperLimit", "limit") { _ in limit }))
  }
}

extension ComparatorKind {
  static let bands = ComparatorKind([
    ComparisonLimit(
      "bands", "DB",
      .number(
        .decibels, expected: "a distance in dB, above 0 and below 20: a level 20 dB off is another sound",
        in: .above(0, below: ReadingKind.grossDecibels)),
      "third-octave levels at most this far apart in the worst window, in dB: for what sounds the same and is not, as after an "
        + "encoder")
  ]) { limits in limits["bands"].map { BandComparator(limit: $0) } }
}

extension SignalComparator where Self == BandComparator {
  /// Levels of third octaves no further off, dB.
  public static func bands(_ limit: Double) -> Self { BandComparator(limit: limit) }
}
