import AudioCore
import AudioEngine
import CAudioToolbox

/// Closed, open, initialized, running; each call also where it changes nothing.
extension GraphModel {
  /// Makes the units. If one cannot be made, there are none.
  func open() throws(AudioStatus) {
    guard state == .closed else { return }
    for index in nodes.indices {
      do {
        var node = nodes[index]
        try open(&node)
        nodes[index] = node
      } catch {
        closeUnits()
        throw error
      }
    }
    state = .open
  }

  /// Ends the units. Nodes and interactions stay.
  func close() {
    guard state != .closed else { return }
    uninitialize()
    state = .closed
    abandoned = []
    closeUnits()
  }

  private func closeUnits() {
    for index in nodes.indices {
      if let unit = nodes[index].unit { _ = UnitInstance.dispose(unit) }
      nodes[index].unit = nil
      nodes[index].member?.close()
    }
  }

  /// Connects and initializes everything that takes part; where that fails, nothing is.
  ///
  /// - Throws: -10863 unless the graph is open; -10868 for formats that do not match, -10877 for a bus that is not
  ///   there, or the error of the unit that fails.
  func initialize() throws(AudioStatus) {
    var work = GraphWork()
    do {
      try initialize(&work)
    } catch {
      work.undo()
      throw error
    }
    work.commit()
    domain.post(work.edits)
    domain.settle()
    if let unit = head?.unit { cycle.readRate(of: unit) }
  }

  func initialize(_ work: inout GraphWork) throws(AudioStatus) {
    guard state != .closed else { throw .cannotDoInCurrentContext }
    guard state == .open else { return }
    let touched = abandoned.union(interactions.all.map(\.input))
    do {
      try carryOut(interactions, touched: touched, involved: participants(interactions, touched), &work)
    } catch {
      throw error.status
    }
    state = .initialized
    work.didInitialize(self)
  }

  /// Stops and uninitializes all units. Edits that still wait are left to the next ``initialize()``.
  func uninitialize() {
    guard state == .initialized else { return }
    if isRunning { try? stop() }
    state = .open
    for edit in todo { abandoned.formUnion(interactions.apply(edit)) }
    todo = []
    presentInteractions = interactions
    let remaining = presentNodes
    abandoned = abandoned.filter { input in remaining.contains { $0.number == input.node } }
    retired += nodes.filter(\.isLeaving)
    nodes = remaining
    // Outputs pull, so they go first.
    for node in nodes.sorted(by: { $0.isOutput && !$1.isOutput }) {
      if let unit = node.unit { _ = withUnit(unit) { $0.uninitialize() } }
      node.member?.uninitialize()
    }
    retire()
  }

  /// Starts the output. Waiting edits are carried out before: programs that never update expect that.
  ///
  /// - Throws: -10863 unless the graph is initialized, -10862 where it has no output, or the output's error.
  func start() throws(AudioStatus) {
    guard state == .initialized else { throw .cannotDoInCurrentContext }
    guard head?.unit != nil else { throw .outputNodeError }
    guard !isRunning else { return }
    _ = try update(waits: true)
    guard let unit = head?.unit else { throw .outputNodeError }
    cycle.readRate(of: unit)
    cycle.resetLoad()
    // An output that was added late may be part of no interaction.
    try ensureSuccess(
      withUnit(unit) {
        let status = $0.isInitialized ? noErr : $0.initialize()
        return status == noErr ? $0.start() : status
      })
    isStarted = true
  }

  /// - Throws: as ``start()``.
  func stop() throws(AudioStatus) {
    guard state == .initialized else { throw .cannotDoInCurrentContext }
    guard let unit = head?.unit else { throw .outputNodeError }
    isStarted = false
    try ensureSuccess(withUnit(unit) { $0.stop() })
  }

  /// Ends the graph, whatever state it is in; its handle is stale afterwards.
  func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    _ = HandleTable.shared.remove(handle, GraphModel.self)
    close()
    for node in nodes { dispose(node) }
    nodes = []
    cycle.outliveGraph()
  }
}
