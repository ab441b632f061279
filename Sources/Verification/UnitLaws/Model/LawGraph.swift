/// A graph of units, each of which is its law: nodes in the order of the sound, whole signals from one to the next.
public struct LawGraph: Sendable {
  private var nodes: [LawNode]
  private var sources: [(from: String, output: Int, to: String, input: Int)] = []
  private let rate: Double
  /// The file player that plays the stimulus.
  private let input: String?

  /// - Parameters:
  ///   - device: a device of a suite: `{"unit": …}`, or `{"graph": {…}}` with the graph itself; with its edits.
  ///   - rate: hertz, of a unit.
  public init(device: LawValue, rate: Double) throws(LawError) {
    let edits = device["edits"]?.list ?? []
    if let graph = device["graph"] {
      self.rate = graph["sampleRate"]?.number ?? 44_100
      let smoothing = graph["smoothingFrames"]?.integer ?? 0
      nodes = []
      for written in graph["nodes"]?.list ?? [] {
        guard let id = written["id"]?.text, let unit = written["unit"]?.text, let keys = written.members else {
          throw LawError("a node without id and unit")
        }
        var node = LawNode(id: id, unit: unit, keys: keys)
        node.smoothingFrames = smoothing
        nodes.append(node)
      }
      for connection in graph["connections"]?.list ?? [] {
        guard let text = connection.text else { continue }
        let ends = text.split(separator: " ").filter { $0 != "->" }
        guard ends.count == 2 else { throw LawError("a connection without two ends: \(text)") }
        let (from, to) = (Self.end(ends[0]), Self.end(ends[1]))
        sources.append((from.id, from.bus, to.id, to.bus))
      }
      input = device["input"]?.text ?? nodes.first { $0.unit == "filePlayer" }?.id
    } else if let unit = device["unit"]?.text, let keys = device.members {
      self.rate = rate
      nodes = [
        LawNode(id: "stimulus", unit: "filePlayer", keys: [:]), LawNode(id: "device", unit: unit, keys: keys),
        LawNode(
          id: "out", unit: "genericOutput",
          keys: keys["format"]?["sampleRate"].map { ["format": ["sampleRate": $0]] } ?? [:]),
      ]
      sources = [("stimulus", 0, "device", 0), ("device", 0, "out", 0)]
      input = "stimulus"
    } else {
      throw LawError("the device is neither a unit nor a graph that is written in the suite")
    }
    for edit in edits { try take(edit) }
    for index in nodes.indices { nodes[index].events = Self.ordered(nodes[index].events) }
  }

  private static func end(_ text: Substring) -> (id: String, bus: Int) {
    let parts = text.split(separator: ":")
    return (String(parts.first ?? ""), parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }

  /// By frame; those of one frame in the order in which they are written.
  private static func ordered(_ events: [LawEvent]) -> [LawEvent] {
    events.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  private mutating func take(_ edit: LawValue) throws(LawError) {
    guard let frame = edit["frame"]?.integer else { throw LawError("an edit without a frame") }
    let known: Set = ["frame", "node", "set", "preset", "bypass", "reset", "scheduled", "ramp"]
    for key in (edit.members ?? [:]).keys.sorted() where !known.contains(key) {
      throw LawError("the laws know no edits of \"\(key)\"")
    }
    guard let index = nodes.firstIndex(where: { $0.id == edit["node"]?.text ?? "device" }) else {
      throw LawError("an edit of a node that is not there")
    }
    var event = LawEvent(frame: frame)
    for (name, value) in edit["set"]?.members ?? [:] {
      guard let number = value.number else { throw LawError("\(name) is no number") }
      event.settings[LawNode.fullName(name)] = number
    }
    event.preset = edit["preset"]
    event.bypass = edit["bypass"]?.flag
    event.resets = edit["reset"]?.flag ?? false
    event.isScheduled = edit["scheduled"]?.flag ?? false
    event.rampFrames = edit["ramp"]?.integer ?? 0
    nodes[index].events.append(event)
  }

  /// The loosest residual of its nodes' laws, dB against full scale or the expected peak.
  public var residual: Double { nodes.compactMap { UnitLawList.law(of: $0.unit)?.residual(of: $0) }.max() ?? -120 }

  /// The output of the graph.
  /// - Parameters:
  ///   - stimulus: the signal of the player of the stimulus; nil: all players play their own files.
  ///   - frames: the frames of the output that are wanted, at `rate` hertz; nil: as many as the players and generators give.
  public func output(
    for stimulus: LawSignal?, frames: Int?, rate outputRate: Double, _ surroundings: LawSurroundings
  ) throws(LawError) -> LawSignal {
    var made: [String: [LawSignal]] = [:]
    var open = nodes
    while !open.isEmpty {
      guard
        let index = open.firstIndex(where: { node in
          sources.allSatisfy { $0.to != node.id || made[$0.from] != nil }
        })
      else { throw LawError("the graph has a cycle") }
      var node = open.remove(at: index)
      let inputs = try self.inputs(of: node, made)
      node.rate = node.keys["format"]?["sampleRate"]?.number ?? inputs.compactMap { $0 }.first?.rate ?? rate
      node.wantedFrames = frames
      if node.id == input, let stimulus {
        let frames = frames ?? stimulus.frames
        let ratio = stimulus.rate / outputRate
        // Filters of conversions see beyond the end.
        let isConverted = ratio != 1 || nodes.contains { $0.keys["format"]?["sampleRate"] != nil }
        let needed = isConverted ? Int(exactly: (Double(frames) * ratio).rounded(.up)).map { $0 + 4096 } : frames
        made[node.id] = [stimulus.of(frames: needed ?? frames)]
        continue
      }
      guard let law = UnitLawList.law(of: node.unit) else { throw LawError("\(node.unit) has no law") }
      node.outputCount = (sources.filter { $0.from == node.id }.map(\.output).max() ?? 0) + 1
      node.surroundings = surroundings
      try law.check(node, inputs)
      let signals = try law.outputs(of: node, inputs)
      if node.unit == GenericOutputLaw.unit, let output = signals.first {
        return frames.map { output.of(frames: $0) } ?? output
      }
      made[node.id] = signals
    }
    throw LawError("the graph has no generic output")
  }

  private func inputs(of node: LawNode, _ made: [String: [LawSignal]]) throws(LawError) -> [LawSignal?] {
    let mine = sources.filter { $0.to == node.id }
    var inputs: [LawSignal?] = Array(repeating: nil, count: (mine.map(\.input).max() ?? -1) + 1)
    for source in mine {
      guard let signals = made[source.from], source.output < signals.count else {
        throw LawError("no output \(source.output) of \(source.from)")
      }
      inputs[source.input] = signals[source.output]
    }
    return inputs
  }
}
