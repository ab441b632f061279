extension CrossDraw {
  /// Buses of an input's channels, by a splitter and converters that pick some; collected until the case is made.
  /// - Returns: the channels of each bus.
  mutating func fanIn(buses: Int, widths: [Int] = [1, 2, 2, 3], into node: String) -> [Int] {
    surroundingNodes = [["id": "split", "unit": "multiSplitter"]]
    surroundingConnections = ["in -> split"]
    return (0..<buses).map { bus in
      let width = random.pick(widths)
      let map = (0..<width).map { _ in LawValue.whole(random.whole(0...(channels - 1))) }
      var pick: LawValue = ["id": .text("pick\(bus)"), "unit": "formatConverter", "map": .list(map)]
      if let inputRate { pick["format"] = ["sampleRate": .number(inputRate)] }
      surroundingNodes.append(pick)
      surroundingConnections += ["split:\(bus) -> pick\(bus)", "pick\(bus) -> \(node):\(bus)"]
      return width
    }
  }

  mutating func matrix(rows: Int, columns: Int) -> LawValue {
    let levels: [LawValue] = [0, 1, 0.5, 0.25, -0.5, 0.703125]
    return .list(
      (0..<rows).map { _ in
        .list((0..<columns).map { _ in random.chance(0.3) ? 0 : random.pick(levels) })
      })
  }

  /// A mixer behind its buses, with start values, lines and events of its levels.
  mutating func mixerCase(_ node: LawValue, _ parameters: [LawParameter]) {
    var node = node
    var set: LawValue = [:]
    for parameter in parameters where random.chance(parameter.name.hasPrefix("enable") ? 0.1 : 0.5) {
      set[parameter.name] = .number(value(of: parameter))
    }
    if set != [:] { node["set"] = set }
    var still = parameters
    var ramps: [LawValue] = []
    for _ in 0..<random.pick([0, 1, 1, 2, 3]) {
      let pans = still.filter { $0.name.hasPrefix("pan") }
      let moving = random.pick(pans.isEmpty || random.chance(0.6) ? still : pans)
      guard !moving.name.hasPrefix("enable") else { continue }
      still.removeAll { $0.name == moving.name }
      ramps.append(line(of: moving))
    }
    if !ramps.isEmpty { node["ramp"] = .list(ramps) }
    if inputRate != nil {
      node["format"] = node["format"] ?? [:]
      node["format"]?["sampleRate"] = .number(rate)
    }
    var edits = events(of: still, canBypass: false)
    // Conversions in front of it would begin anew, and what stands in front of these hear a clock that jumps back.
    if inputRate != nil {
      edits.removeAll { edit in
        edit["reset"] != nil || edit["set"]?.members?.keys.contains { $0.hasPrefix("enable") } ?? false
      }
    }
    let smoothing = random.chance(0.15) ? random.pick([1, 32, 100, 480]) : 0
    graph(
      surroundingNodes + [node], surroundingConnections + ["device -> out"], edits: edits, smoothing: smoothing)
  }

  /// A player of a file, or two side by side.
  /// - Parameter leaps: it is passed over for longer than it reads ahead, and plays on.
  mutating func playerCase(leaps: Bool = false) {
    let files: [(name: String, rate: Double, frames: Int)] = [
      ("tabla.flac", 44_100, 20_000), ("tabla-48000.flac", 48_000, 20_000), ("crow-22050.flac", 22_050, 10_000),
      ("drums.flac", 44_100, 60_000), ("piano.flac", 44_100, 40_000),
    ]
    let file = random.pick(files)
    var player: LawValue = ["id": "player", "unit": "filePlayer"]
    player["file"] = .text("\(Self.audioFolder)/\(file.name)")
    let from = random.whole(0...(file.frames - 100))
    let count = min(
      file.frames - from, leaps ? random.whole(300...4000) : random.pick([31, 32, 100, random.whole(100...4000)]))
    player["region"] = .list([.whole(from), .whole(count)])
    if random.chance(0.6) {
      player["start"] = .whole(random.pick([0, 1, 31, 32, 4096, random.whole(0...5000)]))
    }
    let loops = leaps ? random.whole(9000...30_000) / count : random.chance(0.6) ? random.whole(0...5) : nil
    if let loops { player["loops"] = .whole(loops) }
    if random.chance(0.4) { player["quality"] = .text(random.pick(["linear", "zero-order-hold", "fast", "best"])) }
    let graphRate = random.chance(0.6) ? file.rate : rate
    var nodes: [LawValue] = [player]
    var connections = ["player -> out"]
    var edits: [LawValue] = []
    if leaps || random.chance(0.4) {
      // Behind a switch, while which is off nothing plays on.
      nodes.append(["id": "mixer", "unit": "multichannelMixer", "format": ["channels": 1]])
      connections = ["player -> mixer", "mixer -> out"]
      var frame = random.whole(0...400)
      for isOn in [0.0, 1, 0, 1] {
        edits.append(["frame": .whole(frame), "node": "mixer", "set": ["enable@input:0": .number(isOn)]])
        frame += leaps && isOn == 0 ? random.whole(3000...14_000) : random.pick([1, 32, random.whole(1...1500)])
      }
      if leaps, let loops, let length = Int(exactly: (Double((loops + 3) * count) * graphRate / file.rate).rounded()) {
        // The render goes on when it has ended.
        nodes.append([
          "id": "tone", "unit": "toneGenerator", "frames": .whole(length + 5000), "format": ["channels": 1],
        ])
        connections.append("tone -> mixer:1")
      }
    }
    take(nodes, connections, rate: graphRate, edits: edits, smoothing: 0)
    playsItself = true
  }

  /// Beside the suite's own folder.
  static let audioFolder = "../audio"
}
