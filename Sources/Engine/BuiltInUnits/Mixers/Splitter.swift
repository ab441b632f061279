import AudioCore
import AudioEngine

/// The splitter: two outputs that are the same as the input, bit for bit. All buses have one format, Float32 with a
/// buffer for each channel.
///
/// Both outputs of a slice come from one render: whoever asks for the second output at the same sample time gets what
/// was rendered for the first.
///
/// ```swift
/// let graph = Graph(sampleRate: 48_000)
/// let splitter = try graph.add(Splitter())
/// let mixer = try graph.add(MultichannelMixer(inputs: 2))
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: splitter)
/// try graph.connect(splitter, output: 0, to: mixer, input: 0)
/// try graph.connect(splitter, output: 1, to: graph.add(Delay()))
/// try graph.connect(#require(graph.node(named: "delay1")).unit, to: mixer, input: 1)
/// try graph.connect(mixer, to: graph.add(GenericOutput()))
/// ```
public final class Splitter: Unit, @unchecked Sendable {
  /// `aufc splt appl`, in graph files `splitter`.
  package static let component = Component(
    ComponentDescription(type: .formatConverter, subType: "splt"), shortName: "splitter", name: "Apple: AUSplitter",
    summary: "Gives its input to two outputs."
  ) { Splitter() }

  /// One input, two outputs.
  public init() { super.init(Self.component, inputs: 1, outputs: 2) }

  public override var channelCapabilities: [ChannelCapability] { [.equal] }
  public override func checkFormats() throws(AudioStatus) { try checkOneFormat() }
  public override func makeProcessor() throws(AudioStatus) -> Processor { SplitterProcessor(outputs: outputs.count) }
}
