import AudioCore

/// The edit half of an audio unit: what a host configures, connects and controls.
///
/// A unit is open when made, initialized by ``initialize()`` (formats and sizes are then locked, and it can render),
/// and open again after ``uninitialize()``. Values set by a host persist through all of that. Every call that cannot be
/// carried out throws the `AudioStatus` that the C interface documents for it.
///
/// Parameters may be set from any thread while another renders; everything else belongs to one thread at a time.
///
/// A kind of unit overrides the open members below. Questions that only some units have to answer stand in protocols:
/// ``SourceUnit``, `SpeedUnit`, `OfflineUnit`, `GraphFileUnit`, `HostedUnit` and others (docs/design/definitions.md).
open class Unit: @unchecked Sendable {
  /// One input or output element.
  package struct Bus {
    package var format: StreamFormat
    /// The loudspeakers of its channels; nil: not known.
    package var layout: ChannelLayout?
    /// True where an output was asked to have this layout.
    package var isLayoutAsked = false

    package init(format: StreamFormat) { self.format = format }
  }
  /// The source of an input element.
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
  /// The parameter rows of the global scope, unless a subclass overrides ``parameterTable(_:element:)``.
  private let globalParameters: [ParameterDescriptor]
  /// True from a successful ``initialize()`` to ``uninitialize()``: the unit can render.
  public private(set) var isInitialized = false
  package var inputs: [Bus]
  /// The sources by input; none where nothing feeds it. Changes while the unit is initialized, when ``inputs`` does not
  /// and other threads may read those.
  var feeds: [Int: Feed] = [:]
  package var outputs: [Bus]
  /// The longest slice that the unit renders, and that it pulls from its inputs.
  public internal(set) var maximumFramesPerSlice: Int
  package internal(set) var store = ParameterStore(rows: [])
  package internal(set) var timelines: [ParameterAddress: ParameterTimeline] = [:]
  /// Frames over which a parameter that is set anew moves to its value; 0 (the default) sets it at once.
  public internal(set) var smoothingFrames = ParameterSmoothing.frames
  var notifies: [RenderNotify] = []
  var nextNotifyToken = 0
  /// The render half, while initialized.
  package private(set) var node: RenderNode?
  /// The first error of a render call that came when there was no node, or that a former node left.
  private var keptRenderError = AudioStatus.noError
  /// The converters in front of inputs whose stream format differs from what the processor computes in.
  package internal(set) var inputConverters: [Int: RenderNode] = [:]
  /// The memory that the unit was last allowed to take.
  var plannedBytes = 0
  /// Frames of this unit that are pulled for each frame that is heard, at the most: players of files read so much
  /// further ahead. While open only.
  package var readingSpeed = 1.0
  /// The reason why ``makeProcessor()`` failed, for units that know.
  package final var preparationFailure: BenchError?
  /// The unit's name in errors; a graph sets it to its node's name.
  package var label: String

  /// - Parameters:
  ///   - component: the codes and names of this kind of unit.
  ///   - inputs: the number of input buses, 0 or more, of a fresh unit.
  ///   - outputs: the number of output buses, 1 or more.
  ///   - parameters: the parameter rows of the global scope.
  ///   - maximumFramesPerSlice: the longest slice until a host sets another.
  public init(
    _ component: Component, inputs: Int, outputs: Int, parameters: [ParameterDescriptor] = [],
    maximumFramesPerSlice: Int = 1156
  ) {
    self.component = component
    globalParameters = parameters
    self.inputs = Array(repeating: Bus(format: .initial), count: inputs)
    self.outputs = Array(repeating: Bus(format: .initial), count: outputs)
    self.maximumFramesPerSlice = maximumFramesPerSlice
    label = component.shortName
    rebuildStore()
  }

  // MARK: Parameters

  /// The parameter rows of an element: by default those that ``init(_:inputs:outputs:parameters:maximumFramesPerSlice:)`` got.
  open func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    scope == .global ? globalParameters : []
  }

  /// The address under which a parameter stands in the tables: another than the given one where it has a former number
  /// as well.
  open func tableAddress(of address: ParameterAddress) -> ParameterAddress { address }

  /// The elements of a scope that have parameters, in the order of their slots: buses, or as in the matrix mixer
  /// channels.
  open func parameterElements(_ scope: Scope) -> [Int] { Array(0..<elementCount(scope)) }

  /// Parameters that the unit has several times, as the bands of an equalizer.
  open var parameterGroups: [ParameterGroup] { [] }

  /// The present value of a meter; nil for any other parameter.
  open func meterValue(_ address: ParameterAddress) -> Float? { nil }

  /// Called after a host has set a parameter.
  open func parameterDidChange(_ address: ParameterAddress) {}

  // MARK: Properties, presets and keys of graph files

  /// The properties beyond those that every unit has.
  open var ownProperties: [PropertyDescriptor] { [] }

  /// The keys of a node of a graph file beyond those that follow from properties, presets and the number of inputs. Set
  /// in this order, in front of those of the properties.
  open var graphKeys: [GraphKey] { [] }

  /// The factory presets; selecting one is up to ``select(preset:)``.
  open var factoryPresets: [Preset] { [] }

  /// Takes over a factory preset.
  open func select(preset number: Int32) throws(AudioStatus) { throw .invalidProperty }

  // MARK: Buses and formats

  /// The numbers of elements that a scope may have.
  open func elementCountRange(_ scope: Scope) -> ClosedRange<Int> {
    let count = elementCount(scope)
    return count...count
  }

  /// Called before the number of buses changes; throwing leaves it as it is.
  open func elementCountWillChange(to count: Int, _ scope: Scope) throws(AudioStatus) {}

  /// Called after a host has changed the number of buses: what a unit keeps for each of them follows here.
  open func elementCountDidChange(_ scope: Scope) {}

  /// The number of parameters with another number of inputs, or a bound of it: checked before that is set.
  open func parameterCount(withInputs count: Int) -> Int {
    let perInput = count > 0 ? parameterTable(.input, element: 0).count : 0
    return MemoryBudget.sum(store.count, MemoryBudget.product(count, perInput))
  }

  /// The pairs of input and output channels; empty means "any number, the same on both sides".
  open var channelCapabilities: [ChannelCapability] { [] }

  /// True where buses take any PCM; otherwise they take 32-bit float alone, a buffer for each channel.
  open var takesAnyPCM: Bool { false }

  /// Throws unless the unit takes this format on this bus.
  open func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard format.isValid, takesAnyPCM || format.isFloatPlanar else { throw .formatNotSupported }
  }

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

  /// The loudspeakers of an output bus, where nobody asks for others: those of the inputs of as many channels, if they
  /// agree; else mono or stereo.
  open func naturalOutputLayout(ofOutput bus: Int) -> ChannelLayout? {
    let count = outputs[bus].format.channelCount
    let known = Set(inputs.compactMap { $0.layout?.channelCount == count ? $0.layout : nil })
    return known.count == 1 ? known.first : ChannelLayout(channelCount: count)
  }

  /// Says what the loudspeakers of a bus are, for units that weigh channels or convert them.
  package final func setLayout(_ layout: ChannelLayout?, _ scope: Scope, element: Int) {
    switch scope {
    case .input where inputs.indices.contains(element): inputs[element].layout = layout
    case .output where outputs.indices.contains(element):
      outputs[element].layout = layout
      outputs[element].isLayoutAsked = layout != nil
    default: break
    }
  }

  /// Called after a bus was given a stream format, which may be the one that it had.
  open func streamFormatWasSet(_ scope: Scope, element: Int) {}

  // MARK: The render half

  /// Makes the render half for the present formats and sizes.
  open func makeProcessor() throws(AudioStatus) -> Processor { throw .failedInitialization }

  /// The delay of the signal, in frames of the output.
  open var latencyFrames: Int { 0 }

  /// The time for which the unit rings after its input has ended, to −120 dB, in frames of the output; nil for units
  /// without the property.
  open var tailFrames: Int64? { nil }

  /// The memory that ``makeProcessor()`` allocates, in bytes: a bound.
  open var processorBytes: Int { 0 }

  /// The unit's magnitude in closed form, at the present values of its parameters, computed in another way than it is
  /// rendered: suites compare the two. Nil where there is none. Not called for a unit whose parameters move.
  open func closedForm(sampleRate: Double) -> AnalogResponse? { nil }

  /// The reason, in words, why ``initialize()`` or a render failed, where the unit knows more than a status.
  open var renderFailure: BenchError? { preparationFailure ?? node?.readAhead?.failure }

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
      outputFormats: outputs.map(\.format), maximumFrames: maximumFramesPerSlice,
      parameters: RenderParameters(store: store, timelines: timelines, smoothingFrames: smoothingFrames))
    node.notifies = notifies
    self.node = node
    do {
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

  // MARK: Rendering

  /// Edits what the processor keeps beside the parameters, where there is one of that kind: it takes the edit over in
  /// front of its next slice, in ``Processor/latch()``.
  public final func edit<Kind>(_ kind: Kind.Type, _ body: (Kind) -> Void) {
    guard let node, let processor = node.processor as? Kind else { return }
    body(processor)
    store.noteEdit()
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
