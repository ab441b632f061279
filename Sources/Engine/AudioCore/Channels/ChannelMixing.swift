// The mapping of one layout's channels to those of another: the map, and the matrix. Any thread; not for the render.
// Law of the matrix, ours, after ITU-R BS.775: a channel that the target has is copied there with gain 1; one that it
// has not folds into its neighbours, each fold to one or two other directions at 1/√2 (−3 dB), so that a surround that
// is split once more arrives at 1/2. The low frequency effects are copied to another such channel or dropped. Nothing
// is scaled against overload.

/// Maps and mix matrices between channel layouts.
package enum ChannelMixing {
  /// For each output the first input of the same label, −1 where there is none.
  package static func map(from inputs: [UInt32], to outputs: [UInt32]) -> [Int32] {
    let plain = inputs.map(ChannelNumbers.plainLabel)
    return outputs.map { label in
      plain.firstIndex(of: ChannelNumbers.plainLabel(label)).map(Int32.init) ?? -1
    }
  }

  /// A linear gain from each input to each output: `gains[input * outputs.count + output]`.
  /// - Parameter effects: the gain of low frequency effects on their way to the centre, for outputs that have no such
  ///   channel; in two outputs, left and right, they are heard as the centre is.
  package static func matrix(from inputs: [UInt32], to outputs: [UInt32], effects: Double = 0) -> [Float] {
    let targets = outputs.map(ChannelNumbers.plainLabel)
    return inputs.flatMap { input in
      var gains = [Double](repeating: 0, count: outputs.count)
      let label = ChannelNumbers.plainLabel(input)
      if effects != 0, ChannelLayout.isLowFrequency(label), !targets.contains(where: ChannelLayout.isLowFrequency) {
        spread(3, gain: effects, over: targets, into: &gains)
      } else {
        spread(label, gain: 1, over: targets, into: &gains)
      }
      return gains.map { Float($0) }
    }
  }

  private static func spread(_ label: UInt32, gain: Double, over targets: [UInt32], into gains: inout [Double]) {
    if let index = targets.firstIndex(of: label) {
      gains[index] += gain
      return
    }
    guard let ways = folds[label], let last = ways.last else { return }
    let whole = ways.first { $0.allSatisfy { targets.contains($0.to) } }
    // If no fold leads straight to targets, the last one is continued by the folds of its own channels. That ends at
    // the end channels, whose own folds are taken only if the target has them.
    guard whole != nil || !ends.contains(label) else { return }
    for step in whole ?? last { spread(step.to, gain: gain * step.gain, over: targets, into: &gains) }
  }

  /// Left, right, centre and the effects.
  private static let ends: Set<UInt32> = [1, 2, 3, 4, 37]
  private typealias Step = (to: UInt32, gain: Double)
  private static let rootHalf = 0.5.squareRoot()

  /// The folds of a channel that the target lacks, best first, by label.
  private static let folds: [UInt32: [[Step]]] = [
    1: [[(3, rootHalf)]],
    2: [[(3, rootHalf)]],
    3: [[(1, rootHalf), (2, rootHalf)]],
    4: [[(37, 1)]],
    37: [[(4, 1)]],
    5: [[(33, 1)], [(10, 1)], [(9, rootHalf)], [(1, rootHalf)]],
    6: [[(34, 1)], [(11, 1)], [(9, rootHalf)], [(2, rootHalf)]],
    7: [[(1, rootHalf), (3, rootHalf)], [(1, 1)]],
    8: [[(2, rootHalf), (3, rootHalf)], [(2, 1)]],
    9: [[(5, rootHalf), (6, rootHalf)], [(33, rootHalf), (34, rootHalf)], [(1, 0.5), (2, 0.5)]],
    10: [[(5, 1)], [(33, 1)], [(1, rootHalf)]],
    11: [[(6, 1)], [(34, 1)], [(2, rootHalf)]],
    12: [[(1, 0.5), (2, 0.5)]],
    13: [[(1, rootHalf)]],
    14: [[(3, rootHalf)], [(1, 0.5), (2, 0.5)]],
    15: [[(2, rootHalf)]],
    16: [[(33, rootHalf)], [(5, rootHalf)], [(1, 0.5)]],
    17: [[(9, rootHalf)], [(5, 0.5), (6, 0.5)], [(1, rootHalf / 2), (2, rootHalf / 2)]],
    18: [[(34, rootHalf)], [(6, rootHalf)], [(2, 0.5)]],
    33: [[(5, 1)], [(10, 1)], [(9, rootHalf)], [(1, rootHalf)]],
    34: [[(6, 1)], [(11, 1)], [(9, rootHalf)], [(2, rootHalf)]],
    35: [[(1, rootHalf), (5, rootHalf)], [(1, 1)]],
    36: [[(2, rootHalf), (6, rootHalf)], [(2, 1)]],
    38: [[(1, 1)]],
    39: [[(2, 1)]],
    204: [[(1, rootHalf), (2, rootHalf)], [(3, 1)]],
    205: [[(1, rootHalf), (2, -rootHalf)]],
    206: [[(1, 1)]],
    207: [[(2, 1)]],
  ]
}
