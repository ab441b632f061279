import AudioCore
import Glibc

/// The ticks of an axis, and their labels.
package struct AxisTicks: Hashable, Sendable {
  package struct Tick: Hashable, Sendable {
    package var value: Double
    package var label: String
  }

  /// With a label and a grid line.
  package var major: [Tick]
  /// With a fainter grid line and no label.
  package var minor: [Double]
  /// The unit of the labels: `ms` on a time axis whose values are in seconds.
  package var unit: String

  /// - Parameter count: the number of labels that fit.
  package init(_ axis: PlotAxis, _ scale: AxisScale, count: Int) {
    let count = max(2, count)
    unit = axis.unit
    major = []
    minor = []
    if !axis.named.isEmpty {
      (major, minor) = Self.named(axis.named.filter { scale.contains($0.value) }, count: count)
      return
    }
    if scale.isLogarithmic, let ticks = Self.decades(axis, scale, count: count) {
      (major, minor) = ticks
      return
    }
    let span = scale.high - scale.low
    var factor = 1.0
    var isClock = false
    if axis.ticks == .time {
      let size = max(abs(scale.low), abs(scale.high))
      (factor, unit, isClock) =
        size < 1e-4 ? (1e6, "µs", false) : size < 0.5 ? (1e3, "ms", false) : (1, "s", size > 120)
      if isClock { unit = size >= 3600 ? "h:min:s" : "min:s" }
    }
    var step =
      isClock ? Self.clockStep(span, count: count) : Self.linearStep(axis.ticks, span: span * factor, count: count)
    var first: Double { (scale.low * factor / step - 1e-9).rounded(.up) }
    var last: Double { (scale.high * factor / step + 1e-9).rounded(.down) }
    // One label gives no scale: around 0 there may be room for no other, at this step.
    if last <= first, count >= 3, !isClock { step = Self.linearStep(axis.ticks, span: span * factor, count: 2 * count) }
    guard last >= first, last - first < 1000 else { return }
    var index = first
    while index <= last {
      let shown = index * step
      let label = isClock ? Self.clock(shown) : Self.text(shown, step: step, axis.ticks)
      major.append(Tick(value: shown / factor, label: label))
      index += 1
    }
  }

  /// A label may be wider than a number, for whose width the count is.
  private static func named(_ ticks: [PlotAxis.RightTicks.Tick], count: Int) -> (major: [Tick], minor: [Double]) {
    let longest = ticks.map(\.label.count).max() ?? 0
    let room = max(1, count * charactersOfNumber / max(1, longest + 2))
    let step = max(1, (ticks.count + room - 1) / room)
    let isMajor = { (index: Int) in index % step == 0 }
    return (
      ticks.indices.filter(isMajor).map { Tick(value: ticks[$0].value, label: ticks[$0].label) },
      ticks.indices.filter { !isMajor($0) }.map { ticks[$0].value }
    )
  }

  private static let charactersOfNumber = 6

  /// The smallest step of the kind that makes at most `count` ticks over a span.
  static func linearStep(_ kind: PlotAxis.Ticks, span: Double, count: Int) -> Double {
    let least = max(span / Double(count), 1e-300)
    let steps: [Double]
    switch kind {
    case .decibels where least > 0.5: steps = [1, 2, 3, 6, 10, 20, 30, 50, 100]
    case .degrees where least > 0.5: steps = [1, 2, 5, 10, 15, 30, 45, 90, 180, 360, 720, 1800, 3600]
    default: steps = []
    }
    if let step = steps.first(where: { $0 >= least * (1 - 1e-9) }) { return step }
    let decade = pow(10, log10(least).rounded(.down))
    return decade * ([1.0, 2, 5].first { $0 * decade >= least * (1 - 1e-9) } ?? 10)
  }

  private static func clockStep(_ span: Double, count: Int) -> Double {
    let least = span / Double(count)
    let steps: [Double] = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
    ]
    if let step = steps.first(where: { $0 >= least }) {
      return least < 0.5 ? linearStep(.plain, span: span, count: count) : step
    }
    return (least / 86_400).rounded(.up) * 86_400
  }

  /// 1, 2, 5 in every decade, or fewer where there is no room; nil where the range is too narrow for these.
  private static func decades(
    _ axis: PlotAxis, _ scale: AxisScale, count: Int
  ) -> (major: [Tick], minor: [Double])? {
    let first = Int(clamping: log10(scale.low).rounded(.down))
    let last = Int(clamping: log10(scale.high).rounded(.up))
    var fine: [Double] = []
    var choices: [[Double]] = [[], [], []]
    for decade in first...last {
      for digit in 1...9 {
        // Parsed from text, so that 0.3 is 0.3 and not 0.30000000000000004.
        guard let value = Double("\(digit)e\(decade)"), scale.contains(value) else { continue }
        fine.append(value)
        if digit == 1 || digit == 2 || digit == 5 { choices[0].append(value) }
        if digit == 1 || digit == 3 { choices[1].append(value) }
        if digit == 1 { choices[2].append(value) }
      }
    }
    guard choices[0].count >= 3 else { return nil }
    var chosen = choices.first { $0.count <= count } ?? choices[2]
    if chosen.count < 2 { chosen = choices[0] }
    while chosen.count > count { chosen = chosen.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
    let set = Set(chosen)
    return (
      chosen.map { Tick(value: $0, label: text($0, step: $0, axis.ticks)) },
      last - first > 12 ? [] : fine.filter { !set.contains($0) }
    )
  }

  /// A number with as many digits as the step needs; hertz from 1000 on with a k.
  static func text(_ value: Double, step: Double, _ kind: PlotAxis.Ticks) -> String {
    if abs(value) < step * 1e-6 { return "0" }
    if kind == .frequency, abs(value) >= 1000 {
      return NumberText.withoutZeros(decimal(value / 1000, step: step / 1000)) + "k"
    }
    let size = abs(value)
    if size >= 1e6 || size < 1e-4 {
      let exponent = Int(clamping: log10(size * (1 + 1e-12)).rounded(.down))
      let scale = pow(10, Double(exponent))
      return decimal(value / scale, step: step / scale) + "e\(exponent)"
    }
    return decimal(value, step: step)
  }

  private static func decimal(_ value: Double, step: Double) -> String {
    var digits = 0
    var scaled = step
    // The step's own digits, not only its size: 0.25 needs two.
    while digits < 9, abs(scaled - scaled.rounded()) > 1e-6 * scaled {
      scaled *= 10
      digits += 1
    }
    return NumberText.fixed(value, digits)
  }

  /// 1:30, 1:02:03, 0:00.50
  private static func clock(_ seconds: Double) -> String {
    let size = abs(seconds)
    let whole = (size + 1e-9).rounded(.down)
    let fraction = size - whole > 1e-6 ? NumberText.fixed(size - whole, 2).dropFirst() : ""
    return (seconds < 0 ? "-" : "") + NumberText.clock(whole) + fraction
  }
}
