extension CrossDraw {
  /// A unit between the stimulus and an output: start values, lines, events, bypass and reset.
  mutating func effectCase(of law: any UnitLaw.Type, canBypass: Bool = true) {
    effectCase(["unit": .text(law.unit)], law.parameters, canBypass: canBypass)
  }

  /// - Parameters:
  ///   - node: the unit with the keys of its own.
  ///   - parameters: those that are drawn.
  ///   - setsStart: start values are drawn; false where the node has its own.
  mutating func effectCase(
    _ node: LawValue, _ parameters: [LawParameter], canBypass: Bool, presets: [LawValue] = [], setsStart: Bool = true,
    hasEdits: Bool = true
  ) {
    let (node, edits) = effect(node, parameters, canBypass: canBypass, presets: presets, setsStart: setsStart)
    wrap(node, edits: hasEdits ? edits : [])
  }

  /// A unit with start values and lines, and its edits.
  mutating func effect(
    _ node: LawValue, _ parameters: [LawParameter], canBypass: Bool, presets: [LawValue] = [], setsStart: Bool = true
  ) -> (node: LawValue, edits: [LawValue]) {
    var node = node
    let parameters = parameters.filter { $0.range(atRate: rate) != nil }
    if setsStart { setValues(of: parameters, in: &node, chance: 0.7) }
    if canBypass, random.chance(0.1) { node["bypass"] = true }
    var still = parameters
    if !parameters.isEmpty, random.chance(0.45) {
      let moving = random.pick(parameters)
      still.removeAll { $0.name == moving.name }
      node["ramp"] = .list((node["ramp"]?.list ?? []) + [line(of: moving)])
    }
    return (node, events(of: still, canBypass: canBypass, presets: presets))
  }

  /// Start values of the parameters, each with a chance; nil: of all.
  mutating func setValues(of parameters: [LawParameter], in node: inout LawValue, chance: Double? = nil) {
    for parameter in parameters where chance.map({ random.chance($0) }) ?? true {
      node["set"] = node["set"] ?? [:]
      node["set"]?[parameter.name] = .number(value(of: parameter))
    }
  }

  /// Two or three effects behind one another.
  mutating func chainCase() {
    let laws: [any UnitLaw.Type] = [
      SampleDelayLaw.self, LowPassFilterLaw.self, ParametricEQLaw.self, HighShelfFilterLaw.self, DelayLaw.self,
      MultibandFilterLaw.self, BandPassFilterLaw.self,
    ]
    var nodes: [LawValue] = []
    var connections: [String] = []
    var all: [LawValue] = []
    var last = "in"
    for place in 0..<random.whole(2...3) {
      let law = random.pick(laws)
      var (node, edits) = effect(["unit": .text(law.unit)], law.parameters, canBypass: true)
      node["id"] = .text("e\(place)")
      for index in edits.indices { edits[index]["node"] = node["id"] }
      nodes.append(node)
      all += edits
      connections.append("\(last) -> e\(place)")
      last = "e\(place)"
    }
    within = -90
    graph(
      nodes, connections + ["\(last) -> out"], edits: all,
      smoothing: random.chance(0.15) ? random.pick([1, 32, 480]) : 0)
  }

  /// The node alone, or in a graph that smooths what is set.
  mutating func wrap(_ node: LawValue, edits: [LawValue]) {
    let smoothing = random.chance(0.15) ? random.pick([1, 31, 32, 480, 1000]) : 0
    guard smoothing > 0 else {
      device = node
      device["channels"] = .whole(channels)
      if !edits.isEmpty { device["edits"] = .list(edits) }
      return
    }
    var node = node
    node["id"] = "device"
    graph([node], ["in -> device", "device -> out"], edits: edits, smoothing: smoothing)
  }

  /// A graph between a player of the stimulus, `in`, and an output, `out`.
  mutating func graph(
    _ nodes: [LawValue], _ connections: [String], edits: [LawValue] = [], smoothing: Int = 0
  ) {
    device = ["input": "in"]
    device["channels"] = .whole(channels)
    take(
      [["id": "in", "unit": "filePlayer"]] + nodes, connections, rate: rate, edits: edits, smoothing: smoothing)
  }

  /// A graph of nodes in front of an output, `out`.
  mutating func take(
    _ nodes: [LawValue], _ connections: [String], rate: Double, edits: [LawValue], smoothing: Int
  ) {
    var graph: LawValue = ["version": 1]
    graph["sampleRate"] = .number(rate)
    if smoothing > 0 { graph["smoothingFrames"] = .whole(smoothing) }
    graph["nodes"] = .list(nodes + [["id": "out", "unit": "genericOutput"]])
    graph["connections"] = .list(connections.map { .text($0) })
    device["graph"] = graph
    if !edits.isEmpty {
      device["edits"] = .list(
        edits.map { edit in
          var edit = edit
          edit["node"] = edit["node"] ?? "device"
          return edit
        })
    }
  }

  /// A ramp of two to four points, with steps among them.
  mutating func line(of parameter: LawParameter) -> LawValue {
    var frame = eventFrame()
    var points: [LawValue] = []
    for _ in 0..<random.whole(2...4) {
      points.append(.list([.whole(frame), .number(value(of: parameter))]))
      frame += random.pick([0, 1, 32, random.whole(1...100), random.whole(1...max(1, frames))])
    }
    return ["parameter": .text(parameter.name), "points": .list(points)]
  }

  private mutating func setting(_ parameter: LawParameter) -> LawValue {
    .object([parameter.name: .number(value(of: parameter))])
  }

  /// Edits of a host while it renders: sets one or two parameters in a frame, the same twice, schedules, bypasses,
  /// selects presets, resets.
  mutating func events(of parameters: [LawParameter], canBypass: Bool, presets: [LawValue] = []) -> [LawValue] {
    if isUnderWay { return eventsUnderWay(parameters, canBypass: canBypass, presets: presets) }
    var edits: [LawValue] = []
    for _ in 0..<random.pick([0, 1, 2, 3, 5]) {
      let frame = eventFrame()
      var edit: LawValue = ["frame": .whole(frame)]
      switch random.whole(0...9) {
      case 0 where canBypass:
        var back = edit
        edit["bypass"] = true
        back["bypass"] = false
        back["frame"] = .whole(frame + random.pick([0, 1, 32, random.whole(1...500)]))
        edits += [edit, back]
      case 1:
        edit["reset"] = true
        edits.append(edit)
      case 2 where !presets.isEmpty, 3 where !presets.isEmpty:
        edit["preset"] = random.pick(presets)
        edits.append(edit)
      case 4 where !parameters.isEmpty, 5 where !parameters.isEmpty:
        // The slice is not cut.
        edit["scheduled"] = true
        let parameter = random.pick(parameters)
        edit["set"] = setting(parameter)
        if random.chance(0.5) { edit["ramp"] = .whole(random.whole(1...600)) }
        edits.append(edit)
        // Another one of the same frame counts in its place.
        if edit["ramp"] == nil, random.chance(0.3) {
          edit["set"] = setting(parameter)
          edits.append(edit)
        }
        // It ends what smoothing has begun.
        if frame > 40, random.chance(0.4) {
          edit["scheduled"] = nil
          edit["ramp"] = nil
          edit["frame"] = .whole(frame - random.whole(1...40))
          edit["set"] = setting(parameter)
          edits.append(edit)
        }
      default:
        guard !parameters.isEmpty else { continue }
        for _ in 0..<random.whole(1...2) {
          let parameter = random.pick(parameters)
          edit["set"] = setting(parameter)
          edits.append(edit)
          if random.chance(0.3) { edits.append(edit) }
        }
        if parameters.count > 1, random.chance(0.4) {
          var both: LawValue = [:]
          for parameter in parameters.prefix(2) { both[parameter.name] = .number(value(of: parameter)) }
          edit["set"] = both
          edits.append(edit)
        }
      }
    }
    return lawful(edits)
  }

  /// Values that jump or go, and while they do, and what follows from them fades, a reset, a bypass, a switch of an input,
  /// or other values. Fades last for hundredths of a second.
  private mutating func eventsUnderWay(
    _ parameters: [LawParameter], canBypass: Bool, presets: [LawValue]
  ) -> [LawValue] {
    var edits: [LawValue] = []
    let switches = parameters.filter { $0.name.hasPrefix("enable@input") }
    let isOff = switches.isEmpty ? nil : random.pick(switches).name
    var others = parameters.filter { !$0.name.hasPrefix("enable") }
    // It is the place of a source that jumps.
    if let bus = isOff?.dropFirst("enable".count), others.contains(where: { $0.name.hasPrefix("azimuth") }) {
      others = others.filter { parameter in
        ["azimuth", "elevation", "distance", "gain"].contains { parameter.name == $0 + bus }
      }
    }
    let fade = Int(exactly: (rate / 100).rounded()) ?? 0
    var frame = random.pick([0, random.whole(30...100), random.whole(30...max(100, frames / 3))])
    func later(_ random: inout CrossRandom) -> Int {
      random.pick([1, 7, 32, random.whole(1...fade), random.whole(1...fade), random.whole(1...(3 * fade))])
    }
    for _ in 0..<random.whole(1...3) {
      if !presets.isEmpty, random.chance(0.4) {
        edits.append(["frame": .whole(frame), "preset": random.pick(presets)])
      } else if !others.isEmpty {
        var values: LawValue = [:]
        for _ in 0..<random.whole(1...3) {
          let parameter = random.pick(others)
          values[parameter.name] = .number(value(of: parameter))
        }
        edits.append(["frame": .whole(frame), "set": values])
      }
      frame += later(&random)
      switch random.whole(0...3) {
      case 0 where canBypass:
        edits.append(["frame": .whole(frame), "bypass": true])
        frame += random.pick([1, 32, random.whole(1...fade)])
        edits.append(["frame": .whole(frame), "bypass": false])
      case 0 where isOff != nil, 1 where isOff != nil:
        for isOn in [0.0, 1] {
          edits.append(["frame": .whole(frame), "set": .object([isOff ?? "": .number(isOn)])])
          frame += isOn == 0 ? random.pick([1, 32, random.whole(1...fade)]) : 0
        }
      case 2: break
      default: edits.append(["frame": .whole(frame), "reset": true])
      }
      frame += later(&random)
    }
    return edits
  }

  /// Leaves out what no law says: a line of a parameter with anything else of it in its frame or behind its beginning,
  /// something that is set in the frame of an event of it, and presets beside events.
  private func lawful(_ edits: [LawValue]) -> [LawValue] {
    func frame(_ edit: LawValue) -> Double { edit["frame"]?.number ?? 0 }
    func names(_ edit: LawValue) -> Set<String> { Set((edit["set"]?.members ?? [:]).keys) }
    let scheduled = edits.filter { $0["scheduled"] != nil }
    let lines = scheduled.filter { $0["ramp"] != nil }
    return edits.enumerated().filter { index, edit in
      if edit["preset"] != nil { return scheduled.isEmpty }
      let isLine = edit["ramp"] != nil
      for (other, line) in edits.enumerated() where other != index && line["ramp"] != nil {
        guard !names(line).isDisjoint(with: names(edit)) else { continue }
        // The first of two lines stays.
        if isLine ? (frame(line), other) < (frame(edit), index) : frame(edit) >= frame(line) { return false }
        if edit["scheduled"] != nil, !isLine { return false }
      }
      guard edit["scheduled"] == nil, !lines.isEmpty || !scheduled.isEmpty else { return true }
      return !scheduled.contains { frame($0) == frame(edit) && !names($0).isDisjoint(with: names(edit)) }
    }.map(\.element)
  }

  /// Bands and sections that are switched and chosen anew while others ring: a burst, and then edits of the parameters
  /// that step.
  mutating func switchCase(_ node: LawValue, _ parameters: [LawParameter], setsStart: Bool) {
    frames = max(frames, 900)
    let length = random.whole(1...200)
    stimulusFormula = "if(n >= \(length), 0, sin(n * n / 7 + c))"
    var node = node
    if setsStart {
      node["set"] = [:]
      setValues(of: parameters, in: &node, chance: 0.8)
    }
    let switches = parameters.filter(\.steps)
    let others = parameters.filter { !$0.steps }
    var edits: [LawValue] = []
    for _ in 0..<random.whole(3...7) {
      let frame = random.whole(length...min(frames - 1, length + 500))
      var values: LawValue = [:]
      for _ in 0..<random.whole(1...3) {
        let parameter = random.pick(random.chance(0.75) || others.isEmpty ? switches : others)
        values[parameter.name] = .number(random.chance(0.3) && parameter.contains(0, rate) ? 0 : value(of: parameter))
      }
      edits.append(["frame": .whole(frame), "set": values])
    }
    wrap(node, edits: edits)
  }
}
