import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation

// All members that a subclass may override stand in the class itself: those of extensions cannot be overridden.

/// An audio unit of version 3: formats, parameters, state, and a function that renders.
///
/// A unit of one's own is a subclass with its ``internalRenderBlock``, its buses and its tree, made known by
/// ``registerSubclass(_:as:name:version:)``. An object of this class itself stands for the unit of its description: it
/// passes all on to one that ``instantiate(with:options:completionHandler:)`` would make.
open class AUAudioUnit: NSObject {
  /// The codes that the unit was made with.
  public let componentDescription: AudioComponentDescription
  /// The unit that an object of this class itself stands for; nil in subclasses.
  private(set) var inner: AUAudioUnit?
  private let ownContext = RenderContext()
  var tree: AUParameterTree?
  private var preset: AUAudioUnitPreset?
  private var ownMaximumFrames: AUAudioFrameCount = 512
  private var isAllocated = false
  private var noInputs: AUAudioUnitBusArray?
  private var noOutputs: AUAudioUnitBusArray?
  /// Called when the tree is replaced.
  var treeDidChange: (() -> Void)?
  /// Called when ``channelMap`` was set.
  package var channelMapDidChange: (() -> Void)?

  /// A unit of a description.
  ///
  /// - Parameters:
  ///   - componentDescription: type, subtype and manufacturer.
  ///   - options: accepted; units of this module run in the process that makes them.
  /// - Throws: `NSError` −3000 for a description that no unit has; what the unit's own initializer throws.
  public init(componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []) throws
  {
    self.componentDescription = componentDescription
    super.init()
    ownContext.unit = self
    if type(of: self) == AUAudioUnit.self {
      inner = try AudioUnitRegistration.makeUnit(componentDescription, options: options)
    }
  }

  /// As ``init(componentDescription:options:)``.
  public convenience init(componentDescription: AudioComponentDescription) throws {
    try self.init(componentDescription: componentDescription, options: [])
  }

  /// For units that are made by their descriptions: calls the designated initializer of the subclass.
  public required convenience init(
    registered componentDescription: AudioComponentDescription,
    instantiation options: AudioComponentInstantiationOptions
  ) throws {
    try self.init(componentDescription: componentDescription, options: options)
  }

  /// The render half.
  var context: RenderContext { inner?.context ?? ownContext }

  // MARK: Names

  /// The component, for functions of the C interface: a program that calls these is linked with `AudioToolboxUnits` besides. In
  /// others, and for codes that no unit has, a handle that stands for nothing.
  open var component: AudioComponent {
    CInterfaceHandles.component(ComponentDescription(componentDescription))
  }
  /// The name of the component, with its maker's in front: `Acme: Gain`.
  open var componentName: String? { AudioUnitRegistration.name(of: componentDescription) }
  /// The name of the unit alone.
  open var audioUnitName: String? { componentName.map { AudioUnitRegistration.parts(ofName: $0).unit } }
  /// The maker's name.
  open var manufacturerName: String? { componentName.map { AudioUnitRegistration.parts(ofName: $0).maker } }
  /// A short name; the unit's own, unless a subclass has one.
  open var audioUnitShortName: String? { audioUnitName }
  /// The version of the component.
  open var componentVersion: UInt32 { AudioUnitRegistration.version(of: componentDescription) }
  /// A name that the host gives the unit.
  open var contextName: String?
  /// True: units of this module run in the process that makes them.
  open var isLoadedInProcess: Bool { true }

  // MARK: Buses and formats

  /// The inputs; none unless a subclass has some.
  open var inputBusses: AUAudioUnitBusArray {
    if let inner { return inner.inputBusses }
    let busses = noInputs ?? AUAudioUnitBusArray(audioUnit: self, busType: .input)
    noInputs = busses
    return busses
  }
  /// The outputs; none unless a subclass has some.
  open var outputBusses: AUAudioUnitBusArray {
    if let inner { return inner.outputBusses }
    let busses = noOutputs ?? AUAudioUnitBusArray(audioUnit: self, busType: .output)
    noOutputs = busses
    return busses
  }
  /// Pairs of numbers of channels, of inputs and outputs by turns; negative ones mean any. Nil: as many out as in.
  open var channelCapabilities: [NSNumber]? { inner?.channelCapabilities }
  /// False refuses a format of a bus; called before it changes.
  open func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool { true }

  // MARK: Rendering

  /// Allocates what rendering needs. A subclass calls `super` and allocates its own.
  /// - Throws: `NSError` −10868 where a bus has a format that its unit refuses; what a subclass throws.
  open func allocateRenderResources() throws {
    if let inner { return try inner.allocateRenderResources() }
    for bus in inputBusses.map({ $0 }) + outputBusses.map({ $0 }) {
      if let refusal = bus.refusal(of: bus.format) { throw NSError(unit: kAudioUnitErr_FormatNotSupported, refusal) }
    }
    setRenderResourcesAllocated(true)
  }

  /// Frees what rendering needed. A subclass calls `super`.
  open func deallocateRenderResources() {
    if let inner { return inner.deallocateRenderResources() }
    setRenderResourcesAllocated(false)
  }

  /// Sets ``renderResourcesAllocated``, for subclasses that allocate at another time than when they are asked to.
  open func setRenderResourcesAllocated(_ flag: Bool) {
    if let inner { return inner.setRenderResourcesAllocated(flag) }
    isAllocated = flag
    if flag { context.begin(maximumFrames: maximumFramesToRender) } else { context.end() }
  }

  /// True between ``allocateRenderResources()`` and ``deallocateRenderResources()``.
  open var renderResourcesAllocated: Bool { inner?.renderResourcesAllocated ?? isAllocated }

  /// The most frames of a slice; changes while resources are not allocated. 512 at first.
  open var maximumFramesToRender: AUAudioFrameCount {
    get { inner?.maximumFramesToRender ?? ownMaximumFrames }
    set {
      if let inner { inner.maximumFramesToRender = newValue } else if !isAllocated { ownMaximumFrames = newValue }
    }
  }

  /// The function that renders, which a subclass gives: it must neither allocate nor lock. Fetched when rendering begins,
  /// and again after resources have been allocated anew. The base class's answers −4.
  open var internalRenderBlock: AUInternalRenderBlock {
    inner?.internalRenderBlock ?? { _, _, _, _, _, _, _ in kAudio_UnimplementedError }
  }

  /// The function by which a host renders: it hands over the events of the slice and calls observers. It does not keep
  /// the unit.
  open var renderBlock: AURenderBlock {
    let context = context
    return { flags, stamp, frames, bus, data, pull in context.render(flags, stamp, frames, bus, data, pull) }
  }

  /// Forgets all signal, and what is scheduled. A subclass calls `super`.
  open func reset() {
    if let inner { inner.reset() } else { context.events.removeAll() }
  }

  /// Has a function called before and after each slice, on the render thread.
  /// - Returns: the number that ``removeRenderObserver(_:)`` takes.
  open func token(byAddingRenderObserver observer: @escaping AURenderObserver) -> Int { context.add(observer) }

  /// Ends an observer.
  open func removeRenderObserver(_ token: Int) { context.removeObserver(token) }

  /// Schedules values, at frames of the render time or at ``AUEventSampleTimeImmediate``. From any thread, without a lock;
  /// where more than 256 events wait, further ones are dropped.
  open var scheduleParameterBlock: AUScheduleParameterBlock {
    let context = context
    return { time, ramp, address, value in context.events.schedule(time, ramp: ramp, address, value) }
  }

  /// Seconds by which the sound is late.
  open var latency: TimeInterval { inner?.latency ?? 0 }
  /// Seconds for which the unit rings after its input has ended.
  open var tailTime: TimeInterval { inner?.tailTime ?? 0 }
  /// From 0 to 127; kept for units that read it.
  open var renderQuality: Int = 127
  /// True: the input passes unchanged. A subclass that does it itself overrides this; otherwise the host's render block
  /// does it.
  open var shouldBypassEffect: Bool {
    get { inner?.shouldBypassEffect ?? context.isBypassed }
    set { if let inner { inner.shouldBypassEffect = newValue } else { context.isBypassed = newValue } }
  }
  /// True where input and output may have one memory.
  open var canProcessInPlace: Bool { inner?.canProcessInPlace ?? false }
  /// True while a host renders faster than real time: set by engines of this module.
  open var isRenderingOffline = false

  // MARK: Devices: AudioUnitDevice.swift

  /// The device that it plays to and records from; nil: none.
  package var device: (any AudioUnitDevice)?
  private var present: (any AudioUnitDevice)? { inner?.device ?? device }

  /// True from ``startHardware()`` to ``stopHardware()``, or until the hardware stops it. False for units of no device.
  open var isRunning: Bool { present?.isRunning ?? false }
  /// True for an output unit (remote input and output, voice processing, device output) where there is a microphone.
  open var canPerformInput: Bool { present?.canPerformInput ?? false }
  /// True for an output unit.
  open var canPerformOutput: Bool { present?.canPerformOutput ?? false }
  /// True where the unit records; false at first. Set in front of ``allocateRenderResources()``; other units ignore it.
  open var isInputEnabled: Bool {
    get { present?.isInputEnabled ?? false }
    set { present?.isInputEnabled = newValue }
  }
  /// True where the unit plays, which it does at first. Set in front of ``allocateRenderResources()``; other units ignore
  /// it.
  open var isOutputEnabled: Bool {
    get { present?.isOutputEnabled ?? false }
    set { present?.isOutputEnabled = newValue }
  }
  /// Gives the frames that an output unit plays, in the format of input bus 0, on the hardware's thread. Taken over by
  /// ``startHardware()``; other units have none.
  open var outputProvider: AURenderPullInputBlock? {
    get { present?.outputProvider }
    set { present?.outputProvider = newValue }
  }
  /// Called in each cycle in front of the output, on the hardware's thread, where the input is enabled: the frames are
  /// pulled with ``renderBlock`` from bus 1. Taken over by ``startHardware()``; other units have none.
  open var inputHandler: AUInputHandler? {
    get { present?.inputHandler }
    set { present?.inputHandler = newValue }
  }
  /// The number of the simulated device; 0 for units of no device.
  open var deviceID: UInt32 { present?.deviceID ?? 0 }

  /// Chooses a device.
  /// - Throws: `NSError` '!dev' for any number but that of the simulated device; −4 for units of no device.
  open func setDeviceID(_ deviceID: UInt32) throws { try neededDevice().setDeviceID(deviceID) }

  /// Lets the hardware pull.
  /// - Throws: `NSError` −10867 in front of ``allocateRenderResources()``; −10863 while the hardware is interrupted, and
  ///   for the nodes of an engine, which starts them; −4 for units of no device.
  open func startHardware() throws { try neededDevice().start() }

  /// Stops the hardware; afterwards no function of the unit is under way. Harmless when repeated.
  open func stopHardware() { present?.stop() }

  private func neededDevice() throws -> any AudioUnitDevice {
    guard let present else { throw NSError(unit: kAudio_UnimplementedError, "the unit plays no device") }
    return present
  }

  // MARK: The host

  /// Gives the host's musical time; set by the host.
  open var musicalContextBlock: AUHostMusicalContextBlock?
  /// Gives the host's transport; set by the host.
  open var transportStateBlock: AUHostTransportStateBlock?

  // MARK: MIDI: AUAudioUnit+MIDI.swift

  /// True of instruments and of effects that take MIDI, by the type of the component.
  open var isMusicDeviceOrEffect: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect].contains(componentDescription.componentType)
  }
  /// Schedules bytes of MIDI 1.0 for the render function; nil for units that take none, by the type of the component.
  /// Messages of more than 275 bytes are dropped, and so are those for which there is no room.
  open var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? { inner.map(\.scheduleMIDIEventBlock) ?? byteSchedule }
  /// Schedules packets, one event for each, in their own protocol; nil for units that take no MIDI. Those for which there
  /// is no room are dropped. The time stamps of the packets count for nothing.
  open var scheduleMIDIEventListBlock: AUMIDIEventListBlock? {
    inner.map(\.scheduleMIDIEventListBlock) ?? packetSchedule
  }
  /// The cables of MIDI: one where MIDI is taken.
  open var virtualMIDICableCount: Int { scheduleMIDIEventBlock == nil ? 0 : 1 }
  /// The names of MIDI outputs; none unless a subclass has some.
  open var midiOutputNames: [String] { [] }
  /// Takes the MIDI that the unit puts out, as bytes; set by the host.
  open var midiOutputEventBlock: AUMIDIOutputEventBlock?
  /// Takes the MIDI that the unit puts out, as packets; set by the host.
  open var midiOutputEventListBlock: AUMIDIEventListBlock?
  /// Bytes that the unit may put out in a slice; 0: it does not say.
  open var midiOutputBufferSizeHint = 0
  /// The protocol of the packets that the host sends and takes.
  open var hostMIDIProtocol = MIDIProtocolID._1_0
  /// The protocol of the packets that the unit wants: MIDI 1.0, unless a subclass wants another.
  open var audioUnitMIDIProtocol: MIDIProtocolID { ._1_0 }
  /// True where the unit takes MIDI with an expression of its own for each note.
  open var supportsMPE: Bool { false }
  /// For each channel of the device, the channel of the unit that it plays: 0 and up, −1 for none. The unit of an
  /// engine's output node follows it while the engine plays to hardware; nil: each channel plays its own. For other units
  /// it is kept.
  open var channelMap: [NSNumber]? {
    didSet { channelMapDidChange?() }
  }
  /// False: there are no screens.
  open var providesUserInterface: Bool { false }
  /// A way for messages between unit and host; that of a unit that has none by the name answers with an empty dictionary.
  open func messageChannel(for channelName: String) -> any AUMessageChannel {
    inner?.messageChannel(for: channelName) ?? SilentMessageChannel()
  }
  /// The older plug-ins that the unit takes the place of, each an `AudioUnitOtherPluginDesc` as `Data`; none unless a
  /// subclass names some. Hosts of this module ask nobody.
  open var migrateFromPlugin: [Any] { inner?.migrateFromPlugin ?? [] }

  // MARK: Parameters and presets: AUAudioUnit+State.swift

  /// The parameters; a subclass sets or overrides it. Nil: it has none.
  ///
  /// Those of an engine's own unit have as address its id, above it the scope (bits 32 to 39) and the element.
  open var parameterTree: AUParameterTree? {
    get { inner?.parameterTree ?? tree }
    set {
      if let inner { return inner.parameterTree = newValue }
      tree = newValue
      treeDidChange?()
    }
  }

  /// A name for all values at once, by which Apple's observers hear that they have changed. Its value means nothing, and is
  /// true; where there is no KVO, ``AUParameterNode/token(byAddingParameterObserver:)`` hears of values.
  open var allParameterValues: Bool { true }

  /// The preset that was chosen last. A factory preset is up to a subclass; one of a user sets its state.
  open var currentPreset: AUAudioUnitPreset? {
    get { inner?.currentPreset ?? preset }
    set {
      if let inner { return inner.currentPreset = newValue }
      preset = newValue
      if let newValue, newValue.number < 0, let state = try? presetState(for: newValue) { fullState = state }
    }
  }

  /// The presets of the unit's maker; nil: it has none.
  open var factoryPresets: [AUAudioUnitPreset]? { inner?.factoryPresets }
  /// True where users may save presets: a subclass says so.
  open var supportsUserPresets: Bool { inner?.supportsUserPresets ?? false }

  /// The presets that were saved in this process, where the unit supports any.
  open var userPresets: [AUAudioUnitPreset] { inner?.userPresets ?? savedPresets }

  /// Saves the present state under a preset with a number below 0, for the life of the process.
  /// - Throws: `NSError` −10879 where the unit supports none; −10851 for a number from 0 on.
  open func saveUserPreset(_ userPreset: AUAudioUnitPreset) throws { try (inner ?? self).save(userPreset) }

  /// Forgets a preset.
  /// - Throws: As ``saveUserPreset(_:)``, and −10851 where there is none of the number.
  open func deleteUserPreset(_ userPreset: AUAudioUnitPreset) throws { try (inner ?? self).delete(userPreset) }

  /// The state that was saved under a preset.
  /// - Throws: As ``deleteUserPreset(_:)``.
  open func presetState(for userPreset: AUAudioUnitPreset) throws -> [String: Any] {
    try (inner ?? self).savedState(of: userPreset)
  }

  /// The values of all parameters and the codes, for saving: a property list. Setting it to one of another unit changes
  /// nothing. A subclass adds what else it has.
  open var fullState: [String: Any]? {
    get { inner.map(\.fullState) ?? ownState }
    set { if let inner { inner.fullState = newValue } else { restore(newValue) } }
  }

  /// The state as documents save it: ``fullState``, unless a subclass leaves something out.
  open var fullStateForDocument: [String: Any]? {
    get { fullState }
    set { fullState = newValue }
  }

  /// The addresses of the most important parameters: the first ones, unless a subclass chooses.
  open func parametersForOverview(withCount count: Int) -> [NSNumber] {
    (parameterTree?.allParameters ?? []).prefix(max(0, count)).map { NSNumber(value: $0.address) }
  }
}
