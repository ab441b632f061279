/// The settings of a crosstalk measurement.
public struct CrosstalkSettings: Hashable, Sendable {
  /// Hertz of the signal that goes in.
  public var sampleRate = MeasurementSettings.defaultSampleRate
  /// Input channels; the device's own number where it has one.
  public var channelCount = 2
  /// Tones, all at once, at least 20 Hz apart and below 0.45 × rate.
  ///
  /// The usual ones are primes, so that no rate is a multiple of them: rounding errors then are noise, not lines.
  public var frequenciesHertz: [Double] = [97, 997, 9_973]
  /// Peak level of all tones together, and of the noise, in dBFS.
  public var level = -6.0
  /// Seconds before the tones are looked at: what the device takes to settle, and its latency.
  public var settlingSeconds = 0.5
  /// Seconds of tones that are looked at.
  public var windowSeconds = 1.0

  /// Two channels at 48 kHz, three tones, −6 dBFS.
  public init() {}
}
