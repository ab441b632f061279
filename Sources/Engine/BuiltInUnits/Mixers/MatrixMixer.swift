import AudioCore
import AudioEngine
import SampleRate

/// The matrix mixer: every channel of every input bus into every channel of every output bus, each with a level of its
/// own.
///
/// Channels are counted over all buses of a scope, in bus order. With the levels of the input channels aᵢ, of the
/// crosspoints cᵢₒ, of the output channels bₒ and the master m, all linear gains:
///
///     output channel o = (m · bₒ) · Σᵢ (aᵢ · cᵢₒ) · input channel i
///
/// summed in the order of the input channels, in Float32, each product with a sample rounded once. Each level may be
/// ramped or scheduled; within a cell of 32 frames both products of levels run in a straight line. Every level is 0 at
/// first, as on macOS: a fresh mixer is silent. An input bus that is switched off is not pulled, one at level 0 is.
///
/// Inputs may have any PCM format and rate; they are converted in front of the mixer. So may the outputs, which are
/// then rounded and clipped once; all outputs have one rate.
///
/// A level is addressed as in the C interface: ``masterAddress``, ``crosspointAddress(input:output:)``, and for the
/// channels of a scope the channel's number as element. Switches and formats belong to buses.
///
/// ```swift
/// let mixer = MatrixMixer(inputs: 1, outputs: 1)
/// // The left channel to the right one, and the other way round.
/// try mixer.setParameter(MatrixMixer.masterAddress, to: 1)
/// for channel in 0..<2 {
///   try mixer.setParameter(MatrixMixer.channelAddress(.input, channel), to: 1)
///   try mixer.setParameter(MatrixMixer.channelAddress(.output, channel), to: 1)
///   try mixer.setParameter(MatrixMixer.crosspointAddress(input: channel, output: 1 - channel), to: 1)
/// }
/// expect(mixer, equals: try FormulaDevice(["in(1)", "in(0)"].map { try Formula($0) }))
/// ```
public final class MatrixMixer: Unit, InputConvertingUnit, @unchecked Sendable {
  /// `aumx mxmx appl`, in graph files `matrixMixer`.
  package static let component = Component(
    ComponentDescription(type: .mixer, subType: "mxmx"), shortName: "matrixMixer", name: "Apple: AUMatrixMixer",
    summary: "Mixes any channel of its inputs into any channel of its outputs, with a level for each pair."
  ) { MatrixMixer() }

  /// The parameters by name: volume belongs to channels, crosspoints and the whole, enable to buses.
  public enum Parameter: UInt32, Sendable { case volume = 0, enable = 1 }

  /// The quantity of a meter, of the channel that is its element.
  enum Meter: UInt32, CaseIterable {
    case preAveragePower = 1000
    case prePeakHoldLevel = 2000
    case postAveragePower = 3000
    case postPeakHoldLevel = 4000
    case preAveragePowerLinear = 5000
    case prePeakHoldLevelLinear = 6000
    case postAveragePowerLinear = 7000
    case postPeakHoldLevelLinear = 8000

    var isLinear: Bool { rawValue >= 5000 }
    var isPost: Bool { rawValue % 4000 == 3000 || rawValue % 4000 == 0 }
    var isPeak: Bool { rawValue % 2000 == 0 }
    /// The value without sound.
    var silence: Float { isLinear ? 0 : ChannelMeter.floorDecibels }
  }

  /// The most crosspoints: input channels × output channels (definition of this project).
  package static let mostCrosspoints = 65_536
  /// The element of the master volume in the global scope.
  static let masterElement = 0xFFFF_FFFF

  private static let volume = ParameterDescriptor(
    Parameter.volume.rawValue, "volume", unit: .linearGain, 0...1, initial: 0, takesAnyNumber: true)
  private static let enable = ParameterDescriptor(
    Parameter.enable.rawValue, "enable", unit: .boolean, 0...1, initial: 1)
  private static let meters = Meter.allCases.map { meter in
    meter.isLinear
      ? ParameterDescriptor(
        meter.rawValue, String(describing: meter), unit: .linearGain, 0...1, initial: 0, isReadOnly: true)
      : ParameterDescriptor(
        meter.rawValue, String(describing: meter), unit: .decibels, -120...20, initial: -120, isReadOnly: true)
  }

  /// Channels by scope, as the parameters are laid out for them: those of the buses, unless a matrix was set ahead of
  /// these.
  private(set) var inputChannels = 0
  private(set) var outputChannels = 0
  /// The size of a matrix that was set before the formats were.
  var declared: (inputs: Int, outputs: Int)?
  /// The channels that a graph file has named in parameters before the formats were known: as many of each scope as
  /// the highest needs.
  private var named = (inputs: 0, outputs: 0)
  /// The channels of each output that a graph file has written.
  var declaredOutputs: [Int]?
  /// True when a mixer without any crosspoint is a mistake: that of a graph file.
  var refusesSilence = false
  /// True when a host has set anything of its buses: their number, or a format.
  private var hasBusSettings = false
  var meteredInputs: Set<Int> = []
  var meteredOutputs: Set<Int> = []
  private var mixing: MatrixMixerProcessor? { node?.processor as? MatrixMixerProcessor }

  /// A mixer with so many buses; Apple's starts with 64 inputs and 4 outputs.
  public init(inputs: Int = 64, outputs: Int = 4) {
    precondition(inputs >= 1 && outputs >= 1, "a mixer has at least one input and one output")
    super.init(Self.component, inputs: inputs, outputs: outputs)
  }

  /// The rate quality of the converters in front of inputs of another rate. While open only.
  public var quality = RateConversionQuality.standard

  // MARK: Levels by address

  /// The level of everything.
  public static let masterAddress = ParameterAddress(
    Parameter.volume.rawValue, scope: .global, element: masterElement)

  /// The level at which an input channel goes to an output channel: element (input << 16) | output of the global scope.
  public static func crosspointAddress(input: Int, output: Int) -> ParameterAddress {
    ParameterAddress(Parameter.volume.rawValue, scope: .global, element: input << 16 | output)
  }

  /// The level of a channel of a scope.
  public static func channelAddress(_ scope: Scope, _ channel: Int) -> ParameterAddress {
    ParameterAddress(Parameter.volume.rawValue, scope: scope, element: channel)
  }

  public override func parameterElements(_ scope: Scope) -> [Int] {
    inputChannels = declared?.inputs ?? max(named.inputs, inputs.reduce(0) { $0 + $1.format.channelCount })
    outputChannels = declared?.outputs ?? max(named.outputs, outputs.reduce(0) { $0 + $1.format.channelCount })
    switch scope {
    case .global:
      let outputs = 0..<outputChannels
      return [Self.masterElement] + (0..<inputChannels).flatMap { input in outputs.map { input << 16 | $0 } }
    case .input: return Array(0..<max(inputs.count, inputChannels))
    case .output: return Array(0..<max(outputs.count, outputChannels))
    default: return []
    }
  }

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    func rows(channels: Int, buses: Int) -> [ParameterDescriptor] {
      (element < channels ? [Self.volume] : []) + (element < buses ? [Self.enable] : [])
        + (element < channels ? Self.meters : [])
    }
    guard element >= 0 else { return [] }
    switch scope {
    case .global:
      let isThere = element >> 16 < inputChannels && element & 0xFFFF < outputChannels
      return isThere || element == Self.masterElement ? [Self.volume] : []
    case .input: return rows(channels: inputChannels, buses: inputs.count)
    case .output: return rows(channels: outputChannels, buses: outputs.count)
    default: return []
    }
  }

  public override var parameterGroups: [ParameterGroup] {
    [
      ParameterGroup("master", count: 1, parameters: [("volume", { _ in Self.masterAddress })]),
      ParameterGroup(
        "crosspoint", rows: inputChannels, columns: outputChannels,
        parameters: [
          (
            "volume",
            { [outputChannels] in
              Self.crosspointAddress(input: $0 / max(1, outputChannels), output: $0 % max(1, outputChannels))
            }
          )
        ]),
    ]
  }

  // MARK: Buses

  public override func elementCountRange(_ scope: Scope) -> ClosedRange<Int> {
    scope == .input || scope == .output ? 1...4096 : 1...1
  }
  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }
  public override var takesAnyPCM: Bool { true }

  public override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    try super.check(format, scope, element: element)
    guard fits(format, scope, element) else { throw .formatNotSupported }
  }

  private func fits(_ format: StreamFormat, _ scope: Scope, _ element: Int) -> Bool {
    let buses = scope == .input ? inputs : outputs
    guard declared == nil, buses.indices.contains(element) else { return true }
    let more = format.channelCount - buses[element].format.channelCount
    return Self.fits(inputChannels + (scope == .input ? more : 0), outputChannels + (scope == .output ? more : 0))
  }

  package func ownExpectation(insteadOf format: StreamFormat, _ scope: Scope, element: Int) -> String? {
    guard format.isValid, !fits(format, scope, element) else { return nil }
    return "no more than \(Self.mostCrosspoints) crosspoints of input and output channels"
  }

  static func fits(_ inputs: Int, _ outputs: Int) -> Bool {
    max(inputs, outputs) < 1 << 16 && MemoryBudget.product(inputs, outputs) <= mostCrosspoints
  }

  public override func elementCountWillChange(to count: Int, _ scope: Scope) throws(AudioStatus) {
    func channels(_ buses: [Bus], _ isChanging: Bool) -> Int {
      let kept = isChanging ? buses.prefix(count) : buses[...]
      let added = isChanging ? max(0, count - buses.count) * StreamFormat.initial.channelCount : 0
      return kept.reduce(added) { $0 + $1.format.channelCount }
    }
    if declared == nil {
      guard Self.fits(channels(inputs, scope == .input), channels(outputs, scope == .output)) else {
        throw .invalidPropertyValue
      }
    }
  }

  public override func elementCountDidChange(_ scope: Scope) {
    hasBusSettings = true
    meteredInputs = meteredInputs.filter { inputs.indices.contains($0) }
    meteredOutputs = meteredOutputs.filter { outputs.indices.contains($0) }
  }

  public override func streamFormatWasSet(_ scope: Scope, element: Int) {
    hasBusSettings = true
    guard declared == nil else { return }
    let channels = (scope == .input ? inputs : outputs).reduce(0) { $0 + $1.format.channelCount }
    if channels != (scope == .input ? inputChannels : outputChannels) { rebuildStore() }
  }

  public override func parameterCount(withInputs count: Int) -> Int {
    let channels = MemoryBudget.product(count, StreamFormat.initial.channelCount)
    let rows = Self.meters.count + 2
    return MemoryBudget.sum(
      MemoryBudget.sum(store.count, MemoryBudget.product(channels, outputChannels)),
      MemoryBudget.product(channels, rows))
  }

  public override func processingFormat(ofInput bus: Int) -> StreamFormat {
    inputs[bus].format.floatPlanar.at(sampleRate: outputs[0].format.sampleRate)
  }

  /// Its matrix may make anything of its inputs.
  public override func naturalOutputLayout(ofOutput bus: Int) -> ChannelLayout? {
    ChannelLayout(channelCount: outputs[bus].format.channelCount)
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    naturalOutputFormat(ofOutput: 0, graphRate: graphRate)
  }

  public override func naturalOutputFormat(ofOutput bus: Int, graphRate: Double) -> StreamFormat {
    let columns = outputs.count == 1 ? declared?.outputs : nil
    let count = declaredOutputs.flatMap { $0.indices.contains(bus) ? $0[bus] : nil } ?? columns
    return StreamFormat(sampleRate: graphRate, channelCount: count ?? outputs[bus].format.channelCount)
  }

  /// Like Apple's, a mixer of which a host has set neither a format nor a number of buses cannot be initialized.
  public override func checkFormats() throws(AudioStatus) {
    guard hasBusSettings else {
      preparationFailure = BenchError(
        .graph, "neither the number of its buses nor the format of one was set",
        advice: "set the stream formats of the buses that are used")
      throw .failedInitialization
    }
    if let other = outputs.first(where: { $0.format.sampleRate != outputs[0].format.sampleRate }) {
      preparationFailure = BenchError(
        .graph, "output bus 0 has \(outputs[0].format.sampleRate) Hz, another \(other.format.sampleRate) Hz",
        advice: "all outputs have one rate")
      throw .formatNotSupported
    }
    let found = (
      inputs: inputs.reduce(0) { $0 + $1.format.channelCount },
      outputs: outputs.reduce(0) { $0 + $1.format.channelCount }
    )
    guard let declared else {
      if named.inputs > found.inputs || named.outputs > found.outputs {
        let (side, channel, count) =
          named.inputs > found.inputs
          ? ("input", named.inputs - 1, found.inputs) : ("output", named.outputs - 1, found.outputs)
        preparationFailure = BenchError(
          .graph,
          "a parameter names \(side) channel \(channel), but the buses have \(NumberText.count(count, "\(side) channel"))",
          advice: "channels count from 0, over all buses")
        throw .formatNotSupported
      }
      guard refusesSilence, !hasCrosspoints else { return }
      preparationFailure = BenchError(
        .graph, "it has no gains, and is silent without any", advice: "add \"matrix\": [[1, 0], [0, 1]]")
      throw .failedInitialization
    }
    guard found != declared else { return }
    preparationFailure = BenchError(
      .graph, at: "matrix",
      "it has \(NumberText.count(declared.inputs, "row")) of \(NumberText.count(declared.outputs, "gain")), but the buses have \(found.inputs) input and "
        + "\(found.outputs) output channels",
      advice: "give each input channel a row, and each row a gain for each output")
    throw .formatNotSupported
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    func slots(_ parameter: Parameter, _ scope: Scope, _ count: Int) -> [Int] {
      (0..<count).map { store.slots[ParameterAddress(parameter.rawValue, scope: scope, element: $0)] ?? 0 }
    }
    let processor = MatrixMixerProcessor(
      inputs: inputs.map(\.format.channelCount), outputs: outputs.map(\.format),
      maximumFrames: maximumFramesPerSlice,
      slots: MatrixMixerProcessor.Slots(
        master: store.slots[Self.masterAddress] ?? 0,
        firstCrosspoint: store.slots[Self.crosspointAddress(input: 0, output: 0)] ?? 0,
        inputVolumes: slots(.volume, .input, inputChannels), inputSwitches: slots(.enable, .input, inputs.count),
        outputVolumes: slots(.volume, .output, outputChannels), outputSwitches: slots(.enable, .output, outputs.count)))
    for bus in meteredInputs { processor.setMetering(true, .input, bus) }
    for bus in meteredOutputs { processor.setMetering(true, .output, bus) }
    return processor
  }

  /// A route for each crosspoint, two meters for each channel, and a buffer for what an encoded output is mixed into.
  public override var processorBytes: Int {
    let mixes = outputs.reduce(0) { bytes, output in
      let format = output.format
      return MemoryBudget.sum(
        bytes, format.isFloatPlanar ? 0 : Self.sliceBytes(format.floatPlanar, maximumFramesPerSlice))
    }
    return MemoryBudget.sum(mixes, 64 * inputChannels * outputChannels + 512 * (inputChannels + outputChannels))
      + 1024 * (inputs.count + outputs.count)
  }

  // MARK: Meters

  /// Switches the meters of a bus; of the global scope, those of all buses. They cost time only where they are on.
  public func setMetering(_ isOn: Bool, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard element >= 0, element < elementCount(scope) else { throw .invalidElement }
    let all = scope == .global
    if all || scope == .input { setMetering(isOn, .input, all ? inputs.indices : element..<element + 1) }
    if all || scope == .output { setMetering(isOn, .output, all ? outputs.indices : element..<element + 1) }
  }

  private func setMetering(_ isOn: Bool, _ scope: Scope, _ buses: Range<Int>) {
    let path = scope == .input ? \MatrixMixer.meteredInputs : \MatrixMixer.meteredOutputs
    for bus in buses {
      if isOn { self[keyPath: path].insert(bus) } else { self[keyPath: path].remove(bus) }
    }
    edit(MatrixMixerProcessor.self) { processor in
      for bus in buses { processor.setMetering(isOn, scope, bus) }
    }
  }

  func isMetering(_ scope: Scope, element: Int) -> Bool {
    switch scope {
    case .input: meteredInputs.contains(element)
    case .output: meteredOutputs.contains(element)
    default: meteredInputs.count == inputs.count && meteredOutputs.count == outputs.count
    }
  }

  /// A crosspoint shows the level of its input channel in front of its own gain and, at the present gain, behind it.
  public override func meterValue(_ address: ParameterAddress) -> Float? {
    guard let meter = Meter(rawValue: address.id), !parameterTable(address.scope, element: address.element).isEmpty
    else { return nil }
    guard address.scope != .global else {
      guard address.element != Self.masterElement else { return nil }
      guard let pair = mixing?.meters(.input, address.element >> 16) else { return meter.silence }
      let gain = meter.isPost ? (try? parameter(ParameterAddress(0, element: address.element))) ?? 0 : 1
      return value(of: meter, pair.post, gain: abs(gain))
    }
    guard address.element < (address.scope == .input ? inputChannels : outputChannels) else { return nil }
    guard let pair = mixing?.meters(address.scope, address.element) else {
      return meter.silence
    }
    return value(of: meter, meter.isPost ? pair.post : pair.pre, gain: 1)
  }

  private func value(of meter: Meter, _ levels: ChannelMeter, gain: Float) -> Float {
    let decibels = meter.isPeak ? levels.peakHoldDecibels : levels.averageDecibels
    let scaled = gain == 1 ? decibels : decibels + Float(Decibels.of(amplitude: Double(gain)))
    let shown = decibels > ChannelMeter.floorDecibels ? max(ChannelMeter.floorDecibels, scaled) : decibels
    guard meter.isLinear else { return shown }
    return shown > ChannelMeter.floorDecibels ? Float(Decibels.amplitude(Double(shown))) : 0
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }
  public override var graphKeys: [GraphKey] { Self.keys }
}

extension MatrixMixer: FormatExplainingUnit, GraphFileUnit, HostedUnit {
  package func makeRoom(forElement element: Int, column: Int?, of scope: String) {
    guard declared == nil, !isInitialized else { return }
    var wanted = named
    switch (scope, column) {
    case ("crosspoint", let column?): wanted = (max(named.inputs, element + 1), max(named.outputs, column + 1))
    case ("input", nil) where element >= inputs.count: wanted.inputs = max(named.inputs, element + 1)
    case ("output", nil) where element >= outputs.count: wanted.outputs = max(named.outputs, element + 1)
    default: return
    }
    guard wanted != named, Self.fits(max(wanted.inputs, inputChannels), max(wanted.outputs, outputChannels)) else {
      return
    }
    named = wanted
    rebuildStore()
  }
  package var settledOutputChannels: (count: Int, key: String)? {
    if let declaredOutputs, let first = declaredOutputs.first { return (first, "outputChannels") }
    return declared.map { ($0.outputs, "matrix") }
  }
  package var hostTraits: HostTraits { HostTraits(self, properties: [.renderQuality]) }
}
