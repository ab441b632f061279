import BuiltInUnits

/// The levels of a player's or recorder's channels as they were when the program last asked for new ones.
struct PlayerMeters {
  /// dBFS of silence.
  static let floor: Float = -160

  private var averages: [Float] = []
  private var peaks: [Float] = []

  /// Takes over the present levels; nil: nothing is played or recorded.
  mutating func update(_ meters: [ChannelMeter]?) {
    averages = meters?.map(\.averageDecibels) ?? []
    peaks = meters?.map(\.peakHoldDecibels) ?? []
  }

  func average(_ channel: Int) -> Float { averages.indices.contains(channel) ? averages[channel] : Self.floor }
  func peak(_ channel: Int) -> Float { peaks.indices.contains(channel) ? peaks[channel] : Self.floor }
}
