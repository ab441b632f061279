/// A unit with one input and one output of as many channels, frame by frame, that can be bypassed.
protocol EffectLaw: UnitLaw {
  /// The law at rest, with the values of all parameters for each of the frames.
  init(_ node: LawNode, channels: Int, frames: Int) throws(LawError)
  /// Forgets all that was processed; the parameters stay.
  mutating func restart()
  /// The output of one frame, a sample for each channel; frames come in order.
  mutating func output(_ samples: [Double], at frame: Int) -> [Double]
}

extension EffectLaw {
  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let input = try input(inputs)
    var law = try Self(node, channels: input.channels.count, frames: input.frames)
    let (bypassed, restarts) = (node.bypassed(frames: input.frames), node.restarts(frames: input.frames))
    var output = input
    for frame in 0..<input.frames {
      if restarts.contains(frame) { law.restart() }
      if bypassed[frame] { continue }
      let samples = law.output(input.channels.map { $0[frame] }, at: frame)
      for (channel, sample) in samples.enumerated() { output.channels[channel][frame] = sample }
    }
    return [output]
  }

  static func draw(_ draw: inout CrossDraw) { draw.effectCase(of: Self.self) }
}
