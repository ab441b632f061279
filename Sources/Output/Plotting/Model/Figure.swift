/// A picture of curves and maps: one panel, or several below each other.
///
/// Written as SVG, PNG or PDF by ``write(to:)``, and shown as text by ``TerminalChart``.
public struct Figure: Hashable, Sendable {
  /// Above all panels, in at most three lines; the rest is cut.
  public var title: String
  /// A line below the title, smaller: the device, the settings.
  public var subtitle: String
  /// From top to bottom.
  public var panels: [Panel]
  /// True when panels with x axes alike get one range and are labelled once, below the last.
  public var sharesX: Bool
  /// The size in CSS pixels (1/96 inch); nil: 1000 wide, and as high as the panels need. PNG has twice as many each
  /// way.
  public var size: Size?

  /// The extent of a whole figure.
  public struct Size: Hashable, Sendable {
    /// CSS pixels, clamped to 320 ... 8000.
    public var width: Int
    /// CSS pixels, clamped to 200 ... 8000; more where the panels would not fit.
    public var height: Int

    /// A size in CSS pixels.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A figure of panels from top to bottom; without a size, 1000 pixels wide and as high as they need.
  public init(_ title: String, subtitle: String = "", panels: [Panel], sharesX: Bool = true, size: Size? = nil) {
    self.title = title
    self.subtitle = subtitle
    self.panels = panels
    self.sharesX = sharesX
    self.size = size
  }
}

/// One pair of axes and what is drawn between them, from below: a map, bands, lines of markers, curves, points that lie
/// where they may not, points and words of markers.
public struct Panel: Hashable, Sendable {
  /// Shown above the panel; empty: nothing.
  public var title: String
  /// Behind the title, in brackets: what is not drawn, and why. Empty: nothing.
  public var remark = ""
  /// The horizontal axis of all that is drawn.
  public var x: PlotAxis
  /// The vertical axis of all that is drawn.
  public var y: PlotAxis
  /// Under markers and curves, over the map, the first one lowest.
  public var bands: [PlotBand]
  /// Under everything else; nil: none.
  public var map: HeatMap?
  /// Over bands and markers' lines; those with the roles `notice` and `violation` on top of all.
  public var series: [PlotSeries]
  /// Their lines are under the curves, their points and words on top; nothing where they lie outside the axes.
  public var markers: [PlotMarker]
  /// The height in relation to the other panels'.
  public var relativeHeight: Double
  /// True when x is an angle in degrees, clockwise from above, and y the distance from the middle. Give x a range of
  /// one turn.
  public var isPolar = false

  /// A panel of rectangular axes; set ``isPolar`` for angles.
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

/// The role of a curve, which decides its colour, width and dashes.
public enum PlotRole: String, Hashable, Sendable, CaseIterable {
  /// A measured curve: strong, a colour and a dash pattern for each.
  case actual
  /// The expected curve: a thin dashed black line over the measured one.
  case expected
  /// An upper or lower limit.
  case limit
  /// A help for reading the rest: thin and grey.
  case auxiliary
  /// Points that are worth a look, on top of all: samples at full scale.
  case notice
  /// Points that lie where they may not, on top of all.
  case violation
}

/// A curve.
public struct PlotSeries: Hashable, Sendable {
  /// In the legend; empty: not there. Series of one name and role in several panels look alike.
  public var name: String
  /// The family that decides its colour, if many are measured in the same ways; its name then decides its dashes.
  /// Empty: its name decides both.
  public var family = ""
  /// The role, which decides its colour, width and dashes.
  public var role: PlotRole
  /// As many as ``y``. Positions that are not finite, or not above 0 on a logarithmic axis, interrupt the line.
  public var x: [Double]
  /// Not a number: the line is interrupted. Infinities are drawn to the edge of the panel.
  public var y: [Double]
  /// The style of its points.
  public var mark: Mark
  /// True when it is drawn pale and thin behind the others, as each bin of a spectrum is behind their means.
  public var isFaint = false
  /// For tables: what tells it from another of its name. Empty: nothing.
  public var remark = ""

  /// The style of the points.
  public enum Mark: Hashable, Sendable {
    /// A line through them.
    case line
    /// A dot each, for few values that no line joins.
    case dots
    /// A line through them, and a mark at each whose shape is the curve's: for values that were measured one by one.
    /// The line alone where they are too many.
    case markedLine
    /// A dot each on a line from zero, for samples; a line where they are too many.
    case stems
    case crosses
  }

  /// A curve through as many positions as values; other counts trap.
  public init(_ name: String, x: [Double], y: [Double], role: PlotRole = .actual, mark: Mark = .line) {
    precondition(x.count == y.count, "\(x.count) positions for \(y.count) values")
    self.name = name
    self.role = role
    self.x = x
    self.y = y
    self.mark = mark
  }
}

extension PlotSeries {
  /// Family and name, for what has no colours.
  var wholeName: String { [family, name].filter { !$0.isEmpty }.joined(separator: ", ") }

  var isOnTop: Bool { role == .notice || role == .violation }
}

extension Panel {
  /// The heading above the panel.
  var heading: String {
    [title, remark.isEmpty ? "" : "(\(remark))"].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// An area between two curves: what a mask allows, the bounds of an error, the envelope of a waveform.
public struct PlotBand: Hashable, Sendable {
  /// In the legend; empty: not there.
  public var name: String
  /// The role, which decides its colour.
  public var role: PlotRole
  /// As many as ``lower`` and ``upper``, rising.
  public var x: [Double]
  /// Not a number: the band is interrupted. Infinite: no bound on this side.
  public var lower: [Double]
  /// As ``lower``, for the other side.
  public var upper: [Double]
  /// True when it is filled in full, as a waveform is; otherwise it is a light tint.
  public var isSolid: Bool

  /// A band between two curves over the same positions; other counts trap.
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
  /// The place of a marker, on the axes of its panel.
  public enum Place: Hashable, Sendable {
    /// A vertical line.
    case x(Double)
    /// A horizontal line.
    case y(Double)
    case point(x: Double, y: Double)
  }

  /// A line or a point, on the axes of the panel.
  public var place: Place
  /// Written beside it; empty: nothing.
  public var label: String

  /// A marker at a place.
  public init(_ place: Place, _ label: String = "") {
    self.place = place
    self.label = label
  }
}
