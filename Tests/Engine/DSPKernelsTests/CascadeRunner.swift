import AudioCore
import DSPKernels

/// Runs a cascade over whole signals, cut into blocks, and returns what comes out.
func run(
  _ cascade: BiquadCascade, over signals: [[Float]], blocks: [Int], inPlace: Bool = false
) -> [[Float]] {
  let frames = signals.first?.count ?? 0
  let input = PlanarBuffer(channelCount: signals.count, frameCapacity: frames)
  let output = PlanarBuffer(channelCount: signals.count, frameCapacity: frames)
  for (channel, signal) in signals.enumerated() { input[channel].update(from: signal) }
  var offset = 0
  var turn = 0
  while offset < frames {
    let count = min(blocks[turn % blocks.count], frames - offset)
    cascade.process(
      input: input.planes, output: inPlace ? input.planes : output.planes, offset: offset, frames: count)
    offset += count
    turn += 1
  }
  return signals.indices.map { channel in
    Array((inPlace ? input : output)[channel].elements)
  }
}

func makeCascade(_ sections: [BiquadCoefficients], channels: Int, gain: Double = 1) -> BiquadCascade {
  let cascade = BiquadCascade(sectionCapacity: sections.count, channelCount: channels)
  for (index, section) in sections.enumerated() { cascade[index] = section }
  cascade.outputGain = gain
  return cascade
}
