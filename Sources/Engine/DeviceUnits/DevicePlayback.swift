// The path of one slice: work, in a unit that plays to the hardware: the channel map, the volume, and all channels into
// one buffer. Runs on the hardware's thread; allocates nothing after init.

import AudioCore
import AudioEngine

/// Lays planar Float32 of the app's channels out as the hardware takes it. The rate is the hardware's already.
final class DevicePlayback: Processor {
  private let matrix: ChannelMatrix
  private let isStraight: Bool
  private let mapped: PlanarBuffer
  private let shifted: PlaneAddresses<Float>
  private let inputCount: Int
  private let outputCount: Int
  /// The parameter slot of the volume, where the unit has one.
  private let volumeSlot: Int?

  init(_ matrix: ChannelMatrix, maximumFrames: Int, volumeSlot: Int?) {
    self.matrix = matrix
    self.volumeSlot = volumeSlot
    inputCount = matrix.inputCount
    outputCount = matrix.outputCount
    isStraight = matrix.isIdentity
    mapped = PlanarBuffer(channelCount: outputCount, frameCapacity: maximumFrames)
    shifted = PlaneAddresses(channelCount: inputCount)
  }

  /// The microphone has a way of its own.
  override var choosesInputs: Bool { true }
  override func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool { bus == 0 }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    let input = piece.inputs[0]
    guard input.count == inputCount else { throw .noConnection }
    var planes = shifted.planes(input.planes, from: piece.offset)
    if !isStraight {
      matrix.apply(from: planes, to: mapped.planes, frames: piece.frames)
      planes = mapped.planes
    }
    let gain = volumeSlot.map { piece.parameters[$0] } ?? 1
    let frames = piece.frames
    let stride = outputCount
    let out = piece.outputs[0].interleaved(stride) + piece.offset * stride
    for channel in 0..<stride {
      let from = planes[channel]
      for frame in 0..<frames { out[frame * stride + channel] = from[frame] * gain }
    }
  }
}
