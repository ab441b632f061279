import AudioCore
import AudioEngine

/// The merger: the channels of its two inputs side by side in one output, those of input 0 first, bit for bit.
///
/// All buses are Float32 with a buffer for each channel, of one rate; the output has as many channels as both inputs
/// together (definition of this project; Apple says only that the data of the inputs is merged).
///
/// ```swift
/// let graph = Graph(sampleRate: 44_100)
/// let merger = try graph.add(Merger())
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/drums.flac")), to: merger, input: 0)
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: merger, input: 1)
/// try graph.connect(merger, to: graph.add(GenericOutput()))
/// #expect(try OfflineRenderer(graph).renderToMemory().report.channelCount == 3)
/// ```
public final class Merger: Unit, @unchecked Sendable {
  /// `aufc merg appl`, in graph files `merger`.
  package static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "merg"), shortName: "merger", name: "Apple: AUMerger",
    summary: "Puts the channels of two inputs side by side into one output."
  ) { Merger() }

  /// Two stereo inputs, and an output of four channels.
  public init() {
    super.init(Self.component, inputs: 2, outputs: 1)
    outputs[0].format = naturalOutputFormat(graphRate: StreamFormat.initial.sampleRate)
  }

  public override var channelCapabilities: [ChannelCapability] { [.anyToAny] }

  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: inputs[0].format.sampleRate, channelCount: channelsIn)
  }

  private var channelsIn: Int { inputs.reduce(0) { $0 + $1.format.channelCount } }

  public override func checkFormats() throws(AudioStatus) {
    guard inputs.allSatisfy({ $0.format.sampleRate == outputs[0].format.sampleRate }) else {
      preparationFailure = BenchError(
        .graph, "its buses have different rates", advice: "put a formatConverter in front of one input")
      throw .formatNotSupported
    }
    guard outputs[0].format.channelCount == channelsIn else {
      preparationFailure = BenchError(
        .graph,
        "its inputs have \(NumberText.count(channelsIn, "channel")) together, its output has \(outputs[0].format.channelCount)",
        advice: "leave the format of the output out, or give it \(NumberText.count(channelsIn, "channel"))")
      throw .formatNotSupported
    }
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor { MergerProcessor(inputs: inputs.count) }
}
