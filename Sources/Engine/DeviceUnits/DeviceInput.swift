import AudioCore
import AudioEngine
import Hardware

/// The input element of an output unit of a device, as a graph sees it: a source that gives what the microphone
/// records.
///
/// In a graph file it has no node of its own: `io:1` in a connection is this unit, and `io` the one that it belongs to.
/// The hardware's thread alone renders it.
///
/// ```swift
/// let output = DeviceOutput(.remoteIO, hardware: SimulatedHardware(DeviceConfiguration()))
/// let graph = Graph(sampleRate: 44_100)
/// let microphone = try graph.add(DeviceInput(of: output))
/// try graph.connect(microphone, to: graph.add(PeakLimiter()))
/// try graph.connect(#require(graph.node(named: "peakLimiter1")).unit, to: graph.add(output))
/// ```
public final class DeviceInput: Unit, ForeignCodeUnit, SourceUnit, @unchecked Sendable {
  private let output: DeviceOutput

  /// The input of a unit, which is enabled by this. Both must be in the same graph.
  public init(of output: DeviceOutput) throws(AudioStatus) {
    self.output = output
    try output.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    let component = Component(
      ComponentDescription(type: .generator, subType: "rioi"), shortName: "deviceInput", name: "Device input",
      summary: "What the microphone of an output unit records."
    ) { preconditionFailure("an input belongs to an output") }
    super.init(component, inputs: 0, outputs: 1, maximumFramesPerSlice: 4096)
  }

  /// The channels of the microphone at the graph's rate.
  public override func naturalOutputFormat(graphRate: Double) -> StreamFormat {
    StreamFormat(sampleRate: graphRate, channelCount: max(1, output.hardware.configuration.inputChannelCount))
  }

  /// As long as the scenario; without an end of that it never ends.
  public var sourceFrames: Int64? {
    output.hardware.scenario?.seconds.flatMap { FrameCount.from(seconds: $0, sampleRate: outputs[0].format.sampleRate) }
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    try output.setStreamFormat(outputs[0].format, .output, element: 1)
    return DeviceInputProcessor(output, format: outputs[0].format)
  }
}

private final class DeviceInputProcessor: Processor {
  private unowned let output: DeviceOutput
  private let format: StreamFormat

  init(_ output: DeviceOutput, format: StreamFormat) {
    self.output = output
    self.format = format
  }

  /// Once for a slice: what has been recorded is taken, and comes no second time.
  override var pullsItsInputs: Bool { true }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let heard = try output.render(output: 1, sampleTime: piece.sampleTime, frames: piece.frames)
    let bytes = piece.frames * format.bytesPerFrame
    for index in 0..<heard.count {
      piece.outputs[0].buffers[index].copyMemory(from: heard.buffers[index], byteCount: bytes)
    }
  }
}
