/// A measured curve: values over frequency, time or level.
public struct Curve: Hashable, Sendable, Codable {
  /// Stable, for programs: `magnitude`, `groupDelay`, `harmonic3`.
  public var id: String
  /// For people.
  public var name: String
  public var x: Axis
  public var y: Axis
  public var points: [Point]
  /// The output channel, from 0, and the input channel that was excited; nil: of all.
  public var channel: Int?
  public var inputChannel: Int?

  public struct Axis: Hashable, Sendable, Codable {
    public var name: String
    public var unit: Reading.Unit
    public init(_ name: String, _ unit: Reading.Unit) {
      self.name = name
      self.unit = unit
    }
    public static let frequency = Axis("frequency", .hertz)
    public static let time = Axis("time", .seconds)
  }

  public struct Point: Hashable, Sendable, Codable {
    public var x: Double
    /// Not a number where nothing could be measured.
    public var y: Double
    /// Of y, as ``Reading/uncertainty``; nil: not known.
    public var uncertainty: Double?
    public init(_ x: Double, _ y: Double, uncertainty: Double? = nil) {
      self.x = x
      self.y = y
      self.uncertainty = uncertainty
    }
  }

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
