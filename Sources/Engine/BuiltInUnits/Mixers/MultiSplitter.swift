import AudioCore
import AudioEngine

/// The multi-splitter: any number of outputs that are the same as the input, bit for bit. All buses have one format,
/// Float32 with a buffer for each channel.
///
/// All outputs of a slice come from one render, see ``Splitter``. Like Apple's, one of which a host has set neither a
/// format nor the number of outputs cannot be initialized.
///
/// ```swift
/// let graph = Graph(sampleRate: 48_000)
/// let splitter = try graph.add(MultiSplitter(outputs: 3))
/// let mixer = try graph.add(MultichannelMixer(inputs: 3))
/// try graph.connect(graph.add(FilePlayer("fixtures/audio/guitar.flac")), to: splitter)
/// for bus in 0..<3 { try graph.connect(splitter, output: bus, to: mixer, input: bus) }
/// try graph.connect(mixer, to: graph.add(GenericOutput()))
/// ```
public final class MultiSplitter: Unit, @unchecked Sendable {
  /// `aumx mspl appl`, in graph files `multiSplitter`. The header of macOS counts it among the format converters; the
  /// system has it as a mixer.
  package static let component = Component(
    ComponentDescription(type: .mixer, subType: "mspl"), shortName: "multiSplitter", name: "Apple: AUMultiSplitter",
    summary: "Gives its input to any number of outputs."
  ) { MultiSplitter() }

  private var hasBusSettings = false

  /// - Parameter outputs: 1 to 1024; Apple's starts with 2.
  public init(outputs: Int = 2) {
    precondition(Self.outputRange.contains(outputs), "a splitter has 1 to 1024 outputs")
    super.init(Self.component, inputs: 1, outputs: outputs)
  }

  private static let outputRange = 1...1024

  public override func elementCountRange(_ scope: Scope) -> ClosedRange<Int> {
    scope == .output ? Self.outputRange : 1...1
  }
  public override var channelCapabilities: [ChannelCapability] { [.equal] }

  public override func elementCountDidChange(_ scope: Scope) { hasBusSettings = true }
  public override func streamFormatWasSet(_ scope: Scope, element: Int) { hasBusSettings = true }

  public override func checkFormats() throws(AudioStatus) {
    guard hasBusSettings else {
      preparationFailure = BenchError(
        .graph, "neither the number of its outputs nor a format was set", advice: "set the stream formats of its buses")
      throw .failedInitialization
    }
    try checkOneFormat()
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor { SplitterProcessor(outputs: outputs.count) }

  public override var graphKeys: [GraphKey] { [Self.outputsKey] }

  private static let outputsKey = GraphKey(
    "outputs", "the number of output buses; by default as many as are connected", of: MultiSplitter.self,
    schema: ["type": "integer", "minimum": 1, "maximum": .number(Double(outputRange.upperBound))]
  ) { (splitter, node, place) throws(BenchError) in
    let written = try node.count("outputs", in: outputRange)
    let wanted = written ?? place.connectedOutputs.map { min($0, outputRange.upperBound) } ?? 1
    do { try splitter.setElementCount(wanted, .output) } catch {
      throw node.error("outputs", "the unit refuses it: \(error)")
    }
  }
}
