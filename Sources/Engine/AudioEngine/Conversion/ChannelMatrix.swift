import AudioCore

/// The gains by which the channels of a stream become those of another, from each input to each output.
public struct ChannelMatrix: Hashable, Sendable {
  /// Channels of the stream that comes in.
  @usableFromInline package let inputCount: Int
  /// Channels of the stream that goes out.
  @usableFromInline package let outputCount: Int
  /// Linear gains, output by output: `gains[output * inputCount + input]`.
  @usableFromInline package let gains: [Float]

  /// - Precondition: `gains` has `inputCount × outputCount` finite values.
  public init(inputCount: Int, outputCount: Int, gains: [Float]) {
    precondition(gains.count == inputCount * outputCount && gains.allSatisfy(\.isFinite))
    self.inputCount = inputCount
    self.outputCount = outputCount
    self.gains = gains
  }

  /// One source per output, −1 for silence: the channel map of the converter's interface.
  ///
  /// - Returns: nil where an entry names a channel that the input does not have.
  public init?(map: [Int], inputCount: Int) {
    guard map.allSatisfy({ (-1..<inputCount).contains($0) }), !map.isEmpty else { return nil }
    var gains = [Float](repeating: 0, count: map.count * inputCount)
    for (output, source) in map.enumerated() where source >= 0 { gains[output * inputCount + source] = 1 }
    self.init(inputCount: inputCount, outputCount: map.count, gains: gains)
  }

  /// The converter's default: channels go straight through, surplus inputs are dropped, surplus outputs stay silent.
  public static func straight(inputCount: Int, outputCount: Int) -> ChannelMatrix {
    let map = (0..<outputCount).map { $0 < inputCount ? $0 : -1 }
    guard let matrix = ChannelMatrix(map: map, inputCount: inputCount) else { preconditionFailure("channels exist") }
    return matrix
  }

  /// The usual change of channel count: mono goes to every output, anything to mono is the mean, and
  /// otherwise channels go straight through.
  public static func conventional(inputCount: Int, outputCount: Int) -> ChannelMatrix {
    if inputCount == 1 {
      return ChannelMatrix(inputCount: 1, outputCount: outputCount, gains: Array(repeating: 1, count: outputCount))
    }
    if outputCount == 1 {
      let share = 1 / Float(inputCount)
      return ChannelMatrix(inputCount: inputCount, outputCount: 1, gains: Array(repeating: share, count: inputCount))
    }
    return straight(inputCount: inputCount, outputCount: outputCount)
  }

  /// The gains from the loudspeakers of one layout to those of another.
  package static func between(
    _ source: ChannelLayout, _ target: ChannelLayout, effectsGain: Double = 0
  ) -> ChannelMatrix {
    let (inputs, outputs) = (source.channelCount, target.channelCount)
    let gains = ChannelMixing.matrix(from: source.positions, to: target.positions, effects: effectsGain)
    return ChannelMatrix(
      inputCount: inputs, outputCount: outputs,
      gains: (0..<outputs).flatMap { output in (0..<inputs).map { gains[$0 * outputs + output] } })
  }

  /// The source of each output, −1 for silence; nil where an output is more than one input unchanged.
  package var map: [Int32]? {
    var map: [Int32] = []
    for output in 0..<outputCount {
      let row = gains[(output * inputCount)..<((output + 1) * inputCount)]
      let sources = row.enumerated().filter { $0.element != 0 }
      guard sources.count < 2, sources.allSatisfy({ $0.element == 1 }) else { return nil }
      map.append(sources.first.map { Int32($0.offset) } ?? -1)
    }
    return map
  }

  /// True: as many outputs as inputs, and each is the input of the same number with gain 1.
  package var isIdentity: Bool { self == .straight(inputCount: inputCount, outputCount: inputCount) }

  /// Writes outputs from inputs: products are rounded once and summed in the order of the inputs.
  @inlinable public func apply<Sample: BinaryFloatingPoint>(
    from inputs: Planes<Sample>, to outputs: Planes<Sample>, frames: Int
  ) {
    for output in 0..<outputCount {
      let out = outputs[output]
      var isFirst = true
      for input in 0..<inputCount {
        let gain = Sample(gains[output * inputCount + input])
        guard gain != 0 else { continue }
        let from = inputs[input]
        if isFirst {
          for frame in 0..<frames { out[frame] = from[frame] * gain }
        } else {
          for frame in 0..<frames { out[frame] += from[frame] * gain }
        }
        isFirst = false
      }
      if isFirst { out.update(repeating: 0, count: frames) }
    }
  }
}
