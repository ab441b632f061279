import AudioCore

/// The edit half of an audio unit: what a host configures, connects and controls.
///
/// A unit is open when made, initialized by ``initialize()`` (formats and sizes are then locked, and it can render), and
/// open again after ``uninitialize()``. Values set by a host persist through all of that. Every call that cannot be
/// carried out throws the ``AudioStatus`` that the C interface documents for it.
///
/// Parameters may be set from any thread while another renders; everything else belongs to one thread at a time.
open class Unit: @unchecked Sendable {
  /// One input or output element.
  package struct Bus {
    package var format: StreamFormat
  }
  /// What feeds an input element.
  enum Feed {
    /// A connection: the format follows the source and is not settable.
    case connection
    case callback(RenderCallback)
    /// A function that the host calls by itself, of which the unit knows only that it needs a buffer.
    case host

    var isConnection: Bool { if case .connection = self { true } else { false } }
  }

  /// The codes and names of this kind of unit, and what makes another.
  public let component: Component
  /// Whether ``initialize()`` has succeeded and ``uninitialize()`` was not called since: the unit can render.
  public private(set) var isInitialized = false
  package var inputs: [Bus]
  /// By input; none where nothing feeds it. Changes while the unit is initialized, when ``inputs`` does not and other
  /// threads may read those.
  var feeds: [Int: Feed] = [:]
  package var outputs: [Bus]
  private var maximumFrames: Int
  package private(set) var store = ParameterStore(rows: [])
  package private(set) var timelines: [ParameterAddress: ParameterTimeline] = [:]
  private var smoothing = ParameterSmoothing.frames
  private var notifies: [RenderNotify] = []
  private var nextNotifyToken = 0
  /// The render half, while initialized.
  package private(set) var node: RenderNode?
  /// The first error of a render call that came when there was no node, or that a former node left.
  private var keptRenderError = AudioStatus.noError
  /// What runs in front of an input whose stream format differs from what the processor computes in.
  package internal(set) var inputConverters: [Int: RenderNode] = [:]
  /// What the unit was last allowed to take.
  var plannedBytes = 0
  /// How errors call the unit; a graph sets it to its node's name.
  package var label: String

  /// - Parameters:
  ///   - inputs: the number of input buses, 0 or more, of a fresh unit.
  ///   - outputs: the number of output buses, 1 or more.
  ///   - maximumFramesPerSlice: the longest slice until a host sets another.
  public init(_ component: Component, inputs: Int, outputs: Int, maximumFramesPerSlice: Int = 1156) {
    self.component = component
    self.inputs = Array(repeating: Bus(format: .initial), count: inputs)
    self.outputs = Array(repeating: Bus(format: .initial), count: outputs)
    maximumFrames = maximumFramesPerSlice
    label = component.shortName
    rebuildStore()
  }

  // MARK: What a kind of unit declares

  /// The parameter rows of an element.
  open func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] { [] }

  /// The address under which a parameter stands in the tables: another than the given one where it has a former number as well.
  open func tableAddress(of address: ParameterAddress) -> ParameterAddress { address }

  /// The elements of a scope that have parameters, in the order of their slots: buses, or as in the matrix mixer channels.
  open func parameterElements(_ scope: Scope) -> [Int] { Array(0..<elementCount(scope)) }

  /// The properties beyond those that every unit has.
  open var ownProperties: [PropertyDescriptor] { [] }

  /// The keys of a node of a graph file beyond those that follow from properties, presets and the number of inputs. Set in
  /// this order, in front of those of the properties.
  open var graphKeys: [GraphKey] { [] }

  /// Parameters that the unit has several times, as the bands of an equalizer.
  open var parameterGroups: [ParameterGroup] { [] }

  /// The parameters that controls show together; by default those of each index of a group. What a host of the C interface
  /// calls clumps, numbered from 1 on.
  open var parameterClumps: [ParameterClump] { parameterGroups.flatMap(\.clumps) }

  /// The unit's magnitude in closed form, at the present values of its parameters and another way than the one by which it
  /// renders: what suites hold it to. Nil where there is none. Not asked of a unit whose parameters move.
  open func closedForm(sampleRate: Double) -> AnalogResponse? { nil }

  /// What hosts of the C interface may ask of this kind of unit and the engine has no use for.
  open var hostProperties: Set<PropertyID> {
    component.description.type == .effect ? [.inPlaceProcessing] : []
  }

  /// Whether hosts of the C interface may have it render one list of buffers in place (`AudioUnitProcess`): effects, but for
  /// those kinds of which a Mac's does not.
  open var processesInPlace: Bool { component.description.type == .effect }

  /// The factory presets; selecting one is up to ``select(preset:)``.
  open var factoryPresets: [Preset] { [] }

  /// How many elements a scope may have.
  open func elementCountRange(_ scope: Scope) -> ClosedRange<Int> {
    let count = elementCount(scope)
    return count...count
  }

  /// True where a host may set the number of inputs to 0 although a graph file cannot: the unit gives silence then.
  open var mayHaveNoInputs: Bool { false }

  /// How many input buses a node of a graph file has, of which nothing is written and which needs so many for its connections;
  /// nil: as a fresh unit.
  open func inputCount(connected: Int?) -> Int? { elementCountRange(.input).count > 1 ? connected ?? 1 : nil }

  /// The number of output channels that a key of the graph file has settled, beside which no other may be asked for.
  open var settledOutputChannels: (count: Int, key: String)? { nil }

  /// Why a node of a graph file must not set or move a parameter, which other keys of the node have settled or taken out of
  /// use; nil: it may.
  open func conflict(withSetting address: ParameterAddress) -> String? { nil }

  /// Channels taken and given; empty stands for "any number, the same on both sides".
  open var channelCapabilities: [ChannelCapability] { [] }

  /// True where buses take any PCM; otherwise they take 32-bit float alone, a buffer for each channel.
  open var takesAnyPCM: Bool { false }

  /// Throws unless the unit takes this format on this bus.
  open func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard format.isValid, takesAnyPCM || format.isFloatPlanar else { throw .formatNotSupported }
  }

  /// What a bus takes in place of a format that was refused, in words: for units that take other channels than their
  /// ``channelCapabilities`` can say. Nil: what these say.
  open func ownExpectation(insteadOf format: StreamFormat, _ scope: Scope, element: Int) -> String? { nil }

  /// The format in which the processor takes an input; a converter runs in front where the stream's differs.
  open func processingFormat(ofInput bus: Int) -> StreamFormat { inputs[bus].format }

  /// Throws unless the buses' formats agree with one another: called when the unit is initialized.
  open func checkFormats() throws(AudioStatus) {}

  /// The format that an output bus takes when the inputs have theirs and the host asked for none.
  open func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    inputs.first?.format ?? StreamFormat(sampleRate: graphRate, channelCount: 2)
  }

  /// The format that one of several output buses takes: ``naturalOutputFormat(graphRate:)``, unless they differ.
  open func naturalOutputFormat(ofOutput bus: Int, graphRate: Double) -> StreamFormat {
    naturalOutputFormat(graphRate: graphRate)
  }

  /// Makes the render half for the present formats and sizes.
  open func makeProcessor() throws(AudioStatus) -> Processor { throw .failedInitialization }

  /// Takes over a factory preset.
  open func select(preset number: Int32) throws(AudioStatus) { throw .invalidProperty }

  /// The delay of the signal, in frames of the output.
  open var latencyFrames: Int { 0 }

  /// How long the unit rings after its input has ended, to −120 dB, in frames of the output; nil for units without the
  /// property.
  open var tailFrames: Int64? { nil }

  /// Frames of the output until the last sound of the unit's own, for generators; nil: it has none, or never ends.
  open var sourceFrames: Int64? { nil }

  /// The first output frame that belongs to an input frame, or to what lies behind it: another one for units that change the speed
  /// of what they play.
  /// - Parameters:
  ///   - frames: of the input, on the output's clock at equal speed; 0 or more.
  ///   - bus: which input.
  open func outputEnd(ofInputEnd frames: Int64, input bus: Int = 0) -> Int64 { frames }

  /// How many frames of an input are asked for, for each frame of the output, at the most.
  open func mostFramesAsked(ofInput bus: Int) -> Double {
    guard let output = outputs.first, inputs.indices.contains(bus) else { return 1 }
    return inputs[bus].format.sampleRate / output.format.sampleRate
  }

  /// How many frames of this unit are asked for, for each frame that is heard, at the most: what plays files reads so much further
  /// ahead. While open only.
  package var readingSpeed = 1.0

  /// What the processor takes of memory, in bytes, about: a bound of what ``makeProcessor()`` allocates.
  open var processorBytes: Int { 0 }

  /// What an input takes, for the advice to convert what comes in.
  open var inputInWords: String { "Float32, one buffer per channel" }

  /// Whether rendering runs third-party code: such a unit, and all that it pulls, stays on the rendering thread.
  open var runsForeignCode: Bool { false }

  /// Inputs that other units can feed: all, but for those that lie towards hardware.
  package var connectableInputs: Int { hasHardwareOutputs ? 1 : elementCount(.input) }
  /// Whether the formats of its outputs are those of hardware.
  package var hasHardwareOutputs: Bool { self is any HardwareUnit }

  // MARK: Life cycle

  /// Checks the formats, allocates what rendering needs, and locks both. Harmless when repeated.
  open func initialize() throws(AudioStatus) {
    guard !isInitialized else { return }
    preparationFailure = nil
    try checkFormats()
    try checkChannelCapabilities()
    try checkMemory()
    let node = RenderNode(
      name: label, processor: try makeProcessor(), inputFormats: inputs.indices.map { processingFormat(ofInput: $0) },
      outputFormats: outputs.map(\.format), maximumFrames: maximumFrames,
      parameters: RenderParameters(store: store, timelines: timelines, smoothingFrames: smoothing))
    node.notifies = notifies
    self.node = node
    do throws(AudioStatus) {
      for bus in feeds.keys { try attachCallback(bus) }
    } catch {
      discardNode()
      throw error
    }
    isInitialized = true
  }

  /// Frees what rendering needed. Values, formats and callbacks persist.
  open func uninitialize() {
    isInitialized = false
    keptRenderError = takeLastRenderError()
    discardNode()
  }

  private func discardNode() {
    node = nil
    inputConverters = [:]
    didUninitialize()
  }

  /// Called when the render half is gone: what ``makeProcessor()`` took outside the unit is given back here.
  open func didUninitialize() {}

  /// Clears delay lines and filters, as if nothing had been rendered. Values persist.
  open func reset() {
    node?.reset()
    for converter in inputConverters.values { converter.reset() }
  }

  private func checkChannelCapabilities() throws(AudioStatus) {
    guard let input = inputs.first?.format, let output = outputs.first?.format else { return }
    let fits = knownCapabilities.contains { capability in
      if capability == .equal { return input.channelCount == output.channelCount }
      return (capability.inputChannels < 0 || capability.inputChannels == input.channelCount)
        && (capability.outputChannels < 0 || capability.outputChannels == output.channelCount)
    }
    guard fits else { throw .formatNotSupported }
  }

  /// True where a converter stands in front of an input: what arrives there is not what the processor computes in, or is played at
  /// another speed.
  package func convertsInput(_ bus: Int) -> Bool { self is any InputSpeedUnit || hasOtherFormat(ofInput: bus) }

  /// Makes what renders in front of an input.
  func makeInputProcessor(_ bus: Int) throws(AudioStatus) -> Processor {
    if let unit = self as? any InputSpeedUnit { return try unit.makeSpeedProcessor(input: bus) }
    return try makeConversion(from: inputs[bus].format, to: processingFormat(ofInput: bus), options: conversionOptions)
  }

  /// How converters in front of inputs work.
  open var conversionOptions: FormatConverter.Options { FormatConverter.Options() }

  // MARK: Elements and sizes

  /// Input or output buses; 1 for the global scope, 0 for any other.
  public func elementCount(_ scope: Scope) -> Int {
    switch scope {
    case .global: 1
    case .input: inputs.count
    case .output: outputs.count
    default: 0
    }
  }

  /// Changes the number of buses. New ones have the initial format and initial values.
  public func setElementCount(_ count: Int, _ scope: Scope) throws(AudioStatus) {
    let range = elementCountRange(scope)
    guard range.lowerBound < range.upperBound else { throw .propertyNotWritable }
    guard !isInitialized else { throw .initialized }
    guard range.contains(count) || count == 0 && scope == .input && mayHaveNoInputs else { throw .invalidPropertyValue }
    try elementCountWillChange(to: count, scope)
    func resized(_ buses: [Bus]) -> [Bus] {
      buses.prefix(count) + Array(repeating: Bus(format: .initial), count: max(0, count - buses.count))
    }
    if scope == .input {
      inputs = resized(inputs)
      feeds = feeds.filter { $0.key < count }
    } else {
      outputs = resized(outputs)
    }
    rebuildStore()
    elementCountDidChange(scope)
  }

  /// Called before the number of buses changes; throwing leaves it as it is.
  open func elementCountWillChange(to count: Int, _ scope: Scope) throws(AudioStatus) {}

  /// Called after a host has changed the number of buses: what a unit keeps for each of them follows here.
  open func elementCountDidChange(_ scope: Scope) {}

  /// Called after a bus was given a stream format, which may be the one that it had.
  open func streamFormatWasSet(_ scope: Scope, element: Int) {}

  /// The parameters that the unit has with another number of inputs, or a bound of that: to be checked before it is set.
  open func parameterCount(withInputs count: Int) -> Int {
    let perInput = count > 0 ? parameterTable(.input, element: 0).count : 0
    return MemoryBudget.sum(store.count, MemoryBudget.product(count, perInput))
  }

  /// What the longest slice of a unit can be.
  package static let sliceFrames = 1...(1 << 20)

  /// The longest slice that the unit can be asked for, and that it asks of its inputs.
  public var maximumFramesPerSlice: Int { maximumFrames }

  /// - Parameter frames: 1 to 2^20.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` outside of the range.
  public func setMaximumFramesPerSlice(_ frames: Int) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard Self.sliceFrames.contains(frames) else { throw .invalidPropertyValue }
    maximumFrames = frames
  }

  /// Frames over which a parameter that is set anew moves to its value; 0 (the default) sets it at once.
  public var smoothingFrames: Int { smoothing }

  /// - Parameter frames: 0 to 2^20; 0 sets parameters at once.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` outside of the range.
  public func setSmoothingFrames(_ frames: Int) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard ParameterSmoothing.range.contains(frames) else { throw .invalidPropertyValue }
    smoothing = frames
  }

  /// Lays the parameters out anew after the elements, or the tables themselves, have changed; present values persist.
  private func rebuildStore() {
    var rows: [(address: ParameterAddress, descriptor: ParameterDescriptor)] = []
    for scope in [Scope.global, .input, .output] {
      for element in parameterElements(scope) {
        for descriptor in parameterTable(scope, element: element) {
          rows.append((ParameterAddress(descriptor.id, scope: scope, element: element), descriptor))
        }
      }
    }
    store = ParameterStore(rows: rows, former: store)
    timelines = timelines.filter { store.slots[$0.key] != nil }
  }

  // MARK: Parameters

  /// The present value of a parameter or meter.
  public func parameter(_ address: ParameterAddress) throws(AudioStatus) -> Float {
    if let level = meterValue(address) { return level }
    return store[try slot(of: address)]
  }

  /// What a meter shows, for units that have some; nil for any other parameter.
  open func meterValue(_ address: ParameterAddress) -> Float? { nil }

  /// Sets a parameter; it holds from the first frame of the next slice. Values outside the range are kept as given.
  public func setParameter(_ address: ParameterAddress, to value: Float) throws(AudioStatus) {
    let slot = try slot(of: address)
    guard value.isFinite else { throw .invalidParameterValue }
    guard !store.descriptors[slot].isReadOnly else { throw .invalidParameter }
    store.setByHost(slot, value)
    parameterDidChange(address)
  }

  /// Takes over a value that is the unit's own, and that no caller has set: from a component's preset or saved state.
  package func adoptParameter(_ address: ParameterAddress, value: Float) {
    guard value.isFinite, let slot = store.slots[address], !store.descriptors[slot].isReadOnly else { return }
    store.adopt(slot, value)
  }

  /// Lets a parameter follow a timeline on the unit's own output clock; nil ends that. While open only.
  public func setTimeline(_ timeline: ParameterTimeline?, for address: ParameterAddress) throws(AudioStatus) {
    let slot = try slot(of: address)
    guard !isInitialized else { throw .initialized }
    guard timeline == nil || !store.descriptors[slot].isReadOnly else { throw .invalidParameter }
    timelines[tableAddress(of: address)] = timeline
  }

  /// Changes the parameter tables themselves; for units whose number of parameters can be set.
  package func parameterTablesDidChange() { rebuildStore() }

  /// What made ``initialize()`` or a render fail, in words, where the unit knows more than a status.
  open var renderFailure: BenchError? { preparationFailure ?? node?.readAhead?.failure }
  /// What ``makeProcessor()`` could not do, for units that know.
  package final var preparationFailure: BenchError?

  /// Called after a host has set a parameter.
  open func parameterDidChange(_ address: ParameterAddress) {}

  // MARK: Rendering by hand

  /// Registers a function that is called for every slice; returns what ``removeRenderNotify(_:)`` takes.
  public func addRenderNotify(
    _ body: @escaping (_ phase: RenderNotify.Phase, _ sampleTime: Int64, _ frames: Int, _ output: BusBuffer?) -> Void
  ) -> Int {
    nextNotifyToken += 1
    notifies.append(RenderNotify(body: body, token: nextNotifyToken))
    node?.notifies = notifies
    return nextNotifyToken
  }

  /// Lets go of a function that ``addRenderNotify(_:)`` has registered, by the token that it returned; any other does nothing.
  public func removeRenderNotify(_ token: Int) {
    notifies.removeAll { $0.token == token }
    node?.notifies = notifies
  }

  /// Edits what the processor keeps beside the parameters, where there is one of that kind: it takes the edit over in front
  /// of its next slice, in ``Processor/latch()``.
  public final func edit<Kind>(_ kind: Kind.Type, _ body: (Kind) -> Void) {
    guard let node, let processor = node.processor as? Kind else { return }
    body(processor)
    store.noteEdit()
  }

  package var hasRenderNotifies: Bool { !notifies.isEmpty }

  /// Sets or removes the function that feeds an input bus. A bus has one source: this replaces a connection.
  public func setRenderCallback(_ callback: RenderCallback?, input bus: Int) throws(AudioStatus) {
    guard inputs.indices.contains(bus) else { throw .invalidElement }
    feeds[bus] = callback.map { .callback($0) }
    if isInitialized { try attachCallback(bus) }
  }

  /// The node and slot that take what arrives at an input bus: the bus itself, or the converter in front of it.
  package func entry(ofInput bus: Int) -> (node: RenderNode, slot: Int)? {
    inputConverters[bus].map { ($0, 0) } ?? node.map { ($0, bus) }
  }

  /// Sets or removes the callback of an input.
  private func attachCallback(_ bus: Int) throws(AudioStatus) {
    guard let node, let callback = renderCallback(input: bus) else {
      if let entry = entry(ofInput: bus) { entry.node.slots[entry.slot].source = .none }
      return
    }
    try prepareInput(bus)
    if let converter = inputConverters[bus] {
      node.slots[bus].source = .node(Unmanaged.passUnretained(converter), bus: 0)
    }
    let buffer = StreamBuffer(format: inputs[bus].format, frameCapacity: maximumFrames)
    guard let entry = entry(ofInput: bus) else { return }
    entry.node.slots[entry.slot].source = .callback(CallbackSource(callback, buffer, bus: bus))
  }

  /// The first error of a render call since this was last asked; asking clears it.
  open func takeLastRenderError() -> AudioStatus {
    let newer = node?.takeFirstFailure() ?? .noError
    defer { keptRenderError = .noError }
    return keptRenderError == .noError ? newer : keptRenderError
  }

  /// Renders one slice of an output bus: parameter values set so far hold from its first frame.
  ///
  /// - Returns: the unit's own memory, in the output's stream format, good until the next call.
  /// - Throws: `.uninitialized`, `.tooManyFramesToProcess`, `.invalidElement`, `.noConnection`, or what a source threw.
  open func render(output bus: Int = 0, sampleTime: Int64, frames: Int) throws(AudioStatus) -> BusBuffer {
    guard let node else {
      if keptRenderError == .noError { keptRenderError = .uninitialized }
      throw .uninitialized
    }
    let former = FlushToZero.enter()
    defer { FlushToZero.leave(former) }
    node.latch()
    return try node.render(bus: bus, sampleTime: sampleTime, frames: frames)
  }
}
