import AudioCore

/// What can be measured of a device, by the name that the command line and suites use.
public enum MeasurementKind: String, Hashable, Sendable, CaseIterable {
  case linear

  /// One line for help texts.
  public var summary: String {
    switch self {
    case .linear: "magnitude, phase, group delay, impulse and step response, latency, tail, linearity"
    }
  }

  /// Measures a device.
  /// - Throws: what the device throws, and `.render` where it cannot be measured so.
  public func findings(of device: any Device, _ settings: MeasurementSettings) throws(BenchError) -> Findings {
    switch self {
    case .linear:
      var linear = LinearSettings(
        device, sampleRate: settings.sampleRate, channelCount: settings.channelCount,
        responseFrames: settings.responseFrames, methods: settings.methods)
      if let level = settings.levelDecibels { linear.levelDecibels = level }
      return try LinearMeasurement(linear, precision: device.precision).findings(of: device)
    }
  }
}

/// What measurements have in common; nil is what suits the device.
public struct MeasurementSettings: Hashable, Sendable {
  /// Hertz.
  public var sampleRate: Double?
  public var channelCount: Int?
  /// The peak of stimuli, dBFS.
  public var levelDecibels: Double?
  /// Frames that a device is listened to after an impulse.
  public var responseFrames: Int?
  /// Stimuli of the linear measurement.
  public var methods: [LinearSettings.Method]?

  public init(
    sampleRate: Double? = nil, channelCount: Int? = nil, levelDecibels: Double? = nil, responseFrames: Int? = nil,
    methods: [LinearSettings.Method]? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.levelDecibels = levelDecibels
    self.responseFrames = responseFrames
    self.methods = methods
  }
}
