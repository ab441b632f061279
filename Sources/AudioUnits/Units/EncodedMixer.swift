// Step 8 of the path of one slice: work. The render half of a mixer whose output is not planar Float32: it mixes into
// memory of its own and encodes. Runs on the render thread: no allocation, no lock.

import AudioCore
import DSPKernels

/// A mixer with an output in another layout or encoding; the mix itself is the same, and is rounded and clipped once.
final class EncodedMixer: Processor, @unchecked Sendable {
  let mixer: MixerProcessor
  private let format: StreamFormat
  private let mixed: StreamBuffer
  private let outputs: UnsafeMutablePointer<BusBuffer>
  private(set) var clippedSamples: Int64 = 0

  init(_ mixer: MixerProcessor, format: StreamFormat, maximumFrames: Int) {
    self.mixer = mixer
    self.format = format
    mixed = StreamBuffer(format: format.floatPlanar, frameCapacity: maximumFrames)
    outputs = .allocate(capacity: 1)
    outputs.initialize(to: mixed.bus)
  }

  deinit { outputs.deallocate() }

  func latch() { mixer.latch() }
  func wantsInput(_ bus: Int, parameters: RenderParameters) -> Bool {
    mixer.wantsInput(bus, parameters: parameters)
  }

  func process(_ piece: RenderPiece) throws(AudioStatus) {
    try mixer.process(
      RenderPiece(
        sampleTime: piece.sampleTime, offset: piece.offset, frames: piece.frames, inputs: piece.inputs,
        outputs: outputs, parameters: piece.parameters, node: nil))
    for channel in 0..<format.channelCount {
      let (destination, stride) = format.address(of: channel, in: piece.outputs[0])
      clippedSamples += Int64(
        PCMCodec.encode(
          mixed.bus.planes[channel] + piece.offset, frames: piece.frames, as: format.encoding,
          to: destination + piece.offset * stride, stride: stride))
    }
  }

  func reset() {
    mixer.reset()
    clippedSamples = 0
  }
}
