import AudioCore
import AudioEngine
import Hardware
import SampleRate
import Synchronization

/// The units that play to, and record from, the simulated hardware: one class, five names.
///
/// Element 0 is the output, element 1 the input. What lies towards the hardware (output scope of element 0, input scope of
/// element 1) has the hardware's format and cannot be set; what lies towards the app (input scope of element 0, output
/// scope of element 1) takes any PCM format and starts with the hardware's rate and channels. In between the unit
/// converts. The microphone gives silence, unless the hardware follows a ``Scenario``: then it gives what that says, and what
/// happens to the hardware happens to the unit. A change of the hardware's rate or channels sets a running unit up anew.
///
/// Rendering output 1 gives what the microphone recorded and pulls nothing from input 0: the two elements share a unit
/// and a clock, and nothing else.
public final class DeviceOutput: Unit, HardwareUnit, @unchecked Sendable {
  /// The volume of the units that have one, a linear gain of 0 to 1.
  public static let volumeID: UInt32 = 14

  /// Renders one cycle into a buffer of ``DeviceConfiguration/streamFormat``, which will be heard from the time on; runs on the
  /// hardware's thread.
  public typealias Render = (_ time: DeviceTime, _ frames: Int, _ output: UnsafeMutablePointer<Float>) -> AudioStatus
  /// Called before each cycle's output with the frames that output 1 can now be rendered for: the moment and the number, both
  /// on the app's clock of that bus.
  public typealias InputAvailable = (_ time: DeviceTime, _ frames: Int) -> Void

  /// The name under which it was asked for: what input, volume and properties it has follows from that.
  public let kind: Kind
  /// Where the format on the hardware's side comes from.
  public let hardware: SimulatedHardware
  private let refusesFormats: Bool
  /// What ``start(render:)`` runs and ``stop()`` stops.
  public let device: SimulatedDevice

  /// The rate quality of the conversions between app and hardware. While open only.
  public var quality = RateConversionQuality.standard
  /// What is called when input is enabled; the next start takes it over.
  public var inputAvailable: InputAvailable?
  /// What the microphone records, in the hardware's format and on its clock; nil is silence. While open only.
  package var microphone: RenderCallback?

  /// Whether the output takes part; true in a fresh unit. While open only.
  public internal(set) var isOutputEnabled = true
  /// Whether the input takes part; false in a fresh unit. While open only.
  public internal(set) var isInputEnabled = false
  /// True where the input was switched by name.
  var hasSwitchedInput = false
  /// Whether each start begins with sample time 0, or where the last run ended.
  public var startsTimestampsAtZero = true
  /// For each channel of the hardware, the app's channel that plays there, −1 for none; nil: the conventional ones.
  var outputMap: [Int32]?
  /// For each channel that the app receives, the hardware's channel that it comes from, −1 for none.
  var inputMap: [Int32]?
  /// What is set for a voice processor: without a scenario nothing of it changes the sound but the mute switch.
  var voice = VoiceProcessingState() {
    didSet {
      isMuted.store(voice.mutesInput != 0, ordering: .relaxed)
      uplink?.set(voice)
      hardware.setDucking(voice.duckingGain, of: self)
    }
  }
  /// As `voice` says, for the hardware's thread.
  private let isMuted = Atomic<Bool>(false)

  /// The app's formats as the unit was made with them, for what it plays and what it records.
  private let newFormats: (playing: StreamFormat, recording: StreamFormat)
  /// The render half of the input element, while initialized.
  private var inputNode: RenderNode?
  /// What the input element hears under a scenario, while initialized.
  private var microphoneFeed: MicrophoneFeed?
  /// How far ahead of the hardware the app is asked, while initialized.
  private var readAheadSeconds = 0.0
  /// The frame of the hardware's clock from which on the app is asked.
  private var silentBefore = Int64.min
  /// What takes the echo out of it, in a voice processor.
  private var uplink: VoiceUplink?

  /// A stopped unit with the output enabled; on the app's side the hardware's rate and channels, Float32, a buffer per channel.
  /// - Parameter refusesFormats: false: what a scenario's device refuses of formats is not refused. Those of a graph are the bench's.
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
  public func adoptHardware() {
    guard !isInitialized else { return }
    outputs[0].format = hardware.configuration.streamFormat
    inputs[1].format = hardware.configuration.inputFormat
  }

  /// A voice processor's input that nobody has switched goes on where a host has set an input callback, as on a Mac, and off
  /// where it takes that back. While open only.
  /// - Returns: whether it has to be switched, and is, unless the unit is initialized.
  package func followInputCallback(isSet: Bool) -> Bool {
    let wanted = isSet && hardware.hasMicrophone
    guard kind == .voiceProcessing, !hasSwitchedInput, isInputEnabled != wanted else { return false }
    if !isInitialized { isInputEnabled = wanted }
    return true
  }

  // MARK: What the unit declares

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
  public override var hostProperties: Set<PropertyID> { kind.isOfTheMac ? [.renderQuality] : [] }

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

  /// What the scenario's device refuses in a format, and what it takes.
  private func refusal(of format: StreamFormat) -> (DeviceDescription.Refusal, expected: String)? {
    guard refusesFormats else { return nil }
    let refusals = hardware.refusals
    let rate = hardware.configuration.sampleRate
    if refusals.contains(.float), format.encoding.kind == .float { return (.float, "integer samples") }
    if refusals.contains(.mono), format.channelCount == 1 { return (.mono, "two channels or more") }
    if refusals.contains(.otherRates), format.sampleRate != rate {
      return (.otherRates, "the hardware's rate, \(NumberText.short(rate)) Hz")
    }
    return nil
  }

  package func hardwareRefusal(of format: StreamFormat) -> (refusal: String, expected: String)? {
    refusal(of: format).map { ($0.rawValue, $1) }
  }

  package var hardwareRefusals: [String] { hardware.refusals.map(\.rawValue).sorted() }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat { outputs[0].format }

  public override func processingFormat(ofInput bus: Int) -> StreamFormat {
    bus == 0
      ? inputs[0].format.floatPlanar.at(sampleRate: outputs[0].format.sampleRate) : inputs[bus].format
  }

  public override var conversionOptions: FormatConverter.Options { FormatConverter.Options(quality: quality) }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let matrix = try matrix(
      outputMap, from: inputs[0].format.channelCount, to: outputs[0].format.channelCount, "output")
    let volume = ParameterAddress(Self.volumeID)
    return DevicePlayback(matrix, maximumFrames: maximumFramesPerSlice, volumeSlot: store.slots[volume])
  }

  /// What the render half of the input element takes besides its buffers, and under a scenario its queue, with the echo canceller:
  /// bounds from measured sizes.
  private static let inputNodeBytes = 12 << 10
  private static let scenarioBytes = 1 << 20

  /// A slice to lay out for the hardware, and the conversion of what it records.
  public override var processorBytes: Int {
    Self.inputNodeBytes + (hardware.scenario == nil ? 0 : Self.scenarioBytes)
      + Self.sliceBytes(outputs[0].format.floatPlanar, maximumFramesPerSlice)
      + Self.sliceBytes(inputs[1].format, maximumFramesPerSlice)
      + FormatConverter.memoryBytes(
        from: inputs[1].format, to: outputs[1].format, maximumFrames: maximumFramesPerSlice, options: conversionOptions)
  }

  private func makeInputNode() throws(AudioStatus) -> RenderNode {
    let matrix = try matrix(inputMap, from: inputs[1].format.channelCount, to: outputs[1].format.channelCount, "input")
    let format = inputs[1].format
    let node = try makeConverter(
      "input", from: format, to: outputs[1].format, options: FormatConverter.Options(quality: quality, channels: matrix)
    )
    let microphone = microphone
    let feed = hardware.scenario == nil ? nil : makeMicrophoneFeed()
    microphoneFeed = feed
    uplink = try makeUplink()
    let ear = RenderCallback { [unowned self] time, bus, frames, buffer in
      if !isMuted.load(ordering: .relaxed) {
        if let microphone { return microphone.body(time, bus, frames, buffer) }
        if let feed {
          feed.take(into: buffer.buffers[0].assumingMemoryBound(to: Float.self), frames: frames)
          return .noError
        }
      }
      buffer.fillWithSilence(format, frames: frames)
      return .noError
    }
    node.slots[0].source = .callback(
      CallbackSource(ear, StreamBuffer(format: format, frameCapacity: maximumFramesPerSlice), bus: 0))
    return node
  }

  /// Frames are kept back for what either conversion reads ahead: an app may pull its microphone from the callback that it
  /// is asked for output in.
  private func makeMicrophoneFeed() -> MicrophoneFeed {
    let deviceRate = hardware.configuration.sampleRate
    let held =
      readAheadFrames(from: deviceRate, to: outputs[1].format.sampleRate)
      + readAheadFrames(from: inputs[0].format.sampleRate, to: deviceRate)
    return MicrophoneFeed(channelCount: inputs[1].format.channelCount, heldFrames: held)
  }

  /// What a conversion of rates reads ahead, in frames of the hardware.
  private func readAheadFrames(from input: Double, to output: Double) -> Int {
    guard input != output,
      let converter = try? RateConverter(
        from: input, to: output, channelCount: 1, quality: quality, maximumOutputFrames: 1)
    else { return 0 }
    return Int(clamping: (Double(converter.readAheadFrames) * hardware.configuration.sampleRate / input).rounded(.up))
      + 2
  }

  private func makeUplink() throws(AudioStatus) -> VoiceUplink? {
    guard kind == .voiceProcessing, isInputEnabled, let scenario = hardware.scenario else { return nil }
    do throws(BenchError) {
      let uplink = try VoiceUplink(
        sampleRate: inputs[1].format.sampleRate, channelCount: inputs[1].format.channelCount,
        cycleFrames: scenario.device.slices.max() ?? hardware.configuration.bufferFrames, quality: voice.quality)
      uplink.set(voice)
      return uplink
    } catch {
      preparationFailure = error
      throw .failedInitialization
    }
  }

  private func matrix(
    _ map: [Int32]?, from inputCount: Int, to outputCount: Int, _ element: String
  ) throws(AudioStatus) -> ChannelMatrix {
    guard let map else { return .conventional(inputCount: inputCount, outputCount: outputCount) }
    if map.count == outputCount, let matrix = ChannelMatrix(map: map.map(Int.init), inputCount: inputCount) {
      return matrix
    }
    preparationFailure = BenchError(
      .graph, at: "channel map of the \(element)",
      "[\(map.map(String.init).joined(separator: ", "))] does not lead from \(inputCount) to \(outputCount) channels",
      advice: "one entry for each channel that is written; channels count from 0, -1 is silence")
    throw .formatNotSupported
  }

  // MARK: Life cycle

  public override func initialize() throws(AudioStatus) {
    guard !isInitialized else { return }
    if !kind.isOfTheMac {
      try hardware.take(self, isVoiceProcessor: kind == .voiceProcessing, records: isInputEnabled)
      hardware.setDucking(voice.duckingGain, of: self)
    }
    do throws(AudioStatus) { try prepare() } catch {
      hardware.release(ObjectIdentifier(self))
      throw error
    }
  }

  private func prepare() throws(AudioStatus) {
    adoptHardware()
    try checkMemory()
    let inputNode = try makeInputNode()
    try super.initialize()
    self.inputNode = inputNode
    silentBefore = .min
    // Without a scenario no rate changes while it runs.
    readAheadSeconds =
      hardware.scenario == nil
      ? 0
      : Double(readAheadFrames(from: inputs[0].format.sampleRate, to: outputs[0].format.sampleRate))
        / outputs[0].format.sampleRate
  }

  /// Whether the hardware has another rate, or other channels, than when the unit was initialized.
  package var hasOtherHardware: Bool {
    isInitialized && hardware.scenario != nil
      && (outputs[0].format != hardware.configuration.streamFormat
        || inputs[1].format != hardware.configuration.inputFormat)
  }

  /// Takes over another rate, or other channels, of the hardware: the app's formats stay as they are. While the unit runs on the
  /// hardware's thread, between two cycles.
  ///
  /// What the former conversion had read ahead is silence, and the app is not asked for it again.
  package func adoptChangedHardware() throws(AudioStatus) {
    guard isInitialized else { return }
    let readAhead = readAheadSeconds
    super.uninitialize()
    inputNode = nil
    try prepare()
    let rate = outputs[0].format.sampleRate
    silentBefore = device.nextFrame(at: rate) + Int64(clamping: (readAhead * rate).rounded(.up))
  }

  /// Stops the hardware, too, where it runs.
  public override func uninitialize() {
    stop()
    super.uninitialize()
    inputNode = nil
    microphoneFeed = nil
    uplink = nil
    hardware.leave(self)
  }

  public override func reset() {
    super.reset()
    inputNode?.reset()
  }

  /// As ``Unit/render(output:sampleTime:frames:)``; output 1 gives the microphone's frames.
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
    case 1: inputNode.map { ($0, 0) }
    default: nil
    }
  }

  public override func takeLastRenderError() -> AudioStatus {
    let error = super.takeLastRenderError()
    let inputError = inputNode?.takeFirstFailure() ?? .noError
    return error == .noError ? inputError : error
  }

  // MARK: Running

  /// Whether it was started and not stopped since.
  public var isRunning: Bool { device.isRunning }

  /// Lets the hardware pull. Harmless when repeated.
  ///
  /// - Parameter render: renders each cycle in place of ``render(output:sampleTime:frames:)``, for a layer that has more
  ///   to do there; called only while the output is enabled.
  /// - Throws: `.uninitialized`; `.cannotDoInCurrentContext` where the system gives no more threads.
  public func start(render: Render? = nil) throws(AudioStatus) {
    try start(render: render, formatDidChange: nil, wasStopped: nil)
  }

  /// As ``start(render:)``, for a layer that has more to do where a scenario's hardware changes or stops the unit.
  package func start(
    render: Render?, formatDidChange: (() -> Void)?, wasStopped: (() -> Void)?
  ) throws(AudioStatus) {
    guard isInitialized else { throw .uninitialized }
    guard !hardware.isInterrupted else { throw .cannotDoInCurrentContext }
    if hasOtherHardware, formatDidChange == nil { try adoptChangedHardware() }
    if !isRunning {
      // Times that begin anew lie behind nothing.
      if startsTimestampsAtZero { silentBefore = .min }
      // A run that ended with its first cycle has left a slice of the very time that this one begins with.
      forgetSlices()
      // What was heard before a stop is not heard again, and the echo is looked for anew.
      try renewInput()
    }
    let render =
      render ?? { [weak self] time, frames, output in
        guard let self else { return .noConnection }
        do throws(AudioStatus) {
          let rendered = try self.render(output: 0, sampleTime: time.sampleTime, frames: frames)
          let bytes = frames * outputs[0].format.bytesPerFrame
          UnsafeMutableRawPointer(output).copyMemory(from: rendered.buffers[0], byteCount: bytes)
          return .noError
        } catch {
          return error
        }
      }
    device.setHandlers(
      formatDidChange: formatDidChange ?? { [weak self] in
        do throws(AudioStatus) { try self?.adoptChangedHardware() } catch {
          SimulatedHardware.complain("a unit cannot follow the change of format: \(error)")
        }
      }, wasStopped: wasStopped)
    let hears = isInputEnabled ? inputAvailable : nil
    let records = isInputEnabled
    let plays = isOutputEnabled
    let deviceRate = inputs[1].format.sampleRate
    do throws(BenchError) {
      try device.start(startsAtZero: startsTimestampsAtZero, sampleRate: deviceRate, isAudible: plays) {
        [weak self] cycle in
        if records, let self {
          microphoneFeed?.append(
            uplink?.process(cycle.input, frames: cycle.frames, defect: hardware.voiceDefect) ?? cycle.input,
            frames: cycle.frames)
          if let hears {
            // What has arrived by the end of this cycle, in whole frames of the app's clock.
            var time = cycle.time
            time.sampleTime = appTime(cycle.time.sampleTime)
            hears(time, Int(appTime(cycle.time.sampleTime + Int64(cycle.frames)) - time.sampleTime))
          }
        }
        let status = plays ? self?.play(cycle, render) ?? .noConnection : .noError
        if records, let self, let uplink {
          uplink.play(
            plays && status == .noError ? cycle.output : nil, channelCount: outputs[0].format.channelCount,
            frames: cycle.frames)
        }
        return status
      }
    } catch {
      throw .cannotDoInCurrentContext
    }
  }

  /// Renders a cycle, but for its beginning that was asked for already.
  private func play(_ cycle: DeviceCycle, _ render: Render) -> AudioStatus {
    var time = cycle.outputTime
    guard time.sampleTime < silentBefore else { return render(time, cycle.frames, cycle.output) }
    let skipped = Int(min(Int64(cycle.frames), silentBefore - time.sampleTime))
    guard skipped < cycle.frames else { return .noError }
    time.sampleTime += Int64(skipped)
    time.hostTime += UInt64(FrameCount.converted(Int64(skipped), from: outputs[0].format.sampleRate, to: 1e9))
    return render(time, cycle.frames - skipped, cycle.output + skipped * outputs[0].format.channelCount)
  }

  /// A moment of the hardware's clock on the app's, of the microphone.
  private func appTime(_ sampleTime: Int64) -> Int64 {
    FrameCount.converted(sampleTime, from: inputs[1].format.sampleRate, to: outputs[1].format.sampleRate)
  }

  /// The microphone's way as new: queue, echo canceller, and the conversion of what it gives.
  private func renewInput() throws(AudioStatus) {
    guard isInputEnabled, hardware.scenario != nil else { return }
    microphoneFeed?.reset()
    uplink = try makeUplink()
    inputNode?.reset()
  }

  /// Makes the next slice a new one, whatever its time, also of the converters in front of the inputs.
  private func forgetSlices() {
    node?.forgetClock()
    inputNode?.forgetClock()
    for converter in inputConverters.values { converter.forgetClock() }
  }

  /// Stops the hardware: afterwards no cycle is under way, unless one is what calls this; then it is the last.
  public func stop() { device.stop() }
}

extension Unit {
  /// The output unit of a device that this is, where it is one.
  package var deviceOutput: DeviceOutput? { self as? DeviceOutput }
}
