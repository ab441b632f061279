extension CrossDraw {
  /// A splitter whose outputs are delayed differently and merged again, side by side.
  mutating func fanOutCase(splitter: String, outputs: Int) {
    channels = min(channels, 8 / outputs)
    var nodes: [LawValue] = [["id": "split", "unit": .text(splitter)]]
    var connections = ["in -> split"]
    for branch in 0..<outputs {
      nodes.append([
        "id": .text("delay\(branch)"), "unit": "sampleDelay", "set": ["delayFrames": .whole(random.whole(0...200))],
      ])
      connections.append("split:\(branch) -> delay\(branch)")
    }
    var last = "delay0"
    for branch in 1..<outputs {
      nodes.append(["id": .text("merge\(branch)"), "unit": "merger"])
      connections += ["\(last) -> merge\(branch):0", "delay\(branch) -> merge\(branch):1"]
      last = "merge\(branch)"
    }
    connections.append("\(last) -> out")
    var edits: [LawValue] = []
    if random.chance(0.4) {
      let branch = random.whole(0...(outputs - 1))
      edits.append([
        "frame": .whole(eventFrame()), "node": .text("delay\(branch)"),
        "set": ["delayFrames": .whole(random.whole(0...300))],
      ])
    }
    graph(nodes, connections, edits: edits)
  }
}
