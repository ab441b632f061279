import AudioCore
import AudioEngine

extension Graph {
  /// Checks the graph, initializes the units that take part, and makes the plan that renders it.
  ///
  /// Units that feed nothing that reaches the output stay uninitialized. Units that are initialized already keep their
  /// state, so that a graph can be compiled again while an earlier plan renders.
  /// - Parameters:
  ///   - parallel: cut independent branches out, for several threads. Branches that reach a render callback which is
  ///     not declared safe, a unit with render notifies, or a third-party one, stay on the calling thread.
  ///   - taps: names of nodes whose output is listened to; they are rendered even where a mixer would skip them.
  /// - Throws: `.graph` for what is wrong with the graph, `.input` for a file that cannot be played.
  public func compile(parallel: Bool = true, taps: Set<String> = []) throws(BenchError) -> RenderPlan {
    let order = try renderOrder()
    try checkInputs(order, taps: taps)
    try checkDepth(order)
    try propagateFormats(order)
    try checkValues(order)
    planReading(order)
    try checkMemory(order, parallel: parallel, taps: taps)
    for index in order { try initialize(index) }
    var builder = PlanBuilder(graph: self, order: order, taps: taps)
    return try builder.build(parallel: parallel)
  }

  /// Every unit but a mixer needs a source at each input; taps must be on the way to the output.
  private func checkInputs(_ order: [Int], taps: Set<String>) throws(BenchError) {
    for index in order {
      let node = nodes[index]
      for connection in inputs(of: index) where node.unit.renderCallback(input: connection.destinationBus) != nil {
        throw BenchError(
          .graph, at: "node \"\(node.name)\", input bus \(connection.destinationBus)",
          "it has a render callback, set after it was connected to \"\(nodes[connection.source].name)\"",
          advice: "disconnect the bus, or take the callback away: a bus has one source")
      }
      guard node.unit.component.description.type != .mixer else { continue }
      let fed = Set(inputs(of: index).map(\.destinationBus))
      for bus in 0..<node.unit.connectableInputs
      where !fed.contains(bus) && node.unit.renderCallback(input: bus) == nil {
        throw BenchError(
          .graph, at: "node \"\(node.name)\", input bus \(bus)", "nothing is connected to it",
          advice: "connect a source: \"… -> \(node.name)\"")
      }
    }
    for tap in taps.sorted() where !order.contains(where: { nodes[$0].name == tap }) {
      throw BenchError(
        .graph, at: "node \"\(tap)\"",
        node(named: tap) == nil ? "there is no such node to tap" : "it does not lead to the output, so nothing pulls it"
      )
    }
  }

  private func initialize(_ index: Int) throws(BenchError) {
    let node = nodes[index]
    let place = "node \"\(node.name)\""
    do {
      if !node.unit.isInitialized {
        try node.unit.setSmoothingFrames(smoothingFrames)
        try node.unit.initialize()
      }
      for connection in inputs(of: index) { try node.unit.prepareInput(connection.destinationBus) }
    } catch {
      if let failure = node.unit.renderFailure { throw failure.inside(place) }
      throw BenchError(.graph, at: place, explain(error, node.unit))
    }
  }

  /// Tells each unit how many of its frames are wanted for each frame that the output pulls, at the most: by that much
  /// more files are read ahead.
  private func planReading(_ order: [Int]) {
    var speeds: [Int: Double] = [:]
    for index in order.reversed() {
      let unit = nodes[index].unit
      let speed = speeds[index] ?? 1
      unit.readingSpeed = speed
      for connection in inputs(of: index) {
        // The output's own conversion is known for each slice.
        let asked = index == order.last ? 1 : unit.mostFramesAsked(ofInput: connection.destinationBus)
        speeds[connection.source] = max(speeds[connection.source] ?? 0, speed * asked)
      }
    }
  }

  /// Adds up what the units will allocate, with the buffers of branches and taps, before any of it is.
  private func checkMemory(_ order: [Int], parallel: Bool, taps: Set<String>) throws(BenchError) {
    var budget = MemoryBudget()
    for index in order {
      let node = nodes[index]
      let place = "node \"\(node.name)\""
      if !node.unit.isInitialized {
        do { try node.unit.setMaximumFramesPerSlice(maximumFramesPerSlice) } catch {
          throw BenchError(.graph, at: place, "\(error)")
        }
      }
      var bytes = node.unit.memoryBytes
      let isBeside = (parallel ? 1 : 0) + (taps.contains(node.name) ? 2 : 0)
      for bus in 0..<node.unit.elementCount(.output) {
        // A tap listens to output bus 0.
        let times = bus == 0 ? isBeside : min(isBeside, parallel ? 1 : 0)
        guard times > 0, let format = try? node.unit.streamFormat(.output, element: bus) else { continue }
        bytes = MemoryBudget.sum(bytes, times * Unit.sliceBytes(format, maximumFramesPerSlice))
      }
      try budget.add(bytes, for: place)
    }
  }

  private func explain(_ status: AudioStatus, _ unit: Unit) -> String {
    switch status {
    case .fileNotSpecified: return "no file was given: add \"file\""
    case .formatNotSupported:
      let input = (try? unit.streamFormat(.input)).map { "\($0)" } ?? "nothing"
      let output = (try? unit.streamFormat(.output)).map { "\($0)" } ?? "nothing"
      return "the unit cannot turn \(input) into \(output); it takes \(unit.channelCountsInWords)"
    default: return "the unit cannot be initialized: \(status)"
    }
  }

  /// Frees what the units hold for rendering. No plan of this graph may render afterwards.
  public func uninitialize() { for node in nodes { node.unit.uninitialize() } }

  /// Clears the state of every unit, as if nothing had been rendered.
  public func reset() { for node in nodes { node.unit.reset() } }
}

/// Lays out a plan: the nodes of the units and of the converters in front of their inputs, clocks, and branches.
private struct PlanBuilder {
  let graph: Graph
  let order: [Int]
  let taps: Set<String>

  var nodes: [RenderNode] = []
  var connections: [RenderPlan.Connection] = []
  var isUserCode: [Bool] = []
  var isTapped: [Bool] = []

  mutating func build(parallel: Bool) throws(BenchError) -> RenderPlan {
    let links = layOut()
    let consumers = Dictionary(grouping: links, by: \.source)
    let hasUserCode = upstream(of: links) { isUserCode[$0] }
    let isHeard = upstream(of: links) { isTapped[$0] }
    let clocks = try assignClocks(links)
    connections = links.map { link in
      RenderPlan.Connection(
        node: link.node, slot: link.slot, source: link.source, sourceBus: link.bus,
        mayOverwrite: consumers[link.source]?.count == 1, alwaysPull: isHeard[link.source])
    }
    let branches =
      parallel ? cutBranches(links, consumers: consumers, clocks: clocks, hasUserCode: hasUserCode) : []
    let userCode = isUserCode.contains(true)
    let hasCallbacks = order.contains { index in
      let unit = graph.nodes[index].unit
      return (0..<unit.elementCount(.input)).contains { unit.renderCallback(input: $0) != nil }
    }
    return RenderPlan(
      nodes: nodes, connections: connections, silentSlots: silentSlots(), branches: branches,
      units: order.map { graph.nodes[$0].unit }, maximumFrames: graph.maximumFramesPerSlice,
      stepFrames: userCode ? graph.maximumFramesPerSlice : RenderPlan.preferredStepFrames,
      runsHostCode: userCode || hasCallbacks)
  }

  /// The input slots that have neither a connection nor a callback.
  private func silentSlots() -> [(node: RenderNode, slot: Int)] {
    order.flatMap { index in
      let unit = graph.nodes[index].unit
      let fed = Set(graph.inputs(of: index).map(\.destinationBus))
      return (0..<unit.elementCount(.input)).compactMap { bus in
        fed.contains(bus) || unit.renderCallback(input: bus) != nil ? nil : unit.entry(ofInput: bus)
      }
    }
  }

  private struct Link {
    let node: Int
    let slot: Int
    let source: Int
    let bus: Int
  }

  /// Numbers the nodes, sources first, and returns the links between them, by destination.
  private mutating func layOut() -> [Link] {
    var links: [Link] = []
    var numberOfUnit: [Int: Int] = [:]
    for index in order {
      let unit = graph.nodes[index].unit
      guard let node = unit.node else { preconditionFailure("the unit was initialized") }
      let connections = graph.inputs(of: index)
      var ownLinks: [Link] = []
      let callbacks = (0..<unit.elementCount(.input)).compactMap { unit.renderCallback(input: $0) }
      for connection in connections {
        guard let source = numberOfUnit[connection.source] else { preconditionFailure("sources come first") }
        if let converter = unit.inputConverters[connection.destinationBus] {
          append(converter, isUserCode: false, isTapped: false)
          links.append(Link(node: nodes.count - 1, slot: 0, source: source, bus: connection.sourceBus))
          ownLinks.append(Link(node: 0, slot: connection.destinationBus, source: nodes.count - 1, bus: 0))
        } else {
          ownLinks.append(
            Link(node: 0, slot: connection.destinationBus, source: source, bus: connection.sourceBus))
        }
      }
      for (bus, converter) in unit.inputConverters.sorted(by: { $0.key < $1.key })
      where graph.connection(into: index, bus: bus) == nil && unit.renderCallback(input: bus) != nil {
        append(converter, isUserCode: true, isTapped: false)
        ownLinks.append(Link(node: 0, slot: bus, source: nodes.count - 1, bus: 0))
      }
      append(
        node,
        isUserCode: unit.runsForeignCode || unit.hasRenderNotifies || node.processor.runsHostCode
          || callbacks.contains { !$0.mayRunBesideOthers },
        isTapped: taps.contains(graph.nodes[index].name))
      numberOfUnit[index] = nodes.count - 1
      links += ownLinks.sorted { $0.slot < $1.slot }
        .map { Link(node: nodes.count - 1, slot: $0.slot, source: $0.source, bus: $0.bus) }
    }
    return links
  }

  private mutating func append(_ node: RenderNode, isUserCode: Bool, isTapped: Bool) {
    nodes.append(node)
    self.isUserCode.append(isUserCode)
    self.isTapped.append(isTapped)
  }

  /// For each node, whether it or anything upstream of it has a quality.
  private func upstream(of links: [Link], has quality: (Int) -> Bool) -> [Bool] {
    var answer = nodes.indices.map(quality)
    // Links are in order of their destinations, which is the render order.
    for link in links where answer[link.source] { answer[link.node] = true }
    return answer
  }

  /// Numbers the clocks: 0 is the output's; behind each rate conversion begins another.
  ///
  /// - Throws: `.graph` where one node would have to follow two clocks.
  private func assignClocks(_ links: [Link]) throws(BenchError) -> [Int] {
    var clocks = [Int?](repeating: nil, count: nodes.count)
    clocks[nodes.count - 1] = 0
    var next = 1
    for link in links.reversed() {
      guard var clock = clocks[link.node] else { continue }
      if !nodes[link.node].isSynchronous {
        clock = next
        next += 1
      }
      if let present = clocks[link.source], present != clock {
        throw BenchError(
          .graph, at: "node \"\(nodes[link.source].name)\"",
          "it feeds inputs behind different rate conversions or playback rates, so it would have to run at two speeds",
          advice: "use a node of its own for each of them")
      }
      clocks[link.source] = clock
    }
    return clocks.map { $0 ?? 0 }
  }

  /// Cuts out what can render ahead of its puller: the inputs of joins, and nodes with several pullers, on one clock
  /// and without user code.
  private func cutBranches(
    _ links: [Link], consumers: [Int: [Link]], clocks: [Int], hasUserCode: [Bool]
  ) -> [RenderPlan.Branch] {
    // If the output itself converts the rate, branches run on the clock of its source.
    let branchClock = nodes[nodes.count - 1].isSynchronous ? 0 : clocks[nodes.count - 1] + 1
    let sourcesOf = Dictionary(grouping: links, by: \.node).mapValues { $0.map(\.source) }
    func mayBeHead(_ node: Int) -> Bool {
      guard clocks[node] == branchClock, !hasUserCode[node], node != nodes.count - 1,
        !nodes[node].outputFormats.isEmpty, let pullers = consumers[node]
      else { return false }
      // A converter in front of a mixer's input stays with the mixer, and its source becomes the branch instead.
      return !nodes[node].staysWithReader
        && (pullers.count > 1
          || pullers.contains { (sourcesOf[$0.node]?.count ?? 0) > 1 || nodes[$0.node].staysWithReader })
    }
    let heads = nodes.indices.filter(mayBeHead)
    guard heads.count > 1 else { return [] }
    let numberOfHead = Dictionary(uniqueKeysWithValues: heads.enumerated().map { ($1, $0) })
    return heads.map { head in
      var needs: Set<Int> = []
      var walk = UpstreamWalk<Int>()
      walk.visit(head) { node in
        (sourcesOf[node] ?? []).filter { source in
          numberOfHead[source].map { needs.insert($0) } == nil
        }
      }
      return RenderPlan.Branch(
        head: head,
        buffers: nodes[head].outputFormats.map {
          BranchBuffer(format: $0, frameCapacity: graph.maximumFramesPerSlice)
        },
        needs: needs.sorted(), sources: walk.order.compactMap { nodes[$0].readAhead })
    }
  }
}
