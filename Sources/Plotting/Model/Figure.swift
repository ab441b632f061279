/// A picture of curves and maps: one panel, or several below each other.
///
/// Written as SVG, PNG or PDF by ``write(to:)``, and shown as text by ``TerminalChart``.
public struct Figure: Hashable, Sendable {
  public var title: String
  /// A line below the title, smaller: the device, the settings.
  public var subtitle: String
  /// From top to bottom.
  public var panels: [Panel]
  /// Whether panels with x axes alike get one range and are labelled once, below the last.
  public var sharesX: Bool
  /// The size in CSS pixels (1/96 inch); nil: 1000 wide, and as high as the panels need. PNG has twice as many each way.
  public var size: Size?

  public struct Size: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  public init(_ title: String, subtitle: String = "", panels: [Panel], sharesX: Bool = true, size: Size? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.panels = panels
    self.sharesX = sharesX
    self.size = size
  }
}

/// One pair of axes and what is drawn between them: bands below, a map, curves, markers on top.
public struct Panel: Hashable, Sendable {
  /// Shown above the panel; empty: nothing.
  public var title: String
  public var x: PlotAxis
  public var y: PlotAxis
  public var bands: [PlotBand]
  public var map: HeatMap?
  public var series: [PlotSeries]
  public var markers: [PlotMarker]
  /// The height in relation to the other panels'.
  public var relativeHeight: Double
  /// Whether x is an angle in degrees, clockwise from above, and y the distance from the middle. Give x a range of one turn.
  public var isPolar = false

  public init(
    _ title: String = "", x: PlotAxis, y: PlotAxis, series: [PlotSeries] = [], bands: [PlotBand] = [],
    map: HeatMap? = nil, markers: [PlotMarker] = [], relativeHeight: Double = 1
  ) {
    self.title = title
    self.x = x
    self.y = y
    self.series = series
    self.bands = bands
    self.map = map
    self.markers = markers
    self.relativeHeight = relativeHeight
  }
}

/// What a curve is, from which its colour, width and dashes follow.
public enum PlotRole: String, Hashable, Sendable, CaseIterable {
  /// What was measured: strong, a colour and a dash pattern for each.
  case actual
  /// What it should be: a thin dashed black line over the measured one.
  case expected
  /// What it may be at most or at least.
  case limit
  /// What helps to read the rest: thin and grey.
  case auxiliary
  /// Points that lie where they may not, on top of all.
  case violation
}

/// A curve.
public struct PlotSeries: Hashable, Sendable {
  /// In the legend; empty: not there. Series of one name and role in several panels look alike.
  public var name: String
  public var role: PlotRole
  /// As many as ``y``. Positions that are not finite, or not above 0 on a logarithmic axis, interrupt the line.
  public var x: [Double]
  /// Not a number: the line is interrupted. Infinities are drawn to the edge of the panel.
  public var y: [Double]
  public var mark: Mark
  /// Whether it lies pale and thin behind the others, as each bin of a spectrum does behind their means.
  public var isFaint = false
  /// For tables: what tells it from another of its name. Empty: nothing.
  public var remark = ""

  /// How the points are drawn.
  public enum Mark: Hashable, Sendable {
    /// A line through them.
    case line
    /// A dot each, for few values that no line joins.
    case dots
    /// A dot each on a line from zero, for samples; a line where they are too many.
    case stems
    case crosses
  }

  public init(_ name: String, x: [Double], y: [Double], role: PlotRole = .actual, mark: Mark = .line) {
    precondition(x.count == y.count, "\(x.count) positions for \(y.count) values")
    self.name = name
    self.role = role
    self.x = x
    self.y = y
    self.mark = mark
  }
}

/// An area between two curves: what a mask allows, the bounds of an error, the envelope of a waveform.
public struct PlotBand: Hashable, Sendable {
  /// In the legend; empty: not there.
  public var name: String
  public var role: PlotRole
  public var x: [Double]
  /// Not a number: the band is interrupted. Infinite: no bound on this side.
  public var lower: [Double]
  public var upper: [Double]
  /// Whether it is filled in full, as a waveform is; otherwise it is a light tint.
  public var isSolid: Bool

  public init(
    _ name: String, x: [Double], lower: [Double], upper: [Double], role: PlotRole = .limit, isSolid: Bool = false
  ) {
    precondition(x.count == lower.count && x.count == upper.count, "bounds and positions are not as many")
    self.name = name
    self.role = role
    self.x = x
    self.lower = lower
    self.upper = upper
    self.isSolid = isSolid
  }
}

/// A line across the panel, or a point in it, with a few words.
public struct PlotMarker: Hashable, Sendable {
  public enum Place: Hashable, Sendable {
    /// A vertical line.
    case x(Double)
    /// A horizontal line.
    case y(Double)
    case point(x: Double, y: Double)
  }

  public var place: Place
  public var label: String

  public init(_ place: Place, _ label: String = "") {
    self.place = place
    self.label = label
  }
}
