/// What one measurement found: numbers, curves, and what a reader must know about them.
public struct Findings: Hashable, Sendable {
  public var readings: [Reading] = []
  public var curves: [Curve] = []
  /// Sentences such as "not linear: ...".
  public var remarks: [String] = []
  /// Channels that do the same as channel 0, bit for bit: what is told of it is told of them.
  public var channelsLikeFirst: Set<Int> = []

  public init(readings: [Reading] = [], curves: [Curve] = [], remarks: [String] = []) {
    self.readings = readings
    self.curves = curves
    self.remarks = remarks
  }

  public mutating func add(_ other: Findings) {
    readings += other.readings
    curves += other.curves
    remarks += other.remarks
    channelsLikeFirst.formUnion(other.channelsLikeFirst)
  }

  /// The channel by which what a channel does is told; nil for all.
  public func teller(of channel: Int?) -> Int? {
    channel.map { channelsLikeFirst.contains($0) ? 0 : $0 }
  }

  /// The first reading of an id, on a channel where one is given.
  public func reading(_ id: String, channel: Int? = nil) -> Reading? {
    readings.first { $0.id == id && (channel == nil || $0.channel == channel) }
  }

  public func curve(_ id: String, channel: Int? = nil) -> Curve? {
    curves.first { $0.id == id && (channel == nil || $0.channel == channel) }
  }
}
