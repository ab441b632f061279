/// The label of an axis, its unit, scale and ticks.
public struct PlotAxis: Hashable, Sendable {
  /// The scale of an axis; on a logarithmic one nothing is drawn at 0 or below.
  public enum Scale: String, Hashable, Sendable { case linear, logarithmic }

  /// The placement and notation of ticks.
  public enum Ticks: Hashable, Sendable {
    /// Steps of 1, 2, 5.
    case plain
    /// 20, 50, 100 … 1k, 2k … hertz.
    case frequency
    /// Steps of 1, 2, 3, 6, 10, 20 decibels.
    case decibels
    /// Steps of 15, 30, 45, 90, 180 degrees.
    case degrees
    /// Seconds, shown as milliseconds or as minutes where these suit the range.
    case time
  }

  /// Without the unit.
  public var label: String
  /// Empty: none.
  public var unit: String
  /// Linear or logarithmic.
  public var scale: Scale
  /// The placement and notation of ticks.
  public var ticks: Ticks
  /// The range that is shown; nil: the range of the values.
  public var range: ClosedRange<Double>?
  /// The least that is shown where ``range`` is nil: a constant curve must not fill the panel with its rounding errors.
  public var smallestSpan: Double?
  /// The most that is shown, from the top down, where ``range`` is nil: a notch of −300 dB must not flatten all else.
  public var largestSpan: Double?
  /// A second labelling of a y axis, on the right of the panel.
  public var right: RightTicks?
  /// Ticks with words of their own, rising, in place of numbers: days under the numbers of runs. Empty: numbers. If
  /// there is no room for all, every second, third … one is labelled.
  public var named: [RightTicks.Tick] = []

  /// A second reading of an axis: levels beside amplitudes.
  public struct RightTicks: Hashable, Sendable {
    /// One tick of the second reading.
    public struct Tick: Hashable, Sendable {
      /// On the axis itself.
      public var value: Double
      /// The label at the tick.
      public var label: String

      /// A tick at a value of the axis.
      public init(value: Double, label: String) {
        self.value = value
        self.label = label
      }
    }

    /// The quantity on the right, with its unit.
    public var title: String
    /// Those outside the axis' range are left out, and those whose label would touch one before them.
    public var ticks: [Tick]

    /// Ticks of a second reading under a title.
    public init(title: String, ticks: [Tick]) {
      self.title = title
      self.ticks = ticks
    }
  }

  /// An axis; the parameters are the properties of these names.
  public init(
    _ label: String, unit: String = "", scale: Scale = .linear, ticks: Ticks = .plain,
    range: ClosedRange<Double>? = nil, smallestSpan: Double? = nil, largestSpan: Double? = nil
  ) {
    self.label = label
    self.unit = unit
    self.scale = scale
    self.ticks = ticks
    self.range = range
    self.smallestSpan = smallestSpan
    self.largestSpan = largestSpan
  }

  /// Hertz, logarithmic unless said otherwise.
  public static func frequency(
    _ label: String = "frequency", range: ClosedRange<Double>? = nil, scale: Scale = .logarithmic
  ) -> PlotAxis {
    PlotAxis(label, unit: "Hz", scale: scale, ticks: .frequency, range: range)
  }

  /// Decibels: at least 2 and at most 160 are shown.
  public static func decibels(
    _ label: String = "magnitude", unit: String = "dB", range: ClosedRange<Double>? = nil
  ) -> PlotAxis {
    PlotAxis(label, unit: unit, ticks: .decibels, range: range, smallestSpan: 2, largestSpan: 160)
  }

  /// Degrees: at least 10 are shown.
  public static func degrees(_ label: String = "phase", range: ClosedRange<Double>? = nil) -> PlotAxis {
    PlotAxis(label, unit: "°", ticks: .degrees, range: range, smallestSpan: 10)
  }

  /// Seconds.
  public static func time(_ label: String = "time", range: ClosedRange<Double>? = nil) -> PlotAxis {
    PlotAxis(label, unit: "s", ticks: .time, range: range)
  }

  /// `frequency (Hz)`
  public var title: String { title(unit: unit) }

  func title(unit: String) -> String {
    unit.isEmpty ? label : label.isEmpty ? unit : "\(label) (\(unit))"
  }
}
