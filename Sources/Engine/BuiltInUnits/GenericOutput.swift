import AudioCore
import AudioEngine
import SampleRate

/// The generic output: the head of an offline graph. It has no device; the host pulls it, and its own format converter
/// delivers whatever format the host has set on its output.
///
/// ```swift
/// let graph = Graph(sampleRate: 48_000)
/// let noise = try graph.add(NoiseGenerator())
/// try noise.setLength(frames: 48_000)
/// try graph.connect(noise, to: graph.add(GenericOutput()))
/// let report = try OfflineRenderer(graph).renderToMemory().report
/// #expect(report.frames == 48_000)
/// ```
public final class GenericOutput: Unit, @unchecked Sendable {
  /// `auou genr appl`, in graph files `genericOutput`.
  package static let component = Component(
    ComponentDescription(type: .output, subType: "genr"), shortName: "genericOutput", name: "Apple: GenericOutput",
    summary: "The head of an offline graph: the host pulls it, and it converts to the host's format."
  ) { GenericOutput() }

  /// The converter's rate quality. While open only.
  public var quality = RateConversionQuality.standard

  /// Slices of up to 4096 frames until a host sets another length, and the standard filter.
  public init() { super.init(Self.component, inputs: 1, outputs: 1, maximumFramesPerSlice: 4096) }

  public override var takesAnyPCM: Bool { true }

  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: graphRate, channelCount: inputs[0].format.channelCount)
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    try makeConversion(
      from: inputs[0].format, to: outputs[0].format, options: FormatConverter.Options(quality: quality))
  }

  public override var processorBytes: Int {
    FormatConverter.memoryBytes(
      from: inputs[0].format, to: outputs[0].format, maximumFrames: maximumFramesPerSlice,
      options: FormatConverter.Options(quality: quality))
  }

  public override var ownProperties: [PropertyDescriptor] { Self.propertyTable }
  private static let propertyTable: [PropertyDescriptor] = [.quality(\GenericOutput.quality)]
}
