import AudioCore
import AudioEngine
import CAudioToolbox

/// The changes of units by one update or initialization, prepared so that rendering sees all of it at once or nothing.
struct GraphWork {
  /// The edits for the render side.
  private(set) var edits: [SharedValue.Edit] = []
  private var formers: [(unit: AudioUnit, bus: UInt32, source: InputSource)] = []
  private var initializedUnits: [AudioUnit] = []
  private var initializedGraphs: [GraphModel] = []

  /// Gives an input its source.
  mutating func feed(_ unit: AudioUnit, bus: UInt32, from source: InputSource) throws(AudioStatus) {
    var former = InputSource.none
    _ = withUnit(unit) {
      former = $0.source(ofInput: bus)
      return noErr
    }
    // Nothing to take away, perhaps not even the bus.
    if case (.none, .none) = (former, source) { return }
    // Kept before the attempt: one that fails may have let go of the former source.
    formers.append((unit, bus, former))
    var prepared: [SharedValue.Edit] = []
    let result = withUnit(unit) { $0.setSource(source, input: bus, edits: &prepared) }
    edits += prepared
    switch (result, source) {
    case (noErr, _): return
    // An initialized unit cannot take over the source's format: as the graph sees it, the formats do not match.
    case (kAudioUnitErr_PropertyNotWritable, .connection): throw .formatNotSupported
    default: throw AudioStatus(result)
    }
  }

  /// Initializes a unit, unless that is done already.
  mutating func initialize(_ unit: AudioUnit) throws(AudioStatus) {
    var isDone = false
    let result = withUnit(unit) {
      isDone = $0.isInitialized
      return isDone ? noErr : $0.initialize()
    }
    try ensureSuccess(result)
    if !isDone { initializedUnits.append(unit) }
  }

  /// Remembers that a graph has become initialized.
  mutating func didInitialize(_ graph: GraphModel) { initializedGraphs.append(graph) }

  /// Puts everything back, before anything was posted. Formats that connections have carried over stay.
  mutating func undo() {
    for unit in initializedUnits.reversed() { _ = withUnit(unit) { $0.uninitialize() } }
    var ignored: [SharedValue.Edit] = []
    for former in formers.reversed() {
      _ = withUnit(former.unit) { $0.setSource(former.source, input: former.bus, edits: &ignored) }
    }
    for graph in initializedGraphs { graph.state = .open }
    self = GraphWork()
  }

  /// Makes what was done final.
  func commit() {
    for graph in initializedGraphs { graph.abandoned = [] }
  }
}

/// Why a graph could not be made as it should be, and where that showed.
struct GraphFailure: Error {
  enum Place {
    case input(GraphInput)
    case node(AUNode)
  }
  let status: AudioStatus
  let place: Place
}

extension GraphModel {
  /// Lets units follow `wanted`: sets the sources of the inputs that were touched and initializes the units that are
  /// involved, sources before what they feed, so that formats are final when they are carried over.
  func carryOut(
    _ wanted: InteractionList, touched: Set<GraphInput>, involved: Set<AUNode>, _ work: inout GraphWork
  ) throws(GraphFailure) {
    for node in inOrder(wanted, touched) {
      for input in touched.filter({ $0.node == node.number }).sorted(by: { $0.bus < $1.bus }) {
        do throws(AudioStatus) {
          guard let unit = node.unit else { throw .invalidAudioUnit }
          try work.feed(unit, bus: input.bus, from: try source(wanted[input]))
        } catch {
          throw GraphFailure(status: error, place: .input(input))
        }
      }
      guard involved.contains(node.number) else { continue }
      do {
        if let member = node.member {
          try member.initialize(&work)
        } else if let unit = node.unit {
          try work.initialize(unit)
        }
      } catch {
        throw GraphFailure(status: error, place: .node(node.number))
      }
    }
  }

  /// The source of an input as its unit takes it.
  private func source(_ interaction: Interaction?) throws(AudioStatus) -> InputSource {
    switch interaction?.source {
    case nil: return .none
    case .callback(let proc, let userData): return .callback(proc, userData: userData)
    case .node(let number, let bus), .recorded(let number, let bus):
      guard let node = nodes.first(where: { $0.number == number }) else { throw .nodeNotFound }
      guard let unit = node.renderingUnit else { throw node.member == nil ? .invalidAudioUnit : .outputNodeError }
      return .connection(source: unit, bus: bus)
    }
  }

  // MARK: Who takes part

  /// The inputs of a node that were given a source past the graph, by a property of the unit.
  private func directSources(
    of node: GraphNode, _ wanted: InteractionList, _ touched: Set<GraphInput>
  ) -> [InputSource] {
    guard let unit = node.unit else { return [] }
    var sources: [InputSource] = []
    var count: UInt32 = 0
    _ = withUnit(unit) {
      let status = $0.read(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, into: &count)
      guard status == noErr else { return status }
      for bus in 0..<count {
        let input = GraphInput(node: node.number, bus: bus)
        if touched.contains(input) || wanted[input] != nil { continue }
        let source = $0.source(ofInput: bus)
        if case .none = source { continue }
        sources.append(source)
      }
      return noErr
    }
    return sources
  }

  /// The nodes that feed a node, by the graph or past it.
  private func feeders(of number: AUNode, _ wanted: InteractionList, _ touched: Set<GraphInput>) -> [AUNode] {
    var feeders = wanted.feeders(of: number)
    guard let node = nodes.first(where: { $0.number == number }) else { return feeders }
    for case .connection(let unit, _) in directSources(of: node, wanted, touched) {
      if let feeder = self.node(of: unit) { feeders.append(feeder.number) }
    }
    return feeders
  }

  /// Some nodes and everything that they pull, without what is known already.
  func upstream(
    of numbers: some Sequence<AUNode>, _ wanted: InteractionList, _ touched: Set<GraphInput>,
    except known: some Sequence<AUNode> = []
  ) -> Set<AUNode> {
    var walk = UpstreamWalk(except: known)
    for number in numbers { walk.visit(number) { feeders(of: $0, wanted, touched) } }
    return Set(walk.order)
  }

  /// The nodes whose units an initialized graph has initialized: those in interactions, the output, those whose inputs
  /// have sources that were set past the graph, and all that these pull.
  func participants(_ wanted: InteractionList, _ touched: Set<GraphInput>) -> Set<AUNode> {
    var roots = Set(wanted.all.flatMap { [$0.input.node, $0.sourceNode ?? $0.input.node] })
    for node in presentNodes where node.isOutput || !directSources(of: node, wanted, touched).isEmpty {
      roots.insert(node.number)
    }
    return upstream(of: roots, wanted, touched)
  }

  /// All nodes, sources before what they feed.
  private func inOrder(_ wanted: InteractionList, _ touched: Set<GraphInput>) -> [GraphNode] {
    var walk = UpstreamWalk<AUNode>()
    for node in nodes { walk.visit(node.number) { feeders(of: $0, wanted, touched).reversed() } }
    return walk.order.compactMap { number in nodes.first { $0.number == number } }
  }
}
