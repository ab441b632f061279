import AudioCore

/// The kinds of measurement, by the names that the command line and suites use. Each kind is defined beside its
/// measurement.
public struct MeasurementKind: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// In the order in which help lists them.
  public static let allCases: [MeasurementKind] = [
    .linear, .distortion, .noise, .dynamics, .levels, .crosstalk, .resampler, .voice,
  ]
  /// Those that any device can be measured in: all but that of voice processors, whose two channels are not alike.
  public static let general = allCases.filter { $0 != .voice }

  /// The name on the command line and in suites.
  public let rawValue: String
  /// One line for help texts.
  public let summary: String
  private let measure: @Sendable (any Device, MeasurementSettings) throws(BenchError) -> Findings

  init(
    _ name: String, _ summary: String,
    measure: @escaping @Sendable (any Device, MeasurementSettings) throws(BenchError) -> Findings
  ) {
    rawValue = name
    self.summary = summary
    self.measure = measure
  }

  /// The kind of this name; nil: there is none.
  public init?(rawValue: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }

  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  /// Measures a device.
  /// - Throws: the device's error, and `.render` if it cannot be measured so.
  public func findings(of device: any Device, _ settings: MeasurementSettings) throws(BenchError) -> Findings {
    try measure(device, settings)
  }

  /// Measures each output from the input that it is expected to play, and listens which inputs of the device are heard in
  /// which of its outputs. What is not as expected stands among the remarks.
  ///
  /// - Parameters:
  ///   - device: the device under test.
  ///   - settings: the rate, channels, levels and methods.
  ///   - routes: nil: those of a device of which nothing else is said, ``ExpectedRoutes/init(of:inputCount:)``.
  /// - Throws: as ``findings(of:_:)``.
  public func findings(
    of device: any Device, _ settings: MeasurementSettings, expecting routes: ExpectedRoutes?
  ) throws(BenchError) -> Findings {
    let routes = routes ?? ExpectedRoutes(of: device, inputCount: settings.channelCount(for: device))
    // The measurement refuses first where there are too many channels for it: one play for each input would take long.
    var findings = try findings(of: device, settings, along: routes)
    let problems = try routeProblems(of: device, settings, routes)
    findings.remarks += problems.map { $0.text(ReadingKind.lacking(in: findings, self, at: $0.output)) }
    return findings
  }

  /// The outputs of a device that are not as the routes say.
  /// - Throws: the device's errors.
  package func routeProblems(
    of device: any Device, _ settings: MeasurementSettings, _ routes: ExpectedRoutes
  ) throws(BenchError) -> [RouteProblem] {
    // The two inputs of a voice processor are not alike, and its figures are of the whole.
    guard self != .voice else { return [] }
    let inputCount = settings.channelCount(for: device)
    return try RouteProbe(
      device, routes, sampleRate: settings.sampleRate(for: device), inputCount: inputCount
    ).problems(routes)
  }

  /// Measures each output from the first input that is expected to be heard in it.
  package func findings(
    of device: any Device, _ settings: MeasurementSettings, along routes: ExpectedRoutes
  ) throws(BenchError) -> Findings {
    let inputCount = settings.channelCount(for: device)
    // Other measurements play the same on all inputs, or each input to all outputs.
    guard self == .linear, !routes.isStraight(inputCount: inputCount), !routes.sounding.isEmpty else {
      return try findings(of: device, settings)
    }
    var settings = settings
    settings.channelCount = routes.outputs.count
    let inputs = routes.outputs.map { $0.inputs.first ?? inputCount }
    var findings = try findings(
      of: RoutedDevice(base: device, inputs: inputs, baseInputCount: inputCount), settings)
    findings.leaveOut(Set(routes.outputs.indices.filter { routes.outputs[$0].inputs.isEmpty }))
    return findings
  }
}

extension Findings {
  /// Leaves out what was found of outputs in which nothing is expected.
  fileprivate mutating func leaveOut(_ silent: Set<Int>) {
    guard !silent.isEmpty else { return }
    readings.removeAll { $0.channel.map(silent.contains) ?? false }
    curves.removeAll { $0.channel.map(silent.contains) ?? false }
    responses = responses.filter { !silent.contains($0.key) }
    channelsLikeFirst.subtract(silent)
  }
}

/// The settings that measurements share; nil: the value that suits the device.
public struct MeasurementSettings: Hashable, Sendable {
  /// The rate, in hertz, of what has none of its own and is given none: of units and commands in suites, expectations
  /// and the command line alike.
  public static let defaultSampleRate = 48_000.0

  /// Hertz.
  public var sampleRate: Double?
  /// Input channels; nil: as many as the device takes, or what is usual for the measurement where it takes any number.
  public var channelCount: Int?
  /// The peak of stimuli, dBFS.
  public var levelDecibels: Double?
  /// Frames that a device is listened to after an impulse.
  public var responseFrames: Int?
  /// Stimuli of the linear measurement.
  public var methods: [LinearSettings.Method]?
  /// Speech of the far end and of who speaks at the microphone, for the measurement of a voice processor; nil:
  /// artificial.
  public var farSpeech: [Double]?
  /// As ``farSpeech``.
  public var nearSpeech: [Double]?
  /// The ids of the readings that are needed; nil: all. The others may be left out where they take long.
  package var neededReadings: Set<String>?

  /// Nil suits the device; see the properties.
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

  /// The rate that was set, or the device's preferred one, or 48000.
  package func sampleRate(for device: any Device) -> Double {
    sampleRate ?? device.preferredSampleRate ?? Self.defaultSampleRate
  }

  /// The channel count that was set, or the device's.
  func channelCount(for device: any Device, otherwise count: Int = 2) -> Int {
    channelCount ?? device.inputChannelCount ?? count
  }
}
