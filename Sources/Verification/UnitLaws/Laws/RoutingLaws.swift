/// Both outputs are the input.
struct SplitterLaw: UnitLaw {
  static let unit = "splitter"
  static let residual = -200.0

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let input = try input(inputs)
    return [input, input]
  }

  static func draw(_ draw: inout CrossDraw) { draw.fanOutCase(splitter: unit, outputs: 2) }
}

/// Every output is the input.
struct MultiSplitterLaw: UnitLaw {
  static let unit = "multiSplitter"
  static let residual = -200.0

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    Array(repeating: try input(inputs), count: node.outputCount)
  }

  static func draw(_ draw: inout CrossDraw) { draw.fanOutCase(splitter: unit, outputs: draw.random.whole(2...5)) }
}

/// The channels of input 0, then those of input 1.
struct MergerLaw: UnitLaw {
  static let unit = "merger"
  static let residual = -200.0

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    guard inputs.count == 2, let first = inputs[0], let second = inputs[1] else {
      throw LawError("a merger without two inputs")
    }
    return [LawSignal(rate: first.rate, channels: first.channels + second.of(frames: first.frames).channels)]
  }

  static func draw(_ draw: inout CrossDraw) { draw.fanOutCase(splitter: "splitter", outputs: 2) }
}

/// The head of a graph: passes its input, at the input's rate and with its channels.
struct GenericOutputLaw: UnitLaw {
  static let unit = "genericOutput"
  static let residual = -200.0

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    let input = try input(inputs)
    guard (node.keys["format"]?["sampleRate"]?.number ?? input.rate) == input.rate else {
      throw LawError("a generic output that converts the rate has no law")
    }
    return [input]
  }
}
