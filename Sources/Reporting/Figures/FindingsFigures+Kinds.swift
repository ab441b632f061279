import Glibc
import Measurement
import Plotting
import Verification

// The panels of each measurement, by the ids of its curves.
extension FindingsFigures {
  // MARK: Linear

  /// Magnitude over phase over group delay.
  func responsePanels(_ curves: inout CurvePile) -> [Panel] {
    let magnitudes = curves.take { $0 == "magnitude" }
    let phases = curves.take { $0 == "phase" }
    let delays = curves.take { $0 == "groupDelay" }
    var panels = single(magnitudes, height: 1.4)
    panels += phasePanel(phases, delayFrames: bulkDelay(delays, magnitudes))
    for var panel in single(delays, height: 0.8) {
      panel.y.range = delayRange(delays, magnitudes)
      panels.append(panel)
    }
    return panels
  }

  /// The phase in one turn of the circle, without the delay that would hide all else.
  private func phasePanel(_ phases: [Curve], delayFrames delay: Double) -> [Panel] {
    let turned = phases.map { curve in
      var curve = curve
      if delay != 0 {
        curve.y.name = "phase less \(Int(delay)) frames"
        for index in curve.points.indices {
          let point = curve.points[index]
          let angle = point.y + 360 * point.x * delay / sampleRate
          curve.points[index].y = angle - 360 * (angle / 360).rounded()
        }
      }
      return curve.brokenAtJumps
    }
    return single(turned, height: 0.8).map { panel in
      var panel = panel
      let largest = panel.series.flatMap(\.y).filter(\.isFinite).map(abs).max() ?? 0
      if largest > 90 { panel.y.range = -180...180 }
      return panel
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

  /// What every frequency is late by at least, in whole frames; 0 where that is less than 2.
  private func bulkDelay(_ delays: [Curve], _ magnitudes: [Curve]) -> Double {
    let meant = meantDelays(delays, magnitudes)
    guard let least = meant.first, let most = meant.last else { return 0 }
    let common = (least > 0 ? least : most < 0 ? most : 0).rounded()
    return abs(common) >= 2 && abs(common) < 1e9 ? common : 0
  }

  private func delayRange(_ delays: [Curve], _ magnitudes: [Curve]) -> ClosedRange<Double>? {
    let meant = meantDelays(delays, magnitudes)
    guard let low = meant.first, let high = meant.last else { return nil }
    let room = max(0.05 * (high - low), (2 - (high - low)) / 2, abs(high) * 1e-6)
    // To an even number, so that the ends have ticks.
    let step = pow(10, (log10(high - low + 2 * room) - 0.7).rounded(.down))
    return ((low - room) / step).rounded(.down) * step...((high + room) / step).rounded(.up) * step
  }

  /// The impulse response until it is small, and the step response whole.
  func impulsePanels(_ curves: inout CurvePile) -> [Panel] {
    let impulses = curves.take { $0 == "impulseResponse" }
    let panels = single(impulses, title: "impulse response").map { panel in
      var panel = panel
      let points = impulses.flatMap(\.points)
      let peak = points.map { abs($0.y) }.filter(\.isFinite).max() ?? 0
      let large = points.filter { abs($0.y) >= 0.01 * peak }.map(\.x)
      if let start = points.map(\.x).min(), let last = large.max(), let end = points.map(\.x).max(), start < last {
        panel.x.range = start...min(end, last + max(0.25 * (last - start), 32 / sampleRate))
      }
      return panel
    }
    return panels + single(curves.take { $0 == "stepResponse" }, title: "step response")
  }

  /// Harmonics that a sweep left, as far as they come above −120 dB.
  func sweptHarmonics(_ curves: inout CurvePile) -> [Panel] {
    let harmonics = curves.take { Self.order($0, before: "") != nil }
    let heard = harmonics.filter { $0.points.contains { $0.y > -120 } }
    let kept = Set(strongest(heard, "").map { "harmonic\($0)" })
    return several(harmonics.filter { kept.contains($0.id) }, title: "harmonics of a sweep").map { panel in
      var panel = panel
      panel.y.largestSpan = 80
      return panel
    }
  }

  // MARK: Distortion

  /// Harmonics over level and over frequency, and what is no harmonic.
  func distortionPanels(_ curves: inout CurvePile) -> [Panel] {
    let ways = [("ByLevel", "harmonics by level"), ("ByFrequency", "harmonics by frequency")]
    let found = ways.map { way, _ in
      curves.take { $0 == "thd\(way)" || $0 == "thdPlusNoise\(way)" || Self.order($0, before: way) != nil }
    }
    // The same in both panels, so that they look alike.
    let kept = Set(ways.indices.flatMap { strongest(found[$0], ways[$0].0) }.prefix(Self.mostHarmonics))
    var panels: [Panel] = []
    for (found, (way, text)) in zip(found, ways) {
      let total = found.filter { $0.id == "thdPlusNoise\(way)" }
      let shown =
        total + found.filter { $0.id == "thd\(way)" }
        + found.filter { Self.order($0.id, before: way).map(kept.contains) ?? false }
      panels += several(shown, title: text).map { panel in
        var panel = panel
        if let floor = total.first?.floor {
          panel.series.append(PlotSeries("floor of THD+N", floor, role: .auxiliary))
        }
        return panel
      }
    }
    let rest = curves.take { $0 == "aliasingByFrequency" || $0 == "nonHarmonicByFrequency" }
    return panels + several(rest, title: "what is no harmonic")
  }

  private static let mostHarmonics = 5

  /// The orders that come highest, highest first, without those that no picture shows beside them.
  private func strongest(_ curves: [Curve], _ way: String) -> [Int] {
    var heights: [Int: Double] = [:]
    for curve in curves {
      guard let order = Self.order(curve.id, before: way) else { continue }
      heights[order] = curve.points.map(\.y).filter { !$0.isNaN }.reduce(heights[order] ?? -.infinity, max)
    }
    let top = heights.values.max() ?? 0
    return heights.filter { $0.value > top - 80 }.sorted { ($0.value, -$0.key) > ($1.value, -$1.key) }
      .prefix(Self.mostHarmonics).map(\.key)
  }

  /// The number in `harmonic3`, with something behind it.
  private static func order(_ id: String, before suffix: String) -> Int? {
    guard id.hasPrefix("harmonic"), id.hasSuffix(suffix) else { return nil }
    return Int(id.dropFirst("harmonic".count).dropLast(suffix.count))
  }

  // MARK: Dynamics

  /// The static curve with the line of a device that does nothing, its gain, and the gain over time.
  func dynamicsPanels(_ curves: inout CurvePile) -> [Panel] {
    let statics = curves.take { $0 == "staticCurve" }
    var panels = single(statics, height: 1.8)
    for index in panels.indices {
      let levels = statics.flatMap { $0.points.map(\.x) }.filter(\.isFinite)
      guard let low = levels.min(), let high = levels.max() else { continue }
      panels[index].series.append(PlotSeries("1:1", x: [low, high], y: [low, high], role: .auxiliary))
    }
    panels += single(curves.take { $0 == "staticGain" }, height: 0.8)
    for (id, title) in [("attack", "after a jump up"), ("release", "after the jump back")] {
      let course = curves.take { $0 == id }
      panels += single(course, title: title, height: 0.8).map { panel in
        var panel = panel
        // Each on its own time.
        let times = course.flatMap { $0.points.map(\.x) }.filter(\.isFinite)
        if let first = times.min(), let last = times.max(), first < last { panel.x.range = min(0, first)...last }
        return panel
      }
    }
    return panels
  }

  // MARK: Resampler

  /// The gain by frequency, close and whole, and what appears at other frequencies. What happens lies near half a rate:
  /// these axes are linear.
  func resamplerPanels(_ curves: inout CurvePile) -> [Panel] {
    let gains = curves.take { $0 == "response" }
    let others = curves.take { $0.hasPrefix("images") || $0.hasPrefix("alias") }
    var panels = single(gains, title: "passband and stopband") + several(others, title: "images and aliases of a tone")
    if let close = passband(gains) { panels.insert(close, at: 0) }
    for index in panels.indices {
      panels[index].x.scale = .linear
      panels[index].x.range = panels[index].x.range ?? 0...sampleRate / 2
    }
    return panels
  }

  /// To the −3 dB point, as close as its ripple; what turns down at the edge is seen as a whole below.
  private func passband(_ gains: [Curve]) -> Panel? {
    let points = gains.flatMap(\.points).filter { $0.y.isFinite }
    let top = points.map(\.y).max() ?? 0
    let corner = points.filter { $0.y < top - 3 }.map(\.x).min() ?? points.map(\.x).max() ?? 0
    let flat = points.filter { $0.x <= 0.9 * corner }.map(\.y)
    guard var panel = single(gains, title: "passband").first, let least = flat.min(), let most = flat.max() else {
      return nil
    }
    let room = max(0.5 * (most - least), 0.05)
    panel.x.range = 0...corner
    panel.y.range = least - room...most + room
    return panel
  }
}

extension Curve {
  /// What a perfect device reads, from the errors that follow from it: `error = 20·log10(1 + 10^((floor − y)/20))`.
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
