// A unit whose sound comes from a function: players, source nodes, the input. Runs on the thread that renders the engine;
// such engines are rendered by their programs, so the function may allocate and read files.

import AudioCore
import AudioEngine

/// The frames that a function is to write: Float32, a buffer for each channel.
struct BlockSlice {
  let sampleTime: Int64
  let frames: Int
  fileprivate let piece: RenderPiece

  var channelCount: Int { piece.outputs[0].count }

  /// The first sample of a channel.
  func channel(_ index: Int) -> UnsafeMutablePointer<Float> { piece.output(index).start(of: frames) }

  /// Writes zeros.
  func silence() {
    for index in 0..<channelCount { channel(index).update(repeating: 0, count: frames) }
  }
}

/// A generator whose frames a function gives.
final class BlockUnit: AudioEngine.Unit, @unchecked Sendable {
  static let component = Component(
    ComponentDescription(type: .generator, subType: "blok", manufacturer: "swft"), shortName: "block",
    name: "Swift: Block",
    summary: "Sound that a function gives."
  ) { BlockUnit { $0.silence() } }

  private let body: (BlockSlice) throws(AudioStatus) -> Void

  init(_ body: @escaping (BlockSlice) throws(AudioStatus) -> Void) {
    self.body = body
    super.init(Self.component, inputs: 0, outputs: 1)
  }

  override var channelCapabilities: [ChannelCapability] { [ChannelCapability(inputChannels: 0, outputChannels: -1)] }
  override func makeProcessor() throws(AudioStatus) -> Processor { BlockProcessor(body) }
}

private final class BlockProcessor: Processor {
  private let body: (BlockSlice) throws(AudioStatus) -> Void

  init(_ body: @escaping (BlockSlice) throws(AudioStatus) -> Void) { self.body = body }

  override var runsHostCode: Bool { true }
  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    try body(BlockSlice(sampleTime: piece.sampleTime, frames: piece.frames, piece: piece))
  }
}
