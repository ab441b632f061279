import AudioCore
import AudioEngine
import SampleRate

/// The format converter unit: one input and one output of any PCM formats, rates and channel counts.
///
/// ```swift
/// let graph = Graph(sampleRate: 48_000)
/// let converter = try graph.add(FormatConverterUnit())
/// converter.options.quality = .best
/// converter.channelMap = [1, 0]
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: converter)
/// try graph.setOutputFormat(.init(sampleRate: 48_000), of: converter)
/// try graph.connect(converter, to: graph.add(GenericOutput()))
/// #expect(try OfflineRenderer(graph).renderToMemory().report.sampleRate == 48_000)
/// ```
public final class FormatConverterUnit: Unit, GraphFileUnit, @unchecked Sendable {
  /// `aufc conv appl`, in graph files `formatConverter`.
  package static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "conv"), shortName: "formatConverter",
    name: "Apple: AUConverter",
    summary: "Converts sample rate, sample format and channels, by libsamplerate or libsoxr."
  ) { FormatConverterUnit() }

  /// Rate quality, channel map and dither. While open only.
  public var options = FormatConverter.Options()
  /// The source of each output channel, −1 for silence, whatever the input turns out to have; in place of
  /// `options.channels`. While open only.
  public var channelMap: [Int]?

  /// The standard filter, channels straight through, no dither.
  public init() { super.init(Self.component, inputs: 1, outputs: 1) }

  public override var takesAnyPCM: Bool { true }

  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }

  /// As the input, with as many channels as the map or the matrix gives.
  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    var format = inputs[0].format
    if let count = settledOutputChannels?.count { format.channelCount = count }
    return format
  }

  /// The loudspeakers behind a map are not known.
  public override func naturalOutputLayout(ofOutput bus: Int) -> ChannelLayout? {
    channelMap == nil && options.channels == nil
      ? super.naturalOutputLayout(ofOutput: bus) : ChannelLayout(channelCount: outputs[bus].format.channelCount)
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    var options = options
    if let channelMap {
      let inputCount = inputs[0].format.channelCount
      guard let matrix = ChannelMatrix(map: channelMap, inputCount: inputCount) else {
        let list = channelMap.map(String.init).joined(separator: ", ")
        preparationFailure = BenchError(
          .graph, "the channel map [\(list)] names a channel that the input, with \(inputCount), does not have",
          advice: "channels count from 0; -1 is silence")
        throw .formatNotSupported
      }
      options.channels = matrix
    } else if options.channels == nil, outputs[0].isLayoutAsked, let target = outputs[0].layout,
      target.channelCount == outputs[0].format.channelCount
    {
      if let source = inputs[0].layout, source.channelCount == inputs[0].format.channelCount {
        if source.positions != target.positions { options.channels = .between(source, target) }
      } else if inputs[0].format.channelCount != target.channelCount {
        preparationFailure = BenchError(
          .graph, "its input of \(inputs[0].format.channelCount) channels has no layout that could become \(target)",
          advice: "say the layout in the \"format\" of the node in front of it")
        throw .formatNotSupported
      }
    }
    return try makeConversion(from: inputs[0].format, to: outputs[0].format, options: options)
  }

  public override var processorBytes: Int {
    FormatConverter.memoryBytes(
      from: inputs[0].format, to: outputs[0].format, maximumFrames: maximumFramesPerSlice, options: options)
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    .quality(\FormatConverterUnit.options.quality),
    PropertyDescriptor(
      .channelMap, "channelMap", .int32s("output channels", "−1 silent"), of: FormatConverterUnit.self, on: [.output],
      get: { unit, _, _ in
        let inputs = unit.inputs[0].format.channelCount
        let map = unit.channelMap?.map { Int32(clamping: $0) } ?? unit.options.channels?.map
        return map ?? (0..<Int32(unit.outputs[0].format.channelCount)).map { $0 < Int32(inputs) ? $0 : -1 }
      },
      set: { (unit, _, _, map) throws(AudioStatus) in
        guard let matrix = ChannelMatrix(map: map.map(Int.init), inputCount: unit.inputs[0].format.channelCount) else {
          throw .invalidPropertyValue
        }
        guard !unit.isInitialized else { throw .initialized }
        unit.options.channels = matrix
        unit.channelMap = nil
      }),
    PropertyDescriptor(
      .sampleRateConverterComplexity, "sampleRateConverterComplexity", .code("line, norm, bats, minp"),
      of: FormatConverterUnit.self, settable: .whileOpen, get: { unit, _, _ in unit.options.quality.complexity },
      set: { (unit, _, _, code) throws(AudioStatus) in
        let choices: [RateConversionQuality] = [.linear, .medium, .mastering, .minimumPhase]
        guard let quality = choices.first(where: { $0.complexity == code }) else { throw .invalidPropertyValue }
        // A present quality that has this complexity stays.
        if unit.options.quality.complexity != code { unit.options.quality = quality }
      }),
    PropertyDescriptor(
      .renderQuality, "renderQuality", .uint32("0 to 127", in: 0...127), of: FormatConverterUnit.self,
      settable: .whileOpen, get: { unit, _, _ in unit.options.quality.renderQuality },
      set: { unit, _, _, quality in
        guard unit.options.quality.complexity == "norm" else { return }
        unit.options.quality = quality < 64 ? .fast : quality < 127 ? .medium : .best
      }),
    PropertyDescriptor(
      .ditherSeed, "ditherSeed", .int64("unset: no dither", written: 0...(1 << 53)), of: FormatConverterUnit.self,
      key: ("ditherSeed", "dither where samples lose precision on the way to integers, from this seed"),
      settable: .whileOpen,
      get: { (unit, _, _) throws(AudioStatus) in
        guard let seed = unit.options.ditherSeed else { throw .propertyNotInUse }
        return Int64(bitPattern: seed)
      },
      set: { unit, _, _, seed in unit.options.ditherSeed = UInt64(bitPattern: seed) }),
  ]

  // MARK: In graph files

  public override var graphKeys: [GraphKey] { Self.graphKeyTable }

  private static let graphKeyTable: [GraphKey] = [
    GraphKey(
      "map", "the source of each output channel, from 0 on; -1 is silence", of: FormatConverterUnit.self,
      schema: ["type": "array", "minItems": 1, "maxItems": 1024, "items": ["type": "integer", "minimum": -1]]
    ) { (unit, node, _) throws(BenchError) in
      guard let list = try node.list("map") else { return }
      let map = list.compactMap { value -> Int? in
        guard case .number(let number) = value, let source = Int(exactly: number), source >= -1 else { return nil }
        return source
      }
      guard map.count == list.count, StreamFormat.channelCountRange.contains(map.count) else {
        throw node.error(
          "map", "expected a list of the source channel of each output channel, from 0 on; -1 is silence")
      }
      unit.channelMap = map
    },
    GraphKey(
      "matrix", "in place of map: [[gain to each output], one list per input channel]", of: FormatConverterUnit.self,
      schema: JSONForm<[[Float]]>.gains.schema
    ) { (unit, node, _) throws(BenchError) in
      guard let rows = try JSONForm<[[Float]]>.gains.take(&node, "matrix") else { return }
      guard unit.channelMap == nil else { throw node.error("matrix", "there is a \"map\" already") }
      let (range, inputs, outputs) = (StreamFormat.channelCountRange, rows.count, rows[0].count)
      guard rows.allSatisfy({ $0.count == outputs }), range.contains(inputs), range.contains(outputs) else {
        throw node.error("matrix", "every input channel needs as many gains as there are output channels")
      }
      // The file goes input by input, the matrix output by output.
      let columns = (0..<outputs).flatMap { output in rows.map { $0[output] } }
      unit.options.channels = ChannelMatrix(inputCount: inputs, outputCount: outputs, gains: columns)
    },
  ]

  package var settledOutputChannels: (count: Int, key: String)? {
    channelMap.map { ($0.count, "map") } ?? options.channels.map { ($0.outputCount, "matrix") }
  }
}

extension PropertyID {
  /// `kAudioUnitProperty_SampleRateConverterComplexity`: the code `line`, `norm`, `bats` or `minp`. While open only.
  public static let sampleRateConverterComplexity = PropertyID(3014)
  /// The seed of the dither; `.propertyNotInUse` while there is none. While open only.
  package static let ditherSeed = PropertyID(64_004)
}

extension RateConversionQuality {
  /// The converter's complexity for this quality.
  fileprivate var complexity: FourCharCode {
    switch self {
    case .linear, .zeroOrderHold: "line"
    case .fast, .medium, .best: "norm"
    case .mastering: "bats"
    case .minimumPhase: "minp"
    }
  }

  fileprivate var renderQuality: Int {
    switch self {
    case .linear, .zeroOrderHold: 0
    case .fast: 32
    case .medium: 96
    case .best, .mastering, .minimumPhase: 127
    }
  }
}
