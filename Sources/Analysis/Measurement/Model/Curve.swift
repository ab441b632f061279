import AudioCore

/// A measured curve: values over frequency, time or level.
public struct Curve: Hashable, Sendable, Codable {
  /// Stable, for programs: `magnitude`, `groupDelay`, `harmonic3`.
  public var id: String
  /// For people.
  public var name: String
  /// The x axis of the points.
  public var x: Axis
  /// The y axis of the points.
  public var y: Axis
  /// The measured values; empty where there was nothing to measure.
  public var points: [Point]
  /// The output channel, from 0, and the input channel that was excited; nil: of all.
  public var channel: Int?
  /// The input channel that was excited, from 0; nil: all.
  public var inputChannel: Int?

  /// The name of a quantity, and its unit.
  public struct Axis: Hashable, Sendable, Codable {
    /// For people: `frequency`, `magnitude`.
    public var name: String
    /// The unit of the points; for y also of their uncertainty.
    public var unit: Reading.Unit
    /// - Parameters:
    ///   - name: for people.
    ///   - unit: the unit of its values.
    public init(_ name: String, _ unit: Reading.Unit) {
      self.name = name
      self.unit = unit
    }
    /// Hertz.
    public static let frequency = Axis("frequency", .hertz)
    /// Seconds.
    public static let time = Axis("time", .seconds)
  }

  /// One value.
  public struct Point: Hashable, Sendable, Codable {
    /// The place of the point, in the unit of the x axis.
    public var x: Double
    /// Not a number where nothing could be measured.
    public var y: Double
    /// The uncertainty of y, as ``Reading/uncertainty``; nil: not known.
    public var uncertainty: Double?
    /// As ``Reading/floor``: a value at or below it is known to be no larger than the floor, and no more; nil: not
    /// known.
    public var floor: Double?
    /// True when the value is at or below the floor: the true value is the floor or less.
    public var isBelowFloor: Bool { floor.map { y <= $0 } ?? false }
    /// - Parameters:
    ///   - x: the place, in the unit of the x axis.
    ///   - y: the value, in the unit of the y axis.
    ///   - uncertainty: the uncertainty of y; nil: not known.
    ///   - floor: in the unit of the y axis; nil: not known.
    public init(_ x: Double, _ y: Double, uncertainty: Double? = nil, floor: Double? = nil) {
      self.x = x
      self.y = y
      self.uncertainty = uncertainty
      self.floor = floor
    }
    /// A level. Its floor is three times the uncertainty: what is nothing at all reads as more than that in one of
    /// millions. Below it the level is known to be no larger than both together.
    /// - Parameter uncertainty: the uncertainty of the amplitude.
    init(_ x: Double, amplitude: Double, uncertainty: Double? = nil) {
      let floor = uncertainty.map { amplitude > 3 * $0 ? 3 * $0 : amplitude + $0 }.map { Decibels.of(amplitude: $0) }
      self.init(
        x, Decibels.of(amplitude: amplitude), uncertainty: uncertainty.map { Uncertainty.decibels($0, of: amplitude) },
        floor: floor.flatMap { $0.isFinite ? $0 : nil })
    }
  }

  /// - Parameters:
  ///   - id: stable, for programs.
  ///   - name: for people.
  ///   - x: the place, in the unit of the x axis.
  ///   - y: the value, in the unit of the y axis.
  ///   - points: in the order of x.
  ///   - channel: the output channel, from 0; nil: of all.
  ///   - inputChannel: the one that was excited, from 0; nil: all.
  public init(
    _ id: String, _ name: String, x: Axis, y: Axis, points: [Point] = [], channel: Int? = nil, inputChannel: Int? = nil
  ) {
    self.id = id
    self.name = name
    self.x = x
    self.y = y
    self.points = points
    self.channel = channel
    self.inputChannel = inputChannel
  }
}
