// A unit whose sound comes from a function: players, source nodes, the input. The function runs on the thread that
// renders.

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
  typealias Body = (BlockSlice) throws(AudioStatus) -> Void

  static let component = Component(
    ComponentDescription(type: .generator, subType: "blok", manufacturer: "swft"), shortName: "block",
    name: "Swift: Block",
    summary: "Sound that a function gives."
  ) { BlockUnit { $0.silence() } }

  private let makeBody: (_ format: StreamFormat, _ maximumFrames: Int) -> Body

  convenience init(_ body: @escaping Body) { self.init { _, _ in body } }

  /// - Parameter makeBody: makes the function for a format and a longest slice, with all the memory that it needs. A
  ///   former function may still render meanwhile.
  init(makeBody: @escaping (_ format: StreamFormat, _ maximumFrames: Int) -> Body) {
    self.makeBody = makeBody
    super.init(Self.component, inputs: 0, outputs: 1)
  }

  override var channelCapabilities: [ChannelCapability] { [ChannelCapability(inputChannels: 0, outputChannels: -1)] }
  override func makeProcessor() throws(AudioStatus) -> Processor {
    BlockProcessor(makeBody(outputs[0].format, maximumFramesPerSlice))
  }
}

private final class BlockProcessor: Processor {
  private let body: BlockUnit.Body

  init(_ body: @escaping BlockUnit.Body) { self.body = body }

  override var runsHostCode: Bool { true }
  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    try body(BlockSlice(sampleTime: piece.sampleTime, frames: piece.frames, piece: piece))
  }
}
