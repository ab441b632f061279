/// The findings of one measurement: numbers, curves and remarks.
public struct Findings: Hashable, Sendable {
  /// An id may stand here several times: for each channel, and for each ``Reading/at``.
  public var readings: [Reading] = []
  /// An id may stand here several times: for each channel.
  public var curves: [Curve] = []
  /// Sentences such as "not linear: ...".
  public var remarks: [String] = []
  /// The stimuli that do not give the same response: the device is not linear or varies in time, and its response is
  /// one of many.
  public var disagreements: [String] = []
  /// By channel, the whole responses behind the curves of the linear measurement: known between their points too.
  public var responses: [Int: MeasuredResponse] = [:]
  /// Channels that are the same as channel 0, bit for bit: reported once, as channel 0.
  public var channelsLikeFirst: Set<Int> = []

  /// Without disagreements, responses or channels that are alike.
  public init(readings: [Reading] = [], curves: [Curve] = [], remarks: [String] = []) {
    self.readings = readings
    self.curves = curves
    self.remarks = remarks
  }

  /// Appends the findings of another measurement. If both have the response of a channel, the other's is kept.
  public mutating func add(_ other: Findings) {
    readings += other.readings
    curves += other.curves
    remarks += other.remarks
    disagreements += other.disagreements
    responses.merge(other.responses) { $1 }
    channelsLikeFirst.formUnion(other.channelsLikeFirst)
  }

  /// The same findings, all of one output channel.
  /// - Parameter inputChannel: the channel that was excited; nil: all.
  func of(channel: Int, inputChannel: Int? = nil) -> Findings {
    var findings = self
    for index in readings.indices { findings.readings[index].channel = channel }
    for index in curves.indices {
      (findings.curves[index].channel, findings.curves[index].inputChannel) = (channel, inputChannel)
    }
    return findings
  }

  /// The channel under which a channel is reported; nil for all.
  public func representative(of channel: Int?) -> Int? {
    channel.map { channelsLikeFirst.contains($0) ? 0 : $0 }
  }

  /// The first reading of an id, on a channel where one is given.
  public func reading(_ id: String, channel: Int? = nil) -> Reading? {
    readings.first { $0.id == id && (channel == nil || $0.channel == channel) }
  }

  /// The first curve of an id, on a channel where one is given; nil: there is none.
  public func curve(_ id: String, channel: Int? = nil) -> Curve? {
    curves.first { $0.id == id && (channel == nil || $0.channel == channel) }
  }
}
