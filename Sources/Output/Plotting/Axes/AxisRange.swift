import Glibc

/// Finds what an axis shows.
struct AxisRange {
  private(set) var low = Double.infinity
  private(set) var high = -Double.infinity

  var isEmpty: Bool { low > high }

  mutating func add(_ value: Double, on axis: PlotAxis) {
    guard value.isFinite, axis.scale == .linear || value > 0 else { return }
    low = min(low, value)
    high = max(high, value)
  }

  mutating func add(_ values: [Double], on axis: PlotAxis) {
    for value in values { add(value, on: axis) }
  }

  mutating func add(_ other: AxisRange) {
    low = min(low, other.low)
    high = max(high, other.high)
  }

  /// The scale of an axis along which the values lie: as wide as they are.
  func tight(_ axis: PlotAxis) -> AxisScale { scale(axis, isTight: true) }

  /// The scale of an axis on which values are read: to the next tick on either side.
  func rounded(_ axis: PlotAxis) -> AxisScale { scale(axis, isTight: false) }

  private func scale(_ axis: PlotAxis, isTight: Bool) -> AxisScale {
    if let range = axis.range, range.lowerBound < range.upperBound, range.lowerBound.isFinite,
      range.upperBound.isFinite, axis.scale == .linear || range.lowerBound > 0
    {
      return AxisScale(axis.scale, low: range.lowerBound, high: range.upperBound)
    }
    if axis.scale == .logarithmic { return logarithmic(axis, isTight: isTight) }
    guard !isEmpty else {
      if axis.ticks == .decibels { return AxisScale(.linear, low: -60, high: 0) }
      let span = axis.smallestSpan ?? 1
      return AxisScale(.linear, low: axis.ticks == .time ? 0 : -span / 2, high: axis.ticks == .time ? span : span / 2)
    }
    // Halves, for the difference of the largest numbers overflows.
    let limit = Double.greatestFiniteMagnitude / 8
    var low = low.clamped(to: -limit...limit)
    var high = high.clamped(to: -limit...limit)
    let size = max(abs(low), abs(high))
    if let largest = axis.largestSpan, high - low > largest { low = high - largest }
    let smallest = max(axis.smallestSpan ?? (high == low ? (size == 0 ? 1 : size * 0.2) : 0), size * 1e-9, 1e-300)
    if high - low < smallest {
      let middle = low / 2 + high / 2
      (low, high) = (middle - smallest / 2, middle + smallest / 2)
    }
    if isTight { return AxisScale(.linear, low: low, high: high) }
    // A curve on the frame is hard to see: a fiftieth of room, then to the next half tick or so.
    let room = (high - low) / 50
    let ticks = AxisTicks.linearStep(axis.ticks, span: high - low, count: 16)
    let bottom = ((low - room) / ticks).rounded(.down) * ticks
    let top = ((high + room) / ticks).rounded(.up) * ticks
    return AxisScale(.linear, low: bottom, high: top)
  }

  private func logarithmic(_ axis: PlotAxis, isTight: Bool) -> AxisScale {
    guard !isEmpty else {
      return axis.ticks == .frequency
        ? AxisScale(.logarithmic, low: 20, high: 20_000) : AxisScale(.logarithmic, low: 0.1, high: 10)
    }
    let limits = Double.leastNormalMagnitude * 1e6...Double.greatestFiniteMagnitude / 1e6
    var (low, high) = (low.clamped(to: limits), high.clamped(to: limits))
    if high / low < 1.0001 { (low, high) = (low / 2, high * 2) }
    if !isTight {
      let room = pow(high / low, 0.02)
      (low, high) = (Self.nice(low / room, up: false), Self.nice(high * room, up: true))
    }
    return AxisScale(.logarithmic, low: low, high: high)
  }

  /// The next of 1, 2, 5 times a power of ten.
  private static func nice(_ value: Double, up: Bool) -> Double {
    let decade = pow(10, log10(value).rounded(.down))
    let steps = [1.0, 2, 5, 10]
    if up { return decade * (steps.first { $0 * decade >= value * (1 - 1e-12) } ?? 10) }
    return decade * (steps.last { $0 * decade <= value * (1 + 1e-12) } ?? 1)
  }
}
