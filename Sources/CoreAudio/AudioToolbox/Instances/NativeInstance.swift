// A unit of this package behind the C interface: its life cycle, sources, parameters and listeners. The edit side: any
// thread, one at a time. The render side is in `NativeInstance+Render.swift`.

import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import DeviceUnits
import Hardware
import Synchronization

final class NativeInstance: UnitInstance, @unchecked Sendable {
  let unit: Unit
  private var listeners = PropertyListeners()
  /// Hears of changed properties in the listeners' place.
  var propertyRelay: ((AudioUnitPropertyID, AudioUnitScope, AudioUnitElement) -> Void)?
  private var sources: [UInt32: InputSource] = [:]
  /// Measures what render calls take, once a host has asked.
  private var loadMeter: RenderCycleObserver?
  /// Values of properties that the C interface has and the engine does not need.
  var hostValues = HostValues()

  // Values for the render side: a ``RenderState`` while initialized, and ``RenderNotifies`` while there are any.
  private let sharedState = SharedValue()
  private let sharedNotifies = SharedValue()
  private let sharedListeners = SharedValue(PropertyListeners())
  let stateView: SharedValue.View
  let notifyView: SharedValue.View
  let listenerView: SharedValue.View
  private var state: RenderState?
  private var notifies = RenderNotifies()

  // Written by one side and read by the other.
  /// The first error of a render call since it was last asked for.
  let lastRenderError = Atomic<Int32>(noErr)
  /// Asks the next render call to begin by forgetting all signal.
  let wantsReset = Atomic<Bool>(false)
  /// Asks the next render call to begin a slice of its own; signal goes on.
  let wantsNewSlice = Atomic<Bool>(false)
  /// Set when an output unit has rendered silence because it has no source.
  let gaveSilence = SilenceMark()

  // The render thread's own, behind pointers, and read without the checks that a class's property costs.
  private let hostMemory: HostMemory
  let host: HostPointer
  /// The clock of an output unit's input; that of all other outlets is the host's.
  let inputClock = FlatMemory<RenderClock>(repeating: RenderClock(), count: 1)

  /// True when `AudioUnitProcess` works on the unit: one list is its input and its output.
  let canProcess: Bool

  init(_ component: ComponentEntry, unit: Unit, domain: RenderDomain) {
    self.unit = unit
    canProcess = HostTraits.of(unit).processesInPlace
    stateView = sharedState.view
    notifyView = sharedNotifies.view
    listenerView = sharedListeners.view
    let isMixer = unit.component.description.type == .mixer
    // The second input of an output unit is the hardware's.
    let hasSeveralInputs = unit.deviceOutput == nil && unit.elementCount(.input) > 1
    hostMemory = HostMemory(
      isMixer: isMixer, inputsHaveOwnFlags: isMixer || hasSeveralInputs, domain: domain)
    host = hostMemory.state
    super.init(component, domain: domain, isNative: true)
  }

  /// Wires may still lead here: the state goes at an edge, as everything else.
  deinit {
    if state != nil { domain.post([(sharedState, nil)]) }
  }

  // MARK: Life cycle

  override var isInitialized: Bool { lock.withLock { unit.isInitialized } }

  override func initialize() -> OSStatus {
    edit { () throws(AudioStatus) in
      guard !unit.isInitialized else { return }
      try followInputCallback()
      do throws(AudioStatus) { try unit.initialize() } catch {
        noteDisagreement(error)
        throw error
      }
      try beginRendering()
    }
  }

  /// Hands what an initialized unit renders with to the render side.
  private func beginRendering() throws(AudioStatus) {
    guard let node = unit.node else { throw .failedInitialization }
    let feed = HostFeed(
      handle, sources: (0..<unit.elementCount(.input)).map { _ in SharedValue() }, host: hostMemory, node: node,
      silence: deviceSilence, mark: gaveSilence,
      clockRate: unit is RateUnit || unit is SpatialMixer ? nil : (try? unit.streamFormat(.output))?.sampleRate)
    do {
      for bus in sources.keys where Int(bus) < feed.sources.count {
        feed.sources[Int(bus)].setInitial(try makeSource(input: bus, feed))
      }
    } catch {
      unit.uninitialize()
      throw error
    }
    unit.attach(feed)
    let state = RenderState(unit: unit, node: node, feed: feed, external: hostValues.externalBuffer)
    self.state = state
    domain.post([(sharedState, state)])
  }

  /// A scenario's hardware has another rate, or other channels, now: an output unit that runs is set up anew. On the
  /// hardware's thread, between two cycles.
  func adoptChangedHardware() {
    guard let device = unit.deviceOutput else { return }
    let result = edit { () throws(AudioStatus) in
      do throws(AudioStatus) {
        try device.adoptChangedHardware()
        try beginRendering()
      } catch {
        state = nil
        domain.post([(sharedState, nil)])
        throw error
      }
    }
    if result != noErr { SimulatedHardware.complain("a unit cannot follow the change of format: \(result)") }
    propertyChanged(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0)
    propertyChanged(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1)
  }

  /// The silence that an output unit plays while it has no source, in its processing format.
  private var deviceSilence: StreamBuffer? {
    guard unit.deviceOutput != nil else { return nil }
    return StreamBuffer(format: unit.processingFormat(ofInput: 0), frameCapacity: unit.maximumFramesPerSlice)
  }

  override func uninitialize() -> OSStatus {
    _ = stop()
    return edit {
      guard unit.isInitialized else { return }
      unit.uninitialize()
      state = nil
      domain.post([(sharedState, nil)])
      domain.settle()
    }
  }

  override func close() -> OSStatus {
    _ = uninitialize()
    hostValues = HostValues()
    return noErr
  }

  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> OSStatus {
    // A schedule is emptied at once, and the completions of its regions are called; signal is forgotten at the next
    // slice.
    if let player = unit as? SchedulePlayer { domain.runAlone { player.reset() } }
    unit.noteComingReset()
    request(wantsReset)
    return noErr
  }

  /// Sets a flag that the unit looks at when it is pulled next.
  func request(_ flag: borrowing Atomic<Bool>) {
    flag.store(true, ordering: .releasing)
    domain.noteRequest()
  }

  override func canDo(_ selector: Int16) -> Bool {
    switch Int(selector) {
    // All from initialize to the removal of listeners, but for a number that was never used and the older render call.
    case 0x01...0x07, 0x09...0x0B, 0x0E...0x12: true
    case Int(kAudioUnitProcessSelect): canProcess
    case Int(kAudioUnitProcessMultipleSelect): canProcessMultiple
    case Int(kAudioOutputUnitStartSelect), Int(kAudioOutputUnitStopSelect): unit.isOutput
    default: false
    }
  }

  override func start() -> OSStatus { startOutput() }
  override func stop() -> OSStatus { stopOutput() }

  // MARK: Properties

  /// The time that calls of `AudioUnitRender` take over the time that their slices last, the later ones weighing more;
  /// 0 at first: it is measured from the first read on.
  var averageLoad: Float {
    let meter = loadMeter ?? RenderCycleObserver(domain)
    if loadMeter == nil {
      loadMeter = meter
      meter.attach(to: handle)
    } else {
      meter.readRate(of: handle)
    }
    return meter.averageLoad
  }

  override func propertyInfo(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    size: UnsafeMutablePointer<UInt32>?, isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus { readPropertyInfo(id, scope, element, size: size, isWritable: isWritable) }

  override func property(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeMutableRawPointer?,
    size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus { readProperty(id, scope, element, data: data, size: size) }

  override func setProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeRawPointer?,
    size: UInt32
  ) -> OSStatus { writeProperty(id, scope, element, data: data, size: size) }

  // MARK: Rendering

  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { renderForHost(flags, timeStamp, bus: bus, frames: frames, data) }

  override func process(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus { push(flags, timeStamp, frames: frames, data) }

  override func processMultiple(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, inputCount: UInt32, _ inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>,
    outputCount: UInt32, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
  ) -> OSStatus {
    pushMultiple(
      flags, timeStamp, frames: frames, inputCount: inputCount, inputs, outputCount: outputCount, outputs)
  }

  // MARK: Parameters

  private func address(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(AudioStatus) -> ParameterAddress {
    guard let scope = Scope(rawValue: scope) else { throw .invalidScope }
    // A Mac's output units have the one volume, and players ask for it on the scope that they think of.
    if scope == .output, let device = unit.deviceOutput, device.kind.hasVolume { return ParameterAddress(id) }
    return ParameterAddress(id, scope: scope, element: Int(element))
  }

  override func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    into value: UnsafeMutablePointer<AudioUnitParameterValue>
  ) -> OSStatus {
    status(value.pointee = try unit.parameter(try address(id, scope, element)))
  }

  override func setParameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    to value: AudioUnitParameterValue, bufferOffset: UInt32
  ) -> OSStatus {
    status { () throws(AudioStatus) in
      guard value.isFinite else { throw .invalidParameterValue }
      try unit.setParameter(try address(id, scope, element), to: value)
    }
  }

  override func scheduleParameters(_ events: UnsafePointer<AudioUnitParameterEvent>, count: UInt32) -> OSStatus {
    status(try schedule(UnsafeBufferPointer(start: events, count: Int(count))))
  }

  // MARK: Sources of inputs

  override func source(ofInput bus: UInt32) -> InputSource { lock.withLock { sources[bus] ?? .none } }
  override var presentSources: [InputSource] { Array(sources.values) }

  override func setSource(_ source: InputSource, input bus: UInt32, edits: inout [SharedValue.Edit]) -> OSStatus {
    var prepared: [SharedValue.Edit] = []
    let result = edit { () throws(AudioStatus) in
      guard Int(bus) < unit.elementCount(.input) else { throw .invalidElement }
      let former = sources[bus]
      do throws(AudioStatus) {
        try unit.keepingFeed(ofInput: Int(bus)) { () throws(AudioStatus) in
          let formerBytes = unit.feedBytes(ofInput: Int(bus))
          switch source {
          case .connection(let other, let otherBus):
            let format = try Self.outputFormat(of: other, bus: otherBus)
            do throws(AudioStatus) { try unit.connectInput(Int(bus), format: format) } catch {
              noteRefusal(ofSource: format, input: bus, error)
              throw error
            }
          case .callback: unit.feedInputFromHost(Int(bus))
          case .none:
            unit.disconnectInput(Int(bus))
            // The present source keeps it until it is out of use.
            unit.discardConverter(ofInput: Int(bus))
          }
          sources[bus] = source
          guard let state else { return }
          try unit.checkMemory(ofInput: Int(bus), insteadOf: formerBytes)
          prepared.append((state.feed.sources[Int(bus)], try makeSource(input: bus, state.feed)))
        }
      } catch {
        sources[bus] = former
        throw error
      }
    }
    edits += prepared
    if result == noErr { propertyChanged(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus) }
    return result
  }

  /// The render side of an input's source; nil where it has none.
  private func makeSource(input bus: UInt32, _ feed: HostFeed) throws(AudioStatus) -> BusSource? {
    guard let source = sources[bus], let format = try? unit.streamFormat(.input, element: Int(bus)) else { return nil }
    if case .none = source { return nil }
    // Another source in place of this one goes on through the same converter.
    var converter = unit.inputConverters[Int(bus)]
    if converter == nil {
      try unit.prepareInput(Int(bus))
      converter = unit.inputConverters[Int(bus)]
      if let converter { feed.attach(converter, bus: Int(bus)) }
    }
    return BusSource(
      source, of: callSubject, domain: domain, format: format, maximumFrames: unit.maximumFramesPerSlice,
      allocates: hostValues.allocatesBuffer(.input, bus), converter: converter)
  }

  private static func outputFormat(of unit: AudioUnit, bus: UInt32) throws(AudioStatus) -> StreamFormat {
    var description = AudioStreamBasicDescription()
    try ensureSuccess(
      withUnit(unit) { $0.read(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, bus, into: &description) })
    guard let format = StreamFormat(description) else { throw .formatNotSupported }
    return format
  }

  /// Forgets the sources, names, layouts and other values of elements that are not there any more.
  func elementCountDidChange() {
    lock.withLock {
      let count = UInt32(unit.elementCount(.input))
      sources = sources.filter { $0.key < count }
      hostValues.keepElements { Int($0.element) < unit.elementCount($0.scope) }
    }
  }

  // MARK: Listeners

  override func addPropertyListener(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    changeListeners { $0.adding(id, proc, userData) }
  }

  override func removePropertyListener(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
    anyUserData: Bool
  ) -> OSStatus {
    changeListeners { $0.removing(id, proc, anyUserData ? nil : .some(userData)) }
  }

  private func changeListeners(_ change: (PropertyListeners) -> PropertyListeners) -> OSStatus {
    edit {
      listeners = change(listeners)
      domain.post([(sharedListeners, listeners)])
    }
  }

  /// Tells the listeners, on this thread. For the edit side.
  func propertyChanged(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    if let propertyRelay { return propertyRelay(id, scope, element) }
    lock.withLock { listeners }.call(handle, id, scope, element)
  }

  override func addRenderNotify(
    _ proc: @escaping AURenderCallback, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    changeNotifies { $0.adding(.init(proc: proc, userData: userData)) }
  }

  override func removeRenderNotify(
    _ proc: @escaping AURenderCallback, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    changeNotifies { $0.removing(.init(proc: proc, userData: userData)) }
  }

  private func changeNotifies(_ change: (RenderNotifies) -> RenderNotifies) -> OSStatus {
    let result = edit {
      notifies = change(notifies)
      domain.post([(sharedNotifies, notifies.registrations.isEmpty ? nil : notifies)])
    }
    if result == noErr { domain.settle() }
    return result
  }
}
