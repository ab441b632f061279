import AudioCore

/// What can be measured of a device, by the name that the command line and suites use.
public enum MeasurementKind: String, Hashable, Sendable, CaseIterable {
  case linear
  case distortion
  case noise
  case dynamics
  case levels
  case crosstalk
  case resampler

  /// One line for help texts.
  public var summary: String {
    switch self {
    case .linear: "magnitude, phase, group delay, impulse and step response, latency, tail, linearity"
    case .distortion: "THD, THD+N (AES17), harmonics by level and frequency, intermodulation (SMPTE, ITU-R), aliasing"
    case .noise: "noise floor flat, A-weighted and by ITU-R 468, dynamic range at −60 dBFS, idle tones, DC"
    case .dynamics: "static curve with threshold and ratio, attack and release"
    case .levels: "peak, true peak, RMS, crest, DC, loudness, balance, correlation: of what noise becomes, or of a file"
    case .crosstalk: "from each input channel to each output channel; swapped and inverted channels"
    case .resampler: "of a device that changes the rate: passband, −3 dB point, images, aliases, THD+N, delay, length"
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
      return try LinearMeasurement(linear).findings(of: device)
    case .distortion:
      var distortion = DistortionMeasurement()
      distortion.sampleRate = settings.sampleRate ?? device.preferredSampleRate ?? 48_000
      distortion.channelCount = settings.channelCount ?? device.inputChannelCount ?? 2
      if let level = settings.levelDecibels { distortion.levelDecibels = level }
      return try distortion.measure(device)
    case .noise:
      var noise = NoiseMeasurement()
      noise.sampleRate = settings.sampleRate ?? device.preferredSampleRate ?? 48_000
      noise.channelCount = settings.channelCount ?? device.inputChannelCount ?? 2
      return try noise.measure(device)
    case .dynamics:
      var dynamics = DynamicsMeasurement()
      dynamics.sampleRate = settings.sampleRate ?? device.preferredSampleRate ?? 48_000
      dynamics.channelCount = settings.channelCount ?? device.inputChannelCount ?? 2
      return try dynamics.measure(device)
    case .levels:
      let rate = settings.sampleRate ?? device.preferredSampleRate ?? 48_000
      let channels = settings.channelCount ?? device.inputChannelCount ?? 2
      let amplitude = Decibels.amplitude(settings.levelDecibels ?? -12)
      let frames = Int(5 * rate)
      try AudioSignal.checkMemory(frames: frames, channels: channels, at: "stimulus")
      let noise = (0..<channels).map {
        Stimulus.whiteNoise(frames: frames, amplitude: amplitude, seed: UInt64($0 + 1))
      }
      return try LevelMeasurement.findings(of: device.process(AudioSignal(sampleRate: rate, channels: noise)))
    case .crosstalk:
      var crosstalk = CrosstalkSettings()
      crosstalk.sampleRate = settings.sampleRate ?? device.preferredSampleRate ?? 48_000
      crosstalk.channelCount = settings.channelCount ?? device.inputChannelCount ?? 2
      return try CrosstalkMeasurement.findings(of: device, settings: crosstalk)
    case .resampler:
      let rate = settings.sampleRate ?? device.preferredSampleRate ?? 48_000
      let channels = settings.channelCount ?? device.inputChannelCount ?? 1
      try AudioSignal.checkMemory(frames: 1024, channels: channels, at: "stimulus")
      let answer = try device.process(
        AudioSignal(sampleRate: rate, channelCount: channels, [Double](repeating: 0, count: 1024)))
      var resampler = ResamplerMeasurement(from: rate, to: answer.sampleRate)
      resampler.channelCount = channels
      if let level = settings.levelDecibels { resampler.levelDecibels = level }
      return try resampler.measure(device)
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
