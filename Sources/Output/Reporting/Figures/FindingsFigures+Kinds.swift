import AudioCore
import Glibc
import Measurement
import Plotting

// The panels of each measurement, by the ids of its curves.
extension FindingsFigures {
  // MARK: Linear

  /// Magnitude over phase over group delay, in seconds.
  func responsePanels(_ curves: inout RemainingCurves) -> [Panel] {
    let magnitudes = curves.take { $0 == "magnitude" }
    let phases = curves.take { $0 == "phase" }
    let delays = curves.take { $0 == "groupDelay" }
    let meant = meantDelays(delays, magnitudes)
    var panels = single(magnitudes, height: 1.4)
    panels += phasePanel(phases, delayFrames: bulkDelay(meant))
    let inSeconds = delays.changed { curve in
      curve.y = Curve.Axis(curve.y.name, .seconds)
      curve.points = curve.points.map {
        Curve.Point($0.x, $0.y / sampleRate, uncertainty: $0.uncertainty.map { $0 / sampleRate })
      }
    }
    // A reference is in frames, as the curves are saved, or in seconds.
    let delayPanels = single(inSeconds, height: 0.8) { reference in
      guard delays.contains(where: reference.belongs) else { return nil }
      var reference = reference
      reference.y = reference.y.map { $0 / sampleRate }
      return reference
    }
    return panels + delayPanels.changedFirst { $0.y.range = delayRange(meant).map($0.withReferences) }
  }

  /// The phase in one turn of the circle, without the delay that would hide all else.
  private func phasePanel(_ phases: [Curve], delayFrames delay: Double) -> [Panel] {
    let turned = phases.changed { curve in
      guard delay != 0 else { return }
      curve.y.name = "phase less \(Int(clamping: delay)) frames"
      curve.points = curve.points.changed { point in
        let angle = point.y + 360 * point.x * delay / sampleRate
        point.y = angle - 360 * (angle / 360).rounded()
      }
    }
    return single(turned.map(\.brokenAtJumps), height: 0.8) { reference in
      guard phases.contains(where: reference.belongs) else { return nil }
      var reference = reference
      reference.y = zip(reference.x, reference.y).map { hertz, degrees in
        let angle = degrees + 360 * hertz * delay / sampleRate
        return delay == 0 ? degrees : angle - 360 * (angle / 360).rounded()
      }
      return reference.brokenAtJumps
    }.changedFirst { panel in
      let largest = panel.series.flatMap(\.y).filter(\.isFinite).map(abs).max() ?? 0
      if largest > 90 { panel.y.range = -180...180 }
    }
  }

  /// Group delays at the frequencies that come through, rising: one at −100 dB is noise.
  private func meantDelays(_ delays: [Curve], _ magnitudes: [Curve]) -> [Double] {
    var meant: [Double] = []
    for delay in delays {
      guard let magnitude = magnitudes.first(where: { $0.channel == delay.channel }) else { continue }
      let top = magnitude.points.map(\.y).filter(\.isFinite).max() ?? 0
      let levels = Dictionary(magnitude.points.map { ($0.x, $0.y) }) { first, _ in first }
      meant += delay.points.filter { $0.y.isFinite && levels[$0.x] ?? top > top - 60 }.map(\.y)
    }
    return meant.sorted()
  }

  /// The least delay of all frequencies, in whole frames; 0 if that is less than 2.
  private func bulkDelay(_ meant: [Double]) -> Double {
    guard let least = meant.first, let most = meant.last else { return 0 }
    let common = (least > 0 ? least : most < 0 ? most : 0).rounded()
    return abs(common) >= 2 && abs(common) < 1e9 ? common : 0
  }

  /// Seconds: of all, or without the fiftieth part at either end where that is far out, for at the foot of a notch a
  /// delay may be anything.
  private func delayRange(_ meant: [Double]) -> ClosedRange<Double>? {
    guard !meant.isEmpty else { return nil }
    let cut = meant.count / 50
    let (least, most) = (meant[0] / sampleRate, meant[meant.count - 1] / sampleRate)
    let (inner, outer) = (meant[cut] / sampleRate, meant[meant.count - 1 - cut] / sampleRate)
    let isFarOut = most - least > 10 * max(outer - inner, 2 / sampleRate)
    let (low, high) = isFarOut ? (inner, outer) : (least, most)
    let room = max(0.05 * (high - low), (2 / sampleRate - (high - low)) / 2, abs(high) * 1e-6)
    // To an even number, so that the ends have ticks.
    let step = pow(10, (log10(high - low + 2 * room) - 0.7).rounded(.down))
    return ((low - room) / step).rounded(.down) * step...((high + room) / step).rounded(.up) * step
  }

  /// The impulse response until it is small, and the step response whole.
  func impulsePanels(_ curves: inout RemainingCurves) -> [Panel] {
    let impulses = curves.take { $0 == "impulseResponse" }
    let panels = single(impulses, title: "impulse response").changed { panel in
      let points = impulses.flatMap(\.points)
      let peak = points.map { abs($0.y) }.filter(\.isFinite).max() ?? 0
      let large = points.filter { abs($0.y) >= 0.01 * peak }.map(\.x)
      if let start = points.map(\.x).min(), let last = large.max(), let end = points.map(\.x).max() {
        // No sample lies on the frame.
        let frame = 1 / sampleRate
        panel.x.range = start - 2 * frame...min(end, last + max(0.25 * (last - start), 32 * frame)) + frame / 2
      }
      panel.series = panel.series.changed { $0.mark = .stems }
    }
    return panels + single(curves.take { $0 == "stepResponse" }, title: "step response")
  }

  /// Harmonics that a sweep left, as far as they come above −120 dB.
  func sweptHarmonics(_ curves: inout RemainingCurves) -> [Panel] {
    let harmonics = curves.take { Self.order($0, before: "") != nil }.map(\.aboveItsFloor).changed { curve in
      // Further down, whatever folds back looks like any of them.
      if !curve.points.contains(where: { $0.y > -120 }) { curve.points = curve.points.changed { $0.y = .nan } }
    }
    let (shown, remark) = chosen(harmonics, strongest([(harmonics, "")]), "")
    return several(shown, title: "harmonics of a sweep", remark).changed { $0.y.largestSpan = 80 }
  }

  // MARK: Distortion

  /// Harmonics over level and over frequency, and what is no harmonic.
  func distortionPanels(_ curves: inout RemainingCurves) -> [Panel] {
    let ways = [("ByLevel", "harmonics by level"), ("ByFrequency", "harmonics by frequency")]
    let found = ways.map { way, _ in
      curves.take { $0 == "thd\(way)" || $0 == "thdPlusNoise\(way)" || Self.order($0, before: way) != nil }
    }
    func heard(_ index: Int) -> [Curve] {
      found[index].filter { Self.order($0.id, before: ways[index].0) != nil }.map(\.aboveItsFloor)
    }
    // The same in both panels, so that they look alike.
    let kept = strongest(ways.indices.map { (heard($0), ways[$0].0) })
    var panels: [Panel] = []
    for (index, (way, text)) in ways.enumerated() {
      let total = found[index].filter { $0.id == "thdPlusNoise\(way)" }
      let sum = found[index].filter { $0.id == "thd\(way)" }.map(\.aboveItsFloor).filter(\.hasNumbers)
      let (shown, remark) = chosen(heard(index), kept, way)
      panels += several(total + sum + shown, title: text, remark).changed { panel in
        panel.markFoundPoints()
        if let floor = total.first?.floor {
          panel.series.append(PlotSeries("floor of THD+N", floor, role: .auxiliary))
        }
      }
    }
    let rest = curves.take { $0 == "aliasingByFrequency" || $0 == "nonHarmonicByFrequency" }.map(\.aboveItsFloor)
    return panels
      + several(rest, title: "what is no harmonic").changed { panel in
        panel.markFoundPoints()
      }
  }

  private static let mostHarmonics = 5

  /// The orders that come highest.
  private func strongest(_ ways: [(curves: [Curve], way: String)]) -> Set<Int> {
    var heights: [Int: Double] = [:]
    for (curves, way) in ways {
      for curve in curves where curve.hasNumbers {
        guard let order = Self.order(curve.id, before: way) else { continue }
        heights[order] = curve.points.map(\.y).filter { !$0.isNaN }.reduce(heights[order] ?? -.infinity, max)
      }
    }
    let top = heights.values.max() ?? 0
    return Set(
      heights.filter { $0.value > top - 80 }.sorted { ($0.value, -$0.key) > ($1.value, -$1.key) }
        .prefix(Self.mostHarmonics).map(\.key))
  }

  /// The harmonics to draw, and a text for the title that names those that are not drawn.
  private func chosen(_ heard: [Curve], _ kept: Set<Int>, _ way: String) -> (shown: [Curve], remark: String) {
    func orders(_ isWanted: (Curve, Int) -> Bool) -> [Int] {
      Set(heard.compactMap { curve in Self.order(curve.id, before: way).flatMap { isWanted(curve, $0) ? $0 : nil } })
        .sorted()
    }
    let remarks = [
      (orders { curve, _ in !heard.contains { $0.id == curve.id && $0.hasNumbers } }, "at the floor"),
      (orders { $0.hasNumbers && !kept.contains($1) }, "lower"),
    ].filter { !$0.0.isEmpty }.map { "\(Self.ranges($0)) \($1)" }
    let shown = heard.filter { curve in
      curve.hasNumbers && (Self.order(curve.id, before: way).map(kept.contains) ?? false)
    }
    return (shown, remarks.isEmpty ? "" : "not drawn: \(remarks.joined(separator: ", "))")
  }

  /// `2, 4–6`
  private static func ranges(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound == number - 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }.joined(separator: ", ")
  }

  /// The number in `harmonic3`, with something behind it.
  private static func order(_ id: String, before suffix: String) -> Int? {
    guard id.hasPrefix("harmonic"), id.hasSuffix(suffix) else { return nil }
    return Int(id.dropFirst("harmonic".count).dropLast(suffix.count))
  }

  // MARK: Noise

  /// A level for each third of an octave, not a density: noise that is white rises by a decibel from one to the next.
  func noisePanels(_ curves: inout RemainingCurves) -> [Panel] {
    single(curves.take { $0 == "noiseByThirdOctave" }, title: "noise in each third of an octave").changedFirst {
      panel in
      panel.y.label = "level in a third of an octave"
      panel.markFoundPoints()
    }
  }

  // MARK: Crosstalk

  /// From each input to each output; what no more than rounding could read as is not drawn.
  func crosstalkPanels(_ curves: inout RemainingCurves) -> [Panel] {
    let paths = curves.take { $0 == "levelByFrequency" }
    guard let first = paths.first else { return [] }
    let heard = paths.map(\.aboveItsFloor).filter(\.hasNumbers)
    let silent = paths.map(\.name).filter { name in !heard.contains { $0.name == name } }
    let names = silent.count <= 3 ? silent.joined(separator: ", ") : "\(silent.count) of \(paths.count) paths"
    var panel = Panel(
      "noise on one input at a time", x: .init(first.x), y: .init(first.y),
      series: heard.prefix(Self.mostPaths).map { PlotSeries($0.name, $0) } + expected(paths))
    if !silent.isEmpty { panel.remark = "at the floor: \(names)" }
    panel.y.largestSpan = nil
    if let floor = heard.first?.floor { panel.series.append(PlotSeries("floor", floor, role: .auxiliary)) }
    return [panel]
  }

  private static let mostPaths = 16

  // MARK: Dynamics

  /// The static curve with the line of a device that does nothing, its gain, and the gain over time: as long as it
  /// takes, with the times that were found.
  func dynamicsPanels(_ curves: inout RemainingCurves, _ readings: [Reading]) -> [Panel] {
    let statics = curves.take { $0 == "staticCurve" }
    var panels = single(statics, height: 1.8).changedFirst { panel in
      panel.markFoundPoints()
      guard let levels = Self.extent(statics) else { return }
      let ends = [levels.lowerBound, levels.upperBound]
      panel.series.append(PlotSeries("1:1", x: ends, y: ends, role: .auxiliary))
    }
    panels += single(curves.take { $0 == "staticGain" }, height: 0.8)
    for (id, title) in [("attack", "after a jump up"), ("release", "after the jump back")] {
      let course = curves.take { $0 == id }
      let found = readings.filter { $0.id == "\(id)Time" && $0.value.isFinite }
      panels += single(course, title: title, height: 0.8).changed { panel in
        panel.markers += Self.markers(found, id)
        // Each on its own time.
        guard let times = Self.extent(course), times.lowerBound < times.upperBound else { return }
        panel.x.range = Self.shown(times, found.map(\.value).max(), moving: course.map(Self.moving).max() ?? 0)
      }
    }
    return panels
  }

  /// Upright lines at times, one for channels that have the same.
  private static func markers(_ times: [Reading], _ name: String) -> [PlotMarker] {
    let texts = times.map { time in
      // A delay too short to be resolved is at most its uncertainty.
      let isBelow = time.value == 0 && time.uncertainty ?? 0 > 0
      let seconds = isBelow ? time.uncertainty ?? 0 : time.value
      let (factor, unit) = NumberText.shown(seconds, .seconds)
      return "\(name) \(isBelow ? "< " : "")\(NumberText.significant(seconds * factor, digits: 3)) \(unit)"
    }
    return times.indices.filter { !texts[..<$0].contains(texts[$0]) }.map { index in
      let channels = times.indices.filter { texts[$0] == texts[index] }.compactMap { times[$0].channel }
      let isOfAll = channels.count == times.count
      return PlotMarker(.x(times[index].value), isOfAll ? texts[index] : "\(texts[index]), \(text(channels))")
    }
  }

  /// Seconds until a gain stays where it is in the middle of its course, to a tenth of a decibel.
  private static func moving(_ course: Curve) -> Double {
    let half = course.points.prefix(course.points.count / 2)
    guard let end = half.last?.y else { return 0 }
    return half.last { abs($0.y - end) > 0.1 }?.x ?? 0
  }

  /// Seconds: three times as long as it takes, twice as long as the gain moves, and a quarter of a hundredth at least;
  /// all where no time was found.
  private static func shown(
    _ times: ClosedRange<Double>, _ longest: Double?, moving: Double
  ) -> ClosedRange<Double> {
    let end = longest.map { min(times.upperBound, max(3 * $0, 2 * moving, 0.0025)) } ?? times.upperBound
    let start = min(0, times.lowerBound)
    return start...max(end, start.nextUp)
  }

  /// From the least to the largest x of curves; nil where they have none.
  private static func extent(_ curves: [Curve]) -> ClosedRange<Double>? {
    let places = curves.flatMap { $0.points.map(\.x) }.filter(\.isFinite)
    guard let first = places.min(), let last = places.max() else { return nil }
    return first...last
  }

  // MARK: Resampler

  /// The gain by frequency, close and whole, and what appears at other frequencies, on one axis. The axis is linear, as
  /// the changes are near half a rate.
  func resamplerPanels(_ curves: inout RemainingCurves) -> [Panel] {
    let gains = curves.take { $0 == "response" }
    let others = curves.take { $0.hasPrefix("images") || $0.hasPrefix("alias") }
    var panels = single(gains, title: "passband and stopband") + several(others, title: "images and aliases of a tone")
    if let close = passband(gains) { panels.insert(close, at: 0) }
    let end = Self.extent(gains + others).map { max($0.upperBound, sampleRate / 2) } ?? sampleRate / 2
    return panels.changed { panel in
      panel.x.scale = .linear
      panel.x.range = 0...end
    }
  }

  /// As close as its ripple; what turns down at the edge is seen as a whole below.
  private func passband(_ gains: [Curve]) -> Panel? {
    let points = gains.flatMap(\.points).filter { $0.y.isFinite }
    let top = points.map(\.y).max() ?? 0
    let corner = points.filter { $0.y < top - 3 }.map(\.x).min() ?? points.map(\.x).max() ?? 0
    let flat = points.filter { $0.x <= 0.9 * corner }.map(\.y)
    guard var panel = single(gains, title: "passband").first, let least = flat.min(), let most = flat.max() else {
      return nil
    }
    let room = max(0.5 * (most - least), 0.05)
    panel.y.range = least - room...most + room
    return panel
  }
}

extension Curve {
  var hasNumbers: Bool { points.contains { $0.y.isFinite } }

  var hasGaps: Bool { points.contains { $0.y.isNaN } }

  /// With gaps where the noise, of which the uncertainty is made, could have read as this: within 3 dB of the value.
  fileprivate var aboveItsFloor: Curve {
    var curve = self
    curve.points = points.changed { if $0.uncertainty ?? 0 > 3 { $0.y = .nan } }
    return curve
  }

  /// The floor of the measurement, from the errors that follow from it: `error = 20·log10(1 + 10^((floor − y)/20))`.
  fileprivate var floor: Curve? {
    guard points.contains(where: { $0.uncertainty ?? 0 > 0 }) else { return nil }
    var curve = self
    curve.points = points.compactMap { point in
      guard let error = point.uncertainty, error > 0, point.y.isFinite else { return nil }
      return Point(point.x, point.y + 20 * log10(expm1(error * log(10) / 20)))
    }
    return curve
  }
}

extension Panel {
  /// A range that has what is expected too, where that makes it no more than four times as large.
  fileprivate func withReferences(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let expected = series.filter { $0.role == .expected }.flatMap(\.y).filter(\.isFinite)
    guard let least = expected.min(), let most = expected.max() else { return range }
    let span = range.upperBound - range.lowerBound
    let room = 0.05 * span
    let (low, high) = (
      least < range.lowerBound ? least - room : range.lowerBound,
      most > range.upperBound ? most + room : range.upperBound
    )
    return high - low <= 4 * span ? low...high : range
  }
}

extension Array {
  /// The same elements, the first with a change made to it.
  func changedFirst(_ change: (inout Element) -> Void) -> [Element] {
    var changed = self
    if !changed.isEmpty { change(&changed[0]) }
    return changed
  }

  /// The same elements, each with a change made to it.
  func changed(_ change: (inout Element) -> Void) -> [Element] {
    map { element in
      var element = element
      change(&element)
      return element
    }
  }
}

extension FindingsFigures {
  // MARK: Voice processing

  /// The loss of echo over time and by the length of its path, and what the gain control does to two levels.
  func voicePanels(_ curves: inout RemainingCurves) -> [Panel] {
    func panels(_ start: String, _ title: String) -> [Panel] {
      let own = curves.take { $0.hasPrefix(start) }
      return several(own, title: title).changed { panel in
        panel.y.largestSpan = nil
        panel.x.range = own.flatMap(\.points).map(\.x).max().map { 0...$0 }
      }
    }
    return panels("echoReturnLossOverTime", "echo return loss over time, median of the scenes")
      + panels("echoReturnLossByPath", "echo return loss by the length of the echo path")
      + panels("gainControl", "gain control")
  }
}

extension Panel {
  /// Draws the points of what was found beside its line.
  fileprivate mutating func markFoundPoints() {
    series = series.changed { if $0.role == .actual { $0.mark = .markedLine } }
  }
}
