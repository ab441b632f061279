extension CrossDraw {
  /// A generator alone, with start values, a line and edits.
  mutating func generatorCase(_ unit: String, _ parameters: [LawParameter]) {
    var node: LawValue = [
      "id": "device", "unit": .text(unit), "frames": .whole(frames), "format": ["channels": .whole(channels)],
    ]
    setValues(of: parameters, in: &node, chance: 0.7)
    var still = parameters
    if random.chance(0.45) {
      let moving = random.pick(parameters)
      still.removeAll { $0.name == moving.name }
      node["ramp"] = .list([line(of: moving)])
    }
    soundingGraph([node], edits: events(of: still, canBypass: false))
  }

  /// A unit behind a player of a part of a file, with one of its parameters set or moved.
  mutating func fileCase(_ node: LawValue, _ parameter: LawParameter, longest: Int = 3000, canReset: Bool = false) {
    var node = node
    var edits: [LawValue] = []
    switch isUnderWay ? 1 : random.whole(0...2) {
    case 0:
      node["ramp"] = .list([line(of: parameter)])
      if canReset, random.chance(0.3) {
        edits = [["frame": .whole(eventFrame()), "reset": true]]
      }
    case 1:
      edits = events(of: [parameter], canBypass: false).filter { canReset || $0["reset"] == nil }
      fallthrough
    default:
      setValues(of: [parameter], in: &node)
    }
    let file = random.pick([(name: "tabla.flac", frames: 20_000), (name: "piano.flac", frames: 40_000)])
    let count = random.whole(1...longest)
    var player: LawValue = ["id": "player", "unit": "filePlayer"]
    player["file"] = .text("\(Self.audioFolder)/\(file.name)")
    player["region"] = .list([.whole(random.whole(0...(file.frames - count))), .whole(count)])
    if longest <= 3000, random.chance(0.4) { player["loops"] = .whole(random.whole(1...3)) }
    if random.chance(0.3) { player["start"] = .whole(random.whole(0...600)) }
    soundingGraph([player, node], edits: edits)
  }

  /// Nodes in a row that need no stimulus; the last one is the unit.
  private mutating func soundingGraph(_ nodes: [LawValue], edits: [LawValue]) {
    let smoothing = random.chance(0.15) ? random.pick([1, 31, 32, 480, 1000]) : 0
    let hasPlayer = nodes.count > 1
    take(
      nodes, (hasPlayer ? ["player -> device"] : []) + ["device -> out"], rate: hasPlayer ? 44_100 : rate, edits: edits,
      smoothing: smoothing)
    playsItself = true
  }
}
