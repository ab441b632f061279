import AudioCore
import AudioEngine
import SampleRate
import Synchronization

/// The multichannel mixer: any number of inputs with volume, pan, switch, matrix and meters each, into one output.
///
/// output = volume · Σ volumeᵢ · mapᵢ(inputᵢ), in bus order, in Float32, each product rounded once. Inputs may have any
/// PCM format and rate; they are converted in front of the mixer. So may the output, which is then rounded and clipped
/// once (`EncodedMixer`). The pan laws are the project's definition (``MonoPanLaw``, ``StereoPanLaw``).
///
/// ```swift
/// let graph = Graph(sampleRate: 44_100)
/// let mixer = try graph.add(MultichannelMixer(inputs: 2))
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: mixer, input: 0)
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: mixer, input: 1)
/// try graph.connect(mixer, to: graph.add(GenericOutput()))
/// try mixer.setVolume(0.5, input: 0)
/// try mixer.setPan(-0.3, input: 1)
/// let mix = try OfflineRenderer(graph).renderToMemory()
/// #expect(mix.channels.count == 2)
/// ```
public final class MultichannelMixer: Unit, GraphFileUnit, HostedUnit, InputConvertingUnit, @unchecked Sendable {
  /// `aumx mcmx appl`, in graph files `multichannelMixer`.
  package static let component = Component(
    ComponentDescription(type: .mixer, subType: "mcmx"), shortName: "multichannelMixer",
    name: "Apple: AUMultiChannelMixer",
    summary: "Mixes any number of mono and stereo inputs, with volume, pan, switch, matrix and meters."
  ) { MultichannelMixer() }

  /// The parameters by name; volume exists on inputs and on the output.
  public enum Parameter: UInt32, Sendable { case volume = 0, enable = 1, pan = 2 }

  private static let volume = ParameterDescriptor(
    Parameter.volume.rawValue, "volume", unit: .linearGain, 0...1, initial: 1, takesAnyNumber: true)
  private static let enable = ParameterDescriptor(
    Parameter.enable.rawValue, "enable", .input, unit: .boolean, 0...1, initial: 1)
  private static let pan = ParameterDescriptor(Parameter.pan.rawValue, "pan", .input, unit: .pan, -1...1, initial: 0)
  private static let meters = MixerMeter.allCases.map(\.descriptor)
  static let parametersPerInput = 3 + meters.count

  /// By input. Setting pan from any thread removes one.
  private let matrices = Locked<[Int: [Float]]>([:])
  /// True when there ever was one: before, setting pan takes no lock, and the render thread may do it.
  private let hasMatrices = Atomic<Bool>(false)
  private var meteredInputs: Set<Int> = []
  private var metersOutput = false
  private var mixing: MixerProcessor? {
    node?.processor as? MixerProcessor ?? ((node?.processor as? EncodedMixer)?.mixer as? MixerProcessor)
  }

  /// A mixer with so many inputs; Apple's starts with 8.
  public init(inputs: Int = 8) {
    precondition(inputs >= 1, "a mixer has at least one input")
    super.init(Self.component, inputs: inputs, outputs: 1)
  }

  /// The panning of a mono input in a stereo output. While open only.
  public var monoPanLaw = MonoPanLaw.equalPower
  /// The panning of a stereo input in a stereo output. While open only.
  public var stereoPanLaw = StereoPanLaw.balance

  /// The rate quality of the converters in front of inputs of another rate. While open only.
  public var quality = RateConversionQuality.standard

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    switch scope {
    case .input: [Self.volume, Self.enable, Self.pan] + Self.meters
    case .output: [Self.volume] + Self.meters
    default: []
    }
  }

  public override func elementCountRange(_ scope: Scope) -> ClosedRange<Int> { scope == .input ? 1...65_536 : 1...1 }
  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }

  public override var takesAnyPCM: Bool { true }

  public override func processingFormat(ofInput bus: Int) -> StreamFormat {
    inputs[bus].format.floatPlanar.at(sampleRate: outputs[0].format.sampleRate)
  }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: graphRate, channelCount: 2)
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    let processor = MixerProcessor(
      inputs: inputs.indices.map { processingFormat(ofInput: $0).channelCount }, output: outputs[0].format,
      monoPanLaw: monoPanLaw, stereoPanLaw: stereoPanLaw)
    for (bus, matrix) in matrices.withLock({ $0 }) { processor.setMatrix(matrix, input: bus) }
    for bus in meteredInputs { processor.setMetering(true, input: bus) }
    processor.setOutputMetering(metersOutput)
    let format = outputs[0].format
    return format.isFloatPlanar
      ? processor : EncodedMixer(processor, format: format, maximumFrames: maximumFramesPerSlice)
  }

  /// Per input channel two meters and the row of a matrix; where the output is encoded, a buffer for the mix.
  public override var processorBytes: Int {
    let output = outputs[0].format
    let inputBytes = inputs.indices.reduce(0) { bytes, bus in
      bytes + 512 + processingFormat(ofInput: bus).channelCount * (288 + 12 * output.channelCount)
    }
    let mix = output.isFloatPlanar ? 0 : Self.sliceBytes(output.floatPlanar, maximumFramesPerSlice)
    return MemoryBudget.sum(inputBytes, mix) + 288 * output.channelCount
  }

  public override func parameterDidChange(_ address: ParameterAddress) {
    guard address.scope == .input, address.id == Parameter.pan.rawValue, hasMatrices.load(ordering: .acquiring) else {
      return
    }
    matrices.withLock { $0[address.element] = nil }
    editMixing { $0.setMatrix(nil, input: address.element) }
  }

  /// A matrix that was set for other channel counts does not fit any more: better refused than left out.
  public override func checkFormats() throws(AudioStatus) {
    if misfit != nil { throw .formatNotSupported }
  }

  /// The first input whose matrix does not fit its channels and those of the output.
  private var misfit: (bus: Int, found: Int, expected: Int)? {
    for (bus, levels) in matrices.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let expected = inputs[bus].format.channelCount * outputs[0].format.channelCount
      if levels.count != expected { return (bus, levels.count, expected) }
    }
    return nil
  }

  public override var renderFailure: BenchError? {
    super.renderFailure
      ?? misfit.map {
        BenchError(
          .graph, at: "matrix of input \($0.bus)",
          "it has \(NumberText.count($0.found, "gain")), but \(inputs[$0.bus].format.channelCount) input and "
            + "\(outputs[0].format.channelCount) output channels need \($0.expected)")
      }
  }

  public override func elementCountDidChange(_ scope: Scope) {
    let buses = inputs.indices
    matrices.withLock { $0 = $0.filter { buses.contains($0.key) } }
    meteredInputs = meteredInputs.filter { inputs.indices.contains($0) }
  }

  // MARK: Levels and meters

  private func editMixing(_ body: (MixerProcessor) -> Void) {
    guard let mixing else { return }
    body(mixing)
    store.noteEdit()
  }

  /// The gains from each input channel to each output channel, input by input, in place of pan.
  /// Setting pan afterwards ends it.
  public func setMatrixLevels(_ levels: [Float], input bus: Int) throws(AudioStatus) {
    guard inputs.indices.contains(bus) else { throw .invalidElement }
    let count = inputs[bus].format.channelCount * outputs[0].format.channelCount
    guard levels.count == count, levels.allSatisfy(\.isFinite) else { throw .invalidPropertyValue }
    try setMatrixLevelsAhead(levels, input: bus)
    editMixing { $0.setMatrix(levels, input: bus) }
  }

  /// As ``setMatrixLevels(_:input:)``, before the formats are known: what does not fit then is refused when the mixer
  /// is initialized.
  private func setMatrixLevelsAhead(_ levels: [Float], input bus: Int) throws(AudioStatus) {
    guard inputs.indices.contains(bus) else { throw .invalidElement }
    hasMatrices.store(true, ordering: .releasing)
    matrices.withLock { $0[bus] = levels }
  }

  /// The linear gains that were set for an input, input channel by input channel.
  /// - Throws: `.invalidElement`; `.propertyNotInUse` where pan holds.
  public func matrixLevels(input bus: Int) throws(AudioStatus) -> [Float] {
    guard inputs.indices.contains(bus) else { throw .invalidElement }
    guard let matrix = matrices.withLock({ $0[bus] }) else { throw .propertyNotInUse }
    return matrix
  }

  /// Switches a bus's meters. They cost time only where they are on.
  public func setMetering(_ isOn: Bool, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard element >= 0, element < elementCount(scope) else { throw .invalidElement }
    if scope == .output {
      metersOutput = isOn
      editMixing { $0.setOutputMetering(isOn) }
    } else {
      if isOn { meteredInputs.insert(element) } else { meteredInputs.remove(element) }
      editMixing { $0.setMetering(isOn, input: element) }
    }
  }

  public override func meterValue(_ address: ParameterAddress) -> Float? {
    MixerMeter.value(address, of: self) { mixing?.meters(address.scope, element: address.element) ?? [] }
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    .quality(\MultichannelMixer.quality),
    PropertyDescriptor(
      .matrixLevels, "matrixLevels", .float32s("inputs × outputs"), of: MultichannelMixer.self, on: [.input],
      get: { (mixer, _, bus) throws(AudioStatus) in try mixer.matrixLevels(input: bus) },
      set: { (mixer, _, bus, levels) throws(AudioStatus) in try mixer.setMatrixLevels(levels, input: bus) }),
    PropertyDescriptor(
      .meteringMode, "meteringMode", .flag, of: MultichannelMixer.self, on: [.input, .output],
      get: { mixer, scope, element in scope == .output ? mixer.metersOutput : mixer.meteredInputs.contains(element) },
      set: { (mixer, scope, element, isOn) throws(AudioStatus) in
        try mixer.setMetering(isOn, scope, element: element)
      }),
    PropertyDescriptor(
      .meterClipping, "meterClipping", .meterClipping, of: MultichannelMixer.self, on: [.input, .output],
      get: { mixer, scope, element in
        guard let taken = mixer.mixing?.takePeak(scope, element: element) else { return [0, 0, 0, 0] }
        return [taken.pre, taken.sawInfinity ? 1 : 0, taken.sawNotANumber ? 1 : 0, taken.post]
      }),
    PropertyDescriptor(
      .monoPanLaw, "monoPanLaw", .choice, \MultichannelMixer.monoPanLaw,
      key: ("monoPanLaw", "the law by which a mono input is panned into a stereo output")),
    PropertyDescriptor(
      .stereoPanLaw, "stereoPanLaw", .choice, \MultichannelMixer.stereoPanLaw,
      key: ("stereoPanLaw", "the law by which a stereo input is panned into a stereo output")),
  ]

  package var hostTraits: HostTraits {
    HostTraits(self, properties: [.renderQuality, .supportedChannelLayoutTags], mayHaveNoInputs: true)
  }

  // MARK: In graph files

  public override var graphKeys: [GraphKey] { [Self.matrixKey] }

  private static let matrixKey = GraphKey(
    "matrix", "gains in place of pan: {\"bus\": [[gain to each output], one list per input channel]}",
    of: MultichannelMixer.self,
    schema: [
      "type": "object", "propertyNames": ["pattern": "^[0-9]+$"],
      "additionalProperties": .object(JSONForm<[[Float]]>.gains.schema),
    ]
  ) { (mixer, node, _) throws(BenchError) in
    guard var matrices = try node.object("matrix") else { return }
    for (key, value) in matrices.takeAll() {
      let place = "\(matrices.place), \"\(excerpt(key))\""
      let levels = try JSONForm<[[Float]]>.gains(value, at: place).flatMap { $0 }
      guard let bus = Int(key), (try? mixer.setMatrixLevelsAhead(levels, input: bus)) != nil else {
        throw BenchError(
          .graph, at: place,
          "no input bus \(excerpt(key)): the unit has input buses 0 to \(mixer.elementCount(.input) - 1)")
      }
    }
  }

  /// Pan would end the matrix of the same bus, or do nothing beside it.
  package func conflict(withSetting address: ParameterAddress) -> String? {
    guard address.scope == .input, address.id == Parameter.pan.rawValue,
      matrices.withLock({ $0[address.element] }) != nil
    else { return nil }
    return "input bus \(address.element) has a matrix, which takes the place of pan"
  }

  // MARK: Typed parameters

  /// - Parameters:
  ///   - volume: linear gain, 1 for unchanged; any finite number, with 0 the input is not pulled.
  ///   - bus: which input, from 0.
  /// - Throws: `.invalidElement`, `.invalidParameterValue`.
  public func setVolume(_ volume: Float, input bus: Int) throws(AudioStatus) {
    try setParameter(ParameterAddress(Parameter.volume.rawValue, scope: .input, element: bus), to: volume)
  }
  /// Ends a matrix of that input.
  /// - Parameters:
  ///   - pan: −1 (left) to 1 (right); a position beyond counts as that end.
  ///   - bus: which input, from 0.
  /// - Throws: `.invalidElement`, `.invalidParameterValue`.
  public func setPan(_ pan: Float, input bus: Int) throws(AudioStatus) {
    try setParameter(ParameterAddress(Parameter.pan.rawValue, scope: .input, element: bus), to: pan)
  }
  /// Switches an input; one that is off is not pulled.
  /// - Throws: `.invalidElement`.
  public func setEnabled(_ isOn: Bool, input bus: Int) throws(AudioStatus) {
    try setParameter(ParameterAddress(Parameter.enable.rawValue, scope: .input, element: bus), to: isOn ? 1 : 0)
  }
  /// - Parameter volume: linear gain of the mix, 1 for unchanged; any finite number.
  /// - Throws: `.invalidParameterValue`.
  public func setOutputVolume(_ volume: Float) throws(AudioStatus) {
    try setParameter(ParameterAddress(Parameter.volume.rawValue, scope: .output), to: volume)
  }
}

extension PropertyID {
  /// `kAudioUnitProperty_MatrixLevels`, of an input: see ``MultichannelMixer/setMatrixLevels(_:input:)``.
  package static let matrixLevels = PropertyID(3006)
  /// `kAudioUnitProperty_MeteringMode`, of a bus: 0 or 1, see ``MultichannelMixer/setMetering(_:_:element:)``.
  package static let meteringMode = PropertyID(3007)
  /// `kAudioUnitProperty_MeterClipping`, of a bus: peak in front of the volume since last read, whether an infinity and
  /// a NaN passed (0 or 1), peak behind the volume; linear, zeros without metering. Reading clears it. Read-only.
  public static let meterClipping = PropertyID(3011)
  /// The number of a ``MonoPanLaw``. While open only.
  package static let monoPanLaw = PropertyID(64_001)
  /// The number of a ``StereoPanLaw``. While open only.
  package static let stereoPanLaw = PropertyID(64_002)
}
