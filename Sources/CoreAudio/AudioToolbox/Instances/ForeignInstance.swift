// A third-party component behind the C interface: every call goes to the method that its own table names. `render`
// runs on the render thread, and so does what the component calls from there.

import AudioCore
import AudioEngine
import CAudioToolbox
import CForeign

final class ForeignInstance: UnitInstance, @unchecked Sendable {
  private let plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>
  private var methods: ForeignMethods
  private var isOpen = false
  private var hasInitialized = false
  private var feeds: [UInt32: ForeignFeed] = [:]

  /// - Throws: -50 where the factory makes nothing, or something without the functions that every component has.
  init(
    _ component: ComponentEntry, factory: AudioComponentFactoryFunction, domain: RenderDomain
  ) throws(AudioStatus) {
    var description = component.description
    var made: UnsafeMutableRawPointer?
    try ensureSuccess(foreign_make(unsafeBitCast(factory, to: UnsafeRawPointer.self), &description, &made))
    guard let made else { throw .parameterError }
    let plugIn = made.assumingMemoryBound(to: AudioComponentPlugInInterface.self)
    // Three functions, of which none may be missing: the header promises them, components may not.
    let words = UnsafeRawPointer(plugIn).assumingMemoryBound(to: UInt.self)
    guard words[0] != 0, words[1] != 0, words[2] != 0 else { throw .parameterError }
    self.plugIn = plugIn
    methods = ForeignMethods(object: UnsafeMutableRawPointer(plugIn), lookup: plugIn.pointee.Lookup)
    super.init(component, domain: domain)
  }

  /// The notice that is written if the component crashes outside of rendering. Set it before other threads have the
  /// instance.
  var crashNotice: CrashNotice? {
    get { methods.notice }
    set { methods.notice = newValue }
  }

  // MARK: Life cycle

  override func open() throws(AudioStatus) {
    // If opening fails the component is not closed: it frees itself, as the base classes of the field do.
    try ensureSuccess(
      foreign_open(
        unsafeBitCast(plugIn.pointee.Open, to: UnsafeRawPointer.self), plugIn, UnsafeMutableRawPointer(handle)))
    isOpen = true
  }

  deinit {
    if isOpen { _ = closeComponent() }
  }

  /// Closes the component at once, or when the render call that may be inside it has ended: that call keeps it
  /// until then.
  override func close() -> OSStatus { domain.settle() ? closeComponent() : noErr }

  private func closeComponent() -> OSStatus {
    guard isOpen else { return noErr }
    isOpen = false
    return CrashNotice.around(methods.notice) {
      foreign_call(unsafeBitCast(plugIn.pointee.Close, to: UnsafeRawPointer.self), plugIn)
    }
  }

  override func canDo(_ selector: Int16) -> Bool { methods.canDo(selector) }
  override var isInitialized: Bool { hasInitialized }

  override func initialize() -> OSStatus {
    let status = methods.call(kAudioUnitInitializeSelect)
    guard status == noErr else { return status }
    // Slices and formats may have changed since the sources were set.
    var sources: [SharedValue.Edit] = []
    let result = edit { () throws(AudioStatus) in
      for (bus, feed) in feeds { sources.append((feed.shared, try makeSource(feed.source, input: bus))) }
      hasInitialized = true
    }
    guard result == noErr else {
      _ = methods.call(kAudioUnitUninitializeSelect)
      return result
    }
    domain.post(sources)
    return noErr
  }

  override func uninitialize() -> OSStatus {
    let status = methods.call(kAudioUnitUninitializeSelect)
    if status == noErr { hasInitialized = false }
    return status
  }

  /// Calls a method that only instruments have; -4 where the component has none.
  func callMethod<Function>(
    _ selector: some BinaryInteger, as type: Function.Type, _ body: (Function, UnsafeMutableRawPointer) -> OSStatus
  ) -> OSStatus { methods.call(selector, as: type, body) }

  override func start() -> OSStatus { methods.call(kAudioOutputUnitStartSelect) }
  override func stop() -> OSStatus { methods.call(kAudioOutputUnitStopSelect) }

  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> OSStatus {
    methods.call(kAudioUnitResetSelect, as: ForeignMethods.Reset.self) { $0($1, scope, element) }
  }

  // MARK: Properties and parameters

  override func propertyInfo(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    size: UnsafeMutablePointer<UInt32>?, isWritable: UnsafeMutablePointer<Bool>?
  ) -> OSStatus {
    if id == kAudioUnitProperty_FastDispatch { return kAudioUnitErr_InvalidProperty }
    return methods.call(kAudioUnitGetPropertyInfoSelect, as: ForeignMethods.GetPropertyInfo.self) {
      $0($1, id, scope, element, size, isWritable)
    }
  }

  /// `FastDispatch` does not reach the component: its functions take storage of the Component Manager's, which no
  /// instance has here.
  override func property(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeMutableRawPointer?,
    size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    if id == kAudioUnitProperty_FastDispatch {
      size.pointee = 0
      return kAudioUnitErr_InvalidProperty
    }
    return methods.call(kAudioUnitGetPropertySelect, as: ForeignMethods.GetProperty.self) {
      $0($1, id, scope, element, data, size)
    }
  }

  override func setProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement, data: UnsafeRawPointer?,
    size: UInt32
  ) -> OSStatus {
    methods.call(kAudioUnitSetPropertySelect, as: ForeignMethods.SetProperty.self) {
      $0($1, id, scope, element, data, size)
    }
  }

  override func addPropertyListener(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    methods.call(kAudioUnitAddPropertyListenerSelect, as: ForeignMethods.PropertyListenerWithUserData.self) {
      $0($1, id, proc, userData)
    }
  }

  override func removePropertyListener(
    _ id: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
    anyUserData: Bool
  ) -> OSStatus {
    anyUserData
      ? methods.call(kAudioUnitRemovePropertyListenerSelect, as: ForeignMethods.PropertyListener.self) {
        $0($1, id, proc)
      }
      : methods.call(
        kAudioUnitRemovePropertyListenerWithUserDataSelect, as: ForeignMethods.PropertyListenerWithUserData.self
      ) { $0($1, id, proc, userData) }
  }

  override func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    into value: UnsafeMutablePointer<AudioUnitParameterValue>
  ) -> OSStatus {
    methods.call(kAudioUnitGetParameterSelect, as: ForeignMethods.GetParameter.self) {
      $0($1, id, scope, element, value)
    }
  }

  override func setParameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    to value: AudioUnitParameterValue, bufferOffset: UInt32
  ) -> OSStatus {
    methods.call(kAudioUnitSetParameterSelect, as: ForeignMethods.SetParameter.self) {
      $0($1, id, scope, element, value, bufferOffset)
    }
  }

  override func scheduleParameters(_ events: UnsafePointer<AudioUnitParameterEvent>, count: UInt32) -> OSStatus {
    methods.call(kAudioUnitScheduleParametersSelect, as: ForeignMethods.ScheduleParameters.self) {
      $0($1, events, count)
    }
  }

  // MARK: Rendering

  override func addRenderNotify(_ proc: @escaping AURenderCallback, _ userData: UnsafeMutableRawPointer?) -> OSStatus {
    methods.call(kAudioUnitAddRenderNotifySelect, as: ForeignMethods.RenderNotify.self) { $0($1, proc, userData) }
  }

  override func removeRenderNotify(
    _ proc: @escaping AURenderCallback, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    methods.call(kAudioUnitRemoveRenderNotifySelect, as: ForeignMethods.RenderNotify.self) { $0($1, proc, userData) }
  }

  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard domain.enter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { domain.leave() }
    return methods.render(flags, timeStamp, bus, frames, data)
  }

  override func process(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard domain.enter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { domain.leave() }
    return methods.process(flags, timeStamp, frames, data)
  }

  override func processMultiple(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, inputCount: UInt32, _ inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>,
    outputCount: UInt32, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
  ) -> OSStatus {
    guard domain.enter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { domain.leave() }
    return methods.processMultiple(flags, timeStamp, frames, inputCount, inputs, outputCount, outputs)
  }

  // MARK: Sources of inputs

  override func source(ofInput bus: UInt32) -> InputSource { lock.withLock { feeds[bus]?.source ?? .none } }

  /// A component's own inputs cannot be changed at the edge between two slices. So it gets one callback for good, and
  /// what stands behind that changes.
  override func setSource(_ source: InputSource, input bus: UInt32, edits: inout [SharedValue.Edit]) -> OSStatus {
    if case .connection(let other, let otherBus) = source {
      var format = AudioStreamBasicDescription()
      var status = withUnit(other) {
        $0.read(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, otherBus, into: &format)
      }
      guard status == noErr else { return status }
      status = write(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, bus, format)
      guard status == noErr else { return status }
    }
    var prepared: [SharedValue.Edit] = []
    let result = edit { () throws(AudioStatus) in
      let former = feeds[bus]
      if case .none = source, former == nil { return }
      let behind = try makeSource(source, input: bus)
      let feed = former ?? ForeignFeed()
      var callback = AURenderCallbackStruct(
        inputProc: ForeignFeed.proc, inputProcRefCon: Unmanaged.passUnretained(feed).toOpaque())
      if case .none = source { callback = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil) }
      // An initialized component keeps a callback that then finds nothing behind it.
      if callback.inputProc != nil || !hasInitialized {
        try ensureSuccess(write(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, callback))
      }
      feeds[bus] = feed
      feed.source = source
      prepared.append((feed.shared, behind))
    }
    edits += prepared
    return result
  }

  override var presentSources: [InputSource] { feeds.values.map(\.source) }

  /// The source behind the component's input callback; nil: none.
  private func makeSource(_ source: InputSource, input bus: UInt32) throws(AudioStatus) -> BusSource? {
    if case .none = source { return nil }
    guard let format = inputFormat(bus) else { throw .formatNotSupported }
    let frames = maximumFrames
    guard Unit.sliceBytes(format, frames) <= MemoryBudget.standardLimitBytes else { throw .memoryFull }
    return BusSource(
      source, of: callSubject, domain: domain, format: format, maximumFrames: frames, allocates: true, converter: nil)
  }

  private func inputFormat(_ bus: UInt32) -> StreamFormat? {
    streamDescription(kAudioUnitScope_Input, bus).flatMap { StreamFormat($0) }
  }

  /// As the component says, within what can be meant.
  private var maximumFrames: Int {
    var frames: UInt32 = 4096
    _ = read(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, into: &frames)
    return Int(min(frames, 1 << 20))
  }
}

/// The source of one input of a third-party component.
final class ForeignFeed: @unchecked Sendable {
  /// A ``BusSource`` or nothing.
  let shared = SharedValue()
  /// The same on the edit side.
  var source = InputSource.none

  /// The callback that the component gets: it points the component's buffers at the source's.
  static let proc: AURenderCallback = { context, flags, timeStamp, bus, frames, data in
    guard let data else { return kAudio_ParamError }
    let feed = Unmanaged<ForeignFeed>.fromOpaque(context).takeUnretainedValue()
    // The host may dispose of the component from inside the source's call.
    return withExtendedLifetime(feed) {
      feed.shared.view.with(BusSource.self) { source in
        var stamp = timeStamp.pointee
        let status = source.pullByCall(flags, &stamp, bus: Int(bus), frames: Int(frames))
        guard status == noErr else { return status }
        let from = UnsafeMutableAudioBufferListPointer(source.list)
        let to = UnsafeMutableAudioBufferListPointer(data)
        for index in 0..<min(from.count, to.count) { to.buffers[index] = from.buffers[index] }
        return noErr
      } ?? kAudioUnitErr_NoConnection
    }
  }
}
