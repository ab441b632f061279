import AudioCore
import SampleRate

/// The format converter unit: one input and one output of any PCM formats, rates and channel counts.
public final class FormatConverterUnit: Unit, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "conv"), shortName: "formatConverter",
    name: "Apple: AUConverter",
    summary: "Converts sample rate, sample format and channels, by libsamplerate or libsoxr."
  ) { FormatConverterUnit() }

  /// Rate quality, channel map and dither. While open only.
  public var options = FormatConverter.Options()
  /// The source of each output channel, −1 for silence, whatever the input turns out to have; in place of
  /// `options.channels`. While open only.
  public var channelMap: [Int]?

  public init() { super.init(Self.component, inputs: 1, outputs: 1) }

  public override func check(_ format: StreamFormat, _ scope: Scope, element: Int) throws(AudioStatus) {
    guard format.isValid else { throw .formatNotSupported }
  }

  public override var channelCapabilities: [ChannelCapability] {
    [ChannelCapability(inputChannels: -1, outputChannels: -2)]
  }

  /// As the input, with as many channels as the map or the matrix gives.
  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    var format = inputs[0].format
    if let count = channelMap?.count ?? options.channels?.outputCount { format.channelCount = count }
    return format
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
    }
    return try makeConversion(from: inputs[0].format, to: outputs[0].format, options: options)
  }

  public override var processorBytes: Int {
    FormatConverter.memoryBytes(
      from: inputs[0].format, to: outputs[0].format, maximumFrames: maximumFramesPerSlice, options: options)
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    .quality(FormatConverterUnit.self, \.options.quality),
    .of(
      FormatConverterUnit.self, .channelMap, "channelMap", [.output], type: "Int32[output channels], −1 silent",
      get: { (unit, _, _) throws(AudioStatus) in
        let inputs = unit.inputs[0].format.channelCount
        let map = unit.channelMap?.map { Int32(clamping: $0) } ?? unit.options.channels?.map
        return .int32s(
          map ?? (0..<Int32(unit.outputs[0].format.channelCount)).map { $0 < Int32(inputs) ? $0 : -1 })
      },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .int32s(let map) = value,
          let matrix = ChannelMatrix(map: map.map(Int.init), inputCount: unit.inputs[0].format.channelCount)
        else { throw .invalidPropertyValue }
        guard !unit.isInitialized else { throw .initialized }
        unit.options.channels = matrix
        unit.channelMap = nil
      }),
    .of(
      FormatConverterUnit.self, .sampleRateConverterComplexity, "sampleRateConverterComplexity",
      type: "FourCharCode: line, norm, bats, minp",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(unit.options.quality.complexity.rawValue) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let code) = value else { throw .invalidPropertyValue }
        guard !unit.isInitialized else { throw .initialized }
        switch FourCharCode(rawValue: code) {
        case "line": unit.options.quality = .linear
        case "norm": unit.options.quality = .medium
        case "bats": unit.options.quality = .mastering
        case "minp": unit.options.quality = .minimumPhase
        default: throw .invalidPropertyValue
        }
      }),
    .of(
      FormatConverterUnit.self, .renderQuality, "renderQuality", type: "UInt32, 0 to 127",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(unit.options.quality.renderQuality) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let quality) = value, quality <= 127 else { throw .invalidPropertyValue }
        guard !unit.isInitialized else { throw .initialized }
        guard unit.options.quality.complexity == "norm" else { return }
        unit.options.quality = quality < 64 ? .fast : quality < 127 ? .medium : .best
      }),
    .of(
      FormatConverterUnit.self, .ditherSeed, "ditherSeed", type: "Int64; unset: no dither",
      get: { (unit, _, _) throws(AudioStatus) in
        guard let seed = unit.options.ditherSeed else { throw .propertyNotInUse }
        return .int64(Int64(bitPattern: seed))
      },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .int64(let seed) = value else { throw .invalidPropertyValue }
        guard !unit.isInitialized else { throw .initialized }
        unit.options.ditherSeed = UInt64(bitPattern: seed)
      }),
  ]
}

extension RateConversionQuality {
  /// The converter's complexity that stands for this quality.
  fileprivate var complexity: FourCharCode {
    switch self {
    case .linear, .zeroOrderHold: "line"
    case .fast, .medium, .best: "norm"
    case .mastering: "bats"
    case .minimumPhase: "minp"
    }
  }

  fileprivate var renderQuality: UInt32 {
    switch self {
    case .linear, .zeroOrderHold: 0
    case .fast: 32
    case .medium: 96
    case .best, .mastering, .minimumPhase: 127
    }
  }
}
