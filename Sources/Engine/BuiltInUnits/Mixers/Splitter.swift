import AudioCore
import AudioEngine

/// The splitter: two outputs that are the same as the input, bit for bit. All buses have one format, Float32 with a
/// buffer for each channel.
///
/// Both outputs of a slice come from one render: whoever asks for the second output at the same sample time gets what
/// was rendered for the first.
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
