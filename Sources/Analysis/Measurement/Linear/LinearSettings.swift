import AudioCore
import Glibc

/// The settings of a linear measurement.
public struct LinearSettings: Hashable, Sendable {
  /// The stimulus.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// One sample: the most exact one for devices whose ends are floats.
    case impulse
    /// An exponential sweep: the most exact one for integers and noise; shows the harmonics apart.
    case sweep
    /// White noise, by Welch's method: H1 with coherence.
    case noise
    /// Sines at bins of a period, settled.
    case multitone
  }

  /// Hertz.
  public var sampleRate: Double
  /// Input channels that are played into, one after the other.
  public var channelCount: Int
  /// The peak of the stimulus, dBFS.
  public var levelDecibels = -12.0
  /// Frames that the device is listened to after an impulse at most: once for that long, to find how long it rings, and
  /// then for as long as that takes.
  public var longestResponseFrames: Int
  /// True when a device that is silent for a while before its last sound is listened to for longer.
  var mayListenLonger: Bool
  /// Frames of the response that is read: found by listening.
  var responseFrames: Int
  /// The tones that the device gives by itself: found by listening.
  var steadyLines = SteadyLines()
  /// The first is the one whose figures are reported; all must agree.
  public var methods: [Method]
  /// True when another method than the first may be reported because of the device's noise.
  var choosesMethod: Bool
  /// The frequencies at which the response is read, in hertz, rising.
  public var frequencies: [Double]

  /// The least number of frames that is read of each response.
  static let leastResponseFrames = 32_768

  /// - Parameters:
  ///   - device: the device whose preferences hold where nothing is given.
  ///   - sampleRate: hertz; nil: what the device prefers, 48000 as a rule.
  ///   - channelCount: nil: what the device takes, 2 where it takes any.
  ///   - responseFrames: the value of ``longestResponseFrames``; nil: 10 s, or the tail that the device reports
  ///     if that is longer; 2^22 at most.
  ///   - methods: nil: an impulse and a sweep; a sweep and tones for a device that takes integers.
  ///   - pointsPerOctave: the resolution of the curves.
  public init(
    _ device: some Device, sampleRate: Double? = nil, channelCount: Int? = nil, responseFrames: Int? = nil,
    methods: [Method]? = nil, pointsPerOctave: Int = 24
  ) {
    let rate = sampleRate ?? device.preferredSampleRate ?? MeasurementSettings.defaultSampleRate
    self.sampleRate = rate
    self.channelCount = channelCount ?? device.inputChannelCount ?? 2
    let reported = Double(device.reportedTailFrames ?? 0) + (device.reportedLatencyFrames ?? 0)
    var frames = Self.leastResponseFrames
    while Double(frames) < max(10 * rate, min(reported, 0x1p22)), frames < 1 << 22 { frames *= 2 }
    longestResponseFrames = responseFrames ?? frames
    mayListenLonger = responseFrames == nil
    self.responseFrames = min(Self.leastResponseFrames, longestResponseFrames)
    choosesMethod = methods == nil
    if case .integer = device.precision {
      self.methods = methods ?? [.sweep, .multitone]
    } else {
      self.methods = methods ?? [.impulse, .sweep]
    }
    let grid = Self.grid(sampleRate: rate, pointsPerOctave: pointsPerOctave)
    frequencies = Set(grid + Self.approach(sampleRate: rate)).sorted()
  }

  /// Twelve frequencies above 0.45 × rate, ever closer to half of it, where many a filter has its zero: for pictures.
  package static func approach(sampleRate: Double) -> [Double] {
    (1...12).map { sampleRate * (0.5 - 0.05 * exp2(-Double($0) / 2)) }.filter { $0 > 10 }
  }

  /// 1000 Hz times whole powers of 2^(1/points), from 10 Hz to below half the rate.
  public static func grid(sampleRate: Double, pointsPerOctave: Int) -> [Double] {
    let steps = Double(pointsPerOctave)
    let first = Int(clamping: (log2(10.0 / 1000) * steps).rounded(.up))
    let last = Int(clamping: (log2(sampleRate / 2 / 1000 * 0.9999) * steps).rounded(.down))
    guard first <= last else { return [] }
    return (first...last).map { 1000 * exp2(Double($0) / steps) }
  }

  /// The peak of the stimulus.
  var amplitude: Double { Decibels.amplitude(levelDecibels) }
  /// Frames of silence in front of a stimulus: room for what a device rings before its time, and for what it gives by
  /// itself.
  var leadFrames: Int { max(min(4096, responseFrames / 8), steadyLines.lines.isEmpty ? 0 : 16_384) }
  /// Frames of silence behind a response, in which what a device gives by itself is read once more.
  var endFrames: Int { steadyLines.lines.isEmpty ? 0 : 16_384 }
  /// The range in which readings are held to their bounds: 20 Hz to 0.45 × rate.
  public var trustedHertz: ClosedRange<Double> { min(20, sampleRate * 0.45)...sampleRate * 0.45 }
  /// Those of ``frequencies`` within them.
  var trustedFrequencies: [Double] { frequencies.filter { trustedHertz.contains($0) } }
}
