// The path of one slice: work, in a reverb: what the network makes of the input, mixed with it. Runs on the render
// thread; allocates nothing after init.

import AudioCore
import AudioEngine

final class ReverbProcessor: EffectProcessor {
  private let channelCount: Int
  private let network: ReverbNetwork

  init(_ format: StreamFormat) {
    channelCount = format.channelCount
    network = ReverbNetwork(sampleRate: format.sampleRate, channelCount: format.channelCount)
    super.init()
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    let parameters = piece.parameters
    let room = ReverbNetwork.Room(
      shortestSeconds: parameters.start(2), longestSeconds: parameters.start(3),
      decaySecondsAt0Hz: parameters.start(4), decaySecondsAtNyquist: parameters.start(5), seed: parameters.start(6))
    func gain(_ decibels: Double) -> Double { Decibels.amplitude(min(20, max(-20, decibels))) }
    let dry = CellRamp(piece) { gain($0(1)) * (1 - min(1, max(0, $0(0) / 100))) }
    let wet = CellRamp(piece) { gain($0(1)) * min(1, max(0, $0(0) / 100)) }
    network.process(
      room, frames: piece.frames, input: { piece.input($0) + $1 },
      { mix(piece, $0, $1, dry, wet) })
  }

  private func mix(_ piece: RenderPiece, _ offset: Int, _ count: Int, _ dry: CellRamp, _ wet: CellRamp) {
    let scale = network.outputGain
    var (dryGain, wetGain) = (dry.value(at: offset), wet.value(at: offset) * scale)
    let isMoving = dry.isMoving || wet.isMoving || network.isFading
    for channel in 0..<channelCount {
      let sound = network.sound(channel)
      let input = piece.input(channel) + offset
      let output = piece.output(channel) + offset
      guard isMoving else {
        for frame in 0..<count { output[frame] = dryGain * input[frame] + wetGain * sound[frame] }
        continue
      }
      for frame in 0..<count {
        (dryGain, wetGain) = (
          dry.value(at: offset + frame), wet.value(at: offset + frame) * scale * network.share(frame)
        )
        output[frame] = dryGain * input[frame] + wetGain * sound[frame]
      }
    }
  }

  override func reset() { network.reset() }
}
