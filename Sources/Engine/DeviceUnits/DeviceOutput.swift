import AudioCore
import AudioEngine
import Hardware
import SampleRate

/// The units that play to, and record from, the simulated hardware: one class, five names.
///
/// Element 0 is the output, element 1 the input. What lies towards the hardware (output scope of element 0, input scope
/// of element 1) has the hardware's format and cannot be set; what lies towards the app (input scope of element 0,
/// output scope of element 1) takes any PCM format and starts with the hardware's rate and channels. In between the
/// unit converts. The microphone gives silence, unless the hardware follows a `Scenario`: then it gives what that
/// says, and what happens to the hardware happens to the unit. A change of the hardware's rate or channels sets a
/// running unit up anew.
///
/// Rendering output 1 gives what the microphone recorded and pulls nothing from input 0: the two elements share a unit
/// and a clock, and nothing else.
///
/// ```swift
/// var scenario = Scenario()
/// scenario.device.clock = .told
/// let hardware = SimulatedHardware(DeviceConfiguration())
/// try hardware.follow(scenario)
/// let output = DeviceOutput(.remoteIO, hardware: hardware)
/// try output.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: 0)
/// try output.initialize()
/// try output.start()
/// try hardware.advance(seconds: 0.1)
/// output.stop()
/// ```
public final class DeviceOutput: Unit, HostedUnit, InputConvertingUnit, @unchecked Sendable {
  /// The volume of the units that have one, a linear gain of 0 to 1.
  package static let volumeID: UInt32 = 14

  /// Renders one cycle into a buffer of `DeviceConfiguration.streamFormat`, which will be heard from the time on;
  /// runs on the hardware's thread.
  public typealias Render = (_ time: DeviceTime, _ frames: Int, _ output: Plane<Float>) -> AudioStatus
  /// Called before each cycle's output with the frames that output 1 can now be rendered for: the moment and the
  /// number, both on the app's clock of that bus.
  public typealias InputAvailable = (_ time: DeviceTime, _ frames: Int) -> Void

  /// The name under which it was made: input, volume and properties follow from it.
  public let kind: Kind
  /// The hardware that it plays to and records from.
  package let hardware: SimulatedHardware
  let refusesFormats: Bool
  /// The client of the hardware that ``start(render:)`` and ``stop()`` start and stop.
  package let device: SimulatedDevice

  /// The rate quality of the conversions between app and hardware. While open only.
  public var quality = RateConversionQuality.standard
  /// Called for each cycle where input is enabled; the next start takes it over.
  public var inputAvailable: InputAvailable?
  /// True where each start begins with sample time 0, not where the last run ended.
  package var startsTimestampsAtZero = true
  /// The app's formats in a new unit.
  private let newFormats: (playing: StreamFormat, recording: StreamFormat)

  let outputElement = OutputElement()
  let inputElement = InputElement()
  let voice = DeviceVoice()
  /// True while the user of a voice processor speaks, also into a muted microphone, as of the last cycle: see
  /// `SpeechDetector`. Any thread.
  package var hearsSpeech: Bool { voice.hearsSpeech }
  /// The voice processing that the host has set.
  var voiceSettings: VoiceProcessingState {
    get { voice.settings }
    set {
      voice.settings = newValue
      hardware.setDucking(newValue.duckingGain, of: self)
    }
  }

  /// True where the output takes part, as in a fresh unit.
  public var isOutputEnabled: Bool { outputElement.isEnabled }
  /// True where the input takes part; false in a fresh unit.
  public var isInputEnabled: Bool { inputElement.isEnabled }
  /// The samples of the microphone, in the hardware's format and on its clock; nil is silence. While open only.
  package var microphone: RenderCallback? {
    get { inputElement.microphone }
    set { inputElement.microphone = newValue }
  }

  /// A stopped unit with the output enabled; on the app's side the hardware's rate and channels, Float32, a buffer per
  /// channel.
  /// - Parameters:
  ///   - kind: which of the output units.
  ///   - hardware: the hardware that it plays to and records from.
  ///   - refusesFormats: true to refuse the formats that a scenario's device refuses. False in graphs, whose
  ///     formats the bench chooses.
  public init(_ kind: Kind, hardware: SimulatedHardware = .shared, refusesFormats: Bool = true) {
    self.kind = kind
    self.refusesFormats = refusesFormats
    self.hardware = hardware
    device = SimulatedDevice(hardware)
    let present = hardware.configuration
    newFormats = (present.streamFormat.floatPlanar, present.inputFormat.floatPlanar)
    super.init(kind.component, inputs: 2, outputs: 2, maximumFramesPerSlice: 4096)
    adoptHardware()
    inputs[0].format = newFormats.playing
    outputs[1].format = newFormats.recording
  }

  deinit {
    device.stop()
    if !kind.isOfTheMac {
      hardware.noteFormats(
        areThoseOfANewUnit: inputs[0].format == newFormats.playing && outputs[1].format == newFormats.recording)
    }
    hardware.release(ObjectIdentifier(self))
  }

  /// Takes over the present format of the hardware on its side. A unit that is initialized keeps the one it has.
  package func adoptHardware() {
    guard !isInitialized else { return }
    outputs[0].format = hardware.configuration.streamFormat
    inputs[1].format = hardware.configuration.inputFormat
  }

  /// Switches a voice processor's input on if a host has set an input callback, as on a Mac, and off if it removes
  /// that, unless it was switched by name. While open only.
  /// - Returns: true when it has to be switched, and is, unless the unit is initialized.
  package func followInputCallback(isSet: Bool) -> Bool {
    let wanted = isSet && hardware.hasMicrophone
    guard kind == .voiceProcessing, !inputElement.wasSwitched, isInputEnabled != wanted else { return false }
    if !isInitialized { inputElement.isEnabled = wanted }
    return true
  }

  // MARK: Tables and formats

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    guard scope == .global, kind.hasVolume else { return [] }
    return [
      ParameterDescriptor(Self.volumeID, "volume", unit: .linearGain, 0...1, initial: 1, canRamp: false)
    ]
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable(kind) }
  public override var graphKeys: [GraphKey] {
    guard hardware !== SimulatedHardware.shared else { return [] }
    return kind == .voiceProcessing ? Self.graphKeyTable + Self.voiceKeyTable : Self.graphKeyTable
  }
  package var hostTraits: HostTraits { HostTraits(self, properties: kind.isOfTheMac ? [.renderQuality] : []) }

  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }

  public override var takesAnyPCM: Bool { true }

  public override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    // Another format on the hardware's side is refused: the unit cannot change that of the hardware.
    if (scope == .output) == (element == 0) { throw .propertyNotWritable }
    if let (refusal, _) = refusal(of: format) {
      throw refusal == .float ? .parameterError : .formatNotSupported
    }
    try super.check(format, scope, element: element)
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat { outputs[0].format }

  public override func processingFormat(ofInput bus: Int) -> StreamFormat {
    bus == 0
      ? inputs[0].format.floatPlanar.at(sampleRate: outputs[0].format.sampleRate) : inputs[bus].format
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let matrix = try matrix(
      outputElement.map, from: inputs[0].format.channelCount, to: outputs[0].format.channelCount, "output")
    let volume = ParameterAddress(Self.volumeID)
    return DevicePlayback(matrix, maximumFrames: maximumFramesPerSlice, volumeSlot: store.slots[volume])
  }

  /// Bytes of the input element's render half without its buffers, and of its queue and echo canceller under a
  /// scenario: bounds from measured sizes.
  private static let inputNodeBytes = 12 << 10
  private static let scenarioBytes = 1 << 20

  /// Bytes of a slice in the hardware's layout, and of the input's conversion.
  public override var processorBytes: Int {
    Self.inputNodeBytes + (hardware.scenario == nil ? 0 : Self.scenarioBytes)
      + Self.sliceBytes(outputs[0].format.floatPlanar, maximumFramesPerSlice)
      + Self.sliceBytes(inputs[1].format, maximumFramesPerSlice)
      + FormatConverter.memoryBytes(
        from: inputs[1].format, to: outputs[1].format, maximumFrames: maximumFramesPerSlice, options: conversionOptions)
  }

  // MARK: Life cycle

  public override func initialize() throws(AudioStatus) {
    guard !isInitialized else { return }
    if !kind.isOfTheMac {
      try hardware.take(self, isVoiceProcessor: kind == .voiceProcessing, records: isInputEnabled)
      hardware.setDucking(voiceSettings.duckingGain, of: self)
    }
    do { try prepare() } catch {
      hardware.release(ObjectIdentifier(self))
      throw error
    }
  }

  private func prepare() throws(AudioStatus) {
    adoptHardware()
    try checkMemory()
    do {
      try prepareInput()
      try super.initialize()
    } catch {
      discardInput()
      throw error
    }
    outputElement.silentBefore = .min
    // Without a scenario no rate changes while it runs.
    outputElement.readAheadSeconds =
      hardware.scenario == nil
      ? 0
      : Double(readAheadFrames(from: inputs[0].format.sampleRate, to: outputs[0].format.sampleRate))
        / outputs[0].format.sampleRate
  }

  /// True when the hardware's rate or channels have changed since the unit was initialized.
  package var hasOtherHardware: Bool {
    isInitialized && hardware.scenario != nil
      && (outputs[0].format != hardware.configuration.streamFormat
        || inputs[1].format != hardware.configuration.inputFormat)
  }

  /// Takes over another rate, or other channels, of the hardware: the app's formats stay as they are. While the unit
  /// runs on the hardware's thread, between two cycles.
  ///
  /// The frames that the former conversion had read ahead become silence, and the app does not render them again.
  package func adoptChangedHardware() throws(AudioStatus) {
    guard isInitialized else { return }
    let readAheadSeconds = outputElement.readAheadSeconds
    super.uninitialize()
    discardInput()
    try prepare()
    let rate = outputs[0].format.sampleRate
    outputElement.skip(seconds: readAheadSeconds, from: device.nextFrame(at: rate), sampleRate: rate)
  }

  /// Stops the hardware, too, where it runs.
  public override func uninitialize() {
    stop()
    super.uninitialize()
    discardInput()
    hardware.leave(self)
  }

  public override func reset() {
    super.reset()
    inputElement.node?.reset()
  }

  /// As `Unit.render(output:sampleTime:frames:)`; output 1 gives the microphone's frames.
  /// - Throws: `.noConnection` for an element that is not enabled.
  public override func render(
    output bus: Int = 0, sampleTime: Int64, frames: Int
  ) throws(AudioStatus) -> BusBuffer {
    guard isInitialized, let (node, nodeBus) = outlet(ofOutput: bus) else {
      return try super.render(output: bus, sampleTime: sampleTime, frames: frames)
    }
    guard bus == 0 ? isOutputEnabled : isInputEnabled else { throw .noConnection }
    let former = FlushToZero.enter()
    defer { FlushToZero.leave(former) }
    node.latch()
    return try node.render(bus: nodeBus, sampleTime: sampleTime, frames: frames)
  }

  /// The node, and its bus, that render an output: to connect this unit to another's input.
  package func outlet(ofOutput bus: Int) -> (node: RenderNode, bus: Int)? {
    switch bus {
    case 0: node.map { ($0, 0) }
    case 1: inputElement.node.map { ($0, 0) }
    default: nil
    }
  }

  public override func takeLastRenderError() -> AudioStatus {
    let error = super.takeLastRenderError()
    let inputError = inputElement.node?.takeFirstFailure() ?? .noError
    return error == .noError ? inputError : error
  }
}

extension Unit {
  /// The unit as an output unit of a device; nil for other units.
  package var deviceOutput: DeviceOutput? { self as? DeviceOutput }
}
