// The path of one slice: work. The render half of a mixer whose output is not planar Float32: it mixes into memory of
// its own and encodes. Runs on the render thread: no allocation, no lock.

import AudioCore
import AudioEngine
import DSPKernels

/// A processor that mixes into planes of Float32, which need not be the output's.
class PlanarMixer: Processor {
  /// Renders a piece into some planes, from the piece's offset on.
  func mix(_ piece: RenderPiece, into output: FloatPlanes) {}

  final override func process(_ piece: RenderPiece) throws(AudioStatus) { mix(piece, into: piece.outputs[0].planes) }
}

/// A mixer with an output in another layout or encoding; the mix itself is the same, and is rounded and clipped once.
final class EncodedMixer: Processor {
  let mixer: PlanarMixer
  private let format: StreamFormat
  private let mixed: StreamBuffer
  private var clippedCount: Int64 = 0
  override var clippedSamples: Int64 { clippedCount }
  private var nonFiniteCount = 0
  override var nonFiniteSamples: Int64 { Int64(nonFiniteCount) }

  init(_ mixer: PlanarMixer, format: StreamFormat, maximumFrames: Int) {
    self.mixer = mixer
    self.format = format
    mixed = StreamBuffer(format: format.floatPlanar, frameCapacity: maximumFrames)
  }

  override func latch() { mixer.latch() }
  override var choosesInputs: Bool { true }
  override func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool {
    mixer.wantsInput(bus, parameters: parameters)
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    mixer.mix(piece, into: mixed.bus.planes)
    for channel in 0..<format.channelCount {
      let (destination, stride) = format.address(of: channel, in: piece.outputs[0])
      clippedCount += Int64(
        PCMCodec.encode(
          mixed.bus.planes[channel] + piece.offset, frames: piece.frames, as: format.encoding,
          to: destination + piece.offset * stride, stride: stride, nonFinite: &nonFiniteCount))
    }
  }

  override func reset() {
    mixer.reset()
    clippedCount = 0
    nonFiniteCount = 0
  }
}
